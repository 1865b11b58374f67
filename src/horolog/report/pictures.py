# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Geometry of the static pictures of a report: which instants interrupt, and how jobs responded.

Pictures are rows of a table, so that every one of them has its figures beside it; the text is HTML's, and
the SVG holds shapes only. A row's shapes stand in a box WIDTH wide that the page stretches.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, log10

from horolog.analyse import (
    Dispatcher,
    count_instant,
    dispatchers,
    hyperperiod,
    levels,
    release_instants,
    releases,
    streams,
)
from horolog.figures import plural, significant
from horolog.model import Mode, Plan, PriorityRule, Releaser, System
from horolog.read.units import duration_text
from horolog.trace import Job

__all__ = [
    "WIDTH",
    "Group",
    "Histogram",
    "Instants",
    "InstantsRow",
    "Scale",
    "Tick",
    "groups",
    "histogram",
    "instants",
    "response_scale",
    "shares",
    "time_ticks",
]

WIDTH = 1000
_MOST_MARKS = 110  # interrupts of the busiest cell in the picture: more would touch one another
_BINS = 80
_NICE = (1, 2, 3, 4, 5, 6, 8)


@dataclass(frozen=True, slots=True)
class Group:
    """Tasks shown as one row, because they have the same level or because there are few of them."""

    label: str
    note: str
    level: int
    tasks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on an axis, in percent of its length."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class InstantsRow:
    """Interrupts of one cell: SVG paths of those that release something and of those that do not."""

    label: str
    note: str
    needed: str
    empty: str
    needed_count: int
    empty_count: int


