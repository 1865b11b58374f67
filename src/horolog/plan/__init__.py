# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which releasers serve a system, and what that is predicted to cost."""

from horolog.plan.choice import plan
from horolog.plan.costs import FREE, Costs, read_costs
from horolog.plan.grouping import Grouping, Groups, Problem, merge_cheapest
from horolog.plan.jsonable import to_data

__all__ = [
    "FREE",
    "Costs",
    "Grouping",
    "Groups",
    "Problem",
    "merge_cheapest",
    "plan",
    "read_costs",
    "to_data",
]
