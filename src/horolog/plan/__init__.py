# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which releasers serve a system, and what that is predicted to cost."""

from horolog.plan.choice import plan
from horolog.plan.costs import FREE, NOTHING, Costs, Prices, read_prices
from horolog.plan.curves import OVER, SHAPES, Curve, Load, Point, QueueCosts, shape_of
from horolog.plan.grouping import Grouping, Groups, Problem, merge_cheapest
from horolog.plan.jsonable import to_data
from horolog.plan.places import own_costs_path

__all__ = [
    "Costs",
    "Curve",
    "FREE",
    "Grouping",
    "Groups",
    "Load",
    "NOTHING",
    "OVER",
    "Point",
    "Prices",
    "Problem",
    "QueueCosts",
    "SHAPES",
    "merge_cheapest",
    "own_costs_path",
    "plan",
    "read_prices",
    "shape_of",
    "to_data",
]
