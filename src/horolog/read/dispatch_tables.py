# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[table]]s of system.toml: their points, and the tasks that these start.

A task of a dispatcher table is a basic task with the round, or an even part of it, as its period and its
first point as its offset. So the plan, the analysis and the kernel know it as any other; its level comes
from the table (analyse/table_levels.py). A task with points that are not evenly spaced, or have different
deadlines, has the round as its period, and its points (model.Task.points).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from horolog.analyse import (
    LONGEST_MONITORED,
    Activation,
    CyclicPreemption,
    all_digits,
    levels_above,
    preemptions,
)
from horolog.figures import plural
from horolog.model import (
    Board,
    DeadlineCells,
    DispatcherTable,
    HorologError,
    Monitoring,
    TablePoint,
    TaskPoint,
)
from horolog.read.cell_needs import without_budgets, without_monitoring
from horolog.read.document import Document
from horolog.read.nearest import Change, Unfit
from horolog.read.problems import listed, name_taken, raise_all, suggestion
from horolog.read.schema import DispatchTable, PointTable, SystemFile, TaskTable
from horolog.read.shorter_jobs import shorter_jobs
from horolog.read.table_control import control_problems, is_controlled
from horolog.read.units import duration_text
from horolog.read.untimed import wcet_of

__all__ = [
    "Tabled",
    "dispatcher_tables",
    "monitoring_problems",
    "table_level_problems",
    "with_tables",
]

_FOREIGN = (
    "period",
    "min_gap",
    "server",
    "activated_by",
    "offset",
    "jitter",
    "deadline",
    "priority",
)
"""Keys of tasks that something other than a table releases, or that stand at a table's points."""


@dataclass(frozen=True, slots=True)
class Tabled:
    """What the tables of a file say of its tasks, by their names."""

    levels: Mapping[str, int]  # among those of the table, from 1 on; larger preempts
    monitored: frozenset[str]  # tasks with deadlines that the kernel monitors
    points: Mapping[str, tuple[TaskPoint, ...]]  # of those with points that are no even steps
    dormant: frozenset[str]  # tasks without points in the mode in which the system starts

    @property
    def needed(self) -> int:
        """How many levels of its own a table needs, above all other tasks'."""
        return max(self.levels.values(), default=0)


def with_tables(document: Document, file: SystemFile, board: Board) -> tuple[SystemFile, Tabled]:
    """`file` in which the tasks of tables are basic ones with periods, and what the tables say beside that.

    Raises HorologError, for all that is wrong with the tables.
    """
    raise_all([*_table_problems(document, file), *control_problems(document, file, board)])
    tasks, uneven, dormant = list(file.task), dict[str, tuple[TaskPoint, ...]](), set[str]()
    within = is_controlled(file)
    seen: set[str] = set()
    for number, of in enumerate(file.table):
        for name, points in _by_task(of.point).items():
            if name in seen:  # in the mode in which the system starts it is another's
                continue
            seen.add(name)
            if number or of.start == "application":
                dormant.add(name)
            at, own = next((i, one) for i, one in enumerate(tasks) if one.name == name)
            deadlines = _deadlines(of, points, within=within)
            even = _is_even(of.round, points, deadlines)
            if not even:
                uneven[name] = tuple(
                    TaskPoint(point.offset, deadline)
                    for point, deadline in zip(points, deadlines, strict=True)
                )
            tasks[at] = own.model_copy(
                update={
                    "period": of.round / len(points) if even else of.round,
                    "offset": points[0].offset,
                    "deadline": min(deadlines),
                    "kind": "basic",
                }
            )
    made = file.model_copy(update={"task": tasks})
    try:
        levels = _levels(made, board)
    except CyclicPreemption as cycle:
        raise _cyclic(document, made, board, cycle) from None
    monitored = (
        point.activate
        for of in file.table
        if of.deadline_monitoring != "none"
        for point in of.point
        if point.deadline is not None
    )
    return made, Tabled(levels, frozenset(monitored), uneven, frozenset(dormant))


