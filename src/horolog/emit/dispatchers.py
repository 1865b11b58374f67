# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables that the application controls as lines of C (kernel/assemble/dispatcher_cell.h)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from horolog.analyse import count_instant, monitored_deadlines
from horolog.emit.parts import Part, Value, driver_of, part, unsigned, word
from horolog.model import DispatcherTable, Monitoring, System

__all__ = ["EmittedMode", "dispatcher_part", "emitted_modes", "mode_rows"]

_MINIMUM_COUNTS = 64  # that an advance leaves, for the interrupt at the sync point to be over


@dataclass(frozen=True, slots=True)
class EmittedMode:
    """struct hrl_dispatcher_mode; its rows are some of all rows of the dispatcher."""

    name: str
    first: int
    behind: int
    lead: int
    round: int
    rest: int
    deadlines: str  # C: the address of its deadlines, or NULL

    def part(self, index: int) -> Part:
        """The macro that defines it, of releaser `index`."""
        numbers = (self.first, self.behind, self.lead, self.round, self.rest)
        return part(
            "HRLI_DISPATCHER_MODE", index, self.name, *map(unsigned, numbers), self.deadlines
        )


def mode_rows(system: System, table: DispatcherTable) -> list[tuple[int, tuple[int, ...]]]:
    """(offset in counts, tasks) of the rows of `table`, in order."""
    rows: dict[int, list[int]] = {}
    for point in table.points:
        rows.setdefault(count_instant(point.offset, system.board.clock.hz), []).append(point.task)
    return [(at, tuple(sorted(rows[at]))) for at in sorted(rows)]


def emitted_modes(system: System) -> tuple[EmittedMode, ...]:
    """The modes of the system's dispatcher, the initial one first."""
    hz, at, found = system.board.clock.hz, 0, []
    for number, table in enumerate(system.tables):
        rows = mode_rows(system, table)
        counts = count_instant(table.round, hz)
        monitored = table.monitoring is not None and monitored_deadlines(table, hz)
        found.append(
            EmittedMode(
                name=table.mode or table.name.replace("-", "_"),
                first=at,
                behind=at + len(rows),
                lead=rows[0][0],
                round=counts,
                rest=counts - _sync_point(table, hz, counts),
                deadlines=f"&deadlines_{number}" if monitored else "NULL",
            )
        )
        at += len(rows)
    return tuple(found)


def _sync_point(table: DispatcherTable, hz: int, counts: int) -> int:
    """The count of the last deadline of a round, rounded up; of those that are looked for late, the end."""
    if table.monitoring is Monitoring.NON_STRINGENT:
        return counts
    ends = [
        table.round if point.deadline is None else point.offset + point.deadline
        for point in table.points
    ]
    last = max(ends) * hz
    return min(counts, -(-last.numerator // last.denominator))


def _sync_counts(system: System) -> tuple[Value, ...]:
    """What the macro HRLI_DISPATCHER is told of a global time."""
    assert system.control is not None
    sync, hz = system.control.sync, system.board.clock.hz
    if system.control.is_implicit:
        return ("HRLI_CLOCK_IS_GLOBAL_TIME",)
    if sync is None:
        return ("HRLI_WITHOUT_GLOBAL_TIME",)
    cell = system.board.cell(system.control.cell)
    times = (sync.precision, sync.maximum_retard, sync.maximum_advance)
    counts = (count_instant(time, hz) for time in times)
    return (True, *map(unsigned, counts), unsigned(max(cell.min_counts, _MINIMUM_COUNTS)), False)


def dispatcher_part(
    system: System, index: int, modes: Sequence[EmittedMode], alone: int, *, shared: bool
) -> Part:
    """The macro that defines the dispatcher."""
    assert system.control is not None
    cell = system.board.cell(system.control.cell)
    watches = any(mode.deadlines != "NULL" for mode in modes)
    return part(
        "HRLI_DISPATCHER",
        index,
        driver_of(cell.device),
        unsigned(cell.instance),
        word(1 << (cell.width - 1)),
        modes[0].name,
        "&dispatcher_deadlines" if watches else "NULL",
        word(alone),
        shared,
        *_sync_counts(system),
    )
