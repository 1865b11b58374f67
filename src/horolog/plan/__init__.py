# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which releasers serve a system, and what that is predicted to cost."""

from horolog.plan.best_predicted import best_predicted
from horolog.plan.cell_counts import MOST_CELLS, ByCells, by_cells, hypothetical, over_cells
from horolog.plan.choice import plan
from horolog.plan.limit import Limit
from horolog.plan.mapping.exact import Effort, optimal, solve
from horolog.plan.mapping.grouping import (
    Grouping,
    Groups,
    NoGroups,
    Outcome,
    Problem,
    greedy,
    merge_cheapest,
)
from horolog.plan.moved import moved_as, plan_moving
from horolog.plan.plan_json import curve_to_data, to_data
from horolog.plan.prediction.utilisation import Demand, demand_of, refuse_overload
from horolog.plan.prices.costs import (
    FREE,
    NEW_COSTS,
    NOTHING,
    Cooperation,
    Costs,
    Prices,
    SharingCosts,
)
from horolog.plan.prices.curves import OVER, SHAPES, Curve, Load, Point, QueueCosts, shape_of
from horolog.plan.prices.read_costs import read_prices
from horolog.plan.prices.static_costs import STEP_STORES, STEPS, StepCosts
from horolog.read.costs_file import own_costs_path

__all__ = [
    "ByCells",
    "Cooperation",
    "Costs",
    "Curve",
    "Demand",
    "Effort",
    "FREE",
    "Grouping",
    "Groups",
    "Limit",
    "Load",
    "NEW_COSTS",
    "NOTHING",
    "NoGroups",
    "MOST_CELLS",
    "OVER",
    "Outcome",
    "Point",
    "Prices",
    "Problem",
    "QueueCosts",
    "SHAPES",
    "STEPS",
    "STEP_STORES",
    "SharingCosts",
    "StepCosts",
    "best_predicted",
    "by_cells",
    "curve_to_data",
    "demand_of",
    "greedy",
    "hypothetical",
    "merge_cheapest",
    "moved_as",
    "optimal",
    "over_cells",
    "own_costs_path",
    "plan",
    "plan_moving",
    "read_prices",
    "refuse_overload",
    "shape_of",
    "solve",
    "to_data",
]