def dispatcher_tables(
    document: Document,
    file: SystemFile,
    tasks: Mapping[str, int],
    deadline_cells: DeadlineCells | None,
) -> tuple[DispatcherTable, ...]:
    """The tables of a file without problems; `tasks` are numbers in System.tasks, by names.

    `deadline_cells` monitor the deadlines, where any are monitored.
    """
    return tuple(
        DispatcherTable(
            name=of.name,
            round=of.round,
            points=tuple(
                TablePoint(point.offset, tasks[point.activate], point.deadline)
                for point in _in_order(of.point)
            ),
            place=document.place("table", index),
            monitoring=None
            if of.deadline_monitoring == "none"
            else Monitoring(of.deadline_monitoring),
            deadline_cells=None if of.deadline_monitoring == "none" else deadline_cells,
            mode=of.mode or "",
        )
        for index, of in enumerate(file.table)
    )


def monitoring_problems(
    document: Document, file: SystemFile, board: Board
) -> Iterator[HorologError]:
    """Deadlines that the kernel cannot monitor."""
    tasks = {task.name: (index, task) for index, task in enumerate(file.task)}
    hz = board.clock.hz
    for index, of in enumerate(file.table):
        monitoring = f'deadline_monitoring = "{of.deadline_monitoring}"'
        if of.deadline_monitoring == "none":
            if of.deadline_cell is not None:
                yield HorologError(
                    f'the table "{of.name}" has a cell for deadlines, which are not monitored',
                    place=document.place("table", index, "deadline_cell"),
                    found=f'deadline_cell = "{of.deadline_cell}", and {monitoring}',
                    expected='no deadline_cell, or deadline_monitoring = "stringent"',
                )
            continue
        place = document.place("table", index, "deadline_monitoring")
        monitored = {point.activate for point in of.point if point.deadline is not None}
        if not monitored:
            yield HorologError(
                f'no point of the table "{of.name}" has a deadline that could be monitored',
                place=place,
                found=monitoring,
                expected='a point with a deadline, or deadline_monitoring = "none"',
            )
        for name in sorted(monitored):
            at, task = tasks[name]
            if task.terminates:
                yield HorologError(
                    f'a deadline of "{name}" is monitored, so its jobs do not end early',
                    place=document.place("task", at, "terminates"),
                    found="terminates = true",
                    expected='no terminates, or deadline_monitoring = "none"',
                )
        if file.system.releases is not None:
            yield HorologError(
                "deadlines are monitored for ever, and tasks have so many releases",
                place=document.place("system", "releases"),
                found=f"releases = {file.system.releases}",
                expected='no releases, or deadline_monitoring = "none"',
            )
        counts = of.round * hz
        if counts.denominator != 1:
            yield HorologError(
                "a round with monitored deadlines is a whole number of the clock's counts",
                place=document.place("table", index, "round"),
                found=f"{duration_text(of.round)}, which is {all_digits(counts)} counts",
                expected=f"a multiple of {duration_text(Fraction(1, hz))}",
            )
        elif counts > LONGEST_MONITORED:
            yield HorologError(
                "the round is too long for deadlines to be monitored",
                place=document.place("table", index, "round"),
                found=duration_text(of.round),
                expected=f"at most {duration_text(Fraction(LONGEST_MONITORED, hz))}",
            )


def table_level_problems(
    document: Document, file: SystemFile, tabled: Tabled, board: Board, *, others: bool
) -> Iterator[HorologError]:
    """A table that needs more levels than the board has for it; `others`: other tasks need one, too."""
    monitored = any(of.deadline_monitoring != "none" for of in file.table)
    budgets = any(task.budget is not None for task in file.task)
    guarded = board.controller is not None and (monitored or budgets)
    have = (board.basic_levels or board.levels) - others - guarded
    if tabled.needed <= have:
        return
    chain = sorted(tabled.levels, key=lambda name: tabled.levels[name])
    one_each = {tabled.levels[name]: name for name in reversed(chain)}
    watched = {"deadlines": monitored, "budgets": budgets}
    guards = " and ".join(name for name, is_so in watched.items() if is_so)
    taken = [
        *(["one of them for all other basic tasks"] if others else []),
        *([f"one of them for the interrupt of {guards}"] if guarded else []),
    ]
    beside = "".join(f", {one}" for one in taken)
    yield Unfit(
        f"the table needs {plural(tabled.needed, 'level')}, as its tasks preempt one another",
        place=document.place("table", 0),
        found=f"one behind another: {listed([one_each[level] for level in sorted(one_each)], last='then')}",
        expected=f'at most {have} on the board "{board.name}", which has {have + others + guarded}'
        f"{beside}: shorter WCETs or deadlines, or offsets further apart",
        changes=[
            *shorter_jobs(file, board, chain, lambda tried: _fit_in(tried, board, have)),
            *_without_guards(file, guarded=guarded),
        ],
    )


