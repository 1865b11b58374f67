# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The costs of a board, as calibration measures them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.model import Mode
from horolog.model.result import INSTRUCTIONS
from horolog.plan import Cooperation, Costs, QueueCosts, SharingCosts, StepCosts
from horolog.plan.prices.budget_costs import BudgetCosts
from horolog.plan.prices.expiry_costs import ExpiryCosts
from horolog.plan.prices.group_costs import LineQueueCosts
from horolog.plan.prices.handler_costs import HandlerCosts
from horolog.plan.prices.size_costs import SizeCosts

__all__ = ["Calibration"]


@dataclass(frozen=True, slots=True)
class Calibration:
    """A board's costs and what they hold for."""

    board: str
    costs: Costs
    toolchain: str
    queues: Mapping[str, QueueCosts] = field(default_factory=dict)  # by name, one of QUEUES
    stores: Mapping[str, StepCosts] = field(default_factory=dict)  # by name, one of STEP_STORES
    cooperation: Cooperation | None = None
    sharing: SharingCosts | None = None
    basic: Mapping[str, StepCosts] = field(
        default_factory=dict
    )  # by release method, one of RELEASE_METHODS
    line_queues: Mapping[str, LineQueueCosts] = field(default_factory=dict)  # of groups, by name
    unit: str = INSTRUCTIONS  # what all of that counts
    cells: Mapping[Mode, Mapping[str, Fraction]] = field(default_factory=dict)  # by device
    cooperation_by_queue: Cooperation | None = None
    handlers: Mapping[tuple[str, Mode], HandlerCosts] = field(default_factory=dict)
    flash: SizeCosts | None = None
    variables: SizeCosts | None = None
    deadlines: Mapping[str, Fraction] = field(default_factory=dict)  # per job, by device
    own_deadlines: Mapping[str, Fraction] = field(
        default_factory=dict
    )  # by a cell of the task's own
    own_deadlines_alone: Mapping[str, Fraction] = field(
        default_factory=dict
    )  # that is an interrupt
    dispatched: Mapping[str, Fraction] = field(default_factory=dict)  # per point, by device
    moving_deadlines: Mapping[str, Fraction] = field(default_factory=dict)  # per job
    budgets: Mapping[tuple[str, str], BudgetCosts] = field(
        default_factory=dict
    )  # by way and device
    expiries: ExpiryCosts | None = None
    points: Mapping[str, Fraction] = field(default_factory=dict)  # of tables in cells
    ram: int | None = None  # bytes that the emulator gave, where that is more than the chip has
