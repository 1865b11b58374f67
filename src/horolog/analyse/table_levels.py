# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The fewest priority levels with which each point of a dispatcher table preempts what runs at its instant.

Source: stack-based preemption of OSEKtime's dispatcher tables, on the levels of an interrupt controller, as
SLOTH ON TIME has it. The TriCore lowers and raises the level of what runs, so that two levels serve a table
of any depth. Most controllers do not: there a task has one level, which must be above those of
all tasks that may be unfinished when it starts. Tasks that never meet share one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter

__all__ = ["Activation", "CyclicPreemption", "levels_above", "preemptions", "table_levels"]

_ROUNDS = 64  # of an overloaded table; any other repeats from its second round on


@dataclass(frozen=True, slots=True)
class Activation:
    """A point of a round. All times in one unit, above zero but for `offset`."""

    task: int
    offset: Fraction  # from the start of the round, shorter than it
    longest: Fraction  # its job runs for so long by itself, at most
    within: Fraction  # its job has ended so long after its point, at most


class CyclicPreemption(Exception):
    """Tasks of which each starts while the one before it is unfinished, the first again after the last."""

    def __init__(self, tasks: Sequence[int]) -> None:
        super().__init__(f"tasks {list(tasks)} preempt one another in a circle")
        self.tasks = tuple(tasks)


@dataclass(slots=True)
class _Job:
    task: int
    left: Fraction
    end: Fraction  # by then it has ended


def table_levels(of_round: Fraction, points: Sequence[Activation]) -> dict[int, int]:
    """Returns the level of each task, from 1 on; larger preempts. No division has fewer levels.

    `points`: in the order in which they start, so that of equal offsets the later preempts. Raises
    CyclicPreemption if no levels do.
    """
    return levels_above({point.task for point in points}, preemptions(of_round, points))


def levels_above(tasks: Iterable[int], pairs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """As table_levels, by the `pairs` of one table or of several."""
    below: dict[int, set[int]] = {task: set() for task in tasks}
    for unfinished, started in pairs:
        below[started].add(unfinished)
    try:
        order = list(TopologicalSorter(below).static_order())
    except CycleError as error:
        raise CyclicPreemption(list(reversed(error.args[1]))[1:]) from None
    levels: dict[int, int] = {}
    for task in order:
        levels[task] = 1 + max((levels[one] for one in below[task]), default=0)
    return levels


def preemptions(of_round: Fraction, points: Sequence[Activation]) -> frozenset[tuple[int, int]]:
    """Returns pairs of tasks: the first may be unfinished at a point of the second.

    `points` as for table_levels. The table runs with all jobs as long as they can be; shorter ones end
    earlier, and with them those that they preempt.
    """
    found: set[tuple[int, int]] = set()
    stack: list[_Job] = []
    before: list[tuple[int, Fraction, Fraction]] | None = None
    now = Fraction(0)
    for number in range(_ROUNDS):
        begin = number * of_round
        stack = _run(stack, now, begin)
        now = begin
        state = [(job.task, job.left, job.end - begin) for job in stack]
        if state == before and number > 1:
            break
        before = state
        for point in points:
            at = begin + point.offset
            stack = _run(stack, now, at)
            now = at
            found |= {(job.task, point.task) for job in stack if job.task != point.task}
            stack.append(_Job(point.task, point.longest, at + point.within))
    return frozenset(found)


def _run(stack: Iterable[_Job], begin: Fraction, end: Fraction) -> list[_Job]:
    """Returns what is unfinished at `end` of the jobs at `begin`; the last runs first."""
    jobs = list(stack)
    time = end - begin
    while jobs and time > 0:
        taken = min(time, jobs[-1].left)
        jobs[-1].left -= taken
        time -= taken
        if jobs[-1].left == 0:
            jobs.pop()
    return [job for job in jobs if job.end > end]
