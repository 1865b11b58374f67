# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which releases fall on one instant: sets of rows, and how often exactly that set is released.

A core is interrupted once, at least, at an instant at which one or more of its tasks are released. So a
division that separates the tasks of an instant pays for it on each of their cores. The instants of a row are
a residue class. With a short hyperperiod they are counted one by one. Otherwise the instants at which row i
alone is released are at least d(i) - sum of d(i, j) over the others (C. E. Bonferroni), and those of i and j
alone at least d(i, j) - sum of d(i, j, k), d being the density of what the rows have in common.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

__all__ = ["instant_sets"]

_MOST_INSTANTS = 50_000
_MOST_TRIPLES = 40  # rows of which triples are looked at
_MOST_PAIRS = 400

Residues = tuple[int, int]


def instant_sets(rows: Sequence[Residues]) -> dict[frozenset[int], Fraction]:
    """By a set of rows, how many instants a count there are, at least, at which these alone are released.

    `rows` are (period, offset) in counts, each different from the others.
    """
    cycle = lcm(*(period for period, _ in rows)) if rows else 1
    if sum(cycle // period for period, _ in rows) <= _MOST_INSTANTS:
        return _counted(rows, cycle)
    if len(rows) > _MOST_PAIRS:
        return {}
    return _bounded(rows)


def _counted(rows: Sequence[Residues], cycle: int) -> dict[frozenset[int], Fraction]:
    due: dict[int, int] = {}
    for at, (period, offset) in enumerate(rows):
        for instant in range(offset % period, cycle, period):
            due[instant] = due.get(instant, 0) | 1 << at
    return {
        frozenset(at for at in range(len(rows)) if mask >> at & 1): Fraction(times, cycle)
        for mask, times in Counter(due.values()).items()
    }


def _bounded(rows: Sequence[Residues]) -> dict[frozenset[int], Fraction]:
    count = len(rows)
    pairs: dict[tuple[int, int], Residues] = {}
    for one in range(count):
        for other in range(one + 1, count):
            both = _common(rows[one], rows[other])
            if both is not None:
                pairs[one, other] = both
    left = {(at,): Fraction(1, period) for at, (period, _) in enumerate(rows)}
    for (one, other), (period, _) in pairs.items():
        left[one,] -= Fraction(1, period)
        left[other,] -= Fraction(1, period)
    found = {frozenset(key): value for key, value in left.items() if value > 0}
    if count > _MOST_TRIPLES:
        return found
    for (one, other), both in pairs.items():
        value = Fraction(1, both[0])
        for third in range(count):
            if third not in (one, other):
                all_three = _common(both, rows[third])
                value -= Fraction(0) if all_three is None else Fraction(1, all_three[0])
        if value > 0:
            found[frozenset((one, other))] = value
    return found


def _common(one: Residues, other: Residues) -> Residues | None:
    """The instants of both, by the Chinese remainder theorem."""
    (period, offset), (step, at) = one, other
    shared = gcd(period, step)
    if (at - offset) % shared:
        return None
    rest = step // shared
    times = (at - offset) // shared * pow(period // shared, -1, rest) % rest if rest > 1 else 0
    both = period * rest
    return both, (offset + times * period) % both
