# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Response-time analysis for fixed priorities: pure functions of integers, for other tools, too."""

from horolog.schedulability.affinities import (
    AffinityBound,
    Arrivals,
    Charge,
    Rival,
    Work,
    affinity_bound,
    kernel_span,
)
from horolog.schedulability.chains import Link, age_bound, reaction_bound
from horolog.schedulability.demand import Demand, End, Level, Order, Source
from horolog.schedulability.intervals import Interval, Periodic, overfull
from horolog.schedulability.offsets import apart_offsets, most_together
from horolog.schedulability.phases import MOST_STEPS, phase_bounds
from horolog.schedulability.priorities import assigned_levels, spread_levels
from horolog.schedulability.schedule import Jobs, missed_by
from horolog.schedulability.verdict import (
    PARTS_OF_FACTOR,
    breakdown_factor,
    longest_work,
    response_bounds,
)
from horolog.schedulability.windows import MOST_JOBS, Bound, Parts, window_bounds

__all__ = [
    "MOST_JOBS",
    "MOST_STEPS",
    "PARTS_OF_FACTOR",
    "AffinityBound",
    "Arrivals",
    "Bound",
    "Charge",
    "Demand",
    "End",
    "Interval",
    "Jobs",
    "Level",
    "Link",
    "Order",
    "Parts",
    "Periodic",
    "Rival",
    "Source",
    "Work",
    "affinity_bound",
    "age_bound",
    "apart_offsets",
    "assigned_levels",
    "breakdown_factor",
    "kernel_span",
    "longest_work",
    "missed_by",
    "most_together",
    "overfull",
    "phase_bounds",
    "reaction_bound",
    "response_bounds",
    "spread_levels",
    "window_bounds",
]
