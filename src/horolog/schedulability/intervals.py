# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines that no order meets: jobs that are released and due within a time shorter than what they need.

That is necessary for every scheduler of one processor, and with releases that are all together at the begin
it is what earliest deadline first needs: Baruah, Rosier and Howell, "Algorithms and complexity concerning the
preemptive scheduling of periodic, real-time tasks on one processor" (Real-Time Systems 2, 1990).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heapify, heapreplace
from math import ceil, lcm

__all__ = ["Interval", "Periodic", "overfull"]

_MOST_BEGINS = 64
_MOST_STEPS = 4_000  # deadlines behind one begin


@dataclass(frozen=True, slots=True)
class Periodic:
    """Jobs that are released at offset + k * period and need `work` by `deadline` after that."""

    period: int
    work: int
    deadline: int
    offset: int | None = 0  # None: any phase


@dataclass(frozen=True, slots=True)
class Interval:
    """Jobs released at `begin` or later and due by `end` need `work`, which is more than there is."""

    begin: int
    end: int
    work: int


def overfull(jobs: Sequence[Periodic]) -> Interval | None:
    """The first interval found that holds more than there is time for; None: none was found.

    The begins are the first releases of all, and the next ones of the shortest periods.
    """
    used = [one for one in jobs if one.work]
    begins = {one.offset or 0 for one in used}
    for one in sorted(used, key=lambda one: one.period):
        for k in range(1, _MOST_BEGINS):
            if len(begins) >= _MOST_BEGINS:
                break
            begins.add((one.offset or 0) + k * one.period)
    longest = _longest(used)
    for begin in sorted(begins):
        found = _from(used, begin, longest)
        if found is not None:
            return found
    return None


def _longest(jobs: Sequence[Periodic]) -> int:
    """No longer interval is the first that holds too much: with a utilisation U below 1, the sum of
    (period - deadline) * work / period, over 1 - U, at most; and in any case a hyperperiod.
    """
    cycle, deadline = (
        lcm(*(one.period for one in jobs)),
        max((one.deadline for one in jobs), default=0),
    )
    free = 1 - sum((Fraction(one.work, one.period) for one in jobs), Fraction(0))
    if free <= 0:
        return cycle + deadline
    early = sum(
        (Fraction(max(0, one.period - one.deadline) * one.work, one.period) for one in jobs),
        Fraction(0),
    )
    return min(cycle, ceil(early / free)) + deadline


def _from(jobs: Sequence[Periodic], begin: int, longest: int) -> Interval | None:
    due = []
    for at, one in enumerate(jobs):
        offset = begin if one.offset is None else one.offset
        release = offset - min(0, (offset - begin) // one.period) * one.period
        due.append((release + one.deadline, at))
    heapify(due)
    need = 0
    for _ in range(_MOST_STEPS if due else 0):
        end, at = due[0]
        if end - begin > longest:
            return None
        need += jobs[at].work
        if need > end - begin:
            return Interval(begin, end, need)
        heapreplace(due, (end + jobs[at].period, at))
    return None
