# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What execution budgets that hold take at most, in steps: by the board's prices, with MARGIN on top.

Where one cell counts all, whatever comes into a job with a budget pauses it. Each handler that may is charged
as if it did, as that takes most.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from horolog.analyse import is_basic
from horolog.model import Releaser, System
from horolog.plan import Prices
from horolog.plan.prediction.handlers import MARGIN
from horolog.plan.prices.budget_costs import (
    BudgetCosts,
    budget_way,
    pausing_tasks,
    releaser_pauses,
    with_sharing,
)

__all__ = ["job_steps", "pause_of_cell", "pause_of_interrupt", "pause_of_task"]

_KEPT = 28
"""Of a budget with a cell of its own, steps that calibration does not meet: its body changes no register that
calls keep, and takes no resource. The entry of a handler saves twelve and the ceiling, each in two cycles at
most (docs/evidence/tables.md)."""
_UNPRICED = BudgetCosts(*map(Fraction, (120, 80, 0, 0, 0, 140)))
"""Of boards without a price."""


def job_steps(system: System, releaser: Releaser, prices: Prices) -> tuple[int, int]:
    """What a budget adds to a job that `releaser` releases, before its body and behind it."""
    cells = system.budget_cells
    before = after = 0
    for number, task in enumerate(system.budgeted):
        if cells is None or task not in releaser.tasks:
            continue
        device = system.board.cell(cells.names[number if cells.each else 0]).device
        costs = prices.budgets.get((budget_way(system, task, releaser), device), _UNPRICED)
        costs = with_sharing(system, costs)
        kept = _KEPT if cells.each else 0
        before, after = max(before, _up(costs.before) + kept), max(after, _up(costs.after))
    return before, after


def pause_of_cell(system: System, releaser: Releaser, prices: Prices) -> int:
    """What an interrupt of a releaser's cell takes to pause a budget and to let it go on.

    Cells of threads look for one, too, but come into no task that a controller dispatches.
    """
    if not releaser_pauses(system, releaser):
        return 0
    costs = _shared(system, prices)
    into = system.board.controller is None or is_basic(system, releaser)
    return _up(costs.look + costs.look_release + (costs.pause if into else 0))


def pause_of_task(system: System, task: int, prices: Prices) -> int:
    """The same, of the handler or the thread that runs a basic task, as in System.all_tasks."""
    if task not in pausing_tasks(system):
        return 0
    costs = _shared(system, prices)
    return _up(costs.look_line + costs.pause)


def pause_of_interrupt(system: System, prices: Prices) -> int:
    """The same, of an interrupt of the application, or of the cell for time-outs."""
    if system.budget_cells is None or system.budget_cells.each:
        return 0
    costs = _shared(system, prices)
    return _up(costs.look + costs.look_release + costs.pause)


def _shared(system: System, prices: Prices) -> BudgetCosts:
    assert system.budget_cells is not None
    device = system.board.cell(system.budget_cells.names[0]).device
    return with_sharing(system, prices.budgets.get(("shared", device), _UNPRICED))


def _up(steps: Fraction) -> int:
    return max(0, ceil(steps * (1 + MARGIN)))
