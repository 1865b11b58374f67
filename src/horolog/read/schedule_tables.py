# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables of system.toml, and the tasks that they activate.

A task that a schedule table activates is a sporadic one: its least gap, and how many activations come in a
longer time, follow from the points. What can be wrong with a table is in schedule_problems.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.model import (
    Arrivals,
    Autostart,
    Board,
    ExpiryPoint,
    HorologError,
    Kind,
    ScheduleTable,
    SoftwareCounter,
    Sporadic,
    Start,
    Strategy,
    spans,
)
from horolog.read.c_names import reserved_problem
from horolog.read.cells import timeouts_cell
from horolog.read.document import Document
from horolog.read.problems import listed, raise_all, shown
from horolog.read.schedule_problems import CELLS, CLOCK, Grid, counter_problems, table_problems
from horolog.read.schedule_tasks import task_problems
from horolog.read.schema import ScheduleFile, ScheduleTableTable, SystemFile
from horolog.read.units import duration_text
from horolog.read.validation import validate

__all__ = ["Scheduled", "split_tables", "with_schedules"]

_KINDS = ("dispatcher", "schedule")
_OLD = "cell_table"


def split_tables(document: Document) -> tuple[Document, Document]:
    """The document without its schedule tables, and with them alone. HorologError: there is no such kind."""
    if _OLD in document.data:
        raise HorologError(
            "tables in timer cells are schedule tables now, of a counter that is called cells",
            place=document.place(_OLD, key=True),
            found=f"[[{_OLD}]]",
            expected='[[table]] with kind = "schedule" and counter = "cells", and points by ascending '
            "offsets; in C table_NAME of hrl_gen_tables.h, and hrl_schedule_table_start_relative and so on",
        )
    tables = document.data.get("table")
    if not isinstance(tables, list):
        return document, replace(document, data={})
    kinds = [table.get("kind") if isinstance(table, dict) else None for table in tables]
    raise_all(
        HorologError(
            "not one of the choices" if "kind" in tables[index] else '"kind" is missing',
            place=document.place("table", index, "kind"),
            found=shown(kind) if "kind" in tables[index] else None,
            expected=listed([f'"{one}"' for one in _KINDS]),
        )
        for index, kind in enumerate(kinds)
        if isinstance(tables[index], dict) and kind not in _KINDS
    )
    own = [index for index, kind in enumerate(kinds) if kind == "schedule"]
    others = [index for index in range(len(kinds)) if index not in own]
    only = document.only("table", own)
    return document.only("table", others), replace(only, data={"table": only.data["table"]})


