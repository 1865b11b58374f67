# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When releases and interrupts happen: residue classes of instants, their density, and how many of each."""

__all__ = ()
