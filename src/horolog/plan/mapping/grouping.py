# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which streams share a periodic releaser: the problem of CHRONOS, section VI, with offsets.

A group of streams interrupts at one residue class: every P, from phi on, where P is the greatest
common divisor of its periods and of the differences of its offsets. All is in whole *units*, so
that solvers need no fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from math import gcd, lcm
from typing import Protocol

from horolog.analyse import Stream, bases

__all__ = [
    "Grouping",
    "Groups",
    "NoGroups",
    "Outcome",
    "Problem",
    "frame",
    "greedy",
    "merge_cheapest",
]

Groups = tuple[tuple[int, ...], ...]
"""A partition of the positions of the streams."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Streams to divide among at most `most` groups, so that the sum of 1 / P is small.

    A group is allowed if its P is a multiple of `grain` and at least `shortest`. `joined` is a
    first partition at no cost: each part is a stream, then the streams with instants that are all its
    instants too. A second has `unit` units.
    """

    periods: tuple[int, ...]
    offsets: tuple[int, ...]
    joined: Groups
    most: int
    grain: int
    shortest: int
    unit: int = 1

    def with_cells(self, most: int) -> Problem:
        """This problem for another number of groups, at most `most`."""
        return replace(self, most=most)

    def allows(self, period: int) -> bool:
        """Whether a cell can have this period."""
        return period % self.grain == 0 and period >= self.shortest

    def period_of(self, group: Sequence[int]) -> int:
        """The P of a group."""
        first = self.offsets[group[0]]
        return gcd(*(self.periods[at] for at in group), *(self.offsets[at] - first for at in group))

    def rate_of(self, groups: Groups) -> Fraction:
        """The sum of 1 / P."""
        return sum((Fraction(1, self.period_of(group)) for group in groups), Fraction(0))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Allowed groups, at most `Problem.most`, and how far they may be from the best ones.

    `objective` is the sum of 1 / P, and no allowed groups have a smaller one than `bound`; both are
    per unit. `how` says in words what found that out.
    """

    groups: Groups
    objective: Fraction
    bound: Fraction
    how: str

    @property
    def proved(self) -> bool:
        """Whether the groups are proved optimal."""
        return self.bound >= self.objective

    @property
    def gap(self) -> Fraction:
        """The share of the objective that better groups could save at most; 0 if proved optimal."""
        return max(Fraction(0), 1 - self.bound / self.objective)


class NoGroups(Enum):
    """Why there is no outcome."""

    IMPOSSIBLE = "there are no allowed groups"
    LIMIT = "none were found, but there may be some"


class Grouping(Protocol):
    """A way to solve the problem."""

    def __call__(self, problem: Problem) -> Outcome | NoGroups:
        """Allowed groups, or why there are none."""


def frame(
    streams: Sequence[Stream], hz: int, most: int, shortest_counts: int, *, whole: bool = False
) -> Problem:
    """The problem of `streams` for `most` cells with a shortest interval of `shortest_counts`.

    `whole`: all of them time only periods that are whole numbers of counts.
    """
    unit = lcm(
        *(stream.period.denominator for stream in streams),
        *(stream.offset.denominator for stream in streams),
    )
    return Problem(
        periods=tuple(int(stream.period * unit) for stream in streams),
        offsets=tuple(int(stream.offset * unit) for stream in streams),
        joined=bases(streams),
        most=most,
        grain=unit // gcd(unit, hz) if whole else 1,
        shortest=-(-shortest_counts * unit // hz),
        unit=unit,
    )


def greedy(problem: Problem) -> Outcome | NoGroups:
    """`merge_cheapest`, for comparison with what is optimal; its bound is none."""
    groups = merge_cheapest(problem)
    if groups is None:
        return NoGroups.LIMIT
    return Outcome(groups, problem.rate_of(groups), Fraction(0), "merged pair by pair")


def merge_cheapest(problem: Problem) -> Groups | None:
    """Merge, pair by pair, the two groups that cost least to merge.

    Begins with `problem.joined`; goes on while there are more groups than cells, and while merging
    lowers the sum of 1 / P. Never worse than one group for all, if that is allowed.
    """
    merger = _Merger(problem)
    if problem.most < 1 or not merger.allowed():
        return None
    groups = merger.run()
    everything = tuple(range(len(problem.periods)))
    if problem.allows(problem.period_of(everything)):
        one: Groups = (everything,)
        if groups is None or problem.rate_of(one) < problem.rate_of(groups):
            return one
    return groups


# What merging changes in the sum of 1 / P, as numerator and positive denominator; then the partner.
_Best = tuple[int, int, int]


class _Merger:
    """The groups, and for each its cheapest partner among the groups with larger keys."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.next_key = len(problem.joined)
        self.members = {key: list(group) for key, group in enumerate(problem.joined)}
        self.class_of = {
            key: (problem.periods[group[0]], problem.offsets[group[0]])
            for key, group in enumerate(problem.joined)
        }
        self.best: dict[int, _Best] = {}

    def allowed(self) -> bool:
        return all(self.problem.allows(period) for period, _ in self.class_of.values())

    def run(self) -> Groups | None:
        for key in self.members:
            self._find_partner(key)
        while len(self.members) > 1:
            cheapest = self._cheapest()
            if cheapest is None or (
                len(self.members) <= self.problem.most and self.best[cheapest][0] >= 0
            ):
                break
            self._merge(cheapest, self.best[cheapest][2])
        if len(self.members) > self.problem.most:
            return None
        return tuple(tuple(sorted(members)) for members in self.members.values())

    def _find_partner(self, key: int) -> None:
        self.best.pop(key, None)
        for other in self.class_of:
            if other > key:
                self._offer(key, other)

    def _cheapest(self) -> int | None:
        cheapest: int | None = None
        for key, (up, down, _) in self.best.items():
            if cheapest is None or up * self.best[cheapest][1] < self.best[cheapest][0] * down:
                cheapest = key
        return cheapest

    def _merge(self, key: int, partner: int) -> None:
        """Merge two groups, and all groups with instants that are then the new group's too."""
        period, offset = self.class_of[key]
        other_period, other_offset = self.class_of[partner]
        merged = gcd(period, other_period, offset - other_offset)
        new = self.next_key
        self.next_key += 1
        self.members[new] = self.members.pop(key) + self.members.pop(partner)
        self.class_of[new] = (merged, offset % merged)
        absorbed = {key, partner}
        for other, (period, offset) in self.class_of.items():
            if other != new and period % merged == 0 and (offset - other_offset) % merged == 0:
                absorbed.add(other)
        for gone in absorbed:
            self.members[new] += self.members.pop(gone, [])
            del self.class_of[gone]
            self.best.pop(gone, None)
        for other in [*self.class_of]:
            if other == new:
                continue
            if other in self.best and self.best[other][2] in absorbed:
                self._find_partner(other)
            else:
                self._offer(other, new)

    def _offer(self, key: int, other: int) -> None:
        """Take `other` as the partner of `key` if it is cheaper than the present one."""
        period, offset = self.class_of[key]
        other_period, other_offset = self.class_of[other]
        merged = gcd(period, other_period, offset - other_offset)
        if merged % self.problem.grain or merged < self.problem.shortest:
            return
        # 1 / merged - 1 / period - 1 / other_period
        down = period * other_period
        up = down // merged - period - other_period
        present = self.best.get(key)
        if present is None or up * present[1] < present[0] * down:
            self.best[key] = (up, down, other)
