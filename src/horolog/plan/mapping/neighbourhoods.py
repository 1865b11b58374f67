# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Better covers near a cover: some candidates are taken away, and what they leave is covered anew.

The new ones are the cheapest that there are for what is left uncovered, found by trying all (the
neighbourhoods of P. Shaw, Using constraint programming and local search methods to solve vehicle
routing problems, CP 1998, for covers). First by twos, then by threes; each better cover begins anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from horolog.plan.instants.residue_classes import Candidates, bits

__all__ = ["improved"]

_AT_ONCE = (2, 3)


def improved(
    of: Candidates,
    costs: Sequence[int],
    most: int,
    cover: Sequence[int],
    work: int,
    over: Callable[[], bool] = lambda: False,
) -> list[int]:
    """A cover by at most `most` candidates that costs no more; `work` is candidates tried.

    It looks for better ones until there is none near, or until `over`.
    """
    return _Improving(of, costs, most, work, over).run(list(cover))


class _Improving:
    """Here rows have other bits: those with few candidates the lowest, as they leave the least to try."""

    def __init__(
        self,
        of: Candidates,
        costs: Sequence[int],
        most: int,
        work: int,
        over: Callable[[], bool],
    ) -> None:
        self.over = over
        self.costs = costs
        self.most = most
        self.work = work
        of_row: list[list[int]] = [[] for _ in range(of.rows)]
        for at in sorted(range(len(costs)), key=lambda at: (costs[at], at)):
            for row in bits(of.covers[at]):
                of_row[row].append(at)
        hardest = sorted(range(of.rows), key=lambda row: (len(of_row[row]), row))
        self.of_row = [of_row[row] for row in hardest]
        self.covers = [0] * len(costs)
        for place, members in enumerate(self.of_row):
            for at in members:
                self.covers[at] |= 1 << place

    def run(self, cover: list[int]) -> list[int]:
        tried = 0
        while tried < len(_AT_ONCE) and self.work > 0 and not self.over():
            better = self._step(cover, _AT_ONCE[tried])
            if better is None:
                tried += 1
            else:
                cover, tried = better, 0
        return cover

    def _step(self, cover: list[int], away: int) -> list[int] | None:
        """A better cover without some `away` of the candidates of `cover`; None: there is none."""
        spare = self.most - len(cover)
        away = min(away, len(cover))
        by = self._covered_by(cover, away)
        for gone in combinations(cover, away):
            left, budget = self._left(gone, by), sum([self.costs[at] for at in gone])
            found = self._cheapest(left, len(gone) + min(spare, 1), budget)
            if found is not None:
                return [at for at in cover if at not in gone] + found
            if self.work <= 0 or self.over():
                return None
        return None

    def _covered_by(self, cover: Sequence[int], most: int) -> list[int]:
        """The rows that 1, 2, ... `most` candidates of `cover` cover, no more and no fewer."""
        at_least = [0] * (most + 1)
        for at in cover:
            mask = self.covers[at]
            for count in range(most, 0, -1):
                at_least[count] |= at_least[count - 1] & mask
            at_least[0] |= mask
        return [at_least[count] & ~at_least[count + 1] for count in range(most)]

    def _left(self, gone: Sequence[int], by: Sequence[int]) -> int:
        """The rows that are covered by those `gone` only, up to three."""
        if len(gone) == 1:
            return self.covers[gone[0]] & by[0]
        one, other = self.covers[gone[0]], self.covers[gone[1]]
        some, both = one | other, one & other
        if len(gone) == 2:
            return (some & by[0]) | (both & by[1])
        third = self.covers[gone[2]]
        return ((some | third) & by[0]) | ((both | (some & third)) & by[1]) | (both & third & by[2])

    def _cheapest(self, left: int, most: int, budget: int) -> list[int] | None:
        """The cheapest cover of the rows `left` that costs less than `budget`."""
        if not left:
            return [] if budget > 0 else None
        covers, costs = self.covers, self.costs
        best: list[int] | None = None
        for at in self.of_row[(left & -left).bit_length() - 1]:
            cost = costs[at]
            if cost >= budget:
                break
            self.work -= 1
            rest = left & ~covers[at]
            if not rest:
                return [at] if best is None or cost < budget else best
            if most > 1 and self.work > 0:
                found = self._cheapest(rest, most - 1, budget - cost)
                if found is not None:
                    best = [at, *found]
                    budget = sum(costs[one] for one in best)
        return best
