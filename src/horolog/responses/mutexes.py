# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""For how long mutexes that less urgent threads own hold a level off.

When a busy window of a level begins, no job of it and above is unfinished. So each less urgent thread holds
it off by one section at most, the outermost that it is in at that instant: later it runs only while it owns a
mutex for which a thread of the level or above may wait. (Sha, Rajkumar and Lehoczky, "Priority inheritance
protocols", IEEE Transactions on Computers 39, 1990.) With ceilings alone, and no mutex locked within another,
only one thread can be in such a section.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from horolog.model import Resource

__all__ = ["Section", "blocking", "tops"]


@dataclass(frozen=True, slots=True)
class Section:
    """A user of a mutex owns it for `held` at most, and then may run at levels up to `high`."""

    user: int
    mutex: str
    low: int  # the user's own level
    high: int
    held: int
    inherits: bool


def tops(mutexes: Sequence[Resource], level: Mapping[int, int]) -> dict[str, int]:
    """By name, the highest level that may wait for its owner, which may itself wait for other mutexes.

    A thread that locks m while it owns n makes the owner of m as urgent as what waits for n.
    """
    found = {one.name: max(level[task] for task in one.tasks) for one in mutexes}
    for _ in mutexes:  # no path over `within` is longer
        for one in mutexes:
            found[one.name] = max([found[one.name], *(found[outer] for outer in one.within)])
    return found


def blocking(sections: Iterable[Section], level: int, *, nested: bool) -> int:
    """How long sections of lower levels hold `level` off, in all. `nested`: some lie in others."""
    mine = [one for one in sections if one.low < level <= one.high]
    by_user = _sum_of_longest(mine, lambda one: one.user)
    if nested:
        return by_user
    # One thread owns a mutex, and of those with a ceiling one thread all.
    by_mutex = _sum_of_longest(mine, lambda one: one.mutex if one.inherits else None)
    return min(by_user, by_mutex)


def _sum_of_longest(sections: Iterable[Section], key: Callable[[Section], object]) -> int:
    longest: dict[object, int] = defaultdict(int)
    for one in sections:
        longest[key(one)] = max(longest[key(one)], one.held)
    return sum(longest.values())
