# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mixtures: some periodic cells, and one cooperative one-shot cell for all other tasks.

Candidates begin with divisions of the tasks among periodic cells, the exact ones (exact.py) for the cells
in use, and good ones for fewer and for a few more. Of each division every set of groups is handed over
to the one-shot cell, as long as there are few groups; of more, those that release least often: one, two,
four, half of them, all but a few. That is no proof: streams of one group always stay together.

What no periodic cell can time is the one-shot cell's in any case.

The one-shot cell is one that needs no hops. Then it interrupts at the release instants of its tasks at which
no periodic cell does, and at no others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

__all__ = ["Division", "Mixtures", "mixture_of", "mixtures", "placements"]

_FEW_GROUPS = 5
_MORE_CELLS = 3  # divisions for so many more cells than there are, too
_LITTLE_EFFORT = Effort(first=6_000, improve=20_000, second=0, solver=0.0, rounds=8)


Division = tuple[tuple[Stream, ...], ...]
"""Streams of each periodic cell; all others are the one-shot cell's."""


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
    if fault is not None:
        return Inadmissible(fault)
    able = [stream for stream in of if period_fault(stream.period, hz, periodic) is None]
    if not able:
        name = system.tasks[of[0].tasks[0]].name
        return Inadmissible(f"task {name}: period {period_fault(of[0].period, hz, periodic)}")
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
            made = mixture_of(system, [[able[at] for at in group] for group in kept], of)
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
        tuple(tuple(tuple(able[at] for at in one) for one in groups) for groups in fitting),
        None if found else fault,
    )


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


def mixture_of(
    system: System, kept: Sequence[Sequence[Stream]], of: Sequence[Stream]
) -> tuple[Releaser, ...] | None:
    """The groups `kept` on periodic cells and all other streams on a one-shot one; None if it cannot be.

    Without others there is no one-shot cell. Of the cells that could be it, that which leaves the fewest
    interrupts to the others; among equals the last in the user's order, as the first may be needed by longer
    periods.
    """
    periodic = {stream for group in kept for stream in group}
    rest = [stream for stream in of if stream not in periodic]
    if not rest:
        made = periodic_releasers(system, [as_group(group) for group in kept])
        return None if isinstance(made, Inadmissible) else made
    return min(_placed(system, kept, rest), key=_periodic_rate, default=None)


def placements(system: System, mixture: Sequence[Releaser]) -> Iterator[tuple[Releaser, ...]]:
    """`mixture` with its one-shot releaser, if any, on each cell that it can have; the last cell first."""
    if not any(one.cooperates for one in mixture):
        yield tuple(mixture)
        return
    kept = [streams(system, one.tasks) for one in mixture if not one.cooperates]
    (single,) = (one for one in mixture if one.cooperates)
    yield from _placed(system, kept, streams(system, single.tasks))


def _placed(
    system: System, kept: Sequence[Sequence[Stream]], rest: Sequence[Stream]
) -> Iterator[tuple[Releaser, ...]]:
    hz = system.board.clock.hz
    tried: set[Cell] = set()
    for cell in reversed(cells_with(system, Mode.ONE_SHOT)):
        kind = replace(
            cell, name="", instance=0, handler=""
        )  # equal cells leave the same to others
        if kind in tried or not _without_hops(cell, rest, hz):
            continue
        tried.add(kind)
        others = [one for one in cells_with(system, Mode.PERIODIC) if one.name != cell.name]
        made = periodic_on(system, [as_group(group) for group in kept], others)
        if not isinstance(made, Inadmissible):
            every = (*made, one_shot_on(cell, rest, hz, cooperates=True))
            yield tuple(sorted(every, key=lambda releaser: system.cells.index(releaser.cell)))


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
