# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The execution budgets of tasks: which can be had, and the cells that count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil

from horolog.analyse import Dispatcher, all_dispatchers, all_levels
from horolog.figures import plural
from horolog.model import Board, BudgetCells, Cell, HorologError, Kind, System
from horolog.read.cell_needs import interrupts_alone, without_budgets
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.nearest import Change, Unfit, set_table, set_tasks
from horolog.read.problems import listed
from horolog.read.schema import SystemFile, TaskTable
from horolog.read.units import about_duration_text, duration_text

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
    if not board.port.redirects:
        index = next(at for at, task in enumerate(file.task) if task.budget is not None)
        yield HorologError(
            f'the board "{board.name}" has no budgets: its port ends no job from outside',
            place=document.place("task", index, "budget"),
            found=f"the port {board.arch}",
            expected="no budget, or another board",
        )
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
    if not budgets or not target.port.redirects:
        return None, []
    if target.port.follows:
        return _a_cell_each(document, file, target, cells, groups)
    longest, index = max(budgets)
    counts = ceil(longest * target.clock.hz)
    able = [cell for cell in target.cells if cell.name in cells and interrupts_alone(target, cell)]
    found = [cell for cell in able if counts < _span(cell)]
    if found:
        return BudgetCells((found[-1].name,)), []
    most = max((_span(cell) for cell in able), default=0) - 1
    return None, [
        Unfit(
            f"no cell can count the budget of {duration_text(longest)}",
            place=document.place("task", index, "budget"),
            found=listed([_why_not(target, cell) for cell in target.cells if cell.name in cells]),
            expected="a cell that can be armed so far ahead and has an interrupt of its own",
            changes=[*_shorter(file, target, most), without_budgets(_names(file))],
        )
    ]


def _names(file: SystemFile) -> list[str]:
    return [task.name for task in file.task if task.budget is not None]


def _shorter(file: SystemFile, target: Board, most: int) -> Iterator[Change]:
    """Budgets of at most so many counts, in whole microseconds."""
    us = most * 10**6 // target.clock.hz
    over = [task.name for task in file.task if task.budget is not None and task.budget * 10**6 > us]
    if us > 0:
        text = duration_text(Fraction(us, 10**6))
        names = listed([f'"{name}"' for name in over], last="and")
        yield set_tasks(f'budget = "{text}" of {names}', over, budget=text)


def _why_not(board: Board, cell: Cell) -> str:
    if not interrupts_alone(board, cell):
        return f"{cell.name}, which shares its interrupt"
    return (
        f"{cell.name}, for at most {about_duration_text(Fraction(_span(cell) - 1, board.clock.hz))}"
    )


def _a_cell_each(
    document: Document, file: SystemFile, target: Board, cells: Sequence[str], taken: int
) -> tuple[BudgetCells | None, list[HorologError]]:
    budgeted = [at for at, task in enumerate(file.task) if task.budget is not None]
    able = [cell for cell in target.cells if cell.name in cells and cell.groups]
    most = max((cell.groups for cell in able), default=0)
    needed, free = len(budgeted), min(len(able), most - taken)
    if needed <= free:
        names = tuple(cell.name for cell in able[-needed:])
        return BudgetCells(names, each=True, groups=tuple(range(most, most - needed, -1))), []
    beside = f", beside {plural(taken, 'schedule table')} with a group each" if taken else ""
    scheduled = [
        set_table(
            'counter = "clock" of the schedule tables in cells', "schedule", None, counter=None
        )
    ]
    return None, [
        Unfit(
            f"budgets need {plural(needed, 'cell')}, each in a group of its own",
            place=document.place("task", budgeted[free], "budget"),
            found=f"{plural(len(able), 'cell')} and {plural(most - taken, 'group')} left{beside}",
            expected=f"at most {plural(free, 'budget')}",
            changes=[without_budgets(_names(file)[free:]), *(scheduled if taken else [])],
        )
    ]


def _span(cell: Cell) -> int:
    """It can be armed for fewer counts than that."""
    return 1 << (cell.width - 1)


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
