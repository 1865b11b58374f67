# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The releasers that each mechanism would use for a system, or why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    common_divisor,
    count_instant,
    streams,
    wakes,
)
from horolog.model import MECHANISMS, Cell, Mapping, Mode, Releaser, System
from horolog.plan.cells import Timing, allot, one_shot_span
from horolog.plan.exact import optimal
from horolog.plan.grouping import Grouping, Outcome, frame
from horolog.plan.interrupts import one_shot_rate
from horolog.read import duration_text

__all__ = ["Inadmissible", "OFFSET_LIMIT_COUNTS", "Proposal", "TICK", "propose"]

TICK = Fraction(1, 1000)
"""The period of the `tick` mechanism, in seconds: FreeRTOS's usual one."""

OFFSET_LIMIT_COUNTS = 7 * (HOP_COUNTS // 4)
"""Offsets are shorter: the kernel can order instants that are less than 2 * HOP_COUNTS apart."""

_STORE = "sorted-list"


@dataclass(frozen=True, slots=True)
class Inadmissible:
    """A mechanism cannot serve a system. `task`: index of the task at fault, if it is one's."""

    reason: str
    task: int | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """The releasers of a mechanism, and how good their division of the tasks is where there is one."""

    releasers: tuple[Releaser, ...]
    mapping: Mapping | None = None


def propose(
    system: System, mechanism: str, grouping: Grouping = optimal
) -> Proposal | Inadmissible:
    """The releasers of `mechanism`, in the order of the system's cells."""
    for index, task in enumerate(system.tasks):
        if count_instant(task.offset, system.board.clock.hz) >= OFFSET_LIMIT_COUNTS:
            limit = duration_text(Fraction(OFFSET_LIMIT_COUNTS, system.board.clock.hz))
            return Inadmissible(
                f"task {task.name}: offset {duration_text(task.offset)} is not below {limit}", index
            )
    if mechanism == "chronos":
        return _chronos(system, grouping)
    proposed = _SINGLE[mechanism](system)
    return proposed if isinstance(proposed, Inadmissible) else Proposal(proposed)


def _tick(system: System) -> tuple[Releaser, ...] | Inadmissible:
    for index, task in enumerate(system.tasks):
        for what, time in (("period", task.period), ("offset", task.offset)):
            if time % TICK:
                return Inadmissible(
                    f"task {task.name}: {what} {duration_text(time)} is no multiple of "
                    f"{duration_text(TICK)}",
                    index,
                )
    return _periodic(system, [(TICK, streams(system))])


def _gcd(system: System) -> tuple[Releaser, ...] | Inadmissible:
    of = streams(system)
    return _periodic(system, [(common_divisor(of), of)])


def _chronos(system: System, grouping: Grouping) -> Proposal | Inadmissible:
    hz = system.board.clock.hz
    cells = _cells(system, Mode.PERIODIC)
    if not cells:
        return Inadmissible("no cell in use can interrupt periodically")
    shortest = min(cell.min_counts for cell in cells)
    of = streams(system)
    for stream in of:
        fault = _period_fault(stream.period, hz, shortest)
        if fault is not None:
            name = system.tasks[stream.tasks[0]].name
            return Inadmissible(f"task {name}: period {fault}", stream.tasks[0])
    problem = frame(of, hz, len(cells), shortest)
    outcome = grouping(problem)
    if outcome is None:
        few = "1 cell is" if len(cells) == 1 else f"{len(cells)} cells are"
        return Inadmissible(
            f"{few} too few: tasks that would have to share one have a common "
            "divisor that no cell can time"
        )
    several = _periodic(
        system, [_group([of[position] for position in group]) for group in outcome.groups]
    )
    # Dividers are not in the grouping's objective, so one releaser may interrupt less after all.
    one = _periodic(system, [_group(of)])
    if isinstance(several, Inadmissible) or (
        not isinstance(one, Inadmissible) and _interrupts(one) < _interrupts(several)
    ):
        several = one
    if isinstance(several, Inadmissible):
        return several
    return Proposal(several, _mapping(outcome, problem.unit))


def _mapping(outcome: Outcome, unit: int) -> Mapping:
    return Mapping(outcome.objective * unit, outcome.bound * unit, outcome.how)


def _group(of: Sequence[Stream]) -> tuple[Fraction, Sequence[Stream]]:
    return common_divisor(of), of


def _interrupts(releasers: Sequence[Releaser]) -> Fraction:
    """Interrupts per count."""
    return sum((Fraction(1, r.cell_period) for r in releasers if r.cell_period), Fraction(0))


def _one_shot(system: System) -> tuple[Releaser, ...] | Inadmissible:
    hz = system.board.clock.hz
    cells = _cells(system, Mode.ONE_SHOT)
    if not cells:
        return Inadmissible("no cell in use can be armed for one instant")
    of = streams(system)
    shortest = min(cell.min_counts for cell in cells)
    if of[0].period * hz < shortest:
        name = system.tasks[of[0].tasks[0]].name
        fault = _too_short(of[0].period, hz, shortest)
        return Inadmissible(f"task {name}: period {fault}", of[0].tasks[0])
    # The fewest hops; among equals the user's order. Only cells of different width differ.
    able = [cell for cell in cells if of[0].period * hz >= cell.min_counts]
    rate = {span: one_shot_rate(of, hz, span)[0] for span in {one_shot_span(cell) for cell in able}}
    cell = min(able, key=lambda cell: rate[one_shot_span(cell)])
    first = count_instant(min(stream.offset for stream in of), hz)
    assert first == next(wakes(of, hz, 0, first + 1))
    return (
        Releaser(
            cell=cell.name,
            mode=Mode.ONE_SHOT,
            store=_STORE,
            tasks=_tasks(of),
            first=min(first, one_shot_span(cell)),
        ),
    )


_SINGLE: MappingProxyType[str, Callable[[System], tuple[Releaser, ...] | Inadmissible]] = (
    MappingProxyType({"tick": _tick, "gcd": _gcd, "one-shot": _one_shot})
)
assert {*_SINGLE, "chronos"} < {*MECHANISMS}


def _periodic(
    system: System, wanted: Sequence[tuple[Fraction, Sequence[Stream]]]
) -> tuple[Releaser, ...] | Inadmissible:
    """One periodic releaser for each (period, streams)."""
    hz = system.board.clock.hz
    cells = _cells(system, Mode.PERIODIC)
    if not cells:
        return Inadmissible("no cell in use can interrupt periodically")
    shortest = min(cell.min_counts for cell in cells)
    needs = []
    for period, of in wanted:
        fault = _period_fault(period, hz, shortest)
        if fault is not None:
            return Inadmissible(f"the common divisor {fault}")
        needs.append((int(period * hz), count_instant(min(s.offset for s in of), hz)))
    allotted = allot(needs, cells)
    if allotted is None:
        periods = ", ".join(duration_text(period) for period, _ in wanted)
        return Inadmissible(f"the cells in use cannot time {periods}")
    made = [
        _releaser(cell, timing, of)
        for (cell, timing), (_, of) in zip(allotted, wanted, strict=True)
    ]
    return tuple(sorted(made, key=lambda releaser: system.cells.index(releaser.cell)))


def _releaser(cell: Cell, timing: Timing, of: Sequence[Stream]) -> Releaser:
    return Releaser(
        cell=cell.name,
        mode=Mode.PERIODIC,
        store=_STORE,
        tasks=_tasks(of),
        first=timing.first,
        cell_period=timing.cell_period,
        divider=timing.divider,
        period=Fraction(timing.cell_period * timing.divider, cell.hz),
    )


def _cells(system: System, mode: Mode) -> list[Cell]:
    """The cells in use that have `mode`, in the user's order."""
    cells = [system.board.cell(name) for name in system.cells]
    return [cell for cell in cells if mode in cell.modes]


def _tasks(of: Sequence[Stream]) -> tuple[int, ...]:
    return tuple(sorted(task for stream in of for task in stream.tasks))


def _period_fault(period: Fraction, hz: int, shortest: int) -> str | None:
    """Why no cell can interrupt every `period`; None if one can."""
    counts = period * hz
    if counts < shortest:
        return _too_short(period, hz, shortest)
    if counts.denominator != 1:
        return f"{duration_text(period)} is no whole number of counts at {hz:,} Hz"
    return None


def _too_short(period: Fraction, hz: int, shortest: int) -> str:
    return (
        f"{duration_text(period)} is too short for every cell in use "
        f"(at least {duration_text(Fraction(shortest, hz))})"
    )
