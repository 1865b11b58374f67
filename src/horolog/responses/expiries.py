# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The interrupts at the points of schedule tables, as sources of the analysis.

What bounds them are the distances of the points, with all corrections that may make these shorter. The end
of a round is an interrupt of its own, unless a point of the next round falls on it. A table that repeats,
starts with the kernel and is named by no source has a phase, too; others the application may start at any
time.

By the clock each table is charged an interrupt at each of its instants, also where several are due at once
and one interrupt serves them all: that takes less. Steps are the most that calibration has seen, by the
board's prices, with MARGIN on top; on a board without these they are as below.
tests/system/test_bounds_of_tables.py compares whole systems.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil

from horolog.model import (
    CellPoint,
    CellSchedule,
    ExpiryPoint,
    Kind,
    Mode,
    ScheduleTable,
    System,
    spans,
)
from horolog.plan import Prices
from horolog.plan.prediction.handlers import MARGIN
from horolog.plan.prices.expiry_costs import ExpiryCosts
from horolog.responses.budgets import pause_of_interrupt
from horolog.responses.cells import Cells
from horolog.responses.units import Units
from horolog.schedulability import Source

__all__ = ["expiry_sources", "known_instants", "masked_steps"]

_UNPRICED = ExpiryCosts(
    {
        name: (Fraction(most), Fraction(most))
        for name, most in {
            "interrupt": 800,
            "table": 200,
            "listed": 200,
            "round": 0,
            "thread": 150,
            "basic": 150,
            "event": 150,
        }.items()
    }
)
_END_STEPS = 400
"""Of the end of a round in cells, at which another table may follow or the table stops."""
_UNPRICED_POINT = dict.fromkeys(("thread", "basic", "alone", "event"), Fraction(200))
_UNPRICED_POINT |= {f"further_{name}": Fraction(150) for name in ("thread", "basic", "event")}


def expiry_sources(system: System, cells: Cells, units: Units, prices: Prices) -> Iterator[Source]:
    """Those of each table: of its interrupts, and of what each point does."""
    if system.board.runner.ns_per_step is None:
        return
    level = cells.level_of_expiries()
    tables = system.clock_schedules
    each = units.steps(_each(system, len(tables), prices) + pause_of_interrupt(system, prices))
    for table in tables:
        least = spans(table.distances(_instants(table)))
        streams = known_instants(table, _instants(table), units)
        yield Source(
            f"table {table.name}",
            level,
            units.counts(least[0]),
            each,
            each,
            early=cells.early,
            offset=max((first for _, first in streams), default=None),
            curve=tuple((many, units.counts(one)) for many, one in enumerate(least[1:], 2)),
            streams=streams,
        )
        around = units.counts(least[-1])
        for point in table.points:
            took = units.steps(_up(_acting(system, point, prices)))
            name, early = f"table {table.name}", cells.early
            for _, first in known_instants(table, (point.offset,), units) or ((0, None),):
                yield Source(name, level, around, took, took, early=early, offset=first)
    for of in system.cell_schedules:
        yield from _of_cells(system, of, cells, units, prices)


def known_instants(
    table: ScheduleTable, offsets: Iterable[int], units: Units
) -> tuple[tuple[int, int], ...]:
    """For each of these offsets the period and the first instant, of a table that repeats and is known."""
    if not table.is_known or not table.is_repeating or table.autostart is None:
        return ()
    period, start = units.counts(table.duration), table.autostart.steps
    return tuple((period, units.counts(start + offset)) for offset in offsets)


def _each(system: System, tables: int, prices: Prices) -> int:
    """Steps of an interrupt of the cell for time-outs, of so many tables, without actions."""
    costs = prices.expiries or _UNPRICED
    device = system.board.cell(system.timeouts).device if system.timeouts else ""
    more = max(Fraction(0), prices.of_device(Mode.ONE_SHOT, device))
    listed = max(Fraction(0), costs.most("listed")) * (tables - 1)
    return _up(costs.most("interrupt") + costs.most("round") + more + listed)


def _acting(system: System, point: ExpiryPoint, prices: Prices) -> Fraction:
    costs = prices.expiries or _UNPRICED
    by_kind = {kind: costs.most(kind) for kind in ("thread", "basic")}
    activating = (
        by_kind["basic" if system.sporadic[task].is_basic else "thread"] or max(by_kind.values())
        for task in point.tasks
    )
    return sum(activating, Fraction(0)) + costs.most("event") * len(point.events)


def masked_steps(tables: Iterable[ScheduleTable], system: System, prices: Prices) -> int:
    """For how long interrupts are masked at most for the points of one instant, of these of any counter."""
    costs = prices.expiries or _UNPRICED
    by_counter: dict[str | None, list[ScheduleTable]] = {}
    for table in tables:
        name = None if table.counter is None else table.counter.name
        by_counter.setdefault(name, []).append(table)
    longest = Fraction(0)
    for alike in by_counter.values():
        step = costs.most("table") + costs.most("round") + costs.most("listed") * len(alike)
        acting = (max(_acting(system, one, prices) for one in table.points) for table in alike)
        longest = max(longest, step * len(alike) + sum(acting, Fraction(0)))
    return _up(longest)


def _instants(table: ScheduleTable) -> tuple[int, ...]:
    """The offsets at which a table is due: its points, and the end of its round."""
    offsets = tuple(point.offset for point in table.points)
    return (*offsets, table.duration) if table.ends_apart else offsets


def _of_cells(
    system: System, of: CellSchedule, cells: Cells, units: Units, prices: Prices
) -> Iterator[Source]:
    """The interrupts of a table in cells, one for each point, and that at the round's end."""
    period = units.counts(of.duration)
    for point, _ in of.point_cells:
        took = units.steps(_up(_in_cell(system, point, prices)))
        level = cells.level_of_point(point.tasks)
        yield Source(f"table {of.name}", level, period, took, took, early=cells.early, offset=None)
    if of.has_end:
        took = units.steps(_END_STEPS)
        level = cells.level_of_ends()
        yield Source(f"table {of.name}", level, period, took, took, early=cells.early, offset=None)


def _in_cell(system: System, point: CellPoint, prices: Prices) -> Fraction:
    """What a point takes, the dearest of its actions first."""
    kinds = ["basic" if system.task(task).kind is Kind.BASIC else "thread" for task in point.tasks]
    kinds += ["event"] * len(point.events)
    return max(
        _point(prices, first)
        + sum((_point(prices, f"further_{kind}") for kind in kinds), Fraction(0))
        - _point(prices, f"further_{first}")
        for first in kinds
    )


def _point(prices: Prices, step: str) -> Fraction:
    known = prices.points or _UNPRICED_POINT
    return max(Fraction(0), known.get(step, _UNPRICED_POINT[step]))


def _up(steps: Fraction) -> int:
    return ceil(steps * (1 + MARGIN))
