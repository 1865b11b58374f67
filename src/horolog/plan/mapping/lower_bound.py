# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A lower bound on what covering rows costs: Lagrangian relaxation and the sub-gradient method.

Each row i gets a price v_i >= 0 for being covered. Whatever the prices, no cover by at most m candidates
costs less than

    sum of v_i + the sum of the m smallest of min(0, c_j - sum of v_i over the rows that j covers),

since a cover pays at least that much once what it covers is paid for (M. L. Fisher, The Lagrangian
relaxation method for solving integer programming problems, Management Science 27 (1981); the step's
length is B. Polyak's). The at-most-m condition stays in the relaxed problem, where it is solved by
sorting. All is in integers, so that a bound is a bound whatever the prices came to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

__all__ = ["Prices", "Relaxed", "first_prices", "relaxed"]

Prices = dict[int, int]
"""What each row pays for being covered."""

_PATIENCE = 8  # steps without a better bound before they get shorter
_SHORTEST_STEP = 8  # of 1024


@dataclass(frozen=True, slots=True)
class Relaxed:
    """The best bound found, its prices, and for each candidate its cost less what its rows pay.

    Where no prices tried have a bound above 0, the bound and the reduced costs are those without prices:
    0, and the costs themselves. `prices` are then those begun with.
    """

    bound: int
    prices: Prices
    reduced: list[int]
    work: int  # steps times candidates: what it took


def first_prices(costs: Sequence[int], covers: Sequence[Sequence[int]]) -> Prices:
    """Each row pays its share of the candidate where that is least."""
    prices: Prices = {}
    for cost, rows in zip(costs, covers, strict=True):
        for row in rows:
            share = cost // len(rows)
            if row not in prices or share < prices[row]:
                prices[row] = share
    return prices


def relaxed(
    rows: Sequence[int],
    costs: Sequence[int],
    covers: Sequence[Sequence[int]],
    most: int,
    prices: Prices,
    target: int,
    steps: int,
    stride: int = 1024,
    over: Callable[[], bool] = lambda: False,
) -> Relaxed:
    """At most `steps` steps from `prices` towards `target`; stops at a bound that reaches it, or once `over`.

    `costs` and `covers` are the candidates', the latter within `rows`. `stride` is in 1/1024 of
    Polyak's step.
    """
    best = Relaxed(0, prices, list(costs), 0)
    bound, chosen, reduced = _value(rows, costs, covers, most, prices)
    waited = work = 0
    while True:
        work += len(costs)
        if bound > best.bound:
            best, waited = Relaxed(bound, prices, reduced, work), 0
        else:
            waited += 1
            if waited >= _PATIENCE:
                stride, waited, prices = stride * 5 // 8, 0, best.prices
                bound, chosen, reduced = _value(rows, costs, covers, most, prices)
        steps -= 1
        if bound >= target or steps <= 0 or stride < _SHORTEST_STEP or over():
            break
        slope = dict.fromkeys(rows, 1)
        for at in chosen:
            for row in covers[at]:
                slope[row] -= 1
        length = sum([value * value for value in slope.values()])
        if length == 0:
            break  # a cover that pays what it costs: the bound is its cost
        step = max(1, (target - bound) * stride // (1024 * length))
        prices = {row: max(0, prices[row] + step * value) for row, value in slope.items()}
        bound, chosen, reduced = _value(rows, costs, covers, most, prices)
    return Relaxed(best.bound, best.prices, best.reduced, work)


def _value(
    rows: Sequence[int],
    costs: Sequence[int],
    covers: Sequence[Sequence[int]],
    most: int,
    prices: Prices,
) -> tuple[int, list[int], list[int]]:
    """The bound, the candidates that the relaxed problem takes, and the reduced costs."""
    reduced = [
        cost - sum([prices[row] for row in covered])
        for cost, covered in zip(costs, covers, strict=True)
    ]
    negative = [(value, at) for at, value in enumerate(reduced) if value < 0]
    if len(negative) > most:
        negative.sort()
        del negative[most:]
    bound = sum([prices[row] for row in rows]) + sum([value for value, _ in negative])
    return bound, [at for _, at in negative], reduced
