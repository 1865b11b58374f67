# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A dispatcher table by its definition: at each point its task preempts what runs, without any levels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from horolog.model import DispatcherTable, Place, TablePoint


class Step(NamedTuple):
    """A job starts ("S") or ends ("E")."""

    at: Fraction
    kind: str
    task: int


def dispatched(
    starts: Iterable[tuple[Fraction, int]], longest: Sequence[Fraction]
) -> Iterator[Step]:
    """What happens if `starts`, in their order, preempt; task i runs for longest[i].

    Of equal instants the last start goes first; the others start when it has ended.
    """
    now = Fraction(0)
    stack: list[tuple[int, Fraction, bool]] = []  # task, left, has begun

    def run(until: Fraction | None) -> Iterator[Step]:
        nonlocal now
        while stack and (until is None or now < until):
            task, left, has_begun = stack.pop()
            if not has_begun:
                yield Step(now, "S", task)
            taken = left if until is None else min(left, until - now)
            now += taken
            if taken == left:
                yield Step(now, "E", task)
            else:
                stack.append((task, left - taken, True))
        if until is not None:
            now = until

    for at, task in starts:
        yield from run(at)
        stack.append((task, longest[task], False))
    yield from run(None)


def drawn_table(
    random: Random, tasks: int, of_round: Fraction, grid: Fraction, *, even: bool = True
) -> DispatcherTable:
    """`tasks` tasks at one, two or four points each, of `of_round`, which is a multiple of 4 `grid`.

    Not `even`: with up to four points at any offsets.
    """
    points = []
    for task in range(tasks):
        count = random.choice((1, 1, 2, 4))
        step = of_round / count
        first = random.randrange(int(step / grid)) * grid
        offsets = [first + at * step for at in range(count)]
        if not even:
            places = random.sample(range(int(of_round / grid)), random.randint(1, 4))
            offsets = [place * grid for place in places]
        points += [TablePoint(at, task, None) for at in offsets]
    random.shuffle(points)
    points.sort(key=lambda point: point.offset)
    return DispatcherTable("drawn", of_round, tuple(points), Place("drawn.toml"))


def next_points(table: DispatcherTable) -> list[Fraction]:
    """From each point, how long it is to the next one of its task."""
    found = []
    for point in table.points:
        own = [other.offset for other in table.points if other.task == point.task]
        later = [offset for offset in own if offset > point.offset] or [own[0] + table.round]
        found.append(later[0] - point.offset)
    return found
