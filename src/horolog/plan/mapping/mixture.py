# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mixtures: some periodic cells, and one-shot cells for all other tasks, one of them cooperative.

Candidates begin with divisions of the tasks among periodic cells, the exact ones (exact.py) for the cells
in use, and good ones for fewer and for a few more. Of each division every set of groups is handed over
to the one-shot cell, as long as there are few groups; of more, those that release least often: one, two,
four, half of them, all but a few. That is no proof: streams of one group always stay together.

What no periodic cell can time is the one-shot cell's in any case.

One-shot cells are such that need no hops. Then the cooperative one interrupts at the release instants of its
tasks at which no periodic cell does, and at no others. Further one-shot cells, each over a delay queue of its
own, interrupt as if they were alone; which tasks they get is stream_moves.py's. Without a periodic cell all
are such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations

from horolog.analyse import Stream, count_instant, streams
from horolog.model import Cell, Mode, Releaser, System
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.limit import Limit
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.plan.mapping.exact import Effort, solve
from horolog.plan.mapping.grouping import Grouping, Groups, Outcome, frame
from horolog.plan.mapping.releasers import (
    Inadmissible,
    as_group,
    cells_with,
    one_shot_on,
    period_fault,
    periodic_on,
    periodic_releasers,
)

__all__ = ["Division", "Mixtures", "Parts", "mixture_of", "mixtures", "placements"]

_FEW_GROUPS = 5
_MORE_CELLS = 3  # divisions for so many more cells than there are, too
_LITTLE_EFFORT = Effort(first=6_000, improve=20_000, second=0, solver=0.0, rounds=8)


Division = tuple[tuple[Stream, ...], ...]
"""Streams of each cell."""

_MOST_PLACED = 4  # one-shot cells: with more of them not every placement is tried


@dataclass(frozen=True, slots=True)
class Parts:
    """Streams of each periodic cell, and of each one-shot cell but the first, which has all others."""

    kept: Division
    further: Division = ()


@dataclass(frozen=True, slots=True)
class Mixtures:
    """Candidates: the releasers of each, the one-shot one among them; and how they were made.

    `divisions`: those of all streams that periodic cells can time. `fault`: why there are no candidates.
    """

    candidates: tuple[tuple[Releaser, ...], ...]
    how: str
    divisions: tuple[Division, ...]
    fault: str | None


def mixtures(
    system: System, grouping: Grouping, limit: Limit | None = None
) -> Mixtures | Inadmissible:
    """The mixtures of `system` to be compared. `grouping` divides for the cells in use.

    Where the `limit` is over there are those found until then, one at least if any fits; there may be none.
    """
    limit = limit or Limit()
    hz, of = system.board.clock.hz, streams(system)
    periodic, single = cells_with(system, Mode.PERIODIC), cells_with(system, Mode.ONE_SHOT)
    fault = _fault(periodic, single)
    able: list[Stream] = []
    if fault is None:
        able = [stream for stream in of if period_fault(stream.period, hz, periodic) is None]
        if not able:
            name = system.tasks[of[0].tasks[0]].name
            fault = f"task {name}: period {period_fault(of[0].period, hz, periodic)}"
    if fault is not None:
        if len(single) < 2 or len(of) < 2:
            return Inadmissible(fault)
        return Mixtures((), "one-shot cells only", (), fault)
    most = len({cell.name for cell in (*periodic, *single)})
    divisions = _divisions(able, hz, periodic, most, grouping, limit)
    found: dict[tuple[Releaser, ...], None] = {}
    whole = True
    for groups in divisions:
        whole = whole and len(groups) <= _FEW_GROUPS
        for handed_over in _handed_over(able, hz, groups, alone=len(able) < len(of)):
            if found and limit.over(words=partial("{} mixtures".format, len(found))):
                whole = False
                break
            kept = [group for group in groups if group not in handed_over]
            made = mixture_of(system, Parts(_streams_of(able, kept)), of)
            if made is not None:
                found[made] = None
    fault = (
        "no mixture fits: what is left to periodic cells, or to the one-shot one, cannot be timed"
    )
    if len(divisions) == len(divisions[0]) == 1:
        fault = "all tasks share one periodic cell, so it comes to the same as chronos or one-shot"
    sets = "every set of groups" if whole else "some sets of groups"
    how = f"{sets} of {len(divisions)} division{'s' * (len(divisions) != 1)} handed over"
    fitting = [groups for groups in divisions if len(groups) <= most]
    return Mixtures(
        tuple(found),
        how,
        tuple(_streams_of(able, groups) for groups in fitting),
        None if found else fault,
    )


def _streams_of(of: Sequence[Stream], groups: Iterable[Sequence[int]]) -> Division:
    return tuple(tuple(of[at] for at in group) for group in groups)


def _fault(periodic: Sequence[Cell], single: Sequence[Cell]) -> str | None:
    if not periodic:
        return "no cell in use can interrupt periodically"
    if not single:
        return "no cell in use can be armed for one instant"
    if len({cell.name for cell in (*periodic, *single)}) < 2:
        return "a mixture takes two cells, and one is in use"
    return None


def _divisions(
    of: Sequence[Stream],
    hz: int,
    cells: Sequence[Cell],
    most: int,
    grouping: Grouping,
    limit: Limit,
) -> tuple[Groups, ...]:
    """Different divisions of the streams, for 1 to a few more cells than there are."""
    shortest = min(cell.min_counts for cell in cells)
    problem = frame(of, hz, len(cells), shortest, whole=all(c.whole_counts for c in cells))
    found: dict[Groups, None] = {}
    for number in _numbers(len(cells), most):
        if number == len(cells):
            outcome = grouping(problem)
        else:
            outcome = solve(problem.with_cells(number), _LITTLE_EFFORT, limit)
        if isinstance(outcome, Outcome):
            found[tuple(sorted(outcome.groups))] = None
    found[tuple(sorted(problem.joined))] = None
    return tuple(found)


