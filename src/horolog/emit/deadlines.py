# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Monitored deadlines of a dispatcher table as lines of generated C (kernel/assemble/deadlines.h)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from horolog.analyse import MonitoredDeadline, basic_levels, count_instant, monitored_deadlines
from horolog.emit.parts import GUARD_CELL, Part, driver_of, part, unsigned
from horolog.model import Cell, DeadlineCells, DispatcherTable, System

__all__ = ["DeadlineCell", "EmittedDeadlines", "emitted_deadlines"]

_ROWS = "static const struct hrli_deadline"
_JOBS = "static struct hrli_deadline_job"


@dataclass(frozen=True, slots=True)
class DeadlineCell:
    """A cell that monitors deadlines, with its handler: of all tasks, or of one."""

    cell: Cell
    driver: str
    level: int | None  # of the interrupt; None: there is no controller
    is_clocks: bool  # it shares the clock's handler
    serves: Part | str  # what its handler does
    starts: Part | str | None  # in start-up code, after the clock has started
    counts_budgets: bool = False  # so that its handler is not one of releasers

    @property
    def is_basic(self) -> bool:
        """Whether its interrupt is one of basic tasks."""
        return True

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        if self.counts_budgets:
            return GUARD_CELL, "HRLI_GUARD_DEADLINES"
        return self.driver, unsigned(self.cell.instance)

    @property
    def reach(self) -> str:
        """For how many counts it is armed at most: a multiplexed one for instants that can be compared."""
        most = 1 << (self.cell.width - 1)
        return unsigned(min(most, 1 << 30) if self.counts_budgets else most)

    @property
    def serve(self) -> tuple[Part | str, ...]:
        """The body of its handler behind the cell's acknowledge."""
        dispatch = ("HRLI_DISPATCH",) if self.level is None else ()
        return (self.serves, *dispatch)


@dataclass(frozen=True, slots=True)
class _Watched:
    """How a task is named whose deadlines may be monitored."""

    number: int  # in hrl_gen_monitored_<number>
    body: str  # what that runs


@dataclass(frozen=True, slots=True)
class EmittedDeadlines:
    """What monitors deadlines: the cells with their handlers, and the data."""

    cells: tuple[DeadlineCell, ...]
    tasks: tuple[int, ...]  # in the order of their jobs
    header: str  # of kernel/assemble/, which has the macros
    declared: tuple[Part | str, ...]  # before the arrays
    arrays: tuple[tuple[str, tuple[Part, ...]], ...]  # their declarations and elements
    macros: tuple[Part, ...]  # behind the arrays
    compares: Mapping[int, str]  # where the comparison of a task's own cell is, by tasks

    def defined(self, addresses: Mapping[int, str]) -> tuple[Part, ...]:
        """The macros behind the arrays; `addresses` of the struct hrl_basic of each task."""
        named = part("HRLI_DEADLINE_TASKS", *(addresses[task] for task in self.tasks))
        return (named, *self.macros)


def emitted_deadlines(
    system: System,
    bodies: Mapping[int, str] = MappingProxyType({}),
    numbers: Sequence[int] | None = None,
) -> EmittedDeadlines | None:
    """Builds the data of monitored deadlines, if there are any; `bodies` of tasks that are not their own.

    `numbers` of tasks in names; default: those of System.tasks.
    """
    table = system.monitored
    if table is None or table.deadline_cells is None:
        return None
    watched = {}
    for task in sorted({task for of in system.tables for task in of.tasks}):
        number = task if numbers is None else numbers[task]
        watched[task] = _Watched(number, bodies.get(task, f"hrl_gen_body_{number}"))
    if system.control is not None:
        return _by_dispatcher(system, table.deadline_cells, watched)
    hz = system.board.clock.hz
    found = monitored_deadlines(table, hz)
    if table.deadline_cells.each:
        return _by_own_cells(system, table, table.deadline_cells, found, watched)
    counts = count_instant(table.round, hz)
    if _is_single(found, counts):
        return _of_one_task(system, counts, table.deadline_cells, found, watched)
    return _by_one_cell(system, counts, table.deadline_cells, found, watched)


