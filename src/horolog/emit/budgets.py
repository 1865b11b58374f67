# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets as lines of generated C (kernel/assemble/budgets.h)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horolog.analyse import all_dispatchers, all_levels, basic_levels, dispatchers
from horolog.analyse.levels import Dispatcher
from horolog.emit.parts import GUARD_CELL, Part, driver_of, part, unsigned
from horolog.model import BudgetCells, Cell, System

__all__ = ["BudgetCell", "EmittedBudgets", "emitted_budgets"]


@dataclass(frozen=True, slots=True)
class BudgetCell:
    """A cell that counts budgets; its handler is a macro of its own."""

    cell: Cell
    driver: str
    level: int | None  # of the interrupt; None: there is no controller
    task: int | None = None  # the one that it counts for; None: all
    group: int = 0  # in which it is then
    counts: int = 0  # the budget

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        return self.driver, unsigned(self.cell.instance)


@dataclass(frozen=True, slots=True)
class EmittedBudgets:
    """What counts budgets: the cells with their handlers, and the bodies of tasks."""

    cells: tuple[BudgetCell, ...]
    header: str  # of kernel/assemble/, which has the macros
    tasks: tuple[int, ...]  # with budgets: indices of System.tasks
    named: bool  # here: with several cores the file that all have in common names them
    macros: tuple[Part | str, ...]
    bodies: Mapping[
        int, str
    ]  # by tasks, of System.all_tasks: what runs in place of the task's body
    handlers: tuple[Part, ...]  # of the cells that do nothing else
    lowest: int | None  # the level of the lowest task with a budget; None: there is no controller

    def defined(self, addresses: Mapping[int, str]) -> tuple[Part | str, ...]:
        """All macros; `addresses` of the struct hrl_basic of each task."""
        if not self.named:
            return self.macros
        return (part("HRLI_BUDGET_TASKS", *(addresses[task] for task in self.tasks)), *self.macros)

    def pauses(self, level: int | None) -> bool:
        """Whether a handler of that level may come into a job with a budget."""
        if any(one.task is not None for one in self.cells):
            return False  # the hardware does
        return level is None or self.lowest is None or level > self.lowest


def emitted_budgets(
    system: System, numbers: Sequence[int], before: int | None = None
) -> EmittedBudgets | None:
    """Builds what counts budgets, if there are any; `numbers` of jobs in names.

    As the part of one of several cores, so many tasks with budgets have other cores `before` it.
    """
    if system.budget_cells is None:
        return None
    if system.budget_cells.each:
        return _by_own_cells(system, system.budget_cells, numbers, before)
    cell, top = system.board.cell(system.budget_cells.names[0]), basic_levels(system)
    by, on = dispatchers(system), all_levels(system)
    level = None if system.board.controller is None else top
    made = BudgetCell(cell, driver_of(cell.device), level)
    lowest = min(on[task] for task in system.budgeted)
    macros: list[Part | str] = []
    channel, header = made.channel, "budgets"
    if system.shares_guards:
        macros.append(part("HRLI_SHARED_GUARD_CELL", *channel))
        channel, header = (GUARD_CELL, "HRLI_GUARD_BUDGETS"), "shared_guards"
    macros.append(part("HRLI_BUDGETS", *channel, unsigned(top)))
    bodies: dict[int, str] = {}
    for number, task in enumerate(system.budgeted):
        counts = unsigned(system.budget_counts(task))
        macros.append(part("HRLI_BUDGETED_TASK", task, number, counts))
        bodies[task] = f"hrl_gen_budgeted_{task}"
    if any(by[task] is Dispatcher.LINE_THREAD for task in system.budgeted):
        for task, dispatcher in enumerate(all_dispatchers(system)):
            if dispatcher is Dispatcher.LINE_THREAD and on[task] > lowest:
                job = system.job(task)
                macros.append(part("HRLI_PAUSING_TASK", job, bodies.get(task, _body(job))))
                bodies[task] = f"hrl_gen_pausing_{job}"
    return EmittedBudgets(
        cells=(made,),
        header=header,
        tasks=system.budgeted,
        named=before is None,
        macros=tuple(macros),
        bodies=bodies,
        handlers=() if system.shares_guards else (part("HRLI_BUDGET_HANDLER", cell.handler),),
        lowest=None if level is None else lowest,
    )


def _by_own_cells(
    system: System, cells: BudgetCells, numbers: Sequence[int], before: int | None
) -> EmittedBudgets:
    """A cell for each task (kernel/guard/own_budget.h)."""
    top = basic_levels(system)
    macros: list[Part | str] = ["HRLI_OWN_BUDGETS"]
    made = []
    named = zip(system.budgeted, cells.names, cells.groups, strict=True)
    for number, (task, name, group) in enumerate(named, before or 0):
        cell, counts = system.board.cell(name), system.budget_counts(task)
        one = BudgetCell(cell, driver_of(cell.device), top, task, group, counts)
        macros.append(
            part("HRLI_OWN_BUDGET", numbers[task], number, *one.channel, unsigned(counts))
        )
        made.append(one)
    return EmittedBudgets(
        cells=tuple(made),
        header="own_budgets",
        tasks=system.budgeted,
        named=before is None,
        macros=tuple(macros),
        bodies={task: f"hrl_gen_budgeted_{numbers[task]}" for task in system.budgeted},
        handlers=(),
        lowest=None,
    )


def _body(job: int) -> str:
    return f"hrl_gen_body_{job}"
