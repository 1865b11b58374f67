# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Optimal priorities on a limited number of levels, for any test that suits Audsley's algorithm.

The lowest level first: with all that have no level yet at one level above, every unit that holds there gets
this level. If none does, no order of priorities holds by the test. Audsley, "Optimal priority assignment and
feasibility of static priority tasks with arbitrary start times" (1991), and "On priority assignment in fixed
priority scheduling" (Information Processing Letters 79, 2001), which also has the fewest levels: as units of
one level interfere with each other as those of higher levels do, all that hold at a level can share it.

A test suits it (is OPA-compatible) if a unit's verdict depends on which units have a higher or the same
level and which a lower one, not on their order, and gets no worse with a higher level. Windows with Order.ANY
do (windows.py), with jitter, deadlines beyond periods, and sections of lower levels under ceilings: such a
section is never longer than the job that it is part of, which interfered before. Analyses with offsets, or
with an order within a level, do not.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

__all__ = ["assigned_levels", "spread_levels"]

Levels = tuple[tuple[int, ...], ...]


def assigned_levels(
    units: Sequence[int],
    most: int,
    holding: Callable[[Levels], Collection[int]],
    go_on: Callable[[], bool] = lambda: True,
) -> Levels | None:
    """The units of each level, the lowest first: as few levels as possible, at most `most`.

    `holding` says which units hold if these are all the levels, the lowest first. None: no assignment holds
    by that test, or none on so few levels, or `go_on` said no.
    """
    found: list[tuple[int, ...]] = []
    left = tuple(units)
    while left:
        if len(found) == most or not go_on():
            return None
        held = frozenset(holding((*found, left)))
        lowest = tuple(one for one in left if one in held)
        if not lowest:
            return None
        found.append(lowest)
        left = tuple(one for one in left if one not in held)
    return tuple(found)


def spread_levels(levels: Levels, most: int, order: Mapping[int, Any]) -> Levels:
    """`levels` on up to `most` of them, each divided by its share; what is last by `order` is lowest.

    No unit gets more interference: of a level that is divided the lower ones keep what they had.
    """
    units = sum(len(one) for one in levels)
    spare, wanted = most - len(levels), units - len(levels)
    found: list[tuple[int, ...]] = []
    for level in levels:
        more = len(level) - 1
        parts = 1 + (min(more, spare * more // wanted) if wanted else 0)
        ordered = sorted(level, key=lambda one: order[one], reverse=True)
        cuts = [len(ordered) * at // parts for at in range(parts + 1)]
        found += [tuple(ordered[low:high]) for low, high in pairwise(cuts)]
    return tuple(found)
