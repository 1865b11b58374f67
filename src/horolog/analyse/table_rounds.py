# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A round of a dispatcher table by its definition: at each point its task preempts what runs.

Source: stack-based preemption of OSEKtime's dispatcher tables. Levels do not enter: a table that the reader
has accepted has levels that do what is computed here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.model import DispatcherTable

__all__ = ["Stretch", "dispatched_round", "free_stretches"]

_ROUNDS = 64  # of an overloaded table; any other repeats from its second round on


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a round in which one job runs, or waits for others that preempt it."""

    task: int
    point: int  # of the table: the one at which the job was to start
    begin: Fraction  # from the start of the round; a job that crosses its end goes on at 0
    end: Fraction
    runs: bool


@dataclass(slots=True)
class _Job:
    task: int
    point: int
    left: Fraction


def dispatched_round(
    table: DispatcherTable, longest: Mapping[int, Fraction]
) -> tuple[Stretch, ...]:
    """A round that repeats, in which each job of task t runs for longest[t] > 0; in order of their begins.

    A point that finds its task's job unfinished starts none. Of an overloaded table, of which no round may
    repeat, it is one of the later rounds.
    """
    stack: list[_Job] = []
    before: list[tuple[int, int, Fraction]] | None = None
    found: list[Stretch] = []
    for _ in range(_ROUNDS):
        state = [(job.task, job.point, job.left) for job in stack]
        if state == before:
            break
        before, found, now = state, [], Fraction(0)
        for number, point in enumerate(table.points):
            _run(stack, now, point.offset, found)
            now = point.offset
            if all(job.task != point.task for job in stack):
                stack.append(_Job(point.task, number, longest[point.task]))
        _run(stack, now, table.round, found)
    return tuple(_joined(found))


def free_stretches(
    of_round: Fraction, stretches: Sequence[Stretch]
) -> tuple[tuple[Fraction, Fraction], ...]:
    """The begins and ends of what no job in `stretches` uses of a round, in order."""
    found, now = [], Fraction(0)
    for one in sorted((one for one in stretches if one.runs), key=lambda one: (one.begin, one.end)):
        if one.begin > now:
            found.append((now, one.begin))
        now = max(now, one.end)
    if now < of_round:
        found.append((now, of_round))
    return tuple(found)


def _run(stack: list[_Job], begin: Fraction, end: Fraction, found: list[Stretch]) -> None:
    """What the jobs on `stack` do from `begin` until `end`; the last runs first."""
    now = begin
    while stack and now < end:
        taken = min(end - now, stack[-1].left)
        found += [Stretch(job.task, job.point, now, now + taken, job is stack[-1]) for job in stack]
        now += taken
        stack[-1].left -= taken
        if stack[-1].left == 0:
            stack.pop()


def _joined(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Stretches of one job that touch, and in which it does the same, as one."""
    found: list[Stretch] = []
    last: dict[int, int] = {}  # a task's latest in `found`
    for one in stretches:
        at = last.get(one.task)
        if at is not None:
            old = found[at]
            if (old.point, old.runs, old.end) == (one.point, one.runs, one.begin):
                found[at] = Stretch(one.task, one.point, old.begin, one.end, one.runs)
                continue
        last[one.task] = len(found)
        found.append(one)
    return sorted(found, key=lambda one: (one.begin, one.end, one.task))
