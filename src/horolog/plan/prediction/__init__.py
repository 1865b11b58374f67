# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What releasers will cost: interrupts exactly, instructions by the board's prices."""

__all__ = ()
