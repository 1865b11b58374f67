# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which tasks share a cell: divisions of the tasks, exact and good ones, and the releasers they make."""

__all__ = ()
