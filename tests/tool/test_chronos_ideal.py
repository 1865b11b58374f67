# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulated kernel of zero cost: by hand, and against one that steps through every unit of time."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.report_fixture import MS, system, task

from horolog_experiments.chronos import Ideal, Job, first_miss, ideal_tasks, most_work, simulate


def stepped(tasks: list[Ideal], end: int, until: int) -> list[Job]:
    """One unit of the most urgent job at a time, with the ready jobs in a plain list."""
    ready: list[list[int]] = []  # level, number in order of arrival, task, release, left
    done, arrived = [], 0
    for now in range(until):
        due = [
            (task.period, index)
            for index, task in enumerate(tasks)
            if now % task.period == 0
            and (task.releases is None or now // task.period < task.releases)
        ]
        for _, index in sorted(due):
            ready.append([tasks[index].level, arrived, index, now, tasks[index].cost])
            arrived += 1
        if ready:
            chosen = min(ready, key=lambda job: (-job[0], job[1]))
            chosen[4] -= 1
            if chosen[4] == 0:
                ready.remove(chosen)
                if chosen[3] < end:
                    done.append(Job(chosen[2], chosen[3], now + 1))
    return done


@st.composite
def sets(draw: st.DrawFn) -> list[Ideal]:
    return [
        Ideal(
            draw(st.integers(1, 3)),
            period := draw(st.integers(2, 12)),
            draw(st.integers(1, max(1, period // 2))),
            draw(st.sampled_from([None, None, 1, 3])),
        )
        for _ in range(draw(st.integers(1, 5)))
    ]


def over(tasks: list[Ideal], end: int) -> int:
    """From here on all deadlines have passed."""
    return end + max(task.period for task in tasks)


@given(sets(), st.integers(1, 60))
def test_the_simulation_agrees_with_one_that_steps(tasks: list[Ideal], end: int) -> None:
    jobs = list(simulate(tasks, end))
    done = [job for job in jobs if job.end is not None]
    last = max([over(tasks, end), *(job.end or 0 for job in done)])
    assert done == stepped(tasks, end, last)[: len(done)]
    assert all(
        job.end > over(tasks, end) for job in stepped(tasks, end, last)[len(done) :] if job.end
    )
    released = sum(
        min(-(-end // t.period), end if t.releases is None else t.releases) for t in tasks
    )
    assert len(jobs) == released


@given(sets(), st.integers(1, 60))
def test_a_miss_is_the_first_job_behind_its_deadline(tasks: list[Ideal], end: int) -> None:
    missed = first_miss(tasks, end)
    done = stepped(tasks, end, over(tasks, end))
    late = [j for j in done if j.end and j.end > j.release + tasks[j.task].period]
    if missed is None:
        assert late == []
    elif missed.end is None or missed.end > over(tasks, end):
        assert late == []
        assert missed not in done
    else:
        assert late[0] == missed


def test_the_urgent_preempt_and_equals_do_not() -> None:
    urgent, plain = Ideal(2, 4, 1), Ideal(1, 12, 5)
    assert list(simulate([plain, urgent], 8)) == [
        Job(1, 0, 1),
        Job(1, 4, 5),
        Job(0, 0, 7),  # 1 to 4 and 5 to 7
    ]
    equal = replace(urgent, level=1)
    # At 0 the shorter period is first; the release at 4 waits for the end of what runs.
    assert list(simulate([plain, equal], 8)) == [Job(1, 0, 1), Job(0, 0, 6), Job(1, 4, 7)]


def test_a_deadline_is_met_at_the_next_release_and_not_behind_it() -> None:
    assert first_miss([Ideal(1, 10, 10)], 100) is None
    assert first_miss([Ideal(1, 10, 10), Ideal(2, 1000, 1)], 100) == Job(0, 0, 11)


def test_a_task_that_never_runs_is_late_too() -> None:
    tasks = [Ideal(1, 100, 10), Ideal(2, 2, 2)]
    assert first_miss(tasks, 5) == Job(0, 0, None)
    assert list(simulate(tasks, 3)) == [Job(1, 0, 2), Job(1, 2, 4), Job(0, 0, None)]


def test_a_system_becomes_integers() -> None:
    of = system(
        [task("a", MS / 3, Fraction(64, 10**9)), task("b", MS, Fraction(64, 10**9))], 2 * MS
    )
    tasks, end = ideal_tasks(of, Fraction(11, 10))
    unit = Fraction(end, 62_500)  # 2 ms in instructions
    assert unit.denominator == 1
    assert [t.period / unit for t in tasks] == [Fraction(31_250, 3), 31_250]
    assert [t.cost / unit for t in tasks] == [Fraction(11, 10)] * 2
    assert [t.level for t in tasks] == [2, 1]


@pytest.mark.parametrize(("turn", "stub"), [(1, 0), (2, 5), (7, 3)])
def test_the_most_work_is_found(turn: int, stub: int) -> None:
    """Two tasks of 1 ms and 2 ms: 1.5 jobs a millisecond of 31,250 instructions, but at 2 + 1 in 2 ms."""
    of = system([task("a", MS, MS / 10), task("b", 2 * MS, MS / 10)], 20 * MS)
    most = most_work(of, turn, stub)
    assert most == (62_500 // 3 - stub) // turn
    assert first_miss(*ideal_tasks(of, Fraction(most * turn + stub))) is None
    assert first_miss(*ideal_tasks(of, Fraction((most + 1) * turn + stub))) is not None


def test_nothing_holds_where_the_rest_of_the_body_is_too_long() -> None:
    of = system([task("a", MS, MS / 10)], 20 * MS)
    assert most_work(of, 2, 31_251) == -1
    assert most_work(of, 2, 31_249) == 0
