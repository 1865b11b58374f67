# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a delay queue costs by how many tasks it serves: curves that calibration has measured.

A curve holds for one shape of workload, because what an insertion costs depends on where in the queue it
goes. For most queues the curve runs over the number of tasks; for those that pass nodes one by one it
runs over the number of nodes that a sorted list's insertion would pass, which the planner knows exactly.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, get_args

from horolog.analyse import Stream, tree_walk, wheel_walk
from horolog.model import Mode

__all__ = [
    "DISTINCT",
    "MANY_PERIODS",
    "NEAR_RATIO",
    "LINE_OVER",
    "OVER",
    "Over",
    "SHAPES",
    "Curve",
    "Load",
    "Point",
    "QueueCosts",
    "shape_of",
]

SHAPES = ("same", "near", "wide", "many", "distinct")
"""Shapes of a workload: one period; periods close together; far apart; many with no common base; tasks
of which hardly two are due together, whatever their periods.

Tasks that are released together have equal keys, and periods far apart leave long delays waiting among
short ones: that, beside their number, is what queues feel.
"""

NEAR_RATIO = 40
"""The longest period over the shortest, at most, of a workload of the shape `near`."""

MANY_PERIODS = 12
"""A workload of the shape `many` has more different periods, not all multiples of the shortest."""

DISTINCT = Fraction(5, 4)
"""Releases at an instant, at most, of a workload of the shape `distinct`, on average."""

Over = Literal["waiting", "passed", "together", "depth"]
OVER: tuple[Over, ...] = get_args(Over)
"""What a curve may run over: tasks of the releaser, nodes passed by a sorted list's insertion, jobs
released at an instant, or nodes passed by an insertion into a binary tree that is never balanced.

Jobs at an instant are for queues that keep the tasks of one instant together, so that most insertions find
their instant. For the shape `distinct`, where each instant has about one, it runs over tasks.
"""

LINE_OVER: tuple[Over, ...] = ("waiting", "passed", "depth")
"""Likewise, of delay queues of groups of basic tasks."""


@dataclass(frozen=True, slots=True)
class Load:
    """What a releaser asks of its queue, with the tasks `of` in a window of `end` counts.

    `passed`: nodes a sorted list's insertion passes, on average.
    """

    tasks: int
    passed: Fraction
    shape: str  # one of SHAPES
    together: Fraction = Fraction(1)  # jobs released at an instant, on average
    of: tuple[Stream, ...] = ()
    hz: int = 1
    end: int = 0

    @property
    def depth(self) -> Fraction:
        """Nodes that an insertion into a binary tree passes, on average; simulated at the first call."""
        return tree_walk(self.of, self.hz, self.end, groups=False)

    @property
    def slot_walk(self) -> Fraction:
        """Nodes that an insertion into a timing wheel passes, on average; simulated at the first call."""
        return wheel_walk(self.of, self.hz, self.end, groups=False)


@dataclass(frozen=True, slots=True)
class Point:
    """Average instructions of one call each, at `x`."""

    x: Fraction
    insert: Fraction
    first: Fraction
    pop: Fraction

    @property
    def job(self) -> Fraction:
        """Instructions of the three calls of a job."""
        return self.insert + self.first + self.pop


