# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The cheapest cover by at most m candidates: branch and bound, depth first.

At each node the Lagrangian bound of lower_bound.py cuts it off, or fixes candidates: one that would, if used,
lift the bound to the best cost known is out (reduced-cost fixing; E. Balas and A. Ho, Set covering
algorithms using cutting planes, heuristics, and subgradient optimization, Mathematical Programming
Study 12 (1980)). Then the row with the fewest candidates left branches, the cheapest first; a candidate
that has been tried is out for those after it.

Costs are whole multiples of 1 / scale. Where the least common multiple of the periods is not too long it
is the scale, and integers are exact; elsewhere costs are rounded down, so that bounds stay bounds, and
fractions compare the covers that are found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, lcm

from horolog.plan.instants.residue_classes import Candidates, bits
from horolog.plan.mapping.lower_bound import Prices, first_prices, relaxed

__all__ = ["Search", "scale_for"]

_EXACT_BITS = 320  # a longer least common multiple is not worth its arithmetic
_ROUNDED_BITS = 96  # of the best cost known, where costs are rounded
_ROOT_STEPS = 400
_NODE_STEPS = 14
_GREEDY_DEPTH = 3


class _Enough(Exception):
    """The work allowed is used up."""


def scale_for(periods: Sequence[int], under: Fraction) -> int:
    """A common multiple of `periods`, or some power of two if that is too long."""
    scale = 1
    for period in periods:
        scale = lcm(scale, period)
        if scale.bit_length() > _EXACT_BITS:
            return 1 << (_ROUNDED_BITS + max(0, ceil(1 / under).bit_length()))
    return scale


class Search:
    """One search for a cover that costs less than `under`, until `over` says that it has to end.

    After `run`: `cover`, the cheapest found (positions of candidates; None: none that cheap);
    `under`, its cost, or what was given; `bound`, which no cover undercuts unless it costs `under` or
    more; `left`, the candidates that the root's bound left; `nodes`.
    """

    def __init__(
        self,
        of: Candidates,
        most: int,
        under: Fraction,
        over: Callable[[], bool] = lambda: False,
    ) -> None:
        self.over = over
        self.of = of
        self.most = most
        self.under = under
        self.scale = scale_for([period for period, _ in of.classes], under)
        self.costs = [self.scale // period for period, _ in of.classes]
        self.limit = ceil(under * self.scale)
        self.cover: list[int] | None = None
        self.bound = Fraction(0)
        self.left: list[int] = list(range(len(of.classes)))
        self.nodes = 0
        self.work = 0

    def run(self, work: int) -> bool:
        """Whether the search came to its end, within `work` (steps of the bound times candidates)."""
        self.work = work
        rows = bits(self.of.everything)
        prices = first_prices(self.costs, [bits(mask) for mask in self.of.covers])
        if any(row not in prices for row in rows):
            self.bound = self.under
            return True
        try:
            self._node(self.of.everything, self.most, 0, self.left, prices, [])
        except _Enough:
            return False
        self.bound = self.under
        return True

    def _node(
        self,
        rows: int,
        most: int,
        spent: int,
        able: Sequence[int],
        prices: Prices,
        chosen: list[int],
    ) -> None:
        if not rows:
            self._offer(chosen)
            return
        self.nodes += 1
        covers = self.of.covers
        target = self.limit - spent
        able = [at for at in able if covers[at] & rows and self.costs[at] < target]
        if most <= 1:
            self._last(rows, able, chosen, most)
            return
        left, prices = self._bounded(rows, most, spent, able, prices, chosen)
        row = self._fewest(rows, left)
        if row is None:
            return
        bit = 1 << row
        for at in [at for at in left if covers[at] & bit]:
            self._node(
                rows & ~covers[at], most - 1, spent + self.costs[at], left, prices, [*chosen, at]
            )
            left.remove(at)

    def _bounded(
        self,
        rows: int,
        most: int,
        spent: int,
        able: Sequence[int],
        prices: Prices,
        chosen: list[int],
    ) -> tuple[list[int], Prices]:
        """The candidates that the bound leaves, those with the smallest reduced costs first."""
        root = not chosen
        within = [bits(self.of.covers[at] & rows) for at in able]
        costs = [self.costs[at] for at in able]
        found = relaxed(
            bits(rows),
            costs,
            within,
            most,
            prices,
            self.limit - spent,
            max(_NODE_STEPS, min(_ROOT_STEPS, self.work // max(1, len(able))))
            if root
            else _NODE_STEPS,
            1024 if root else 384,
            self.over,
        )
        self.work -= found.work
        if root:
            self.bound = min(self.under, Fraction(found.bound, self.scale))
        if len(chosen) < _GREEDY_DEPTH:
            self._greedily(rows, most, able, chosen)
        target = self.limit - spent
        # To take a candidate may push the last one out of those that the relaxed problem takes.
        negative = sorted(value for value in found.reduced if value < 0)
        pushed = 0 if len(negative) < most else negative[most - 1]
        kept = sorted(
            (value, at)
            for value, at in zip(found.reduced, able, strict=True)
            if found.bound + max(0, value - pushed) < target
        )
        left = [at for _, at in kept]
        if root:
            self.left = sorted(left)
        if self.work < 0 or self.over():
            raise _Enough
        return left, found.prices

    def _fewest(self, rows: int, left: Sequence[int]) -> int | None:
        """The row that the fewest candidates cover; None if one is covered by none."""
        counts = dict.fromkeys(bits(rows), 0)
        for at in left:
            for row in bits(self.of.covers[at] & rows):
                counts[row] += 1
        row = min(counts, key=lambda row: (counts[row], row))
        return row if counts[row] else None

    def _last(self, rows: int, able: Sequence[int], chosen: list[int], most: int) -> None:
        """Offer the cheapest candidate that covers all `rows`, as only one more may be chosen."""
        fitting = [at for at in able if self.of.covers[at] & rows == rows] if most else []
        if fitting:
            self._offer([*chosen, min(fitting, key=lambda at: self.costs[at])])

    def _greedily(self, rows: int, most: int, able: Sequence[int], chosen: list[int]) -> None:
        """A cover that takes, one by one, the candidate with the least cost for each new row.

        Of those only that cover their share of what is left, as some candidate of each cover does.
        """
        taken = list(chosen)
        while rows and most > 1:
            share = -(-rows.bit_count() // most)
            counts = [((self.of.covers[at] & rows).bit_count(), at) for at in able]
            shares = [(self.costs[at] / count, at) for count, at in counts if count >= share]
            if not shares:
                return
            _, at = min(shares)
            taken.append(at)
            rows &= ~self.of.covers[at]
            most -= 1
        if rows:
            self._last(rows, able, taken, most)
        else:
            self._offer(taken)

    def _offer(self, chosen: list[int]) -> None:
        cost = sum((Fraction(1, self.of.classes[at][0]) for at in chosen), Fraction(0))
        if cost < self.under:
            self.under, self.cover = cost, chosen
            self.limit = ceil(cost * self.scale)