@dataclass(frozen=True, slots=True)
class Instants:
    """The first stretch of the plan, and whether all that follows repeats it."""

    span: Fraction
    whole_cycle: bool
    rows: tuple[InstantsRow, ...]
    releases: str  # path: at each distinct instant a line as high as the number of tasks released
    distinct: int
    most_tasks: int
    ticks: tuple[Tick, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """Response as a share of the deadline, on a logarithmic axis that ends at the deadline or after."""

    low: float
    high: float
    ticks: tuple[Tick, ...]

    def place(self, share: float) -> float:
        """Where `share` stands, from 0 to 1."""
        if share <= self.low:
            return 0.0
        return min(1.0, log10(share / self.low) / log10(self.high / self.low))

    @property
    def deadline(self) -> float:
        """Where the deadline stands, in percent."""
        return 100 * self.place(1.0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Jobs by response; `worst` as a share of the deadline, None if no job finished. Its lane's edges."""

    path: str
    jobs: int
    worst: float | None
    top: float
    foot: float


def groups(system: System, at_most: int = 40) -> tuple[Group, ...]:
    """One row a task, or one a level if there are more than `at_most`; the most urgent first."""
    level = levels(system)
    # A controller's levels are all above those of threads, and may have their numbers.
    by_controller = [one is Dispatcher.CONTROLLER for one in dispatchers(system)]
    urgency = list(zip(by_controller, level, strict=True))
    if len(system.tasks) <= at_most:
        order = sorted(range(len(system.tasks)), key=urgency.__getitem__, reverse=True)
        return tuple(Group(system.tasks[i].name, _keys(system, [i]), level[i], (i,)) for i in order)
    members: dict[tuple[bool, int], list[int]] = {}
    for index, at in enumerate(urgency):
        members.setdefault(at, []).append(index)
    return tuple(
        Group(_keys(system, of), plural(len(of), "task"), at[1], tuple(of))
        for at, of in sorted(members.items(), reverse=True)
    )


def instants(system: System, plan: Plan) -> Instants:
    """When each cell of `plan` interrupts, over as long as can still be told apart."""
    hz = system.board.clock.hz
    cycle = min(system.duration, hyperperiod(streams(system)))
    busiest = max((n for _, n in plan.prediction.interrupts_by_cell), default=0)
    longest = cycle if busiest == 0 else system.duration * _MOST_MARKS / busiest
    span = cycle if longest >= cycle else _nice_floor(longest)
    end = max(1, count_instant(span, hz))
    rows = tuple(
        _instants_row(system, releaser, plan.releasers, end) for releaser in plan.releasers
    )

    every = streams(system)
    tasks_at = [
        (at, sum(len(every[position].tasks) for position in due))
        for at, due in releases(every, hz, 0, end)
    ]
    most = max((tasks for _, tasks in tasks_at), default=1)
    lines = "".join(
        f"M{_short(at * WIDTH / end)} 100V{_short(100 - 100 * max(0.08, tasks / most))}"
        for at, tasks in tasks_at
    )
    return Instants(span, span == cycle, rows, lines, len(tasks_at), most, time_ticks(span))


def response_scale(shares: Iterable[float]) -> Scale:
    """The axis that holds all of `shares`, whole decades below the deadline."""
    low = high = 1.0
    for share in shares:
        low, high = min(low, share), max(high, share)
    exponent = max(-5, min(-1, floor(log10(max(low, 1e-9)))))
    end = 1.0 if high <= 1 else 10 ** (ceil(10 * log10(high)) / 10)
    axis = Scale(10.0**exponent, end, ())
    shown = [10.0**e for e in range(exponent, 1)]
    ticks = tuple(Tick(100 * axis.place(s), f"{significant(100 * s, 1)}\u202f%") for s in shown)
    return Scale(axis.low, axis.high, ticks)


def histogram(shares: Sequence[float], scale: Scale, *, lane: int = 0, lanes: int = 1) -> Histogram:
    """Bars upwards in the lane of this number, of a box as high as 100; the fullest bin takes it all."""
    bins = [0] * _BINS
    for share in shares:
        bins[min(_BINS - 1, int(scale.place(share) * _BINS))] += 1
    fullest = max(bins) or 1
    step, tall = WIDTH / _BINS, 100 / lanes
    foot = (lane + 1) * tall - 1
    path = []
    for position, number in enumerate(bins):
        if number:
            height = max(0.14, number / fullest) * (tall - 3)
            left, width = position * step, step * 0.86
            path.append(
                f"M{_short(left)} {_short(foot)}h{_short(width)}v-{_short(height)}h-{_short(width)}z"
            )
    return Histogram("".join(path), len(shares), max(shares, default=None), foot - tall + 2, foot)


def shares(due: Iterable[Job], system: System) -> list[list[float]]:
    """For each task the responses of its finished jobs, as shares of its deadline."""
    found: list[list[float]] = [[] for _ in system.tasks]
    for job in due:
        if job.end_ns is not None:
            deadline = job.deadline * 1_000_000_000
            found[job.task].append(float((job.end_ns - job.release_ns) / deadline))
    return found


def time_ticks(span: Fraction) -> tuple[Tick, ...]:
    """Labelled places on an axis of `span` seconds, at steps that are easy to read."""
    step = _nice_floor(span / 5)
    return tuple(
        Tick(float(100 * at * step / span), duration_text(at * step) if at else "0")
        for at in range(int(span / step) + 1)
    )


def _keys(system: System, tasks: Sequence[int]) -> str:
    """What the tasks of one level have in common: "5 ms", or "5 ms to 7 ms"."""
    if system.priorities is PriorityRule.EXPLICIT:
        given = sorted({system.tasks[i].priority or 0 for i in tasks})
        return f"priority {given[0]}" + (f" to {given[-1]}" if len(given) > 1 else "")
    by_deadline = system.priorities is PriorityRule.DEADLINE_MONOTONIC
    rows = [system.tasks[i] for i in tasks]
    keys = sorted({row.deadline if by_deadline else row.period for row in rows})
    text = duration_text(keys[0])
    return f"{text} to {duration_text(keys[-1])}" if len(keys) > 1 else text


def _instants_row(
    system: System, releaser: Releaser, others: Sequence[Releaser], end: int
) -> InstantsRow:
    hz = system.board.clock.hz
    due = list(release_instants(streams(system, releaser.tasks), hz, 0, end))
    if releaser.mode is Mode.ONE_SHOT or releaser.cell_period is None:
        # What periodic cells serve for a cooperative one is no interrupt of its own.
        elsewhere = _calls(others, end) if releaser.cooperates else frozenset()
        needed = [at for at in due if at not in elsewhere]
        empty: list[int] = []
    else:
        calls = sorted(_calls([releaser], end))
        # A call serves what has become due since the one before it.
        served = [bisect_right(due, call) for call in calls]
        fresh = [now > before for before, now in pairwise([0, *served])]
        visited = _served_elsewhere(system, others, end)
        needed = [c for c, new in zip(calls, fresh, strict=True) if new or c in visited]
        empty = [c for c, new in zip(calls, fresh, strict=True) if not (new or c in visited)]
    if releaser.period is None:
        note = f"{releaser.mode.value}, {plural(len(releaser.tasks), 'task')}"
    else:
        note = f"every {duration_text(releaser.period)}, {plural(len(releaser.tasks), 'task')}"
    return InstantsRow(
        releaser.cell, note, _lines(needed, end), _lines(empty, end), len(needed), len(empty)
    )


def _calls(of: Sequence[Releaser], end: int) -> frozenset[int]:
    """The instants (counts) at which the periodic releasers among `of` interrupt."""
    return frozenset(at for r in of if r.cell_period for at in r.between(0, end))


def _served_elsewhere(system: System, of: Sequence[Releaser], end: int) -> frozenset[int]:
    """The instants (counts) at which a cooperative releaser among `of` releases a task."""
    hz = system.board.clock.hz
    return frozenset(
        at
        for releaser in of
        if releaser.cooperates
        for at in release_instants(streams(system, releaser.tasks), hz, 0, end)
    )


def _lines(at: Sequence[int], end: int) -> str:
    return "".join(f"M{_short(instant * WIDTH / end)} 0V100" for instant in at)


def _nice_floor(value: Fraction) -> Fraction:
    """The largest of 1, 2, 3, 4, 5, 6, 8 times a power of ten that is no larger than `value`."""
    power = Fraction(10) ** floor(log10(value))
    while power > value:  # log10 rounds
        power /= 10
    return max(step * power for step in _NICE if step * power <= value)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
