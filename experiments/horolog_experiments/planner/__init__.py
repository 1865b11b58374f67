# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `planner`: how well, and how fast, tasks are mapped to cells."""

from horolog_experiments.planner.measure import (
    Case,
    Found,
    Measured,
    Miqcp,
    measure_planner,
    solve_case,
)
from horolog_experiments.planner.page import (
    measured_from,
    measured_text,
    planner_object,
    planner_page,
    planner_targets,
)

__all__ = [
    "Case",
    "Found",
    "Measured",
    "Miqcp",
    "measure_planner",
    "measured_from",
    "measured_text",
    "planner_object",
    "planner_page",
    "planner_targets",
    "solve_case",
]
