# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The levels of a dispatcher table: with them a preemptive scheduler does what the table says."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st
from tests.support.dispatcher import Step, dispatched, drawn_table

from horolog.analyse import Activation, CyclicPreemption, preemptions, table_levels

ROUND, GRID = Fraction(48), Fraction(1)


def at(task: int, offset: int, longest: int, within: int = 48) -> Activation:
    return Activation(task, Fraction(offset), Fraction(longest), Fraction(within))


def test_tasks_that_never_meet_share_a_level() -> None:
    points = [at(0, 0, 10), at(1, 10, 10), at(2, 20, 28)]
    assert table_levels(ROUND, points) == {0: 1, 1: 1, 2: 1}


def test_each_that_starts_in_another_is_above_it() -> None:
    points = [at(0, 0, 30), at(1, 10, 10), at(2, 15, 2), at(3, 43, 4)]
    assert preemptions(ROUND, points) == {(0, 1), (0, 2), (1, 2)}  # task 0 ends at 42
    assert table_levels(ROUND, points) == {0: 1, 1: 2, 2: 3, 3: 1}


def test_what_preempts_makes_longer() -> None:
    points = [at(0, 0, 30), at(1, 10, 10), at(2, 39, 2)]
    assert table_levels(ROUND, points) == {0: 1, 1: 2, 2: 2}  # task 0 ends at 42, not at 30


def test_of_equal_offsets_the_later_goes_first() -> None:
    assert table_levels(ROUND, [at(0, 5, 1), at(1, 5, 1)]) == {0: 1, 1: 2}


def test_a_job_that_runs_into_the_next_round_is_preempted_there() -> None:
    points = [at(0, 0, 5), at(1, 40, 20)]
    assert preemptions(ROUND, points) == {(1, 0)}
    assert table_levels(ROUND, points) == {0: 2, 1: 1}


def test_what_has_a_deadline_has_ended_by_then() -> None:
    points = [at(0, 0, 30, within=12), at(1, 12, 3)]
    assert table_levels(ROUND, points) == {0: 1, 1: 1}


def test_no_levels_preempt_in_a_circle() -> None:
    points = [at(0, 0, 20), at(1, 10, 20), at(2, 25, 26, within=30)]  # the last is unfinished at 48
    with pytest.raises(CyclicPreemption) as caught:
        table_levels(ROUND, points)
    assert sorted(caught.value.tasks) in ([0, 1, 2], [0, 1], [0, 2])
    unfinished = preemptions(ROUND, points)
    tasks = caught.value.tasks
    for task, after in zip(tasks, (*tasks[1:], tasks[0]), strict=True):
        assert (task, after) in unfinished, "each starts while the one before it is unfinished"


def by_levels(
    starts: list[tuple[Fraction, int]], longest: list[Fraction], level: dict[int, int]
) -> list[Step]:
    """What a preemptive scheduler does; on one level the first that is ready runs to its end."""
    steps: list[Step] = []
    ready: list[list[Any]] = []  # task, left, has begun
    now = Fraction(0)
    due = list(starts)
    while ready or due:
        while due and due[0][0] <= now:
            ready.append([due.pop(0)[1], None, False])
            ready[-1][1] = longest[ready[-1][0]]
        until = due[0][0] if due else None
        if not ready:
            assert until is not None
            now = until
            continue
        top = max(level[task] for task, _, _ in ready)
        own = next(job for job in ready if level[job[0]] == top)
        if not own[2]:
            steps.append(Step(now, "S", own[0]))
            own[2] = True
        taken = own[1] if until is None else min(own[1], until - now)
        now += taken
        own[1] -= taken
        if own[1] == 0:
            steps.append(Step(now, "E", own[0]))
            ready.remove(own)
    return steps


@given(st.integers(0, 2**32), st.integers(1, 7))
def test_a_preemptive_scheduler_does_what_the_table_says(seed: int, tasks: int) -> None:
    random = Random(seed)
    table = drawn_table(random, tasks, ROUND, GRID)
    longest = [Fraction(random.randint(1, 10)) for _ in range(tasks)]
    count = [sum(point.task == task for point in table.points) for task in range(tasks)]
    points = [
        Activation(p.task, p.offset, longest[p.task], ROUND / count[p.task]) for p in table.points
    ]
    try:
        levels = table_levels(ROUND, points)
    except CyclicPreemption:
        reject()
    shorter = [one - random.randint(0, 2) * one / 3 for one in longest]
    starts = [(k * ROUND + point.offset, point.task) for k in range(4) for point in table.points]
    jobs = _jobs(starts, list(dispatched(starts, longest)))
    assume(all(end.at <= start + ROUND / count[end.task] for start, end in jobs))
    for lasting in (longest, shorter):
        assert by_levels(starts, lasting, levels) == list(dispatched(starts, lasting))
    # And no fewer: each level above the first has a task that must preempt one of the level below.
    unfinished = preemptions(ROUND, points)
    for task, level in levels.items():
        assert level == 1 or any((o, task) in unfinished and levels[o] == level - 1 for o in levels)


def _jobs(starts: list[tuple[Fraction, int]], steps: list[Step]) -> list[tuple[Fraction, Step]]:
    """The start and the end of each job."""
    found = []
    for task in {task for _, task in starts}:
        begun = [at for at, one in starts if one == task]
        ended = [step for step in steps if step.kind == "E" and step.task == task]
        found += list(zip(begun, ended, strict=True))
    return found
