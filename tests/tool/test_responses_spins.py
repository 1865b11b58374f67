# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Waits of cores for resources of several: no simulated response is above its bound; what is in bounds."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

import pytest
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.model import (
    MutexKind,
    Place,
    PriorityRule,
    Resource,
    System,
    on_cores,
    part_of,
    parts_of,
)
from horolog.plan import plan, read_prices
from horolog.read import read_board
from horolog.responses import analysis_of, factor_of
from horolog.responses.demand_of import demand_of
from horolog.responses.spins import Spins
from horolog.responses.units import units_of
from horolog.schedulability import response_bounds

PLACE = Place("system.toml")
NAMES = ("x", "y")


@dataclass
class Job:
    task: int
    release: int
    steps: list[str | None]  # of each unit of time: the resource that it has
    done: int = 0


@dataclass
class Core:
    """Runs the jobs of its tasks; the smaller a task's number, the more urgent."""

    ready: list[Job] = field(default_factory=list)
    locked: Job | None = None  # it waits for a resource, or has one: nothing else runs

    def chosen(self) -> Job | None:
        if self.locked is not None:
            return self.locked
        # One that has begun goes before its next job; none of another task is of its priority.
        return min(self.ready, key=lambda one: (one.task, one.release), default=None)


def simulated(
    jobs: Sequence[Job], on: Sequence[int], cores: int, until: int
) -> tuple[dict[int, int], int]:
    """The longest response of each task, and how long cores have waited in all."""
    every = [Core() for _ in range(cores)]
    longest: dict[int, int] = {}
    queues: dict[str, deque[Core]] = {name: deque() for name in NAMES}
    released: dict[int, list[Job]] = {}
    for job in jobs:
        released.setdefault(job.release, []).append(job)
    waited = 0
    for now in range(until):
        for job in released.get(now, ()):
            every[on[job.task]].ready.append(job)
        running = [(core, one) for core in every if (one := core.chosen()) is not None]
        for core, job in running:
            wanted = job.steps[job.done]
            if wanted is not None and core.locked is None:
                core.locked = job
                queues[wanted].append(core)
        first = {name: queue[0] for name, queue in queues.items() if queue}
        for core, job in running:
            has = job.steps[job.done]
            if has is not None and first[has] is not core:
                waited += 1
                continue
            job.done += 1
            ended = job.done == len(job.steps)
            if has is not None and (ended or job.steps[job.done] != has):
                core.locked = None
                assert queues[has].popleft() is core
            if ended:
                core.ready.remove(job)
                longest[job.task] = max(longest.get(job.task, 0), now + 1 - job.release)
    return longest, waited


def drawn(random: Random, cores: int) -> tuple[System, list[list[str | None]]]:
    """Two or three tasks a core, with one or two sections each; and the steps of their jobs."""
    tasks, steps, on = [], [], []
    for number in range(cores * 3 - random.randrange(2)):
        mine: list[str | None] = [None] * random.randint(0, 1)
        for _ in range(random.randint(1, 2)):
            mine += [random.choice(NAMES)] * random.randint(1, 3) + [None]
        steps.append(mine if random.randrange(2) else mine[:-1])
        period = random.choice((24, 30, 36, 40))
        on.append(number % cores)
        tasks.append(
            make_task(str(number), ms(period), wcet=ms(len(steps[-1])), priority=99 - number)
        )
    resources = []
    for name in NAMES:
        users = [at for at, of in enumerate(steps) if name in of]
        if users:
            holds = tuple(ms(longest_section(steps[at], name)) for at in users)
            often = tuple(sections(steps[at], name) for at in users)
            resources.append(Resource(name, tuple(users), PLACE, holds, spin=True, requests=often))
    board = replace(make_board(ns_per_instruction=None), cores=cores)
    system = make_system(board=board, tasks=tasks, priorities=PriorityRule.EXPLICIT)
    system = replace(system, resources=tuple(resources), cores=cores, cores_with_tasks=cores)
    return on_cores(system, on), steps


