# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Delays within the allowed jitter that make tasks' releases coincide.

A task's releases are all moved by one delay, from 0 to its jitter: never earlier than nominal, and without
drift. So a task may be moved to an *arc* of offsets modulo any period that divides its own. Points that meet
all arcs of one period, as few as there can be (stabbing of arcs), leave as few distinct instants.
Every point is an end of an arc, that is the nominal offset of a task: where others meet, one is not moved
by that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm

from horolog.model import System

__all__ = ["coinciding", "delayed", "fewest_points"]

_MOST_STARTS = (
    64  # points of which each is tried as the first: with fewer arcs, the fewest are found
)
_MOST_PLACES = 32
_MOST_PAIRS = 40_000
_ROUNDS = 4


@dataclass(frozen=True, slots=True)
class _Row:
    """Tasks of one period, offset and jitter, in units."""

    period: int
    offset: int  # as moved so far
    jitter: int  # what is left of it
    tasks: tuple[int, ...]

    def to(self, delay: int) -> _Row:
        """Moved by `delay`."""
        return replace(self, offset=self.offset + delay, jitter=self.jitter - delay)

    def delay_to(self, point: int, period: int) -> int | None:
        """The least delay that brings all its releases to `point` modulo `period`; None: it may not be."""
        delay = (point - self.offset) % period
        return delay if delay <= self.jitter and self.period % period == 0 else None


def coinciding(system: System) -> tuple[System, ...]:
    """`system` with its offsets moved in some ways that may be worth it; none where nothing could be gained.

    Which of them is, a plan says. Each is made of nominal offsets, whatever `system` has been moved by.
    """
    unit, rows = _rows(system)
    if not any(row.jitter for row in rows):
        return ()
    ridden = _ridden(rows)
    ways = (ridden, _in_pairs(ridden), _ridden(_on_grid(rows)))
    found: dict[tuple[int, ...], System] = {}
    for way in ways:
        delays = _delays(system, unit, way)
        if any(delays):
            key = tuple(int(delay * unit) for delay in delays)
            found.setdefault(key, delayed(system, delays))
    return tuple(found.values())


def delayed(system: System, delays: Sequence[Fraction]) -> System:
    """`system` with each task released so much later than nominal."""
    return replace(
        system,
        tasks=tuple(
            replace(task, offset=task.nominal_offset + delay, delay=delay)
            for task, delay in zip(system.tasks, delays, strict=True)
        ),
    )


def _rows(system: System) -> tuple[int, list[_Row]]:
    """The units of a second, and the tasks by what they have in common."""
    times = [
        time for task in system.tasks for time in (task.period, task.nominal_offset, task.jitter)
    ]
    unit = lcm(*(time.denominator for time in times))
    members: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for index, task in enumerate(system.tasks):
        key = (int(time * unit) for time in (task.period, task.nominal_offset, task.jitter))
        period, offset, jitter = key
        members[period, offset, jitter].append(index)
    return unit, [_Row(*key, tuple(tasks)) for key, tasks in sorted(members.items())]


def _delays(system: System, unit: int, rows: Iterable[_Row]) -> list[Fraction]:
    delays = [Fraction(0)] * len(system.tasks)
    for row in rows:
        for task in row.tasks:
            delays[task] = Fraction(row.offset, unit) - system.tasks[task].nominal_offset
    return delays


def _ridden(rows: Sequence[_Row]) -> list[_Row]:
    """Rows moved to instants of one of a period that divides theirs; else as few points of theirs as can be.

    By periods, the shortest first. Among the places where the rows of a point may meet, that at which most
    releases of longer periods may be, too.
    """
    points: list[tuple[int, int]] = []  # (period, point modulo it)
    found: list[_Row] = []
    by_period: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        by_period[row.period].append(row)
    for period, own in sorted(by_period.items()):
        alone = [row for row in own if _nearest(row, points) is None]
        arcs = [(row.offset, row.jitter) for row in alone]
        longer = [row for row in rows if row.period > period and row.period % period == 0]
        for point in fewest_points(arcs, period):
            points.append((period, _best_place(point, alone, longer, period)))
        for row in own:
            delay = _nearest(row, points)
            assert delay is not None
            found.append(row.to(delay))
    return found


