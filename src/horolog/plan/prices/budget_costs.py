# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What execution budgets that hold cost: at the start and the end of a job, and in what may come into one.

By the way in which a budget is counted, and the device of the cell:

- shared: one cell counts all budgets. Handlers that may come into a job with a budget look whether they have,
  and pause it if so. The cell's interrupts do that, and the handlers of the lines above the lowest such task.
- own: the task has a cell, which the hardware stops for whatever comes in. A line has one task only.
- own-line: so, but the task shares its line with others.
- own-alone: the interrupt of a cell is the task.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType

from horolog.analyse import Dispatcher, all_dispatchers, all_levels, is_basic, lines
from horolog.model import Releaser, System

__all__ = [
    "BUDGET_MEANING",
    "BUDGET_WAYS",
    "GUARD_ARM",
    "GUARD_DISARM",
    "BudgetCosts",
    "budget_pauses",
    "budget_way",
    "pausing_tasks",
    "releaser_pauses",
    "with_sharing",
]

BUDGET_WAYS = ("shared", "own", "own-line", "own-alone")

BUDGET_MEANING: Mapping[str, str] = MappingProxyType(
    {
        "before": "per job with a budget, in front of its body",
        "after": "and behind it",
        "look": "per interrupt of a cell that may come into such a job",
        "look_release": "and beyond that, if it releases a task",
        "look_line": "per handler of a line that may",
        "pause": "per such interrupt or handler that has come into one, beyond that",
    }
)


@dataclass(frozen=True, slots=True)
class BudgetCosts:
    """Instructions or cycles of one way to count budgets; with own cells only the first two are not 0."""

    before: Fraction
    after: Fraction
    look: Fraction = Fraction(0)
    look_release: Fraction = Fraction(0)
    look_line: Fraction = Fraction(0)
    pause: Fraction = Fraction(0)


GUARD_ARM = Fraction(34)
GUARD_DISARM = Fraction(60)
"""To arm or to disarm a cell that deadlines and budgets share, beyond what that takes of a cell of its own.

Instructions on mps2-an385, where runs with a cell for both and with two cells differ by 32 and 56; the
longest path in kernel/guard/guard_cell.c has some more. What is disarmed for one role is armed for the other.
"""


def with_sharing(system: System, costs: BudgetCosts) -> BudgetCosts:
    """`costs` where one cell counts all budgets, with what that takes more if it monitors deadlines, too.

    A job arms it, and disarms it at its end; a pause does both, too.
    """
    if not system.shares_guards:
        return costs
    return replace(
        costs,
        before=costs.before + GUARD_ARM,
        after=costs.after + GUARD_DISARM,
        pause=costs.pause + GUARD_DISARM + GUARD_ARM,
    )


def budget_way(system: System, task: int, releaser: Releaser) -> str:
    """The one of BUDGET_WAYS by which the budget of `task`, which `releaser` releases, is counted."""
    assert system.budget_cells is not None
    if not system.budget_cells.each:
        return "shared"
    if releaser.store == "none":
        return "own-alone"
    own = next((line for line in lines(system) if task in line.tasks), None)
    return "own" if own is None or len(own.tasks) == 1 else "own-line"


def budget_pauses(system: System, level: int | None) -> bool:
    """Whether a handler of that level, None: of threads', may come into a job and pause its budget."""
    cells = system.budget_cells
    if cells is None or cells.each:
        return False
    on = all_levels(system)
    lowest = min(on[task] for task in system.budgeted)
    return level is None or system.board.controller is None or level > lowest


def pausing_tasks(system: System) -> frozenset[int]:
    """Basic tasks, as in System.all_tasks, with handlers that look for a budget to pause."""
    cells = system.budget_cells
    if cells is None or cells.each:
        return frozenset()
    by, on = all_dispatchers(system), all_levels(system)
    lowest = min(on[task] for task in system.budgeted)
    in_lines = (Dispatcher.CONTROLLER, Dispatcher.LINE_THREAD)
    return frozenset(at for at, one in enumerate(by) if one in in_lines and on[at] > lowest)


def releaser_pauses(system: System, releaser: Releaser) -> bool:
    """Whether the interrupt of a releaser's cell looks for a budget that it has to pause."""
    return budget_pauses(system, releaser.level if is_basic(system, releaser) else None)
