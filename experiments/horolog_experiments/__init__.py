# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Experiments: what Horolog and other kernels cost, and the pages of evidence about it."""

__all__: list[str] = []