def _nearest(row: _Row, points: Iterable[tuple[int, int]]) -> int | None:
    """The least delay that brings `row` to one of `points`; None: it may be at none."""
    delays = (row.delay_to(point, period) for period, point in points)
    return min((delay for delay in delays if delay is not None), default=None)


def _best_place(point: int, rows: Sequence[_Row], longer: Sequence[_Row], period: int) -> int:
    """Where from `point` on the rows that may be there best meet, for those with longer periods."""
    there = [row for row in rows if row.delay_to(point, period) is not None]
    room = min(row.jitter - (point - row.offset) % period for row in there)
    places = {0} | {(row.offset - point) % period for row in longer}

    def gain(place: int) -> Fraction:
        at = (point + place) % period
        met = (row.period for row in longer if row.delay_to(at, period) is not None)
        return sum((Fraction(1, one) for one in met), Fraction(0))

    near = sorted(place for place in places if place <= room)[:_MOST_PLACES]
    best = max(near, key=lambda place: (gain(place), -place))
    return (point + best) % period


def fewest_points(arcs: Sequence[tuple[int, int]], period: int) -> list[int]:
    """Points modulo `period`, as few as there can be, with one in each arc (start, length); starts of arcs.

    With more than 64 starts there may be one more than needed, as not each is tried as the first.
    """
    closed = {(start % period, length) for start, length in arcs if length < period}
    if not closed:  # arcs all around need a point, too
        return sorted({start % period for start, _ in arcs})[:1]
    starts = sorted({start for start, _ in closed})
    best: list[int] | None = None
    for first in starts[:_MOST_STARTS]:
        points = [first, *_in_line(closed, first, period)]
        if best is None or len(points) < len(best):
            best = points
    assert best is not None
    return sorted(best)


def _in_line(arcs: Iterable[tuple[int, int]], first: int, period: int) -> list[int]:
    """The fewest points of the arcs that `first` is not in: each time the last one before an arc's end."""
    left = [((start - first) % period, length) for start, length in arcs]
    # One that begins at `first`, or passes it, is met there.
    left = [(start, start + length) for start, length in left if 0 < start < period - length]
    points: list[int] = []
    while left:
        end = min(end for _, end in left)
        point = max(start for start, _ in left if start <= end)
        points.append((first + point) % period)
        left = [(start, last) for start, last in left if start > end]
    return points


def _on_grid(rows: Sequence[_Row]) -> list[_Row]:
    """Rows moved to as few residues of the greatest common divisor of all periods as can be."""
    grid = gcd(*(row.period for row in rows))
    points = [(grid, at) for at in fewest_points([(r.offset, r.jitter) for r in rows], grid)]
    moved = []
    for row in rows:
        delay = _nearest(row, points)
        assert delay is not None
        moved.append(row.to(delay))
    return moved


def _in_pairs(rows: Sequence[_Row]) -> list[_Row]:
    """Rows moved further, one at a time, while more pairs of releases coincide by that.

    Rows of periods S and T coincide once in their common multiple where their offsets are the same modulo
    gcd(S, T), and never elsewhere.
    """
    found = list(rows)
    movable = [at for at, row in enumerate(found) if row.jitter]
    if len(movable) * len(found) > _MOST_PAIRS:
        return found
    for _ in range(_ROUNDS):
        before = list(found)
        for at in movable:
            found[at] = _at_most_pairs(found, at)
        if found == before:
            break
    return found


def _at_most_pairs(rows: Sequence[_Row], at: int) -> _Row:
    row = rows[at]
    others = [
        (gcd(row.period, other.period), lcm(row.period, other.period), other.offset)
        for number, other in enumerate(rows)
        if number != at
    ]
    delays = {(offset - row.offset) % common for common, _, offset in others} | {0}

    def together(delay: int) -> Fraction:
        place = row.offset + delay
        met = (multiple for common, multiple, offset in others if (offset - place) % common == 0)
        return sum((Fraction(1, one) for one in met), Fraction(0))

    allowed = sorted(delay for delay in delays if delay <= row.jitter)
    return row.to(max(allowed, key=lambda delay: (together(delay), -delay)))
