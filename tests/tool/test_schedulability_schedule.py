# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines that are missed for certain, beside a schedule step by step."""

from __future__ import annotations

from random import Random

import pytest

from horolog.schedulability import Demand, End, Jobs, Source, missed_by, response_bounds


def first_miss(
    above: list[Jobs], mine: Jobs, work: int, deadline: int, length: int = 1000
) -> int | None:
    """The release of the first job that is late, by steps of one; all tasks have levels of their own."""
    tasks = sorted((*above, mine), key=lambda one: -one.level)
    left: list[list[list[int]]] = [[] for _ in tasks]
    late: list[int] = []
    for now in range(length):
        for one, jobs in zip(tasks, left, strict=True):
            k, rest = divmod(now - one.offset, one.period)
            if rest or k < 0 or (one.many is not None and k >= one.many):
                continue
            if one.work and len(jobs) < (one.limit or 1):
                jobs.append([now, one.work])
        jobs = next((jobs for jobs in left if jobs), [])
        if jobs:
            jobs[0][1] -= 1
            if jobs is left[-1] and jobs[0][1] == mine.work - work:
                late += [jobs[0][0]] if now + 1 > jobs[0][0] + deadline else []
            if jobs[0][1] == 0:
                jobs.pop(0)
    rest = mine.work - work
    late += [job[0] for job in left[-1] if job[1] > rest and job[0] + deadline < length]
    return min(late, default=None)


def test_the_first_miss_is_that_of_the_schedule() -> None:
    seen = set()
    for seed in range(250):
        random = Random(seed)

        def drawn(level: int, random: Random = random) -> Jobs:
            period = random.randint(3, 15)
            many = random.choice((None, None, 6))
            limit = random.choice((1, 1, 2, 9))
            work = random.randint(1, max(1, period // 2))
            return Jobs(level, period, random.randint(0, 20), work, limit, many)

        above = [drawn(at + 2) for at in range(random.randint(0, 3))]
        mine = drawn(1)
        work, deadline = random.randint(1, mine.work), random.randint(1, 3 * mine.period)
        expected = first_miss(above, mine, work, deadline)
        found, steps = missed_by(above, mine, work, deadline, 400)
        assert found == expected
        assert steps <= 400
        seen.add(found is None)
    assert seen == {True, False}


def test_what_is_dropped_above_gives_time_below() -> None:
    """Each second release of the one above is dropped: all of them would leave no time."""
    above = [Jobs(3, 100, 0, 4), Jobs(2, 10, 0, 12)]
    mine = Jobs(1, 100, 0, 7)
    assert missed_by(above, mine, 7, 40, 1000)[0] is None
    assert missed_by([*above[:1], Jobs(2, 10, 0, 12, limit=9)], mine, 7, 40, 1000)[0] == 0


@pytest.mark.parametrize(
    "above",
    [[Jobs(2, 10, 0, 6), Jobs(2, 10, 0, 6)], [Jobs(2, 10, 0, 12, limit=None)]],
    ids=["two of one level", "a shared thread"],
)
def test_nothing_is_certain_once_it_is_not_known_what_is_dropped(above: list[Jobs]) -> None:
    assert missed_by(above, Jobs(1, 100, 0, 5), 5, 30, 1000)[0] is None
    assert missed_by(above, Jobs(1, 100, 0, 5), 5, 5, 1000)[0] == 0


def test_a_search_ends() -> None:
    fast, slow = Jobs(2, 2, 0, 1), Jobs(1, 1000, 0, 1)
    assert missed_by([fast], slow, 1, 2, 500) == (None, 500)
    assert missed_by([], Jobs(1, 10, 0, 1, many=1), 1, 2, 500) == (None, 2)


def test_no_proved_deadline_is_missed() -> None:
    for seed in range(200):
        random = Random(seed)
        sources = []
        for at in range(4):
            period = random.choice((6, 8, 12, 24))
            work = random.randint(1, 4)
            deadline = random.randint(work, period)
            offset = random.randint(0, period)
            ends = (End(at, work, deadline),)
            sources.append(Source(f"t{at}", 9 - at, period, work, offset=offset, ends=ends))
        jobs = [Jobs(one.level, one.period, one.offset or 0, one.cost) for one in sources]
        bounds = response_bounds(Demand(tuple(sources), {}))
        holds = [one.holds for one in bounds]
        for at, source in enumerate(sources):
            missed = missed_by(jobs[:at], jobs[at], source.cost, source.ends[0].deadline, 500)[0]
            if bounds[at].by_offsets and all(
                holds[:at]
            ):  # such a bound is a response of the schedule
                assert holds[at] == (missed is None)
            elif all(holds[: at + 1]):
                assert missed is None
