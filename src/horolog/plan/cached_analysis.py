# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What analyse/ says of a system's tasks, asked once: a plan asks the same of many candidates."""

from __future__ import annotations

from horolog import analyse
from horolog.analyse.memo import remembered

__all__ = [
    "chains_of",
    "groups_of",
    "static_store_misfit",
    "table_size",
]

chains_of = remembered(analyse.chains_of)
groups_of = remembered(analyse.groups_of)
static_store_misfit = remembered(analyse.static_store_misfit)
table_size = remembered(analyse.table_size)
