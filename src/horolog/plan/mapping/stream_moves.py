# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Better mixtures near a mixture: some streams go from their cell to another one, and each outcome is priced.

Divisions among periodic cells count interrupts only. Streams that cost few of them may cost much otherwise:
an odd period makes the mask table of its cell long, or too long, so that another store serves all its tasks.
So of each periodic cell the streams leave that shorten the hyperperiod of those that stay, or lengthen their
common divisor, the greediest first: one, two and so on, to the one-shot cell or to another periodic one. And
streams of the one-shot cell go to a periodic one, or to one that is free.

Where a cell is free the tasks of the one-shot cell are spread over several, too: each has fewer tasks in its
delay queue, which an insertion passes, and an interrupt for each instant of its own. A task passes those with
shorter periods most, so that tasks by period go to the cells in turn; those that share many of their
instants stay together. Then single streams move between these cells.

A local search (hill climbing, the best neighbour each time): the outcome is no worse than the best mixture
that it begins with, and not proved the best. It is the same on every machine unless a limit cuts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from horolog.analyse import Stream, common_divisor, streams
from horolog.model import Mode, Releaser, System
from horolog.plan.mapping.mixture import Division, Parts, mixture_of
from horolog.plan.mapping.releasers import cells_with

__all__ = ["Moved", "better_mixture", "leaving", "meeting", "spread"]

_MOST_AT_ONCE = 8
_EVALUATIONS = 160
_SPREAD_EVALUATIONS = 48  # beside these, from all tasks on one-shot cells
_MOST_SINGLE = 4  # one-shot cells
_TOGETHER = 4  # streams that meet at one of so many instants of the slower one stay together
_LARGE = 16  # streams: with more of them, fewer mixtures are priced

Price = Callable[[tuple[Releaser, ...]], tuple[Fraction, Fraction]]


@dataclass(frozen=True, slots=True)
class Moved:
    """The best mixture found, if any, and how many were priced."""

    releasers: tuple[Releaser, ...] | None
    priced: int


