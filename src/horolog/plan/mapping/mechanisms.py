# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The releasers that each mechanism would use for a system, or why it cannot. `mixed`: mixture.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from types import MappingProxyType

from horolog.analyse import HOP_COUNTS, common_divisor, count_instant, streams, wakes
from horolog.model import Mapping, Mode, Releaser, System
from horolog.plan.instants.interrupts import one_shot_rate
from horolog.plan.limit import Limit
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.plan.mapping.exact import Effort, optimal, solve
from horolog.plan.mapping.grouping import Grouping, NoGroups, Outcome, Problem, frame
from horolog.plan.mapping.releasers import (
    Inadmissible,
    Proposal,
    as_group,
    cells_with,
    one_shot_on,
    period_fault,
    periodic_releasers,
    prescaler_fault,
    too_short,
)
from horolog.read import duration_text

__all__ = ["FORCED_STORES", "OFFSET_LIMIT_COUNTS", "TICK", "offset_fault", "propose"]

TICK = Fraction(1, 1000)
"""The period of the `tick` mechanism, in seconds: FreeRTOS's usual one."""

OFFSET_LIMIT_COUNTS = 7 * (HOP_COUNTS // 4)
"""Offsets are shorter: the kernel can order instants that are less than 2 * HOP_COUNTS apart."""

FORCED_STORES = MappingProxyType(
    {"chronos-const": "unsorted-list", "chronos-harmonic": "harmonic-array"}
)
"""The store of every releaser, of mechanisms that are named for it."""

_MOST_CELLS_LOOKED_AT = 64
_LITTLE_EFFORT = Effort(first=6_000, improve=20_000, second=0, solver=0.0, rounds=8)


def propose(
    system: System, mechanism: str, grouping: Grouping = optimal, limit: Limit | None = None
) -> Proposal | Inadmissible:
    """The releasers of `mechanism`, which is not `mixed`, in the order of the system's cells."""
    fault = offset_fault(system)
    if fault is not None:
        return fault
    if mechanism in _SINGLE:
        proposed = _SINGLE[mechanism](system)
        return proposed if isinstance(proposed, Inadmissible) else Proposal(proposed)
    return _chronos(system, grouping, limit)


def offset_fault(system: System) -> Inadmissible | None:
    """Returns why no mechanism can serve `system`: an offset that stamps cannot order."""
    for index, task in enumerate(system.tasks):
        if count_instant(task.offsets[-1], system.board.clock.hz) >= OFFSET_LIMIT_COUNTS:
            limit = duration_text(Fraction(OFFSET_LIMIT_COUNTS, system.board.clock.hz))
            return Inadmissible(
                f"task {task.name}: offset {duration_text(task.offsets[-1])} is not below {limit}",
                index,
            )
    return None


def _tick(system: System) -> tuple[Releaser, ...] | Inadmissible:
    for index, task in enumerate(system.tasks):
        offsets = (("offset", offset) for offset in task.offsets)
        for what, time in (("period", task.period), *offsets):
            if time % TICK:
                return Inadmissible(
                    f"task {task.name}: {what} {duration_text(time)} is no multiple of "
                    f"{duration_text(TICK)}",
                    index,
                )
    return periodic_releasers(system, [(TICK, streams(system))])


def _gcd(system: System) -> tuple[Releaser, ...] | Inadmissible:
    of = streams(system)
    return periodic_releasers(system, [(common_divisor(of), of)])


def _chronos(system: System, grouping: Grouping, limit: Limit | None) -> Proposal | Inadmissible:
    hz = system.board.clock.hz
    cells = cells_with(system, Mode.PERIODIC)
    if not cells:
        return Inadmissible("no cell in use can interrupt periodically")
    shortest = min(cell.min_counts for cell in cells)
    of = streams(system)
    for stream in of:
        fault = period_fault(stream.period, hz, cells)
        if fault is not None:
            name = system.tasks[stream.tasks[0]].name
            return Inadmissible(f"task {name}: period {fault}", stream.tasks[0])
        by_none = prescaler_fault(stream.period, hz, cells)
        if by_none is not None:
            name, (fault, remedy) = system.tasks[stream.tasks[0]].name, by_none
            return Inadmissible(f"task {name}: period {fault}", stream.tasks[0], remedy)
    problem = frame(of, hz, len(cells), shortest, whole=all(c.whole_counts for c in cells))
    outcome = grouping(problem)
    if isinstance(outcome, NoGroups):
        return Inadmissible(_too_few(problem, outcome, limit))
    several = periodic_releasers(
        system, [as_group([of[position] for position in group]) for group in outcome.groups]
    )
    # Dividers are not in the grouping's objective, so one releaser may interrupt less after all.
    one = periodic_releasers(system, [as_group(of)])
    if isinstance(several, Inadmissible) or (
        not isinstance(one, Inadmissible) and _interrupts(one) < _interrupts(several)
    ):
        several = one
    if isinstance(several, Inadmissible):
        return several
    return Proposal(several, _mapping(outcome, problem.unit))


def _too_few(problem: Problem, why: NoGroups, limit: Limit | None) -> str:
    few = "1 cell is" if problem.most == 1 else f"{problem.most} cells are"
    if why is NoGroups.LIMIT:
        return f"no division among {problem.most} cells was found before the limit of the search"
    text = (
        f"{few} too few: tasks that would have to share one have a common "
        "divisor that no cell can time"
    )
    needed = _cells_needed(problem, limit)
    return text if needed is None else f"{text}; {needed} such cells would do"


def _cells_needed(problem: Problem, limit: Limit | None) -> int | None:
    """About how many cells a division would need; None if that is not known.

    More cells never do harm, so it is found by halving; with less effort than a plan, so it may be
    one too many.
    """
    low, high = problem.most, min(len(problem.joined), _MOST_CELLS_LOOKED_AT)

    def fits(most: int) -> bool:
        return isinstance(solve(problem.with_cells(most), _LITTLE_EFFORT, limit), Outcome)

    if high <= low or not fits(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def _mapping(outcome: Outcome, unit: int) -> Mapping:
    return Mapping(outcome.objective * unit, outcome.bound * unit, outcome.how)


def _interrupts(releasers: Sequence[Releaser]) -> Fraction:
    """Interrupts per count."""
    return sum((1 / Fraction(r.counts) for r in releasers if r.cell_period), Fraction(0))


def _one_shot(system: System) -> tuple[Releaser, ...] | Inadmissible:
    hz = system.board.clock.hz
    cells = cells_with(system, Mode.ONE_SHOT)
    if not cells:
        return Inadmissible("no cell in use can be armed for one instant")
    of = streams(system)
    shortest = min(cell.min_counts for cell in cells)
    if of[0].period * hz < shortest:
        name = system.tasks[of[0].tasks[0]].name
        fault = too_short(of[0].period, hz, shortest)
        return Inadmissible(f"task {name}: period {fault}", of[0].tasks[0])
    # The fewest hops; among equals the user's order. Only cells of different width differ.
    able = [cell for cell in cells if of[0].period * hz >= cell.min_counts]
    rate = {span: one_shot_rate(of, hz, span)[0] for span in {one_shot_span(cell) for cell in able}}
    cell = min(able, key=lambda cell: rate[one_shot_span(cell)])
    first = count_instant(min(stream.offset for stream in of), hz)
    assert first == next(wakes(of, hz, 0, first + 1))
    return (one_shot_on(cell, of, hz),)


_SINGLE: MappingProxyType[str, Callable[[System], tuple[Releaser, ...] | Inadmissible]] = (
    MappingProxyType({"tick": _tick, "gcd": _gcd, "one-shot": _one_shot})
)