def _numbers(own: int, most: int) -> list[int]:
    """For how many cells to divide: all numbers while they are few, else some about that in use."""
    if most <= _FEW_GROUPS:
        return list(range(1, most + _MORE_CELLS + 1))
    return sorted({2, 4, own // 2, own - 1, own, own + _MORE_CELLS})


def _handed_over(
    of: Sequence[Stream], hz: int, groups: Groups, *, alone: bool
) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Sets of `groups`, not all of them. `alone`: none is enough, as the one-shot cell has other streams."""
    if alone:
        yield ()
    if len(groups) <= _FEW_GROUPS:
        for size in range(1, len(groups)):
            yield from combinations(groups, size)
        return
    wasted = sorted(groups, key=lambda group: -_wasted([of[at] for at in group], hz))
    sizes = {1, 2, 4, len(groups) // 2, len(groups) - 4, len(groups) - 2, len(groups) - 1}
    for size in sorted(size for size in sizes if 0 < size < len(groups)):
        yield tuple(wasted[:size])


def _wasted(group: Sequence[Stream], hz: int) -> Fraction:
    """How many interrupts a second a periodic cell for `group` takes without a release."""
    period, _ = as_group(group)
    return 1 / period - instants_of(group, hz, 0)[0].rate


def mixture_of(system: System, parts: Parts, of: Sequence[Stream]) -> tuple[Releaser, ...] | None:
    """The releasers of `parts`, all other streams of `of` on the first one-shot cell; None if it cannot be.

    Without others there is no one-shot cell. Of the cells that could be it, that which leaves the fewest
    interrupts to the others; among equals the last in the user's order, as the first may be needed by longer
    periods.
    """
    elsewhere = {stream for group in (*parts.kept, *parts.further) for stream in group}
    rest = tuple(stream for stream in of if stream not in elsewhere)
    if not rest:
        if parts.further:
            return None  # the same with a cell less
        made = periodic_releasers(system, [as_group(group) for group in parts.kept])
        return None if isinstance(made, Inadmissible) else made
    placed = _placed(system, parts.kept, (rest, *parts.further))
    return min(placed, key=_periodic_rate, default=None)


def placements(system: System, mixture: Sequence[Releaser]) -> Iterator[tuple[Releaser, ...]]:
    """`mixture` with its one-shot releasers, if any, on each choice of cells that they can have."""
    single = [one for one in mixture if one.mode is Mode.ONE_SHOT]
    if not single or len(single) > _MOST_PLACED:
        yield tuple(mixture)
        return
    single.sort(key=lambda one: not one.cooperates)
    kept = [streams(system, one.tasks) for one in mixture if one.mode is Mode.PERIODIC]
    yield from _placed(system, kept, [streams(system, one.tasks) for one in single])


def _placed(
    system: System, kept: Sequence[Sequence[Stream]], single: Sequence[Sequence[Stream]]
) -> Iterator[tuple[Releaser, ...]]:
    """With each choice of cells for the one-shot releasers; beside periodic ones the first cooperates."""
    hz = system.board.clock.hz
    for chosen in _choices(system, single, (), cooperates=bool(kept)):
        others = [one for one in cells_with(system, Mode.PERIODIC) if one not in chosen]
        made = periodic_on(system, [as_group(group) for group in kept], others)
        if not isinstance(made, Inadmissible):
            shots = [
                one_shot_on(cell, of, hz, cooperates=bool(kept) and at == 0)
                for at, (cell, of) in enumerate(zip(chosen, single, strict=True))
            ]
            every = (*made, *shots)
            yield tuple(sorted(every, key=lambda releaser: system.cells.index(releaser.cell)))


def _choices(
    system: System,
    single: Sequence[Sequence[Stream]],
    chosen: tuple[Cell, ...],
    *,
    cooperates: bool,
) -> Iterator[tuple[Cell, ...]]:
    """A cell for each of `single`, `chosen` for the first; of equal cells one, as they leave the same."""
    if len(chosen) == len(single):
        yield chosen
        return
    of, hz = single[len(chosen)], system.board.clock.hz
    cells = [cell for cell in cells_with(system, Mode.ONE_SHOT) if cell not in chosen]
    tried: set[Cell] = set()
    for cell in reversed(cells) if cooperates and not chosen else cells:
        kind = replace(cell, name="", instance=0, handler="")
        if kind in tried or not _without_hops(cell, of, hz):
            continue
        tried.add(kind)
        yield from _choices(system, single, (*chosen, cell), cooperates=cooperates)


def _periodic_rate(releasers: Sequence[Releaser]) -> Fraction:
    """Interrupts of the periodic cells, per count."""
    return sum((1 / Fraction(r.counts) for r in releasers if r.cell_period), Fraction(0))


def _without_hops(cell: Cell, of: Sequence[Stream], hz: int) -> bool:
    """Whether no two instants of the streams `of` lie further apart than `cell` can be armed ahead."""
    shortest = min(of, key=lambda stream: stream.period)
    span = one_shot_span(cell)
    if shortest.period * hz < cell.min_counts:
        return False
    gap = max(int(shortest.period * hz) + 1, count_instant(shortest.offset, hz))
    # The first hop begins with the clock, a millisecond before t = 0.
    return gap + cell.hz // 1000 + 1 <= span
