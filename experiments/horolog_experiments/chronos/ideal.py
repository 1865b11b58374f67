# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A kernel that costs nothing: fixed priorities, preemption, and instants as integers.

Levels are those of every kernel compared. Within a level the job released first runs first and to its
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
    """One job; `end` is when it was done, None if it was not when all deadlines had passed."""

    task: int
    release: int
    end: int | None


def simulate(tasks: Sequence[Ideal], end: int) -> Iterator[Job]:
    """The jobs released before `end`, in the order in which they are done.

    Releases go on behind `end` for as long as one of these jobs is unfinished and in time; what is not
    done then comes last, the most urgent first.
    """
    arrivals = merge(*(_arrivals(index, task) for index, task in enumerate(tasks)))
    coming = next(arrivals, None)
    ready: list[tuple[int, int, int, int]] = []  # -level, release, period, task
    left: dict[tuple[int, int], int] = {}  # by task and release, of those ready
    now, over = 0, end + max((task.period for task in tasks), default=0)
    while now <= over:
        while coming is not None and coming[0] <= now:
            release, period, index = coming
            heappush(ready, (-tasks[index].level, release, period, index))
            left[index, release] = tasks[index].cost
            coming = next(arrivals, None)
        if not ready:
            if coming is None:
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
            yield Job(index, release, done)
    for _, release, _, index in sorted(ready):
        if release < end:
            yield Job(index, release, None)


def _arrivals(index: int, task: Ideal) -> Iterator[tuple[int, int, int]]:
    release, number = 0, 0
    while task.releases is None or number < task.releases:
        yield release, task.period, index
        release += task.period
        number += 1


def first_miss(tasks: Sequence[Ideal], end: int) -> Job | None:
    """The first job that is done behind its deadline, or never, of those released before `end`."""
    for job in simulate(tasks, end):
        if job.end is None or job.end > job.release + tasks[job.task].period:
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