@dataclass(frozen=True, slots=True)
class Curve:
    """Straight lines through `points`, which ascend strictly in x; at least one."""

    points: tuple[Point, ...]
    # Of each point, kept because plans ask often: its x, its job, the slope to the next point.
    _x: tuple[Fraction, ...] = field(init=False, repr=False, compare=False)
    _job: tuple[Fraction, ...] = field(init=False, repr=False, compare=False)
    _slope: tuple[Fraction, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        x, job = [point.x for point in self.points], [point.job for point in self.points]
        slopes = [
            (job[at + 1] - job[at]) / (x[at + 1] - x[at]) for at in range(len(self.points) - 1)
        ]
        object.__setattr__(self, "_x", tuple(x))
        object.__setattr__(self, "_job", tuple(job))
        object.__setattr__(self, "_slope", tuple(slopes))

    def _below(self, x: Fraction) -> int:
        """The index of the point from which the line at `x` goes on to the next; there are two points."""
        return min(max(bisect_right(self._x, x), 1), len(self._x) - 1) - 1

    def around(self, x: Fraction) -> tuple[Point, ...]:
        """The measured points between which `x` lies: two, or the only one there is.

        Beyond the last point these are the last two.
        """
        if len(self.points) == 1:
            return self.points
        below = self._below(x)
        return self.points[below], self.points[below + 1]

    def at(self, x: Fraction) -> Fraction:
        """Instructions of a job's insert, first and pop at `x`, never negative.

        Before the first point its value; beyond the last the last line goes on.
        """
        if len(self.points) == 1:
            return self._job[0]
        below = self._below(x)
        beyond = x - self._x[below]
        if beyond <= 0:
            return self._job[below]
        return max(Fraction(0), self._job[below] + self._slope[below] * beyond)

    def uncertain(self, x: Fraction) -> tuple[Fraction, Fraction]:
        """How much less and more than `at` a job may cost by the points around; nothing at a point.

        Beyond the last point the line that goes on may as well be level, or twice as steep.
        """
        found = self.at(x)
        low, high = self.around(x)[0], self.around(x)[-1]
        if x <= low.x:
            return Fraction(0), Fraction(0)
        if x > high.x:
            beyond = abs(found - high.job)
            return beyond, beyond
        if x == high.x:
            return Fraction(0), Fraction(0)
        return found - min(low.job, high.job), max(low.job, high.job) - found


@dataclass(frozen=True, slots=True)
class QueueCosts:
    """One queue on one board. `job` and the interrupts' may be negative: they compare with a list.

    The curves are the calls' own costs; in the kernel short ones are compiled into their callers, so a
    job costs `job` more or less than the curve says, against the sorted list's; on a one-shot cell, where
    lists are put in by a shortcut and searched from either end, `job_one_shot`.
    """

    over: Over
    ram: Fraction  # bytes
    ram_per_task: Fraction  # bytes
    rom: Fraction  # bytes of code beyond those of a sorted list
    job: Fraction
    job_one_shot: Fraction
    interrupt_periodic: Fraction  # each instant of a periodic releaser, beyond the sorted list's
    interrupt_one_shot: Fraction  # each interrupt of a one-shot releaser likewise
    curves: Mapping[str, Curve]  # by shape
    slot_walk: Fraction = Fraction(
        0
    )  # each node that an insertion into the wheel passes, beyond the curve

    def x(self, load: Load) -> Fraction:
        """Returns the place of `load` on the curves."""
        if self.over == "together" and load.shape != "distinct":
            return load.together
        if self.over == "depth":
            return load.depth
        return load.passed if self.over == "passed" else Fraction(load.tasks)

    def per_job(self, load: Load, mode: Mode) -> Fraction:
        """Instructions of a job's insert, first and pop under `load`, on a cell in `mode`.

        Of a queue that keeps the tasks of one instant together, one task of each instant finds none to join:
        that goes among the others' instants, as many as there are tasks at most.
        """
        more = self.job if mode is Mode.PERIODIC else self.job_one_shot
        found = self.curves[load.shape].at(self.x(load))
        if self.over == "together" and load.shape == "many":
            alone = self.curves["distinct"].at(Fraction(load.tasks))
            found += max(Fraction(0), alone - found) / load.together
        return found + more + (self.slot_walk * load.slot_walk if self.slot_walk else 0)

    def per_interrupt(self, mode: Mode) -> Fraction:
        """Instructions of an interrupt beyond those with a sorted list."""
        return self.interrupt_periodic if mode is Mode.PERIODIC else self.interrupt_one_shot

    def bytes(self, tasks: int) -> int:
        """RAM of the queue and its arrays for so many tasks, beside the tasks' own nodes."""
        exact = self.ram + self.ram_per_task * tasks
        return -(-exact.numerator // exact.denominator)


def shape_of(of: Sequence[Stream], instants: Fraction) -> str:
    """The shape of the workload that the streams `of` make, with so many distinct instants a second."""
    releases = sum((len(stream.tasks) / stream.period for stream in of), Fraction(0))
    if len(of) > 1 and releases <= DISTINCT * instants:
        return "distinct"
    periods = {stream.period for stream in of}
    if len(periods) == 1:
        return "same"
    shortest = min(periods)
    if len(periods) > MANY_PERIODS and any(period % shortest for period in periods):
        return "many"
    return "near" if max(periods) <= NEAR_RATIO * shortest else "wide"
