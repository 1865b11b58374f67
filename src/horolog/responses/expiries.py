# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupts at the expiry points of schedule tables by the clock, as sources of the analysis.

The application may start a table at any time, so no phase is used. What bounds them are the distances of the
points, with all corrections that may make these shorter. The end of a round is an interrupt of its own,
unless a point of the next round falls on it.

Steps, at most, of instructions or cycles. Measured (with the kernel's checks off, sorted list of time-outs):
on average 290 instructions on a Cortex-M3 and 450 cycles on an Ibex for an interrupt, 110 and 160 more for
each table of the counter, 40 and 60 for an action without what becomes ready by it.
tests/system/test_schedule_runs.py compares whole systems.
"""

from __future__ import annotations

from collections.abc import Iterator

from horolog.model import ScheduleTable, System, spans
from horolog.responses.units import Units
from horolog.schedulability import Source

__all__ = ["expiry_sources", "masked_steps"]

_EXPIRY_STEPS = 600
_TABLE_STEPS = 200
_ACTION_STEPS = 150


def expiry_sources(system: System, level: int, early: int, units: Units) -> Iterator[Source]:
    """Those of each table: of its interrupts, and of what each point does. `level`: that of the interrupt."""
    tables = system.clock_schedules
    each = units.steps(_EXPIRY_STEPS + _TABLE_STEPS * len(tables))
    if not each:
        return
    for table in tables:
        least = spans(table.distances(_instants(table)))
        yield Source(
            f"table {table.name}",
            level,
            units.counts(least[0]),
            each,
            each,
            early=early,
            offset=None,
            curve=tuple((many, units.counts(one)) for many, one in enumerate(least[1:], 2)),
        )
        around = units.counts(least[-1])
        for point in table.points:
            took = units.steps(_ACTION_STEPS * point.actions)
            yield Source(f"table {table.name}", level, around, took, took, early=early, offset=None)


def masked_steps(system: System) -> int:
    """For how long interrupts are masked at most for the points of one instant, of tables of any counter."""
    by_counter: dict[str | None, list[ScheduleTable]] = {}
    for table in system.schedules:
        name = None if table.counter is None else table.counter.name
        by_counter.setdefault(name, []).append(table)
    return max(
        (
            sum(
                _TABLE_STEPS * len(tables)
                + _ACTION_STEPS * max(one.actions for one in table.points)
                for table in tables
            )
            for tables in by_counter.values()
        ),
        default=0,
    )


def _instants(table: ScheduleTable) -> tuple[int, ...]:
    """The offsets at which a table is due: its points, and the end of its round."""
    offsets = tuple(point.offset for point in table.points)
    own_end = table.duration not in (offsets[0] + table.duration, offsets[-1])
    return (*offsets, table.duration) if own_end else offsets
