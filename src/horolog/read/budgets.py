# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The execution budgets of tasks: which can be had, and the cells that count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from horolog.analyse import Dispatcher, all_dispatchers, all_levels
from horolog.figures import plural
from horolog.model import Board, BudgetCells, Cell, HorologError, Kind, Mode, System
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import listed
from horolog.read.schema import SystemFile, TaskTable
from horolog.read.units import duration_text

__all__ = ["budget_cells", "budget_problems", "has_budgets", "order_problems"]

_LONGEST = (1 << 29) - 1
"""How many counts a budget may last: the kernel compares instants of so much ahead."""


def has_budgets(file: SystemFile) -> bool:
    """Whether any task has one."""
    return any(task.budget is not None for task in file.task)


def budget_problems(
    document: Document, file: SystemFile, entries: Iterable[Entry], board: Board
) -> Iterator[HorologError]:
    """Budgets of tasks that cannot have one, and such that are too long."""
    if not has_budgets(file):
        return
    by_index = {entry.loc[1]: entry for entry in entries if entry.loc[0] == "task"}
    for index, task in enumerate(file.task):
        if task.budget is not None:
            place = document.place("task", index, "budget")
            found = f"budget = {duration_text(task.budget)}"
            for wrong, expected in _reasons(task, by_index.get(index)):
                yield HorologError(wrong, place=place, found=found, expected=expected)
            if task.budget * board.clock.hz > _LONGEST:
                yield HorologError(
                    f'the budget of "{task.name}" is too long',
                    place=place,
                    found=duration_text(task.budget),
                    expected=f"at most {duration_text(Fraction(1000 * _LONGEST // board.clock.hz, 1000))}",
                )
    if file.system.releases is not None:
        yield HorologError(
            "jobs with budgets are enforced for ever, and tasks have so many releases",
            place=document.place("system", "releases"),
            found=f"releases = {file.system.releases}",
            expected="no releases, or no budget",
        )


def _reasons(task: TaskTable, entry: Entry | None) -> Iterator[tuple[str, str]]:
    """Why `task` cannot have a budget, and what would be right; no entry: time does not release it."""
    if entry is None:
        yield (
            f'"{task.name}" has a budget, and time does not release it',
            "no budget, or a period, or a point of a table",
        )
    elif entry.kind is not Kind.BASIC:
        yield (
            f'"{task.name}" has a budget, which is for basic tasks',
            'kind = "basic", or no budget; a [[server]] bounds what a thread does for others',
        )
    if task.terminates:
        yield (
            f'"{task.name}" has a budget, so its jobs do not end early by themselves',
            "no terminates, or no budget",
        )


def budget_cells(
    document: Document, file: SystemFile, target: Board, cells: Sequence[str], groups: int
) -> tuple[BudgetCells | None, list[HorologError]]:
    """The cells of `target` that count budgets: of `cells`, those that neither time-outs nor deadlines have.

    Where groups of cells follow lines each task has a cell, in a group of its own; `groups` are taken.
    Otherwise it is the last one that can be armed for an instant, times the longest budget, and shares its
    interrupt with no other.
    """
    budgets = [(task.budget, at) for at, task in enumerate(file.task) if task.budget is not None]
    if not budgets:
        return None, []
    longest, index = max(budgets)
    place = document.place("task", index, "budget")
    if not target.port.redirects:
        return None, [
            HorologError(
                f'the board "{target.name}" has no budgets: its port ends no job from outside',
                place=place,
                found=f"the port {target.arch}",
                expected="no budget, or another board",
            )
        ]
    if target.port.follows:
        return _a_cell_each(document, file, target, cells, groups)
    counts = ceil(longest * target.clock.hz)
    able = [cell for cell in target.cells if cell.name in cells and _can(target, cell, counts)]
    if able and len(cells) > 1:
        return BudgetCells((able[-1].name,)), []
    deadlines = any(of.deadline_monitoring != "none" for of in file.table)
    beside = ", one for the tasks" + (", one for deadlines" if deadlines else "")
    return None, [
        HorologError(
            f"budgets need a cell, which can be armed for {duration_text(longest)}"
            " and has an interrupt of its own",
            place=place,
            found=f"{plural(len(cells), 'cell')} besides: {listed(list(cells))}",
            expected=f"{2 + deadlines} cells{beside} and one for budgets; or no budget",
        )
    ]


def _a_cell_each(
    document: Document, file: SystemFile, target: Board, cells: Sequence[str], taken: int
) -> tuple[BudgetCells | None, list[HorologError]]:
    budgeted = [at for at, task in enumerate(file.task) if task.budget is not None]
    able = [cell for cell in target.cells if cell.name in cells and cell.groups]
    most = max((cell.groups for cell in able), default=0)
    needed = len(budgeted)
    if needed < len(cells) and needed <= min(len(able), most - taken):
        names = tuple(cell.name for cell in able[-needed:])
        return BudgetCells(names, each=True, groups=tuple(range(most, most - needed, -1))), []
    return None, [
        HorologError(
            f"budgets need {plural(needed, 'cell')}, each in a group of its own, beside those for the tasks",
            place=document.place("task", budgeted[0], "budget"),
            found=f"{plural(len(able), 'cell')} and {plural(most - taken, 'group')} left",
            expected="fewer budgets, or more cells",
        )
    ]


def _can(board: Board, cell: Cell, counts: int) -> bool:
    handlers = [one.handler for one in board.cells]
    return (
        Mode.ONE_SHOT in cell.modes
        and counts < 1 << (cell.width - 1)
        and handlers.count(cell.handler) == 1
        and cell.handler != board.clock.handler
    )


def order_problems(system: System) -> Iterator[HorologError]:
    """Tasks with a budget below threads: these would be charged to it."""
    by, on = all_dispatchers(system), all_levels(system)
    for task in system.budgeted:
        threads = [
            system.task(i).name
            for i, one in enumerate(by)
            if one is Dispatcher.KERNEL and on[i] >= on[task]
        ]
        if by[task] is Dispatcher.LINE_THREAD and (system.board.controller or threads):
            above = [f'"{name}"' for name in threads] or ["a thread"]
            yield HorologError(
                f'"{system.tasks[task].name}" has a budget, and threads are above it',
                place=system.tasks[task].place,
                found=f"above it: {listed(above)}",
                expected="a priority above those of all threads, or no budget",
            )
