# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables as lines of generated C (kernel/assemble/schedule_tables.h)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from horolog.analyse import HOP_COUNTS, first_expiry
from horolog.emit.parts import Part, part, unsigned
from horolog.model import ExpiryPoint, ScheduleTable, Start, Strategy, System

__all__ = ["EmittedSchedule", "Schedules", "schedules_of"]

_STRATEGIES = {
    Strategy.NONE: "HRL_SYNC_NONE",
    Strategy.IMPLICIT: "HRL_SYNC_IMPLICIT",
    Strategy.EXPLICIT: "HRL_SYNC_EXPLICIT",
}


@dataclass(frozen=True, slots=True)
class EmittedSchedule:
    """A table, with the actions of each of its points."""

    name: str
    comment: str
    actions: tuple[tuple[Part, ...], ...]
    points: tuple[Part, ...]
    made: Part


@dataclass(frozen=True, slots=True)
class Schedules:
    """The schedule tables of a system, and what starts them."""

    tables: tuple[EmittedSchedule, ...]
    counters: tuple[Part | str, ...]
    in_cells: tuple[str, ...]  # the names of those in timer cells (cell_schedules.py)
    names: tuple[str, ...]  # of counters in C, with the clock's
    threads: tuple[str, ...]  # that are activated
    basic: tuple[str, ...]
    events: tuple[str, ...]
    before: tuple[Part, ...]  # what starts tables of software counters, before the kernel
    prepare: tuple[Part, ...]  # what starts those of the clock, before it starts


def schedules_of(system: System) -> Schedules | None:
    """The data of the system's schedule tables and counters, if it has any."""
    if not (system.schedules or system.counters or system.cell_schedules):
        return None
    by_clock = bool(system.clock_schedules)
    behind = len(system.tasks)
    activated = {task for table in system.schedules for task in table.tasks}
    activated |= {
        task - behind for table in system.cell_schedules for p in table.points for task in p.tasks
    }
    # A task that is its cell's interrupt has no object: nothing else activates it.
    tasks = [
        system.sporadic[task]
        for task in sorted(activated)
        if task + behind not in system.cell_tasks
    ]
    of_counters = [one.events for table in system.schedules for one in table.points]
    of_cells = [one.events for table in system.cell_schedules for one in table.points]
    names = [one.name for one in system.counters]
    return Schedules(
        tables=tuple(_table(system, table) for table in system.schedules),
        counters=(
            *(["HRLI_CLOCK_COUNTER"] if by_clock else []),
            *(
                part("HRLI_COUNTER", one.name, unsigned(one.maximum), unsigned(one.min_cycle))
                for one in system.counters
            ),
        ),
        in_cells=tuple(table.name for table in system.cell_schedules),
        names=tuple(["clock", *names] if by_clock else names),
        threads=tuple(one.task.name for one in tasks if not one.is_basic),
        basic=tuple(one.task.name for one in tasks if one.is_basic),
        events=tuple(
            dict.fromkeys(event for events in (*of_counters, *of_cells) for event, _ in events)
        ),
        before=tuple(_before(system)),
        prepare=tuple(_prepare(system)),
    )


def _table(system: System, table: ScheduleTable) -> EmittedSchedule:
    counter = "clock" if table.counter is None else table.counter.name
    return EmittedSchedule(
        name=table.name,
        comment=f"{'repeating' if table.is_repeating else 'single-shot'}, on the "
        + ("clock" if table.counter is None else f"counter {counter}"),
        actions=tuple(tuple(_actions(system, point)) for point in table.points),
        points=tuple(
            part(
                "HRLI_TABLE_POINT",
                table.name,
                at,
                *map(unsigned, (point.offset, point.max_retard, point.max_advance)),
            )
            for at, point in enumerate(table.points)
        ),
        made=part(
            "HRLI_SCHEDULE_TABLE",
            table.name,
            counter,
            unsigned(table.duration),
            table.is_repeating,
            _STRATEGIES[table.strategy],
            unsigned(table.precision),
        ),
    )


def _actions(system: System, point: ExpiryPoint) -> Iterator[Part]:
    for task in point.tasks:
        one = system.sporadic[task]
        macro = "HRLI_TABLE_BASIC" if one.is_basic else "HRLI_TABLE_THREAD"
        yield part(macro, one.task.name)
    for event, flags in point.events:
        yield part("HRLI_TABLE_EVENT", event, unsigned(flags))


def _before(system: System) -> Iterator[Part]:
    for table in system.schedules:
        start = table.autostart
        if start is None or (table.counter is None and start.how is Start.RELATIVE):
            continue
        arguments = () if start.how is Start.SYNCHRONOUS else (f", {unsigned(start.steps)}",)
        yield part("HRLI_AUTOSTART", table.name, start.how.value, *arguments)


def _prepare(system: System) -> Iterator[Part]:
    begin = system.board.start_counts
    for table in system.clock_schedules:
        if table.first is not None and table.autostart is not None:
            yield part("HRLI_AUTOSTART_AT", table.name, unsigned(begin + table.autostart.steps))
    first = first_expiry(system)
    if first is not None:
        hops = (first - 1) // HOP_COUNTS
        yield part("HRLI_AUTOSTART_CLOCK", unsigned(first - hops * HOP_COUNTS), unsigned(hops))