@dataclass(frozen=True)
class Scheduled:
    """The schedule tables of a file, and what they say of the tasks that they activate, by their names."""

    document: Document  # of the schedule tables alone
    all_tables: tuple[ScheduleTable, ...]  # with numbers of tasks as in `names`
    in_cells: Mapping[
        int, bool
    ]  # those with a timer cell for each point; whether another may follow
    counters: tuple[SoftwareCounter, ...]
    names: tuple[str, ...]  # of all that are activated
    arrivals: Mapping[str, tuple[Arrivals, ...]]
    unbounded: Mapping[str, str]  # why nothing bounds how often the task is activated

    @property
    def tables(self) -> tuple[ScheduleTable, ...]:
        """Those that a counter drives, or the clock by the cell for time-outs."""
        return tuple(of for at, of in enumerate(self.all_tables) if at not in self.in_cells)

    @property
    def activated_by_cells(self) -> frozenset[str]:
        """The names of the tasks that tables in timer cells activate."""
        return frozenset(
            self.names[task] for at in self.in_cells for task in self.all_tables[at].tasks
        )

    def numbered(
        self, tasks: Sequence[Sporadic], sources: Sequence[Path], *, others: bool
    ) -> tuple[ScheduleTable, ...]:
        """The tables with the numbers of `tasks`, and whether `sources`, or `others`, name their objects."""
        numbers = {one.task.name: at for at, one in enumerate(tasks)}
        text = "\n".join(one.read_text(encoding="utf-8", errors="replace") for one in sources)

        def of(point: ExpiryPoint) -> ExpiryPoint:
            return replace(point, tasks=tuple(numbers[self.names[at]] for at in point.tasks))

        return tuple(
            replace(
                table,
                points=tuple(map(of, table.points)),
                is_held=others or re.search(rf"\btable_{table.name}\b", text) is not None,
            )
            for table in self.tables
        )

    def event_problems(self, sources: Sequence[Path], *, others: bool) -> Iterator[HorologError]:
        """Events that no source names: the application defines them, if there are `others`, there."""
        text = "\n".join(one.read_text(encoding="utf-8", errors="replace") for one in sources)
        for index, table in enumerate(self.all_tables):
            for at, point in enumerate(table.points):
                for number, (event, _) in enumerate(point.events):
                    where = ("table", index, "point", at, "set", number, "event")
                    place = self.document.place(*where)
                    reserved = reserved_problem(event, "an event", place)
                    if reserved is not None:
                        yield reserved
                    elif not others and re.search(rf"\b{event}\b", text) is None:
                        yield HorologError(
                            f'a point of the table "{table.name}" sets an event that no source names',
                            place=place,
                            found=f'"{event}"',
                            expected=f"HRL_EVENT_DEFINE({event}); in one of [system] sources",
                        )

    def needs_level(self, file: SystemFile, board: Board, kind: Kind | None) -> bool:
        """Whether the controller needs a level for the cell of tables by the clock, above basic tasks."""
        by_clock = {
            self.names[task]
            for table in self.tables
            if table.counter is None
            for task in table.tasks
        }
        return board.controller is not None and any(
            (kind or Kind(task.kind)) is Kind.BASIC for task in file.task if task.name in by_clock
        )

    def sporadic(self, tasks: Sequence[Sporadic]) -> tuple[Sporadic, ...]:
        """`tasks` with what the tables say of them."""
        return tuple(
            replace(
                one,
                task=replace(one.task, arrivals=self.arrivals.get(one.task.name, ())),
                unbounded=self.unbounded.get(one.task.name),
            )
            for one in tasks
        )


def with_schedules(
    document: Document, tables: Document, file: SystemFile, boards: Sequence[Board]
) -> tuple[SystemFile, Scheduled]:
    """`file` with the least gaps of tasks that schedule tables activate, and these tables.

    `document` is without schedule tables, `tables` has nothing else; `boards`: the file's own, and the one to
    run on. Raises HorologError, for all that is wrong with the tables.
    """
    own, board = boards
    of = validate(ScheduleFile, tables)
    cell, _ = timeouts_cell(document, file, own, board)
    grids = {CLOCK: Grid.of_clock(board, cell), CELLS: Grid.of_cells(board, cell)}
    grids |= {one.name: Grid.of_counter(one) for one in file.counter}
    problems = [*counter_problems(document, file), *table_problems(tables, file, of, grids)]
    problems += task_problems(document, tables, file, of)
    raise_all(problems)
    counters = {
        one.name: SoftwareCounter(
            one.name,
            one.maximum,
            one.min_cycle,
            one.min_increment_distance,
            document.place("counter", index),
        )
        for index, one in enumerate(file.counter)
    }
    names = tuple(
        dict.fromkeys(
            name for table in of.table for point in table.point for name in point.activate
        )
    )
    made = tuple(
        _table(tables, index, table, counters.get(table.counter), grids[table.counter], names)
        for index, table in enumerate(of.table)
    )
    raise_all(_gap_problems(document, file, made, names, board.clock.hz))
    file, arrivals, unbounded = _with_gaps(file, made, names, board.clock.hz)
    in_cells = {
        index: table.followed or not table.repeating
        for index, table in enumerate(of.table)
        if table.counter == CELLS and not grids[CELLS].by_alarm
    }
    software = (*counters.values(),)
    return file, Scheduled(tables, made, in_cells, software, names, arrivals, unbounded)


