# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Better mixtures near a mixture: some streams go from their cell to another one, and each outcome is priced.

Divisions among periodic cells count interrupts only. Streams that cost few of them may cost much otherwise:
an odd period makes the mask table of its cell long, or too long, so that another store serves all its tasks.
So of each periodic cell the streams leave that shorten the hyperperiod of those that stay, or lengthen their
common divisor, the greediest first: one, two and so on, to the one-shot cell or to another periodic one. And
streams of the one-shot cell go to a periodic one, or to one that is free.

A local search (hill climbing, the best neighbour each time): the outcome is no worse than the best mixture
that it begins with, and not proved the best. It is the same on every machine unless a limit cuts it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from horolog.analyse import Stream, common_divisor, streams
from horolog.model import Releaser, System
from horolog.plan.mapping.mixture import Division, mixture_of

__all__ = ["Moved", "better_mixture", "leaving"]

_MOST_AT_ONCE = 8
_EVALUATIONS = 160
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
) -> Moved:
    """The best mixture near `best`, or near one of `divisions`. It may have no one-shot cell.

    `price`: the least is the best; among equals the mixture with fewer cells.
    """
    of = streams(system)
    search = _Search(system, of, price, over, best)
    known = () if best is None else (_division_of(system, best),)
    starts = list(dict.fromkeys((*known, *divisions)))
    for start in starts:
        search.pass_over(start)
    left = _EVALUATIONS * _LARGE // max(_LARGE, len(of))
    for at, start in enumerate(starts):
        before = search.priced
        search.climb(start, left // (len(starts) - at))
        left -= search.priced - before
    return Moved(search.best, search.priced)


def _division_of(system: System, mixture: Sequence[Releaser]) -> Division:
    return tuple(streams(system, one.tasks) for one in mixture if not one.cooperates)


class _Search:
    def __init__(
        self,
        system: System,
        of: Sequence[Stream],
        price: Price,
        over: Callable[[], bool],
        best: tuple[Releaser, ...] | None,
    ) -> None:
        self._system = system
        self._of = of
        self._price = price
        self._over = over
        self._seen: set[frozenset[tuple[Stream, ...]]] = set()
        self.priced = 0
        self.best = best
        self._key = None if best is None else self._key_of(best)

    def pass_over(self, division: Division) -> None:
        """`division` is no outcome: it is known, or another mechanism's."""
        self._seen.add(frozenset(division))

    def climb(self, start: Division, most: int) -> None:
        """To the best neighbour of `start`, and so on while that is better; pricing at most so many."""
        made = mixture_of(self._system, start, self._of)
        bar, last = None if made is None else self._key_of(made), self.priced + most
        while True:
            found: Division | None = None
            for division in self._near(start):
                made = self._new(division)
                if made is None:
                    continue
                if self.priced >= last or self._over():
                    return
                self.priced += 1
                key = self._key_of(made)
                if self._key is None or key < self._key:
                    self._key, self.best = key, made
                if bar is None or key < bar:
                    bar, found = key, division
            if found is None:
                return
            start = found

    def _key_of(self, releasers: tuple[Releaser, ...]) -> tuple[Fraction, Fraction, int]:
        return (*self._price(releasers), len(releasers))

    def _new(self, division: Division) -> tuple[Releaser, ...] | None:
        """The mixture of `division`; None if there is none, or it has been seen."""
        name = frozenset(division)
        if name in self._seen:
            return None
        self._seen.add(name)
        return mixture_of(self._system, division, self._of)

    def _near(self, start: Division) -> Iterator[Division]:
        for at, group in enumerate(start):
            for gone in leaving(group):
                stay = tuple(stream for stream in group if stream not in gone)
                others = (*start[:at], *((stay,) if stay else ()), *start[at + 1 :])
                yield others
                for to in range(len(start)):
                    if to != at:
                        grown = _grown(start[to], gone)
                        yield tuple(grown if one is start[to] else one for one in others)
        kept = {stream for group in start for stream in group}
        for stream in self._of:
            if stream not in kept:
                for to in range(len(start)):
                    yield (*start[:to], _grown(start[to], (stream,)), *start[to + 1 :])
                yield (*start, (stream,))


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
