# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Releasers on the cells of a system, for tasks that are divided already; or why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import Stream, common_divisor, count_instant
from horolog.model import Cell, Mapping, Mixture, Mode, Releaser, System
from horolog.plan.mapping.cell_timing import (
    Timing,
    allot,
    nearest_periods,
    one_shot_span,
    one_shot_step,
    periodic_timing,
)
from horolog.plan.times import time_text
from horolog.read.problems import listed

__all__ = [
    "Inadmissible",
    "Proposal",
    "as_group",
    "cells_with",
    "one_shot_on",
    "period_fault",
    "periodic_on",
    "periodic_releasers",
    "prescaler_fault",
    "tasks_of",
    "too_short",
]

_STORE = "sorted-list"


@dataclass(frozen=True, slots=True)
class Inadmissible:
    """A mechanism cannot serve a system. `task`: index of the task at fault, if it is one's."""

    reason: str
    task: int | None = None
    remedy: str | None = None  # what could be described instead, where no mechanism can
    cells: int = 0  # with so many cells it could; 0: that is not what is missing


@dataclass(frozen=True, slots=True)
class Proposal:
    """The releasers of a mechanism, and how good their division of the tasks is where there is one."""

    releasers: tuple[Releaser, ...]
    mapping: Mapping | None = None
    mixture: Mixture | None = None


def as_group(of: Sequence[Stream]) -> tuple[Fraction, Sequence[Stream]]:
    """The streams `of` and the longest period of a cell that serves them all."""
    return common_divisor(of), of


def periodic_releasers(
    system: System, wanted: Sequence[tuple[Fraction, Sequence[Stream]]]
) -> tuple[Releaser, ...] | Inadmissible:
    """One periodic releaser for each (period, streams), on the system's cells."""
    cells = cells_with(system, Mode.PERIODIC)
    if not cells:
        return Inadmissible("no cell in use can interrupt periodically")
    return periodic_on(system, wanted, cells)


def periodic_on(
    system: System, wanted: Sequence[tuple[Fraction, Sequence[Stream]]], cells: Sequence[Cell]
) -> tuple[Releaser, ...] | Inadmissible:
    """One periodic releaser for each (period, streams), on `cells`."""
    hz = system.board.clock.hz
    needs = []
    for period, of in wanted:
        fault = period_fault(period, hz, cells)
        if fault is not None:
            return Inadmissible(f"the common divisor {fault}")
        needs.append((_counts(period, hz), _counts(min(s.offset for s in of), hz)))
    allotted = allot(needs, cells)
    if allotted is None:
        periods = ", ".join(time_text(period) for period, _ in wanted)
        return Inadmissible(f"the cells in use cannot time {periods}")
    made = [
        _releaser(cell, timing, of)
        for (cell, timing), (_, of) in zip(allotted, wanted, strict=True)
    ]
    return tuple(sorted(made, key=lambda releaser: system.cells.index(releaser.cell)))


def _counts(seconds: Fraction, hz: int) -> int | Fraction:
    counts = seconds * hz
    return counts.numerator if counts.denominator == 1 else counts


def _releaser(cell: Cell, timing: Timing, of: Sequence[Stream]) -> Releaser:
    return Releaser(
        cell=cell.name,
        mode=Mode.PERIODIC,
        store=_STORE,
        tasks=tasks_of(of),
        first=timing.first,
        cell_period=timing.cell_period,
        divider=timing.divider,
        period=(timing.cell_period + timing.part) * timing.divider / cell.hz,
        part=timing.part,
        first_part=timing.first_part,
        prescaler=timing.prescaler,
    )


def one_shot_on(cell: Cell, of: Sequence[Stream], hz: int, *, cooperates: bool = False) -> Releaser:
    """A one-shot releaser of the streams `of` on `cell`."""
    first = count_instant(min(stream.offset for stream in of), hz)
    return Releaser(
        cell=cell.name,
        mode=Mode.ONE_SHOT,
        store=_STORE,
        tasks=tasks_of(of),
        first=one_shot_step(first, one_shot_span(cell)),
        cooperates=cooperates,
    )


def cells_with(system: System, mode: Mode) -> list[Cell]:
    """The cells in use that have `mode`, in the user's order."""
    cells = [system.board.cell(name) for name in system.cells]
    return [cell for cell in cells if mode in cell.modes]


def tasks_of(of: Sequence[Stream]) -> tuple[int, ...]:
    """The tasks of the streams `of`, ascending."""
    return tuple(sorted({task for stream in of for task in stream.tasks}))


def period_fault(period: Fraction, hz: int, cells: Sequence[Cell]) -> str | None:
    """Why none of `cells` can interrupt every `period`; None if one can, as far as that is known."""
    counts, shortest = period * hz, min((cell.min_counts for cell in cells), default=0)
    if counts < shortest:
        return too_short(period, hz, shortest)
    if counts.denominator != 1 and all(cell.whole_counts for cell in cells):
        return f"{time_text(period)} is no whole number of counts at {hz:,} Hz"
    return None


def prescaler_fault(period: Fraction, hz: int, cells: Sequence[Cell]) -> tuple[str, str] | None:
    """Why no prescaler of `cells`, all with their own, gives `period` exactly, and what would be given."""
    if not all(cell.prescalers for cell in cells) or any(
        periodic_timing(cell, _counts(period, hz), 0) for cell in cells
    ):
        return None
    near = [time_text(Fraction(at, hz)) for at in nearest_periods(cells, period * hz)]
    reason = f"{time_text(period)} is given by no prescaler of {listed([c.name for c in cells])}"
    return reason, f"a cell that counts by the clock, or a period of {' or '.join(near)}"


def too_short(period: Fraction, hz: int, shortest: int) -> str:
    """Returns the reason that a cell cannot time `period`, but `shortest` counts."""
    return (
        f"{time_text(period)} is too short for every cell in use "
        f"(at least {time_text(Fraction(shortest, hz))})"
    )
