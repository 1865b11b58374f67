# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How groups of basic tasks wait in a sorted list: what an insertion passes, from either end.

A group is a stream. It goes back into the list when it is released, so that which groups wait, and in which
order, follows from periods and offsets alone. That is simulated over a stretch from the last offset on, which
does not depend on the window.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from horolog.analyse.memo import remembered
from horolog.analyse.releases import streams
from horolog.model import System

__all__ = ["GroupWalks", "group_walks"]

_SAMPLES = 4096


@dataclass(frozen=True, slots=True)
class GroupWalks:
    """Of the streams of some tasks, in their order."""

    from_end: tuple[bool, ...]  # whether the group is put in from the end of the list
    passed: Fraction  # the groups that an insertion passes, on average over all releases
    from_head: Fraction  # the same, if all were put in from the head
    moved: Fraction  # of all insertions, those after which the group is not the first
    by_head: Fraction  # of all insertions, those from the head of the list


@remembered
def group_walks(system: System, tasks: tuple[int, ...]) -> GroupWalks:
    """The walks of the groups of `tasks`. Equal instants leave the list in the order in which they came."""
    of, hz = streams(system, tasks), system.board.clock.hz
    # A count has `unit` parts, of which steps and instants are whole numbers.
    unit = lcm(*((time * hz).denominator for one in of for time in (one.period, one.offset)))
    steps = [int(stream.period * hz * unit) for stream in of]
    exact = [int(stream.offset * hz * unit) for stream in of]
    waiting = sorted((at // unit, number, number) for number, at in enumerate(exact))
    settled = max(at // unit for at in exact)
    number, last = len(of), len(of) - 1
    seen, heads, moved = [0] * len(of), [0] * len(of), 0
    samples = 0
    while samples < _SAMPLES:
        due, _, which = waiting.pop(0)
        exact[which] += steps[which]
        entry = (exact[which] // unit, number, which)
        at = bisect_right(waiting, entry)
        waiting.insert(at, entry)
        number += 1
        if due >= settled:
            samples += 1
            seen[which] += 1
            heads[which] += at
            moved += at > 0
    walks = [min(head, last * many - head) for head, many in zip(heads, seen, strict=True)]
    ends = tuple(2 * head > last * many for head, many in zip(heads, seen, strict=True))
    return GroupWalks(
        ends,
        Fraction(sum(walks), sum(seen)),
        Fraction(sum(heads), sum(seen)),
        Fraction(moved, sum(seen)),
        Fraction(sum(many for many, end in zip(seen, ends, strict=True) if not end), sum(seen)),
    )
