# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""First-, best-, worst- and next-fit by decreasing utilisation, with a proof as the test of admission.

D. S. Johnson, "Near-optimal bin packing algorithms" (1973); for processors: S. K. Dhall and C. L. Liu, "On a
real-time scheduling problem" (Operations Research, 1978), and Y. Oh and S. H. Son, "Allocating fixed-priority
periodic tasks on multiprocessor systems" (Real-Time Systems, 1995), where a test of schedulability admits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from horolog.divide.problem import Division, Part, Problem

__all__ = ["FITS", "by_share_alone", "packed"]

FITS = ("first", "best", "worst", "next")
"""Names of the four ways to choose among the cores that admit an item."""

Admits = Callable[[Part, int], bool]


def packed(problem: Problem, fit: str, admits: Admits) -> Division | None:
    """A division by one of FITS; None: some item is admitted by no core that may have it.

    Items with the largest share go first; but items that may not be on every core go before all others.
    """
    cores = len(problem.kinds)
    parts: list[set[int]] = [set() for _ in range(cores)]
    load = [Fraction(0)] * cores
    found = [0] * len(problem.items)
    current = 0
    for at in _by_share(problem):
        item = problem.items[at]
        free = len(item.cores) == cores
        able = (
            core
            for core in _order(fit, load, current if free else 0)
            if core in item.cores and admits(frozenset(parts[core] | {at}), core)
        )
        core = next(able, None)
        if core is None:
            return None
        parts[core].add(at)
        load[core] += item.share
        found[at] = core
        if free:
            current = core
    return tuple(found)


def _by_share(problem: Problem) -> list[int]:
    cores = len(problem.kinds)

    def key(at: int) -> tuple[bool, Fraction, int]:
        item = problem.items[at]
        return len(item.cores) == cores, -item.share, at

    return sorted(range(len(problem.items)), key=key)


def _order(fit: str, load: list[Fraction], current: int) -> Iterable[int]:
    """The cores in the order in which they are asked."""
    every = range(len(load))
    if fit == "next":
        return range(current, len(load))
    if fit == "first":
        return every
    return sorted(every, key=lambda core: -load[core] if fit == "best" else load[core])


def by_share_alone(problem: Problem) -> Division | None:
    """Worst-fit by the shares, without a proof: it balances the loads."""
    return packed(problem, "worst", lambda part, _: problem.share(part) <= 1)
