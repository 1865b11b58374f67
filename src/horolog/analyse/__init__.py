# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What follows from a system's description alone: priority levels and release instants."""

from horolog.analyse.levels import levels
from horolog.analyse.releases import (
    HOP_COUNTS,
    Stream,
    bases,
    common_divisor,
    count_instant,
    count_releases,
    cycle_counts,
    distinct_instants,
    essential,
    hyperperiod,
    jobs_in,
    release_instants,
    releases,
    settled_counts,
    streams,
    wakes,
    window_counts,
)

__all__ = [
    "HOP_COUNTS",
    "Stream",
    "bases",
    "common_divisor",
    "count_instant",
    "count_releases",
    "cycle_counts",
    "distinct_instants",
    "essential",
    "hyperperiod",
    "jobs_in",
    "levels",
    "release_instants",
    "releases",
    "settled_counts",
    "streams",
    "wakes",
    "window_counts",
]
