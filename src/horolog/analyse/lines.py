# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of basic tasks: which tasks share one, in which order, and which resource has which ceiling.

A line is one priority level's queue of up to MOST_ON_A_LINE basic tasks. A level with more of them has
several lines; among lines of one level the first with a pending task goes first. Sporadic basic tasks have
lines of their own, so that they change nothing in how releasers serve the others'.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse.levels import (
    Dispatcher,
    all_dispatchers,
    all_levels,
    dispatchers,
    rank,
)
from horolog.analyse.memo import remembered
from horolog.model import GROUP_STORES, Kind, Line, Plan, Resource, System, Task

__all__ = [
    "CATCH_UP_RANKS",
    "MOST_ON_A_LINE",
    "BasicLine",
    "ceiling",
    "doorbell",
    "group_lines",
    "line_of",
    "lines",
    "lines_of",
    "numbered",
    "unordered",
]

MOST_ON_A_LINE = 32
"""How many basic tasks a line can have: one word holds their pending bits."""

CATCH_UP_RANKS = 2
"""The first bits of a controller's line, which the kernel keeps for itself where a task's jobs may wait."""


@dataclass(frozen=True, slots=True)
class BasicLine:
    """Basic tasks that are dispatched one after the other.

    `tasks`: indices into System.all_tasks, the most urgent first. Tasks that are pending together run in this
    order: the task of rank r has bit 31 - r of the line's words. `catch_up_ranks`: the kernel's own,
    which come first.
    """

    level: int  # the controller's, or that of the thread that serves the line
    by: Dispatcher  # CONTROLLER or LINE_THREAD
    tasks: tuple[int, ...]
    cell: str | None = None  # the cell that raises the line; None: software raises it
    catch_up_ranks: int = 0

    def rank(self, task: int) -> int:
        """The rank of one of its tasks on it."""
        return self.catch_up_ranks + self.tasks.index(task)

    def bit(self, task: int) -> int:
        """The bit of one of its tasks."""
        return MOST_ON_A_LINE - 1 - self.rank(task)


@remembered
def lines(system: System) -> tuple[BasicLine, ...]:
    """The lines of all basic tasks, the most urgent first: those of the controller, then the others.

    On a line tasks of one rank stand in the system's order. The tasks of a level are shared out over as
    few lines as hold them, the most urgent on the first; where lines ascend, each has one of its own if there
    are enough.
    """
    found = _apart(system, system.basic, frozenset()) + _lines(system, system.sporadic_basic)
    return _ordered(system, found)


def lines_of(system: System, plan: Plan) -> tuple[BasicLine, ...]:
    """The lines of all basic tasks under `plan`. A cell that runs its tasks itself has a line of its own."""
    direct = {releaser.cell: releaser for releaser in plan.releasers if releaser.direct}
    taken = {index for releaser in direct.values() for index in releaser.tasks}
    grouped = {i for one in plan.releasers if one.store in GROUP_STORES for i in one.tasks}
    found = list(_apart(system, [i for i in system.basic if i not in taken], grouped))
    for cell, releaser in direct.items():
        (line,) = _lines(system, releaser.tasks)
        found.append(replace(line, cell=cell))
    in_tables = {
        index: cell
        for index, cell in system.cell_tasks.items()
        if all_dispatchers(system)[index] is Dispatcher.CONTROLLER
    }
    for index, cell in in_tables.items():
        (line,) = _lines(system, [index])
        found.append(replace(line, cell=cell))
    found += _lines(system, [index for index in system.sporadic_basic if index not in in_tables])
    return _ordered(system, found)


def _ordered(system: System, found: Iterable[BasicLine]) -> tuple[BasicLine, ...]:
    """`found`, the most urgent first: those of the controller, then the others."""

    def key(one: BasicLine) -> tuple[bool, int, Fraction]:
        first = min(rank(system, index) for index in one.tasks)
        return one.by is not Dispatcher.CONTROLLER, -one.level, first

    return tuple(sorted(found, key=key))


def group_lines(system: System, tasks: Iterable[int]) -> tuple[BasicLine, ...]:
    """The lines of all basic tasks if a releaser of groups releases `tasks`, and none is its cell's."""
    return _group_lines(system, tuple(tasks))


@remembered
def _group_lines(system: System, tasks: tuple[int, ...]) -> tuple[BasicLine, ...]:
    return _apart(system, system.basic, {*tasks})


def _apart(
    system: System, tasks: Sequence[int], grouped: AbstractSet[int]
) -> tuple[BasicLine, ...]:
    """The lines of `tasks`; those of `grouped` that may have a line to themselves have it.

    Where lines ascend, all of them may, whatever releases them.
    """
    lonely = _lonely(system)
    if not system.board.port.lines_ascend:
        lonely &= grouped
    alone = [index for index in tasks if index in lonely]
    shared = [index for index in tasks if index not in lonely]
    return _lines(system, shared) + tuple(
        line for index in alone for line in _lines(system, [index])
    )