def _without_guards(file: SystemFile, *, guarded: bool) -> Iterator[Change]:
    """What gives their level back."""
    budgets = [task.name for task in file.task if task.budget is not None]
    monitored = any(of.deadline_monitoring != "none" for of in file.table)
    if guarded and not budgets:
        yield without_monitoring()
    elif guarded and not monitored:
        yield without_budgets(budgets)


def _in_order(points: list[PointTable]) -> list[PointTable]:
    """Points in the order in which they start; equal offsets keep that of the file."""
    return sorted(points, key=lambda point: point.offset)


def _by_task(points: list[PointTable]) -> dict[str, list[PointTable]]:
    found: dict[str, list[PointTable]] = {}
    for point in _in_order(points):
        found.setdefault(point.activate, []).append(point)
    return found


def _gaps(of_round: Fraction, points: Sequence[PointTable]) -> list[Fraction]:
    """From each point of a task to the next; behind the last, that is the first of the next round."""
    offsets = [point.offset for point in points]
    return [after - at for at, after in pairwise((*offsets, offsets[0] + of_round))]


def _deadlines(of: DispatchTable, points: Sequence[PointTable], *, within: bool) -> list[Fraction]:
    """By which each point's job is to end; `within`: its round, too."""
    return [
        point.deadline or (min(gap, of.round - point.offset) if within else gap)
        for point, gap in zip(points, _gaps(of.round, points), strict=True)
    ]


def _is_even(
    of_round: Fraction, points: Sequence[PointTable], deadlines: Sequence[Fraction]
) -> bool:
    """Whether the points of a task have even steps and one deadline."""
    return len({*_gaps(of_round, points)}) == 1 and len({*deadlines}) == 1


def _names(file: SystemFile) -> list[str]:
    """The tasks of all tables, in the order of their points."""
    return list(dict.fromkeys(point.activate for of in file.table for point in _in_order(of.point)))


def _levels(file: SystemFile, board: Board) -> dict[str, int]:
    """The level of each task of the tables, one for all modes; CyclicPreemption if there are none."""
    tasks = {one.name: one for one in file.task}
    names = _names(file)
    pairs: set[tuple[int, int]] = set()
    for of in file.table:
        pairs |= preemptions(of.round, _activations(file, of, tasks, names, board))
    found = levels_above(range(len(names)), pairs)
    return {names[task]: level for task, level in found.items()}


def _fit_in(file: SystemFile, board: Board, most: int) -> bool:
    """Whether the tables need at most so many levels."""
    try:
        return max(_levels(file, board).values(), default=0) <= most
    except CyclicPreemption:
        return False


def _cyclic(
    document: Document, file: SystemFile, board: Board, cycle: CyclicPreemption
) -> HorologError:
    names = [_names(file)[task] for task in cycle.tasks]
    round_about = [f'"{name}"' for name in (*names, names[0])]
    most = board.basic_levels or board.levels
    all_names = [*names, *(name for name in _names(file) if name not in names)]
    return Unfit(
        f'tasks of the table "{file.table[0].name}" preempt one another in a circle'
        + (", in all modes together" if len(file.table) > 1 else ""),
        place=document.place("table", 0),
        found=f"{listed(round_about, last='then')} each start while the one before may be unfinished",
        expected="WCETs or deadlines that let one of them end before the next starts",
        changes=[*shorter_jobs(file, board, all_names, lambda tried: _fit_in(tried, board, most))],
    )


