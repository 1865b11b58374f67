# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A kernel that costs nothing: fixed priorities, preemption, and instants as integers.

Levels are those of every kernel compared. Within a level who was released first runs first and to its
end; of jobs released together, first that of the shorter period, then that of the smaller index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush, merge

from horolog.analyse import levels
from horolog.model import System

__all__ = ["Ideal", "Job", "first_miss", "ideal_tasks", "most_work", "simulate"]


@dataclass(frozen=True, slots=True)
class Ideal:
    """A task released at 0, period, 2 * period, ...; its deadline is the next release."""

    level: int  # larger is more urgent
    period: int
    cost: int
    releases: int | None = None  # None: without end


@dataclass(frozen=True, slots=True)
class Job:
    """One job; `end` is when it was done."""

    task: int
    release: int
    end: int


def simulate(tasks: Sequence[Ideal], end: int) -> Iterator[Job]:
    """The jobs released before `end`, in the order in which they are done.

    Releases go on behind `end` for as long as one of these jobs is unfinished.
    """
    arrivals = merge(*(_arrivals(index, task) for index, task in enumerate(tasks)))
    coming = next(arrivals, None)
    ready: list[tuple[int, int, int, int]] = []  # -level, release, period, task
    left: dict[tuple[int, int], int] = {}  # by task and release, of those ready
    now = pending = 0  # pending: jobs released before `end` that are not done
    while True:
        while coming is not None and coming[0] <= now:
            release, period, index = coming
            heappush(ready, (-tasks[index].level, release, period, index))
            left[index, release] = tasks[index].cost
            pending += release < end
            coming = next(arrivals, None)
        if not ready:
            if coming is None or coming[0] >= end:
                return
            now = coming[0]
            continue
        _, release, _, index = ready[0]
        done = now + left[index, release]
        if coming is not None and coming[0] < done:
            left[index, release] = done - coming[0]
            now = coming[0]
            continue
        now = done
        heappop(ready)
        del left[index, release]
        if release < end:
            pending -= 1
            yield Job(index, release, done)
            if pending == 0 and (coming is None or coming[0] >= end):
                return


def _arrivals(index: int, task: Ideal) -> Iterator[tuple[int, int, int]]:
    release, number = 0, 0
    while task.releases is None or number < task.releases:
        yield release, task.period, index
        release += task.period
        number += 1


def first_miss(tasks: Sequence[Ideal], end: int) -> Job | None:
    """The first job that is done behind its deadline, of those released before `end`."""
    for job in simulate(tasks, end):
        if job.end > job.release + tasks[job.task].period:
            return job
    return None


def ideal_tasks(system: System, instructions: Fraction) -> tuple[tuple[Ideal, ...], int]:
    """The tasks of `system`, each job so many instructions, and the window's end, in whole units.

    The unit is such a part of an instruction that everything is an integer.
    """
    lasts = system.board.runner.ns_per_instruction
    assert lasts is not None
    of = levels(system)
    times = [task.period * 10**9 / lasts for task in system.tasks]
    unit = instructions.denominator
    for time in (*times, system.duration * 10**9 / lasts):
        unit *= (time * unit).denominator
    tasks = tuple(
        Ideal(level, int(time * unit), int(instructions * unit), system.releases)
        for level, time in zip(of, times, strict=True)
    )
    return tasks, int(system.duration * 10**9 / lasts * unit)


def most_work(system: System, turn: int, stub: int) -> int:
    """The most turns, of `turn` instructions each beside `stub`, with which no deadline is missed.

    More turns hold no better, so that halving finds it; -1 if none hold.
    """
    low, high = -1, 1
    while _holds(system, high * turn + stub):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if _holds(system, middle * turn + stub):
            low = middle
        else:
            high = middle
    return low


def _holds(system: System, instructions: int) -> bool:
    tasks, end = ideal_tasks(system, Fraction(instructions))
    return first_miss(tasks, end) is None
