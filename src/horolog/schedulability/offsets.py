# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Offsets that keep releases apart, and how many releases come at one instant; in whole steps of one unit.

Two periodic sources are ever released at one instant if their offsets are equal modulo the greatest common
divisor of their periods, and the nearest two of their releases are at most half of it apart. So pairs are
placed in the order of these divisors, the largest first, half of it apart: Goossens, "Scheduling of offset
free systems" (Real-Time Systems 24, 2003). Where more are released then than at another offset, that other
one is taken.

Sources of which each two have an instant in common have one that is common to all (the Chinese remainder
theorem), so the most that are released together are the heaviest clique of such pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import gcd

__all__ = ["apart_offsets", "most_together"]

MOST_PLACES = 256
"""So many offsets are compared for a source."""
_MOST_STEPS = 200_000


def apart_offsets(
    periods: Sequence[int], weights: Sequence[int], given: Mapping[int, int], step: int = 1
) -> tuple[int, ...]:
    """An offset for each source, a multiple of `step` below its period; those `given` stay.

    `weights`: how many are released with each. The first source that is placed has the offset 0.
    """
    found = dict(given)

    def together(source: int, offset: int) -> int:
        return sum(
            weights[other]
            for other, at in found.items()
            if (offset - at) % gcd(periods[source], periods[other]) == 0
        )

    def place(source: int, first: int) -> None:
        places = min(MOST_PLACES, max(1, periods[source] // step))
        offsets = [first % periods[source] // step * step, *(step * at for at in range(places))]
        found[source] = min(offsets, key=lambda offset: together(source, offset))

    pairs = sorted(
        combinations(range(len(periods)), 2),
        key=lambda pair: (-gcd(periods[pair[0]], periods[pair[1]]), pair),
    )
    for one, other in pairs:
        if one not in found and other not in found:
            place(one, 0)
        known, free = (one, other) if one in found else (other, one)
        if free not in found:
            place(free, found[known] + gcd(periods[one], periods[other]) // 2)
    for source in range(len(periods)):
        if source not in found:
            place(source, 0)
    return tuple(found[source] for source in range(len(periods)))


def most_together(sources: Sequence[tuple[int, int, int]]) -> int | None:
    """The most releases at one instant, of (period, offset, how many); None: too many cases."""
    alike: dict[tuple[int, int], int] = {}
    for period, offset, count in sources:
        alike[period, offset] = alike.get((period, offset), 0) + count
    streams = sorted(alike.items(), key=lambda one: (-one[1], one[0]))
    meets = [
        {
            at
            for at, ((other, shift), _) in enumerate(streams)
            if (offset - shift) % gcd(period, other) == 0
        }
        for (period, offset), _ in streams
    ]
    best, steps = 0, 0
    stack = [(0, list(range(len(streams))))]
    while stack:
        taken, left = stack.pop()
        best, steps = max(best, taken), steps + 1
        if steps > _MOST_STEPS:
            return None
        while left and taken + sum(streams[at][1] for at in left) > best:
            first, *left = left
            stack.append((taken, left))
            taken, left = taken + streams[first][1], [at for at in left if at in meets[first]]
            best = max(best, taken)
    return best