def _activations(
    file: SystemFile,
    of: DispatchTable,
    tasks: Mapping[str, TaskTable],
    names: Sequence[str],
    board: Board,
) -> list[Activation]:
    """The points of a table, in the order in which they start."""
    by_task = _by_task(of.point)
    gap = {
        (name, point.offset): gap
        for name, own in by_task.items()
        for point, gap in zip(own, _gaps(of.round, own), strict=True)
    }
    points = []
    for point in _in_order(of.point):
        # With a WCET a job that misses its deadline goes on, and is preempted as any other.
        wcet = wcet_of(tasks[point.activate], board)
        within = (None if wcet else point.deadline) or gap[point.activate, point.offset]
        longest = wcet or point.deadline
        if longest is None:  # it may take all of the round
            longest = within = min(within, of.round - point.offset)
        points.append(Activation(names.index(point.activate), point.offset, longest, within))
    return points


def _table_problems(document: Document, file: SystemFile) -> Iterator[HorologError]:
    by_name = {task.name: (index, task) for index, task in enumerate(file.task)}
    for index, of in enumerate(file.table):
        if of.name in [other.name for other in file.table[:index]]:
            yield name_taken("table", of.name, document.place("table", index, "name"))
        if of.mode is not None and not is_controlled(file):
            yield HorologError(
                f'the table "{of.name}" has a mode, and there is no other to change to',
                place=document.place("table", index, "mode"),
                found=f'mode = "{of.mode}"',
                expected='no mode; or another [[table]] with a mode of its own, or start = "application"',
            )
        for at, point in enumerate(of.point):
            place = document.place("table", index, "point", at, "offset")
            if point.offset >= of.round:
                yield HorologError(
                    f'a point of the table "{of.name}" lies behind its round',
                    place=place,
                    found=f"{duration_text(point.offset)}, in a round of {duration_text(of.round)}",
                    expected=f"less than {duration_text(of.round)}",
                )
            if point.activate not in by_name:
                known = [name for name, (_, task) in by_name.items() if task.period is None]
                yield HorologError(
                    f'a point of the table "{of.name}" activates no task'
                    f"{suggestion(point.activate, list(by_name))}",
                    place=document.place("table", index, "point", at, "activate"),
                    found=f'"{point.activate}"',
                    expected=listed([f'"{name}"' for name in known])
                    or "a [[task]] without a period",
                )
        for name, points in _by_task(of.point).items():
            if name in by_name:
                yield from _task_problems(document, of.name, *by_name[name])
                yield from _spacing_problems(document, index, name, points, of.round)


def _task_problems(
    document: Document, table: str, index: int, task: TaskTable
) -> Iterator[HorologError]:
    for key in _FOREIGN:
        if getattr(task, key) is not None:
            yield HorologError(
                f'the table "{table}" starts the task "{task.name}", which has no {key} of its own',
                place=document.place("task", index, key),
                found=key,
                expected=f"no {key}"
                + (", or one at the table's points" if key in ("offset", "deadline") else "")
                + (", or no point of the table" if key in ("period", "min_gap") else ""),
            )
    if "kind" in task.model_fields_set and task.kind != "basic":
        yield HorologError(
            f'the table "{table}" starts the task "{task.name}", which never waits',
            place=document.place("task", index, "kind"),
            found=f'kind = "{task.kind}"',
            expected='kind = "basic", or no kind',
        )
    key, found = "overrun", f'overrun = "{task.overrun}"'
    if task.overrun == "skip":
        key, found = "activations", f"activations = {task.activations}"
    if task.overrun != "skip" or (task.activations or 1) > 1:
        yield HorologError(
            f'the table "{table}" passes over a point of "{task.name}" if its job has not ended',
            place=document.place("task", index, key),
            found=found,
            expected='overrun = "skip", and one activation: the defaults',
        )


def _spacing_problems(
    document: Document, index: int, name: str, points: list[PointTable], of_round: Fraction
) -> Iterator[HorologError]:
    place = document.place("table", index)
    for point, gap in zip(points, _gaps(of_round, points), strict=True):
        if gap == 0:
            yield HorologError(
                f'two points of "{name}" are at one offset',
                place=place,
                found=duration_text(point.offset),
                expected="one point, or another offset",
            )
        elif point.deadline is not None and point.deadline > gap:
            yield HorologError(
                f'a point of "{name}" has a deadline behind the task\'s next point',
                place=place,
                found=f"{duration_text(point.deadline)}, at the point at {duration_text(point.offset)}, with "
                f"{duration_text(gap)} to the next point",
                expected=f"at most {duration_text(gap)}",
            )
