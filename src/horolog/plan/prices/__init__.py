# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel's steps and stores cost on a board, as calibration has measured it."""

__all__ = ()
