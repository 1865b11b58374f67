# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `chronos`: section VII of CHRONOS on mps2-an385, and how much work each kernel bears."""

from horolog_experiments.chronos.experiment import EXPERIMENT
from horolog_experiments.chronos.ideal import (
    Ideal,
    Job,
    first_miss,
    ideal_tasks,
    most_work,
    simulate,
)
from horolog_experiments.chronos.points import Row, measure_point
from horolog_experiments.chronos.results import (
    DATA,
    Breakdown,
    Ideals,
    Results,
    geometric_mean,
    region_of,
)
from horolog_experiments.chronos.run import measure_chronos, points_of, quick_points
from horolog_experiments.chronos.sets import (
    FACTORS,
    SCENARIOS,
    Method,
    Point,
    Scenario,
    Variant,
    system_of,
)

__all__ = [
    "Breakdown",
    "DATA",
    "EXPERIMENT",
    "FACTORS",
    "Ideal",
    "Ideals",
    "Job",
    "Point",
    "Results",
    "Row",
    "SCENARIOS",
    "Scenario",
    "Variant",
    "Method",
    "first_miss",
    "geometric_mean",
    "ideal_tasks",
    "measure_chronos",
    "measure_point",
    "most_work",
    "points_of",
    "quick_points",
    "region_of",
    "simulate",
    "system_of",
]