def longest_section(steps: Sequence[str | None], name: str) -> int:
    found = now = 0
    for one in steps:
        now = now + 1 if one == name else 0
        found = max(found, now)
    return found


def sections(steps: Sequence[str | None], name: str) -> int:
    return sum(
        one == name and before != name for before, one in zip([None, *steps], steps, strict=False)
    )


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 2000), marks=pytest.mark.soak)]
)
def test_no_simulated_response_is_above_its_bound(seeds: Sequence[int]) -> None:
    """On two and three cores; some responses come near their bounds, and without the waits some are above."""
    waits, without, nearest = 0, 0, Fraction(0)
    for seed in seeds:
        random = Random(seed)
        cores = 2 + seed % 2
        system, steps = drawn(random, cores)
        on = [task.core or 0 for task in system.tasks]
        bounds: dict[int, Fraction] = {}
        idle: dict[int, Fraction] = {}
        for part in parts_of(system):
            free = replace(
                part.system,
                resources=tuple(replace(one, elsewhere=()) for one in part.system.resources),
            )
            for kept, of in ((bounds, part.system), (idle, free)):
                demanded = demand_of(of, None)
                for bound in response_bounds(demanded.demand, 0):
                    if bound.response is not None:
                        kept[part.tasks[bound.task]] = Fraction(bound.response, demanded.unit)
        for _ in range(10):
            jobs = []
            for task, one in enumerate(system.tasks):
                period = int(one.period * 1000)
                first = random.randrange(period)
                jobs += [Job(task, at, steps[task]) for at in range(first, 120, period)]
            found, waited = simulated(jobs, on, cores, 180)
            waits += waited
            for task, response in found.items():
                if task in bounds:
                    assert ms(response) <= bounds[task], (seed, task, steps)
                    nearest = max(nearest, ms(response) / bounds[task])
                    without += ms(response) > idle[task]
    assert waits > 50 * len(seeds)
    assert without > 0, "the waits are in the bounds, and have to be"
    assert nearest > Fraction(3, 4)


def of_two_cores() -> System:
    """A task on each core; the resource `x` is held for 2 and for 3 ms."""
    tasks = [
        make_task("a", ms(20), wcet=ms(4), priority=2),
        make_task("b", ms(20), wcet=ms(5), priority=1),
    ]
    resource = Resource("x", (0, 1), PLACE, (ms(2), ms(3)), spin=True, requests=(2, 1))
    board = replace(make_board(), cores=2)
    system = make_system(board=board, tasks=tasks, priorities=PriorityRule.EXPLICIT)
    return replace(system, resources=(resource,), cores=2, cores_with_tasks=2)


def test_each_request_waits_for_the_longest_section_of_each_other_core() -> None:
    one, two = parts_of(on_cores(of_two_cores(), [0, 1]))
    for part, response in ((one, 4 + 2 * 3), (two, 5 + 1 * 2)):
        (bound,) = analysis_of(part.system, None).bounds
        assert bound.response == ms(response)
        assert bound.parts["kernel"] == ms(response) - (part.system.tasks[0].wcet or 0)
    (alone,) = parts_of(on_cores(of_two_cores(), [0, 0]))[:1]
    bounds = analysis_of(alone.system, None).bounds
    assert [one.response for one in bounds] == [ms(4 + 3), ms(4 + 5)], (
        "the lower one holds it off, once"
    )


def test_waits_get_longer_with_the_bodies_that_are_waited_for() -> None:
    (part, _) = parts_of(on_cores(of_two_cores(), [0, 1]))
    demand = demand_of(part.system, None).demand
    (source,), (twice,) = demand.sources, demand.scaled(2, 1).sources
    assert (twice.cost, twice.kernel, twice.spin) == (
        2 * source.cost,
        2 * source.kernel,
        2 * source.spin,
    )
    assert twice.ends[0].work == 2 * source.ends[0].work
    (half,) = demand.scaled(1, 2).sources
    assert (half.kernel, half.spin) == (source.kernel, source.spin), (
        "others may take what they took"
    )
    assert half.cost == source.cost - (source.cost - source.kernel) // 2
    assert factor_of(analysis_of(part.system, None)) == 2


