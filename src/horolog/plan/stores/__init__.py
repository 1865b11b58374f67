# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which store each releaser gets, and how many bytes it takes."""

__all__ = ()
