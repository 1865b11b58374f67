# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of jobs that several processors may run, against schedules with weak affinity, unit by unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

import pytest

from horolog.schedulability.affinities import (
    AffinityBound,
    Arrivals,
    Charge,
    Rival,
    Work,
    affinity_bound,
    kernel_span,
)


@dataclass(frozen=True)
class Task:
    """The most urgent first. `skips`: a release while a job is unfinished is none."""

    cores: tuple[int, ...]
    period: int
    work: int
    offset: int = 0


def bounds(
    tasks: Sequence[Task], most: int = 400, handlers: Sequence[Handler] = ()
) -> list[AffinityBound | None]:
    """From the most urgent one on, each with those above it."""
    rivals: list[Rival] = []
    found = []
    for task in tasks:
        taken = [one for one in handlers if one.core in task.cores]
        # A handler may have begun before the release.
        charges = tuple(Charge(Arrivals(one.period, more=1), one.work) for one in taken)
        one = affinity_bound(task.work, task.cores, rivals, (Work(0, charges),), most)
        found.append(one)
        known = one.response if one is not None and one.response <= task.period else None
        rivals.append(Rival(frozenset(task.cores), task.period, task.work, response=known))
    return found


@dataclass(frozen=True)
class Handler:
    """Of a core, which it takes from whatever runs there."""

    core: int
    period: int
    work: int
    offset: int = 0


def responses(
    tasks: Sequence[Task], until: int, chance: Random, handlers: Sequence[Handler] = ()
) -> list[int]:
    """The longest response of each task. A waiting job takes any core of its affinity that runs a less
    urgent one.
    """
    count = 4
    running: list[int | None] = [None] * count
    busy = [0] * count
    left, released, longest = [0] * len(tasks), [0] * len(tasks), [0] * len(tasks)
    for now in range(until):
        for at, task in enumerate(tasks):
            if now >= task.offset and (now - task.offset) % task.period == 0 and left[at] == 0:
                left[at], released[at] = chance.choice((task.work, task.work, 1)), now
        waiting = [at for at in range(len(tasks)) if left[at] and at not in running]
        while waiting:
            at = waiting.pop(chance.randrange(len(waiting)))
            able = [
                core
                for core in tasks[at].cores
                if (running[core] or 0) > at or running[core] is None
            ]
            if able:
                core = chance.choice(able)
                displaced, running[core] = running[core], at
                waiting += [] if displaced is None else [displaced]
        for one in handlers:
            busy[one.core] += one.work * (
                (now - one.offset) % one.period == 0 and now >= one.offset
            )
        for core, runs in enumerate(running):
            if busy[core]:
                busy[core] -= 1
            elif runs is not None:
                left[runs] -= 1
                if left[runs] == 0:
                    longest[runs] = max(longest[runs], now + 1 - released[runs])
                    running[core] = None
    return longest


def drawn(chance: Random, cores: int, count: int) -> list[Task]:
    found = []
    for _ in range(count):
        period = chance.choice((4, 5, 6, 8, 10, 12, 15, 20))
        wide = chance.random() < 0.5
        of = chance.sample(range(cores), chance.randint(2, cores) if wide else 1)
        work = chance.randint(1, max(1, period // 2))
        found.append(Task(tuple(of), period, work, chance.randrange(period)))
    return sorted(found, key=lambda one: (one.period, one.cores))


def seen(seed: int, systems: int, *, handled: bool = False) -> tuple[int, int]:
    """How many bounds there were, and how many of them a schedule has reached within a unit."""
    chance = Random(seed)
    count = reached = 0
    for _ in range(systems):
        cores = chance.randint(2, 4)
        tasks = drawn(chance, cores, chance.randint(2, 7))
        handlers = [
            Handler(core, chance.randint(7, 12), chance.randint(1, 2), chance.randrange(12))
            for core in range(cores if handled else 0)
        ]
        found = bounds(tasks, handlers=handlers)
        for _ in range(2):
            longest = responses(tasks, 240, chance, handlers)
            for task, bound, took in zip(tasks, found, longest, strict=True):
                assert bound is None or took <= bound.response, (tasks, task)
                count += bound is not None
                reached += bound is not None and took >= bound.response - 1
            tasks = [replace(one, offset=chance.randrange(one.period)) for one in tasks]
    return count, reached


def test_no_response_is_longer_than_its_bound() -> None:
    count, reached = seen(1, 150)
    assert count > 900
    assert reached > count // 3  # so the bounds are no wild guesses


def test_no_response_beside_handlers_is_longer_than_its_bound() -> None:
    count, _ = seen(3, 100, handled=True)
    assert count > 500


@pytest.mark.soak
def test_no_response_of_many_systems_is_longer_than_its_bound() -> None:
    count, reached = seen(2, 20_000)
    assert reached > count // 3
    seen(4, 10_000, handled=True)


def test_a_job_waits_until_all_its_processors_are_busy() -> None:
    high, mid = (
        Rival(frozenset({0, 1}), 20, 4, response=4),
        Rival(frozenset({1}), 20, 6, response=6),
    )
    one = affinity_bound(5, (0, 1), (high,), most=20)
    assert one is not None
    assert (one.response, one.waits) == (6, 1)  # no instant at which two run; a unit to be sure
    two = affinity_bound(5, (0, 1), (high, mid), most=20)
    assert two is not None
    assert (two.response, two.cores) == (10, (0, 1))  # four units at which both run
    alone = affinity_bound(5, (0, 1), (mid, replace(mid, work=9)), most=40)
    assert alone is not None
    assert (alone.response, alone.cores) == (5, (0,))


def test_tasks_of_one_processor_have_no_unfinished_job_before() -> None:
    bound = Rival(frozenset({0}), 10, 4, response=9)
    here = affinity_bound(3, (0,), (bound,), most=20)
    assert here is not None
    assert here.response == 8  # one job of it, and a unit to be sure
    wide = affinity_bound(3, (0,), (replace(bound, cores=frozenset({0, 1})),), most=20)
    assert wide is not None
    assert wide.response == 12  # one ends just behind the release, and another follows


def test_a_body_without_a_bound_keeps_its_processors() -> None:
    unknown = Rival(frozenset({1}), 10, None)
    assert affinity_bound(3, (1,), (unknown,), most=1000) is None
    found = affinity_bound(3, (0, 1), (unknown,), most=1000)
    assert found is not None
    assert (found.response, found.cores) == (3, (0,))


def test_the_smaller_sum_of_the_kernels_work_counts() -> None:
    works = (Work(9), Work(1, (Charge(Arrivals(10, 2), 2),)))
    found = affinity_bound(3, (0,), (), works, 100)
    assert found is not None
    assert (found.response, found.kernel) == (6, 3)
    assert kernel_span(works[1], 100) == 3
    assert kernel_span(Work(0, (Charge(Arrivals(2), 2),)), 100) is None
