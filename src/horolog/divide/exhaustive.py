# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The cheapest division of a few items: every part is judged, and every division is compared.

The least price of the items S on the first k cores is, over all parts P of S, that of P on core k and of S
without P on the cores before it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from horolog.divide.problem import Answer, Division, Judged, Problem

__all__ = ["cheapest", "nearest"]

_Parts = tuple[int, ...]
"""By core, the items as bits."""


def cheapest(problem: Problem, judged: Judged) -> tuple[Fraction, Division] | None:
    """The least price and a division that has it; None: no division is proved."""
    return _least(problem, judged, lambda one: one.price if one.proved else None)


def nearest(problem: Problem, judged: Judged) -> Division | None:
    """The division with the cores that are nearest to a proof, all together; None: items have no core."""
    best = _least(problem, judged, lambda one: Fraction(0) if one.proved else one.excess)
    return None if best is None else best[1]


def _least(
    problem: Problem, judged: Judged, price_of: Callable[[Answer], Fraction | None]
) -> tuple[Fraction, Division] | None:
    items = range(len(problem.items))
    known: dict[int, tuple[Fraction, _Parts]] = {0: (Fraction(0), ())}
    for core in range(len(problem.kinds)):
        prices = _prices(problem, judged, core, price_of)
        found: dict[int, tuple[Fraction, _Parts]] = {}
        for before, (price, parts) in known.items():
            for mask, more in prices.items():
                if mask & before:
                    continue
                one = price + more, (*parts, mask)
                if mask | before not in found or one < found[mask | before]:
                    found[mask | before] = one
        known = found
    best = known.get((1 << len(items)) - 1)
    if best is None:
        return None
    price, parts = best
    cores = [next(core for core, mask in enumerate(parts) if mask >> at & 1) for at in items]
    return price, tuple(cores)


def _prices(
    problem: Problem,
    judged: Judged,
    core: int,
    price_of: Callable[[Answer], Fraction | None],
) -> dict[int, Fraction]:
    """The price of each part that may be on `core`, as bits."""
    able = [at for at, item in enumerate(problem.items) if core in item.cores]
    total = problem.share(frozenset(range(len(problem.items))))
    rest = len(problem.kinds) - 1  # the share that the other cores have room for
    found = {}
    for number in range(1 << len(able)):
        part = frozenset(at for place, at in enumerate(able) if number >> place & 1)
        if total - problem.share(part) > rest and total <= len(problem.kinds):
            continue
        price = price_of(judged(part, core))
        if price is not None:
            found[sum(1 << at for at in part)] = price
    return found