@remembered
def _lonely(system: System) -> frozenset[int]:
    """The tasks that have a line to themselves if a releaser of groups releases them.

    A release by a line of its own is cheaper than by a word of one that others share; so those that are
    released most often have one, as long as the lines that are free are enough for all the others, too.
    """
    if system.board.controller is None:
        return frozenset()
    by, free = dispatchers(system), len(system.board.controller.lines)
    free -= len(_lines(system, system.sporadic_basic))
    ours = [index for index in system.basic if by[index] is Dispatcher.CONTROLLER]
    others = [index for index in system.basic if index not in ours]
    if others:
        free -= 1  # the doorbell
    able = [index for index in ours if not system.tasks[index].is_general]
    able.sort(key=lambda index: system.tasks[index].period)
    for number in range(min(free, len(able)), 0, -1):
        alone = {*able[:number]}
        if number + len(_lines(system, [index for index in ours if index not in alone])) <= free:
            return frozenset(alone)
    return frozenset()


def numbered(system: System, plan: Plan) -> tuple[tuple[BasicLine, Line | None], ...]:
    """The lines of lines_of, each with the controller's line that software raises for it.

    None: a thread serves it, or it is a cell's. Of lines of one level the first has the smallest number, as
    the controller lets it go first. Where tasks have lines of their own, which may be many, less urgent
    levels have the smaller ones: those of a cell's level are to be greater than the cell's (ADR 0013). A port
    may say that all lines ascend so. The board has enough of them (plan.check_lines).
    """
    found = lines_of(system, plan)
    raised = [one for one in found if one.by is Dispatcher.CONTROLLER and one.cell is None]
    if system.board.port.lines_ascend:
        raised.reverse()
    elif any(releaser.store in GROUP_STORES for releaser in plan.releasers):
        raised.sort(key=lambda line: line.level)
    controller = system.board.controller
    free = () if controller is None else controller.lines
    taken = sorted(free[: len(raised)], key=lambda line: line.number)
    number = dict(zip(raised, taken, strict=True))
    return tuple((one, number.get(one)) for one in found)


def doorbell(system: System, plan: Plan) -> Line | None:
    """The controller's line that wakes the threads which serve basic tasks; None: nothing rings.

    It is the first that lines_of leaves. Without a controller releasers wake these threads themselves.
    """
    found = lines_of(system, plan)
    if system.board.controller is None or all(line.by is Dispatcher.CONTROLLER for line in found):
        return None
    raised = [one for one in found if one.by is Dispatcher.CONTROLLER and one.cell is None]
    return system.board.controller.lines[len(raised)]


def _lines(system: System, tasks: Iterable[int]) -> tuple[BasicLine, ...]:
    on, by = all_levels(system), all_dispatchers(system)
    members: dict[tuple[bool, int], list[int]] = {}
    for index in sorted(tasks, key=lambda at: (rank(system, at), at)):
        hardware = by[index] is Dispatcher.CONTROLLER
        members.setdefault((hardware, on[index]), []).append(index)
    found: list[BasicLine] = []
    for (hardware, level), of in sorted(members.items(), reverse=True):
        ranks = (
            CATCH_UP_RANKS
            if hardware and _needs_catch_up([system.task(index) for index in of])
            else 0
        )
        dispatcher = Dispatcher.CONTROLLER if hardware else Dispatcher.LINE_THREAD
        most = MOST_ON_A_LINE - ranks
        found += [
            BasicLine(level, dispatcher, tuple(of[at : at + most]), catch_up_ranks=ranks)
            for at in range(0, len(of), most)
        ]
    return tuple(found)


def _needs_catch_up(tasks: Iterable[Task]) -> bool:
    """Whether the line needs catch-up tasks: with early ends its handler looks at each job's limit anyway."""
    return any(task.limit > 1 for task in tasks) and not any(task.terminates for task in tasks)


def line_of(system: System, task: int) -> int:
    """The number of a basic task's line among lines(system)."""
    return next(at for at, line in enumerate(lines(system)) if task in line.tasks)


def ceiling(system: System, resource: Resource) -> int:
    """The level of a resource: that of the most urgent basic task that uses it; one does at least.

    Basic tasks that threads of the kernel's run have levels among the threads'. On a board with a controller
    that is none of the resource's: there the ceiling is the dispatch's own, the controller's lowest, so that
    nothing but tasks of higher levels of the controller's comes in while it is held. Where a ceiling masks
    every level, it is the highest that there is.
    """
    on, by = all_levels(system), all_dispatchers(system)
    basic = [index for index in resource.tasks if system.task(index).kind is Kind.BASIC]
    if system.board.controller is not None and by[basic[0]] is Dispatcher.LINE_THREAD:
        return 1
    board = system.board
    if board.controller is not None and board.port.ceilings_mask_all:
        return board.basic_levels or board.levels
    return max(on[index] for index in basic)


def unordered(system: System, tasks: Iterable[int]) -> tuple[int, int] | None:
    """Two of `tasks` that no ceiling orders; None: there are none.

    Basic tasks have to have the same dispatcher, as levels of the controller and of threads do not compare.
    A thread is ordered with them if it is less urgent than one of them: the ceiling is theirs.
    """
    by, on = all_dispatchers(system), all_levels(system)
    basic = [index for index in tasks if by[index] is not Dispatcher.KERNEL]
    threads = [index for index in tasks if by[index] is Dispatcher.KERNEL]
    if not basic:
        return None
    for index in basic:
        if by[index] is not by[basic[0]]:
            return basic[0], index
    top = max(basic, key=lambda index: on[index])
    for index in threads:
        if by[top] is Dispatcher.LINE_THREAD and on[index] >= on[top]:
            return index, top
    return None
