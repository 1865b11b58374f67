# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a demand holds its deadlines, and by how much bodies might be longer."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from horolog.schedulability.demand import Demand, Source
from horolog.schedulability.phases import MOST_STEPS, phase_bounds
from horolog.schedulability.windows import Bound, smaller, window_bounds

__all__ = ["PARTS_OF_FACTOR", "breakdown_factor", "longest_work", "response_bounds"]

PARTS_OF_FACTOR = 4096
"""The factor is found to one part in so many."""

_MOST_FACTOR = 1 << 16


def response_bounds(demand: Demand, most: int = MOST_STEPS) -> tuple[Bound, ...]:
    """For every End, in the order of the sources: with offsets where that is feasible and gives less.

    `most`: as phase_bounds has it; 0: offsets are ignored.
    """
    found = window_bounds(demand, phases=most > 0)
    if most == 0 or not any(one.offset for one in demand.sources):
        return found
    by_offsets = phase_bounds(demand, most)
    if by_offsets is None:
        return found
    return tuple(smaller(*two) for two in zip(found, by_offsets, strict=True))


def breakdown_factor(demand: Demand, most: int = MOST_STEPS) -> Fraction:
    """The largest f = n / PARTS_OF_FACTOR with which all deadlines hold if each body takes f times as long.

    0: none; at most 2^16. By bisection: a demand that holds also holds with shorter bodies. (1 /
    PARTS_OF_FACTOR more and some deadline has no proof.)
    """

    def holds(parts: int) -> bool:
        scaled = demand.scaled(parts, PARTS_OF_FACTOR)
        return all(one.holds for one in response_bounds(scaled, most))

    if not holds(1):
        return Fraction(0)
    low, high = 1, 2
    while high <= _MOST_FACTOR * PARTS_OF_FACTOR and holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return Fraction(low, PARTS_OF_FACTOR)


def longest_work(demand: Demand, task: int, most: int = MOST_STEPS) -> int | None:
    """By how much the body of `task` alone may be longer with all deadlines holding; None: they do not now.

    By bisection, to one part in PARTS_OF_FACTOR of the time that is left to its deadline.
    """
    places = {
        at: k
        for at, one in enumerate(demand.sources)
        for k, end in enumerate(one.ends)
        if end.task == task
    }

    def longer(source: Source, k: int, more: int) -> Source:
        ends = tuple(
            replace(end, work=end.work + more) if number >= k else end
            for number, end in enumerate(source.ends)
        )
        return replace(source, cost=source.cost + more, ends=ends)

    def holds(more: int) -> bool:
        changed = [
            longer(one, places[at], more) if at in places else one
            for at, one in enumerate(demand.sources)
        ]
        return all(one.holds for one in response_bounds(demand.replaced(changed), most))

    if not holds(0):
        return None
    left = min(
        end.deadline - end.work for at, k in places.items() for end in demand.sources[at].ends[k:]
    )
    step = max(1, left // PARTS_OF_FACTOR)
    low, high = 0, left // step + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle * step) else (low, middle)
    return low * step