def test_the_lock_takes_time_where_the_kernel_does() -> None:
    board = replace(make_board(), cores=2, port=replace(make_board().port, spinlock_steps=1000))
    (part, _) = parts_of(on_cores(replace(of_two_cores(), board=board), [0, 1]))
    units = units_of(part.system)
    free, taken = (Spins(part.system, units, with_kernel=on) for on in (False, True))
    step = units.steps(1)
    assert step > 0
    assert taken.waits_of_job(0) == free.waits_of_job(0) == free.of_job(0)
    assert (
        taken.of_job(0) - free.of_job(0) == 2 * 2 * 1000 * step
    )  # its own, and the other's of each request
    assert taken.longest - free.longest == 2 * 1000 * step


def test_a_mutex_is_held_for_the_waits_in_it() -> None:
    """Its section may have one that waits for another core."""
    other = make_task("c", ms(40), wcet=ms(4), priority=3)
    system = of_two_cores()
    system = replace(
        system,
        tasks=(*system.tasks, other),
        resources=(
            *system.resources,
            Resource("m", (0, 2), PLACE, (ms(1), ms(1)), MutexKind.INHERITANCE),
        ),
    )
    (part, _) = parts_of(on_cores(system, [0, 1, 0]))
    bounds = {one.task: one.parts["blocking"] for one in analysis_of(part.system, None).bounds}
    assert bounds == {0: 0, 1: ms(2 + 3) + ms(1 + 2 * 3)}


def test_users_without_a_core_count_as_if_each_were_on_one_of_its_own() -> None:
    tasks = [make_task(str(at), ms(20), wcet=ms(6)) for at in range(5)]
    holds = tuple(ms(one) for one in (1, 5, 4, 3, 2))
    resource = Resource("x", (0, 1, 2, 3, 4), PLACE, holds, spin=True)
    system = make_system(board=replace(make_board(), cores=3), tasks=tasks)
    system = replace(system, resources=(resource,), cores=3, cores_with_tasks=3)

    def elsewhere(system: System) -> tuple[Fraction, ...]:
        (found,) = part_of(system, 0, [0]).system.resources
        return found.elsewhere

    assert elsewhere(system) == (ms(5), ms(4)), "the longest of as many as there are other cores"
    assert elsewhere(on_cores(system, [0, 1, 1, 2, 2])) == (ms(5), ms(3))
    assert elsewhere(on_cores(system, [0, 1, 1, 1, 1])) == (ms(5),)
    fixed = replace(
        system,
        tasks=tuple(
            replace(one, core=at) for one, at in zip(tasks, (0, 1, 1, None, 2), strict=True)
        ),
    )
    assert elsewhere(fixed) == (ms(5), ms(3))


def test_services_wait_for_their_lock_where_other_cores_use_some() -> None:
    """Each section with interrupts off begins with a wait for one of each other core."""

    def blocked(cores: int, mutex: bool) -> Fraction:
        tasks = [make_task(str(at), ms(40), wcet=ms(1), priority=9 - at) for at in range(4)]
        board = replace(read_board("ibex-cells"), cores=cores)
        of = Resource("m", (1, 2), PLACE, (ms(1), ms(1)), MutexKind.CEILING)
        system = make_system(board=board, tasks=tasks, priorities=PriorityRule.EXPLICIT)
        system = replace(system, resources=(of,) * mutex, cores=cores, cores_with_tasks=cores)
        system = on_cores(system, [0, 0, 0, cores - 1]) if cores > 1 else system
        part = parts_of(system)[0].system
        found = analysis_of(part, plan(part).choice, read_prices(part.board))
        return found.bounds[0].parts["blocking"]

    step = Fraction(20, 10**9)
    alone, two, four = (blocked(cores, mutex=True) for cores in (1, 2, 4))
    assert two - alone == 3 * 300 * step, "of the three sections of a call of a mutex"
    assert four - two == 2 * 3 * 300 * step
    assert blocked(2, mutex=False) == blocked(1, mutex=False), "the kernel itself takes no lock"