def _cell(system: System, name: str, serves: Part | str, starts: Part | str | None) -> DeadlineCell:
    board, cell = system.board, system.board.cell(name)
    return DeadlineCell(
        cell=cell,
        driver=driver_of(cell.device),
        level=None if board.controller is None else basic_levels(system),
        is_clocks=board.controller is not None and cell.handler == board.clock.handler,
        serves=serves,
        starts=starts,
        counts_budgets=system.shares_guards,
    )


def _is_single(found: Sequence[MonitoredDeadline], counts: int) -> bool:
    """Whether the deadlines are one task's, equally far apart and behind their points."""
    step, rest = divmod(counts, len(found))
    due = sorted(one.due for one in found)
    return (
        rest == 0
        and len({one.task for one in found}) == 1
        and len({one.due - one.point for one in found}) == 1
        and all(after - before == step for before, after in pairwise(due))
    )


def _of_one_task(
    system: System,
    counts: int,
    cells: DeadlineCells,
    found: Sequence[MonitoredDeadline],
    watched: Mapping[int, _Watched],
) -> EmittedDeadlines:
    """Such deadlines of a round of `counts`, by one cell (kernel/guard/single_deadline.h)."""
    first = min(found, key=lambda one: one.due)
    step = unsigned(counts // len(found))
    cell = _cell(
        system,
        cells.names[0],
        part("HRLI_SERVE_SINGLE_DEADLINE", step),
        "HRLI_START_SINGLE_DEADLINE",
    )
    return EmittedDeadlines(
        cells=(cell,),
        tasks=(first.task,),
        header="single_deadline_task",
        declared=(),
        arrays=(),
        macros=(
            part(
                "HRLI_SINGLE_DEADLINE",
                watched[first.task].number,
                *cell.channel,
                cell.reach,
                unsigned(system.board.start_counts + first.due),
                step,
                unsigned(first.due - first.point),
                watched[first.task].body,
            ),
        ),
        compares={},
    )


def _by_one_cell(
    system: System,
    counts: int,
    cells: DeadlineCells,
    found: Sequence[MonitoredDeadline],
    watched: Mapping[int, _Watched],
) -> EmittedDeadlines:
    """Deadlines of a round of `counts`, all monitored by one cell (kernel/guard/deadline.h)."""
    tasks = tuple(sorted({one.task for one in found}))
    rows, first = _rows(found, counts, tasks, partial(part, "HRLI_DEADLINE"))
    due = [one.due for one in found]
    start = system.board.start_counts
    jobs = [
        part("HRLI_DEADLINE_JOB", unsigned(start + due[first[task]]), first[task]) for task in tasks
    ]
    # The kernel goes on from it in the order of the rows: of equal ones it is the first.
    earliest = min(first.values(), key=lambda at: (due[at], at))
    cell = _cell(system, cells.names[0], "HRLI_SERVE_DEADLINES", "HRLI_START_DEADLINES")
    begins = (unsigned(start + due[earliest]), earliest)
    return EmittedDeadlines(
        cells=(cell,),
        tasks=tasks,
        header="deadlines",
        declared=("HRLI_DEADLINES_DECLARE",),
        arrays=((f"{_ROWS} deadline_rows", tuple(rows)), (f"{_JOBS} deadline_jobs", tuple(jobs))),
        macros=(
            part("HRLI_DEADLINES", *cell.channel, cell.reach, *begins),
            *(
                part("HRLI_MONITORED_TASK", watched[task].number, at, watched[task].body)
                for at, task in enumerate(tasks)
            ),
        ),
        compares={},
    )


def _rows(
    found: Sequence[MonitoredDeadline],
    counts: int,
    tasks: Sequence[int],
    row_of: Callable[..., Part],
) -> tuple[list[Part], dict[int, int]]:
    """The rows of a round of `counts`, and the first row of each task; `tasks` by their jobs' numbers."""
    due = [one.due for one in found]
    own = {
        task: [at for at, one in enumerate(found) if one.task == task]
        for task in dict.fromkeys(one.task for one in found)
    }
    following = {
        at: rows[(place + 1) % len(rows)] for rows in own.values() for place, at in enumerate(rows)
    }
    made = [
        row_of(
            unsigned(_to(due, at, (at + 1) % len(found), counts)),
            unsigned(_to(due, at, following[at], counts)),
            unsigned(one.due - one.point),
            (at + 1) % len(found),
            following[at],
            tasks.index(one.task),
        )
        for at, one in enumerate(found)
    ]
    return made, {task: min(rows, key=lambda at: due[at]) for task, rows in own.items()}


def _by_dispatcher(
    system: System, cells: DeadlineCells, watched: Mapping[int, _Watched]
) -> EmittedDeadlines:
    """The deadlines of each mode, which the dispatcher begins, ends and shifts."""
    hz = system.board.clock.hz
    of_modes = [
        (at, table, monitored_deadlines(table, hz)) for at, table in enumerate(system.tables)
    ]
    tasks = tuple(sorted({one.task for _, _, found in of_modes for one in found}))
    declared: list[Part | str] = []
    arrays: list[tuple[str, tuple[Part, ...]]] = []
    macros: list[Part] = []
    cell = _cell(system, cells.names[0], "HRLI_SERVE_MOVING_DEADLINES", None)
    macros.append(part("HRLI_DEADLINE_MOVER", *cell.channel, cell.reach))
    for at, table, found in of_modes:
        if not found:
            continue
        row_of = partial(part, "HRLI_MOVING_DEADLINE", at)
        rows, first = _rows(found, count_instant(table.round, hz), tasks, row_of)
        jobs = [
            part("HRLI_MOVING_JOB", at, unsigned(found[first[task]].due), first[task])
            if task in first
            else part("HRLI_NO_MOVING_JOB", at)
            for task in tasks
        ]
        earliest = min(first.values(), key=lambda row: (found[row].due, row))
        declared.append(part("HRLI_MOVING_ROWS_DECLARE", at))
        arrays += [
            (f"{_ROWS} deadline_rows_{at}", tuple(rows)),
            (f"{_JOBS} deadline_jobs_{at}", tuple(jobs)),
        ]
        macros.append(part("HRLI_MOVING_DEADLINES", at, unsigned(found[earliest].due), earliest))
    macros += [
        part("HRLI_MOVING_TASK", watched[task].number, unsigned(at), watched[task].body)
        for at, task in enumerate(tasks)
    ]
    return EmittedDeadlines(
        cells=(cell,),
        tasks=tasks,
        header="dispatcher_deadlines",
        declared=tuple(declared),
        arrays=tuple(arrays),
        macros=tuple(macros),
        compares={},
    )


def _by_own_cells(
    system: System,
    table: DispatcherTable,
    cells: DeadlineCells,
    found: Sequence[MonitoredDeadline],
    watched: Mapping[int, _Watched],
) -> EmittedDeadlines:
    """Evenly spaced deadlines, those of each task monitored by a cell (kernel/guard/own_deadline.h)."""
    hz, start = system.board.clock.hz, system.board.start_counts
    tasks = tuple(sorted({one.task for one in found}))
    made, macros, compares = [], [], {}
    for number, (task, name) in enumerate(zip(tasks, cells.names, strict=True)):
        own = [one for one in found if one.task == task]
        step = unsigned(count_instant(table.round, hz) // len(own))
        first = min(own, key=lambda one: one.due)
        cell = system.board.cell(name)
        channel = (driver_of(cell.device), unsigned(cell.instance))
        named = watched[task]
        serve = part("HRLI_SERVE_OWN_DEADLINE", named.number, number, step)
        begin = part("HRLI_START_OWN_DEADLINE", *channel, unsigned(start + first.due))
        made.append(_cell(system, name, serve, begin))
        after = unsigned(first.due - first.point)
        compares[task] = f"{channel[0].upper()}_COMPARE_AT({cell.instance})"
        of = (named.number, *channel, step, after, named.body)
        macros.append(part("HRLI_OWN_DEADLINE", *of))
    return EmittedDeadlines(
        cells=tuple(made),
        tasks=tasks,
        header="own_deadlines",
        declared=(),
        arrays=(),
        macros=tuple(macros),
        compares=compares,
    )


def _to(due: Sequence[int], at: int, other: int, counts: int) -> int:
    """Returns the counts from a deadline to the next time that another one, or itself, comes round."""
    ahead = (due[other] - due[at]) % counts
    return counts if other == at or (ahead == 0 and other < at) else ahead
