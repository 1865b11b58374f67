# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When a task's releases are, without the counts that a kernel rounds down to."""

from __future__ import annotations

from fractions import Fraction

from horolog.model.system import Task

__all__ = ["Calendar", "release_count"]

_NS = 1_000_000_000


def release_count(task: Task, window: Fraction) -> int:
    """How many of `task`'s releases lie inside [0, window)."""
    return max(0, -((task.offset - window) // task.period))


class Calendar:
    """A task's releases in nanoseconds, as integers over one denominator.

    Of a task with a delay (see model/system.py) these are the moved ones; `nominal` has the others.
    """

    def __init__(self, task: Task, window: Fraction, releases: int | None) -> None:
        offset, period = task.offset * _NS, task.period * _NS
        self.scale = offset.denominator * period.denominator
        self.offset = int(offset * self.scale)
        self.period = int(period * self.scale)
        self._delay = task.delay * _NS
        self.count = release_count(task, window)
        self.most = self.count if releases is None else min(self.count, releases)  # jobs

    def release(self, number: int) -> Fraction:
        """When the release of this number is."""
        return Fraction(self.offset + number * self.period, self.scale)

    def is_after(self, number: int, ns: int) -> bool:
        """Whether the release of this number is later than `ns`."""
        return self.offset + number * self.period > ns * self.scale

    def nominal(self, number: int) -> Fraction:
        """What the response of this release's job counts from."""
        return self.release(number) - self._delay

    def latest(self, ns: int) -> int:
        """Number of the last release at or before `ns`; negative if there is none."""
        return (ns * self.scale - self.offset) // self.period

    def next(self, ns: int) -> int:
        """Number of the first release at or after `ns`."""
        return max(0, -((self.offset - ns * self.scale) // self.period))