def _table(
    document: Document,
    index: int,
    table: ScheduleTableTable,
    counter: SoftwareCounter | None,
    grid: Grid,
    names: Sequence[str],
) -> ScheduleTable:
    def steps(value: int | Fraction | None) -> int:
        return 0 if value is None else grid.steps(value)

    autostart = None
    if table.autostart is not None:
        if table.autostart.relative is not None:
            autostart = Autostart(Start.RELATIVE, steps(table.autostart.relative))
        elif table.autostart.absolute is not None:
            autostart = Autostart(Start.ABSOLUTE, table.autostart.absolute)
        else:
            autostart = Autostart(Start.SYNCHRONOUS)
    return ScheduleTable(
        name=table.name,
        counter=counter,
        duration=steps(table.round),
        is_repeating=table.repeating,
        points=tuple(
            ExpiryPoint(
                steps(point.offset),
                tuple(names.index(name) for name in point.activate),
                tuple((one.event, one.flags) for one in point.set),
                steps(point.max_retard),
                steps(point.max_advance),
            )
            for point in table.point
        ),
        strategy=Strategy(table.sync),
        precision=steps(table.precision),
        autostart=autostart,
        place=document.place("table", index),
    )


def _gap_problems(
    document: Document,
    file: SystemFile,
    tables: Sequence[ScheduleTable],
    names: Sequence[str],
    hz: int,
) -> Iterator[HorologError]:
    """Points that activate a task more often than its min_gap allows."""
    for number, name in enumerate(names):
        index, task = next((i, one) for i, one in enumerate(file.task) if one.name == name)
        for table in tables:
            step = Fraction(1, hz) if table.counter is None else table.counter.gap
            if task.min_gap is None or step is None or number not in table.tasks:
                continue
            apart = table.distances(table.offsets(number))
            least = min(apart if table.is_repeating else apart[:-1], default=None)
            if least is not None and least * step < task.min_gap:
                yield HorologError(
                    f'the table "{table.name}" activates "{name}" more often than it may be',
                    place=document.place("task", index, "min_gap"),
                    found=f"min_gap = {duration_text(task.min_gap)}, and points that are "
                    f"{duration_text(least * step)} apart",
                    expected=f"at most {duration_text(least * step)}, or points further apart",
                )


def _with_gaps(
    file: SystemFile, tables: Sequence[ScheduleTable], names: Sequence[str], hz: int
) -> tuple[SystemFile, dict[str, tuple[Arrivals, ...]], dict[str, str]]:
    """`file` with the least gap of each task of `names`; what else is known of the gaps; why none is."""
    tasks = list(file.task)
    arrivals: dict[str, tuple[Arrivals, ...]] = {}
    unbounded: dict[str, str] = {}
    for number, name in enumerate(names):
        at = next(index for index, task in enumerate(tasks) if task.name == name)
        of = [table for table in tables if number in table.tasks]
        if tasks[at].min_gap is not None:
            continue  # what the user says, where tables do not
        step = Fraction(1, hz) if of[0].counter is None else of[0].counter.gap
        if step is None:
            assert of[0].counter is not None
            unbounded[name] = (
                f"nothing says how close two increments of the counter {of[0].counter.name} come "
                "(min_increment_distance)"
            )
            tasks[at] = tasks[at].model_copy(update={"min_gap": tasks[at].deadline})
            continue
        least = spans(of[0].distances(of[0].offsets(number)))
        tasks[at] = tasks[at].model_copy(update={"min_gap": least[0] * step})
        if len(least) > 1:
            arrivals[name] = tuple(
                Arrivals(many, within * step) for many, within in enumerate(least[1:], 2)
            )
    return file.model_copy(update={"task": tasks}), arrivals, unbounded