def better_mixture(
    system: System,
    best: tuple[Releaser, ...] | None,
    divisions: Sequence[Division],
    price: Price,
    over: Callable[[], bool] = lambda: False,
    *,
    several: bool = True,
) -> Moved:
    """The best mixture near `best`, or near one of `divisions`. It may have no one-shot cell.

    `price`: the least is the best; among equals the mixture with fewer cells. `several`: with more than one
    one-shot cell, too, which never saves an interrupt.
    """
    of = streams(system)
    search = _Search(system, of, price, over, best, several=several)
    known = () if best is None else (_parts_of(system, best),)
    starts = list(dict.fromkeys((*known, *(Parts(one) for one in divisions))))
    for start in starts:
        search.pass_over(start)
    search.pass_over(Parts(()))  # another mechanism's
    left = _EVALUATIONS * _LARGE // max(_LARGE, len(of))
    for at, start in enumerate(starts):
        before = search.priced
        search.climb(start, left // (len(starts) - at))
        left -= search.priced - before
    if search.single > 1:
        search.climb(Parts(()), _SPREAD_EVALUATIONS * _LARGE // max(_LARGE, len(of)))
    return Moved(search.best, search.priced)


def _parts_of(system: System, mixture: Sequence[Releaser]) -> Parts:
    """Those of a mixture that the division among periodic cells led to."""
    periodic = (one for one in mixture if one.mode is Mode.PERIODIC)
    return Parts(tuple(streams(system, one.tasks) for one in periodic))


class _Search:
    def __init__(
        self,
        system: System,
        of: Sequence[Stream],
        price: Price,
        over: Callable[[], bool],
        best: tuple[Releaser, ...] | None,
        *,
        several: bool,
    ) -> None:
        self._system = system
        self._of = of
        self._price = price
        self._over = over
        self._seen: set[tuple[frozenset[tuple[Stream, ...]], frozenset[tuple[Stream, ...]]]] = set()
        cells = cells_with(system, Mode.ONE_SHOT)
        self.single = min(_MOST_SINGLE if several else 1, len(cells))
        self.priced = 0
        self.best = best
        self._key = None if best is None else self._key_of(best)

    def pass_over(self, parts: Parts) -> None:
        """`parts` is no outcome: it is known, or another mechanism's."""
        self._seen.add(self._name(parts))

    def climb(self, start: Parts, most: int) -> None:
        """To the best neighbour of `start`, and so on while that is better; pricing at most so many."""
        made = mixture_of(self._system, start, self._of)
        bar, last = None if made is None else self._key_of(made), self.priced + most
        while True:
            found: Parts | None = None
            for parts in self._near(start):
                made = self._new(parts)
                if made is None:
                    continue
                if self.priced >= last or self._over():
                    return
                self.priced += 1
                key = self._key_of(made)
                if self._key is None or key < self._key:
                    self._key, self.best = key, made
                if bar is None or key < bar:
                    bar, found = key, parts
            if found is None:
                return
            start = found

    def _key_of(self, releasers: tuple[Releaser, ...]) -> tuple[Fraction, Fraction, int]:
        return (*self._price(releasers), len(releasers))

    def _name(
        self, parts: Parts
    ) -> tuple[frozenset[tuple[Stream, ...]], frozenset[tuple[Stream, ...]]]:
        """Equal for parts that come to the same: without a periodic cell no one-shot cell is the first."""
        rest = () if parts.kept else (self._rest(parts),)
        return frozenset(parts.kept), frozenset((*parts.further, *rest))

    def _rest(self, parts: Parts) -> tuple[Stream, ...]:
        elsewhere = {stream for group in (*parts.kept, *parts.further) for stream in group}
        return tuple(stream for stream in self._of if stream not in elsewhere)

    def _new(self, parts: Parts) -> tuple[Releaser, ...] | None:
        """The mixture of `parts`; None if there is none, or it has been seen."""
        name = self._name(parts)
        if name in self._seen:
            return None
        self._seen.add(name)
        return mixture_of(self._system, parts, self._of)

    def _near(self, start: Parts) -> Iterator[Parts]:
        rest = self._rest(start)
        if not start.further:
            yield from self._spread(start.kept, rest)
        else:
            yield from self._among_single(start, rest)
        kept, further = start.kept, start.further
        for at, group in enumerate(kept):
            for gone in leaving(group):
                stay = tuple(stream for stream in group if stream not in gone)
                others = (*kept[:at], *((stay,) if stay else ()), *kept[at + 1 :])
                yield Parts(others, further)
                for to in range(len(kept)):
                    if to != at:
                        grown = _grown(kept[to], gone)
                        yield Parts(
                            tuple(grown if one is kept[to] else one for one in others), further
                        )
        for stream in rest:
            for to in range(len(kept)):
                grown = _grown(kept[to], (stream,))
                yield Parts((*kept[:to], grown, *kept[to + 1 :]), further)
            yield Parts((*kept, (stream,)), further)

    def _spread(self, kept: Division, rest: Sequence[Stream]) -> Iterator[Parts]:
        """The tasks of the one-shot cell on as many as there are free cells for."""
        free = min(self.single, len(self._system.cells) - len(kept))
        for many in range(2, min(free, len(rest)) + 1):
            for clusters in ([(stream,) for stream in rest], meeting(rest)):
                if len(clusters) > 1:
                    yield Parts(kept, spread(clusters, many)[1:])

    def _among_single(self, start: Parts, rest: tuple[Stream, ...]) -> Iterator[Parts]:
        """A stream from one of several one-shot cells to another one, the longest periods first."""
        groups = (rest, *start.further)
        where = [(stream, at) for at, group in enumerate(groups) for stream in group]
        for stream, at in sorted(where, key=lambda one: (-one[0].period, one[0].offset, one[1])):
            for to in range(len(groups)):
                if to == at:
                    continue
                changed = list(groups)
                changed[at] = tuple(one for one in groups[at] if one != stream)
                changed[to] = _grown(groups[to], (stream,))
                yield Parts(start.kept, tuple(group for group in changed[1:] if group))


def meeting(of: Sequence[Stream]) -> list[tuple[Stream, ...]]:
    """The streams `of` in clusters: those of one meet one another often, at least from one to the next."""
    unit = lcm(*(number.denominator for one in of for number in (one.period, one.offset)))
    numbers = [(int(one.period * unit), int(one.offset * unit)) for one in of]
    cluster = list(range(len(of)))
    for at, (period, offset) in enumerate(numbers):
        for before, (other, its) in enumerate(numbers[:at]):
            common = gcd(period, other)
            # They meet every lcm(period, other) = other * (period / common).
            if (offset - its) % common == 0 and min(period, other) <= _TOGETHER * common:
                old, new = cluster[at], cluster[before]
                cluster = [new if one == old else one for one in cluster]
    names = dict.fromkeys(cluster)
    return [
        tuple(one for one, its in zip(of, cluster, strict=True) if its == name) for name in names
    ]


def spread(clusters: Sequence[tuple[Stream, ...]], cells: int) -> Division:
    """`clusters`, each whole, on so many cells: by period, each to the cell with the fewest tasks."""
    groups: list[list[Stream]] = [[] for _ in range(cells)]
    for cluster in sorted(clusters, key=lambda one: (one[0].period, one[0].offset)):
        min(groups, key=lambda group: sum(len(stream.tasks) for stream in group)).extend(cluster)
    return tuple(_grown(group, ()) for group in groups if group)


def leaving(group: Sequence[Stream]) -> list[tuple[Stream, ...]]:
    """Which streams of `group` to take away, for a shorter hyperperiod or a longer divisor of the others."""
    found: dict[tuple[Stream, ...], None] = {}
    for worth in (_shorter_cycle, _longer_divisor):
        stay, gone = list(group), list[Stream]()
        while len(stay) > 1 and len(gone) < _MOST_AT_ONCE:
            values = worth(stay)
            best = max(range(len(stay)), key=values.__getitem__)
            if values[best] <= 1:
                break
            gone.append(stay.pop(best))
            found[tuple(sorted(gone, key=group.index))] = None
    return list(found)


def _shorter_cycle(group: Sequence[Stream]) -> list[Fraction]:
    """By how much the hyperperiod of the others is shorter, for each stream."""
    unit = lcm(*(stream.period.denominator for stream in group))
    periods = [int(stream.period * unit) for stream in group]
    whole = lcm(*periods)
    return [Fraction(whole, one) for one in _without_each(periods, lcm, 1)]


def _longer_divisor(group: Sequence[Stream]) -> list[Fraction]:
    """By how much the common divisor of the others is longer, for each stream."""
    unit = lcm(*(number.denominator for one in group for number in (one.period, one.offset)))
    first = int(group[0].offset * unit)
    values = [gcd(int(one.period * unit), int(one.offset * unit) - first) for one in group]
    found = _without_each(values, gcd, 0)
    found[0] = int(common_divisor(group[1:]) * unit)  # `first` is not among the others' offsets
    whole = gcd(*values)
    return [Fraction(one, whole) for one in found]


def _without_each(
    values: Sequence[int], combined: Callable[[int, int], int], neutral: int
) -> list[int]:
    """Of all values but each one."""
    before, after = [neutral], [neutral]
    for value in values[:-1]:
        before.append(combined(before[-1], value))
    for value in reversed(values[1:]):
        after.append(combined(after[-1], value))
    return [combined(one, other) for one, other in zip(before, reversed(after), strict=True)]


def _grown(group: Sequence[Stream], more: Sequence[Stream]) -> tuple[Stream, ...]:
    return tuple(sorted((*group, *more), key=lambda stream: (stream.period, stream.offset)))
