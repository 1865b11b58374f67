# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures a run from outside: what the probe watches, what it found, and the figures that this makes."""

__all__ = ()
