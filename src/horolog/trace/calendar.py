# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When a task's releases are, without the counts that a kernel rounds down to."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import lcm

from horolog.model.system import Task

__all__ = ["Calendar", "release_count"]

_NS = 1_000_000_000


def release_count(task: Task, window: Fraction) -> int:
    """How many of `task`'s releases lie inside [0, window)."""
    return sum(max(0, -((offset - window) // task.period)) for offset in task.offsets)


class Calendar:
    """A task's releases in nanoseconds, as integers over one denominator.

    Of a task with a delay (see model/system.py) these are the moved ones; `nominal` has the others.
    """

    def __init__(self, task: Task, window: Fraction, releases: int | None) -> None:
        offsets, period = [offset * _NS for offset in task.offsets], task.period * _NS
        self.scale = lcm(period.denominator, *(offset.denominator for offset in offsets))
        self.period = int(period * self.scale)
        self._offsets = [int(offset * self.scale) for offset in offsets]  # in order
        self._delay = task.delay * _NS
        self.deadline = task.deadline_of
        self.count = release_count(task, window)
        self.most = self.count if releases is None else min(self.count, releases)  # jobs

    def _at(self, number: int) -> int:
        """When the release of this number is, of so many to a nanosecond."""
        period, place = divmod(number, len(self._offsets))
        return period * self.period + self._offsets[place]

    def release(self, number: int) -> Fraction:
        """When the release of this number is."""
        return Fraction(self._at(number), self.scale)

    def is_after(self, number: int, ns: int) -> bool:
        """Whether the release of this number is later than `ns`."""
        return self._at(number) > ns * self.scale

    def nominal(self, number: int) -> Fraction:
        """What the response of this release's job counts from."""
        return self.release(number) - self._delay

    def latest(self, ns: int) -> int:
        """Number of the last release at or before `ns`; negative if there is none."""
        if not self._offsets:
            return -1
        period, within = divmod(ns * self.scale - self._offsets[0], self.period)
        place = bisect_right(self._offsets, within + self._offsets[0]) - 1
        return period * len(self._offsets) + place

    def next(self, ns: int) -> int:
        """Number of the first release at or after `ns`."""
        if not self._offsets:
            return 0
        before = self.latest(ns)
        return max(0, before if before >= 0 and self._at(before) == ns * self.scale else before + 1)
