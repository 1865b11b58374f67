# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The schedule in which every job takes its longest: a deadline that it misses is missed for certain.

Bounds say what cannot happen; this says what does. Releases are at their nominal instants, fixed priorities
preempt. What is left out (the kernel, interrupts, less urgent code, other tasks of the task's level) makes
responses longer only, as long as no release is dropped. Where one is, because a job had not ended by then,
a task of a higher level has missed before.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush, heapreplace

__all__ = ["Jobs", "missed_by"]


@dataclass(frozen=True, slots=True)
class Jobs:
    """What a task releases: at offset + k * period, for k below `many`, a job that takes `work`.

    `limit`: a release is dropped when so many jobs of the task have not ended. None: what becomes of it is
    not known.
    """

    level: int
    period: int
    offset: int
    work: int
    limit: int | None = 1
    many: int | None = None


@dataclass(slots=True)
class _Task:
    jobs: Jobs
    alone: bool  # on its level
    left: deque[tuple[int, int]] = field(default_factory=deque)  # (release, work left), unfinished
    released: int = 0

    def run(self, now: int, until: int) -> int:
        """Let its jobs have the time up to `until`; when they have ended, or `until`."""
        while self.left and now < until:
            release, work = self.left.popleft()
            if work > until - now:
                self.left.appendleft((release, work - (until - now)))
                return until
            now += work
        return now

    def release(self, now: int) -> bool:
        """Release a job, or drop it; False if it is not known which."""
        self.released += 1
        if self.jobs.limit is None and self.left:
            return False
        if self.jobs.limit is not None and len(self.left) >= self.jobs.limit:
            return self.alone
        self.left.append((now, self.jobs.work))
        return True

    def late(self, now: int, until: int, work: int, deadline: int) -> int | None:
        """The release of the first job that has not done `work` at its deadline, if it has the time up to
        `until` and that is later.
        """
        rest = self.jobs.work - work
        for release, left in self.left:
            done = now + left - rest
            if left > rest and min(done, until) > release + deadline:
                return release
            now += left
        return None


def missed_by(
    above: Sequence[Jobs], mine: Jobs, work: int, deadline: int, most: int
) -> tuple[int | None, int]:
    """The release of the first job of `mine` with a response above `deadline`; and the steps that were taken.

    `work`: what a job of `mine` has done when it responds, at most mine.work. None: no job among those before
    `most` steps, or before it is not known what becomes of a release.
    """
    on = Counter(one.level for one in above)
    tasks = [
        _Task(one, on[one.level] == 1)
        for one in sorted(above, key=lambda one: -one.level)
        if one.work
    ]
    last = _Task(mine, alone=True)
    every = (*tasks, last)
    due = [(task.jobs.offset, at) for at, task in enumerate(every)]
    heapify(due)
    now = steps = 0
    ready: list[int] = []  # those of `tasks` with unfinished jobs, a heap: the most urgent first
    while steps < most:
        until, at = due[0]
        while ready and now < until:
            now = tasks[ready[0]].run(now, until)
            if not tasks[ready[0]].left:
                heappop(ready)
        late = last.late(now, until, work, deadline)
        last.run(now, until)
        steps += 1
        if late is not None or until == _NEVER:
            return late, steps
        now, task = until, every[at]
        if task is not last and not task.left:
            heappush(ready, at)
        if not task.release(now):
            return None, steps
        more = task.jobs.many is None or task.released < task.jobs.many
        heapreplace(due, (now + task.jobs.period if more else _NEVER, at))
    return None, steps


_NEVER = 1 << 200
