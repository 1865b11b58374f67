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

__all__ = ["Section", "blocking", "call_steps", "links", "tops"]

_PASS_STEPS = 12  # to pass a mutex that a thread owns, or a level of a queue of waiting threads


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


def links(mutexes: Sequence[Resource]) -> int:
    """How many owners a call may have to bring up to date: 0 without mutexes.

    The owner of a mutex may itself wait for one that is locked within that, and so on. All are threads of
    their own, and none is the one that calls.
    """
    depth = {one.name: 1 for one in mutexes}
    for _ in mutexes:  # no path over `within` is longer
        before = dict(depth)
        for one in mutexes:
            depth[one.name] = max([depth[one.name], *(1 + depth[outer] for outer in one.within)])
        if depth == before:
            break
    users = {task for one in mutexes for task in one.tasks}
    return min(max(depth.values(), default=0), max(1, len(users) - 1))


def call_steps(mutexes: Sequence[Resource], section: int) -> int:
    """Steps for which a call of one of `mutexes` holds off threads of any level (kernel/sync/mutex.c).

    `section`: those of a section with interrupts off.

    A thread that comes to wait brings each owner on the way up to date (kernel/thread/level.c): it looks at
    the mutexes that the owner has, and passes the queue in which that waits, twice at most. An unlock hands
    the mutex over and brings the heir and itself up to date, and that is no more.
    """
    owners = links(mutexes)
    if not owners:
        return 0
    waiting = max(len(one.tasks) for one in mutexes)
    return (2 + owners) * section + owners * _PASS_STEPS * (owners + 2 * waiting)
