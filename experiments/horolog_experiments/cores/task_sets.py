# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random periodic tasks that take 80 % of N cores, and what of them an ideal global schedule misses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from horolog_experiments.planner.families import Draw

__all__ = ["PERIODS", "TASKS_A_CORE", "TURN"]
__all__ += ["HYPERPERIOD", "MS", "PeriodicTask", "ideal_misses", "task_set"]

MS = 50_000
"""Cycles of a millisecond."""
HYPERPERIOD = 20 * MS
TURN = 3
"""Cycles of a turn of work."""
PERIODS = (1, 2, 4, 5, 10, 20)
"""In ms, as FreeRTOS's tick is one."""
TASKS_A_CORE = 4
_PERCENT = 80
_GRID = 10**6


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """Released each `ms` milliseconds, works `turns`, and is to end before the next release."""

    ms: int
    turns: int

    @property
    def period(self) -> int:
        """In cycles."""
        return self.ms * MS

    @property
    def work(self) -> int:
        """In cycles."""
        return self.turns * TURN


@cache
def task_set(cores: int, seed: int) -> tuple[PeriodicTask, ...]:
    """The set of `seed` for so many cores, in the order of rate-monotonic priorities, the most urgent first.

    Utilisations are equally likely among all that sum up to 80 % of the cores (UUniFast-Discard): the
    distances of points drawn on a line, drawn anew while one is above 1.
    """
    draw = Draw(f"global {cores} {seed}")
    count = TASKS_A_CORE * cores
    while True:
        points = [0, *sorted(draw.below(_GRID) for _ in range(count - 1)), _GRID]
        shares = [(high - low) * cores * _PERCENT for low, high in pairwise(points)]
        if max(shares) <= 100 * _GRID:
            break
    tasks = [
        PeriodicTask(ms, max(1, ms * MS * share // (100 * _GRID * TURN)))
        for share in shares
        for ms in (draw.one_of(PERIODS),)
    ]
    return tuple(sorted(tasks, key=lambda one: one.ms))


@cache
def ideal_misses(tasks: tuple[PeriodicTask, ...], cores: int) -> int:
    """How many jobs of a hyperperiod end late if switches cost nothing.

    At each instant the first `cores` of the tasks that are ready run.
    """
    left = [0] * len(tasks)  # of the jobs that are released, in cycles
    ended, now = [0] * len(tasks), 0
    missed = 0
    while now < HYPERPERIOD:
        for at, task in enumerate(tasks):
            left[at] += task.work * (now % task.period == 0)
        runs = [at for at, cycles in enumerate(left) if cycles][:cores]
        releases = [now - now % task.period + task.period for task in tasks]
        ends = [now + (left[at] - 1) % tasks[at].work + 1 for at in runs]
        step = min(releases + ends) - now
        now += step
        for at in runs:
            left[at] -= step
            if left[at] % tasks[at].work == 0:
                ended[at] += 1
                missed += now > ended[at] * tasks[at].period
    unfinished = sum(HYPERPERIOD // one.period - n for one, n in zip(tasks, ended, strict=True))
    return missed + unfinished
