# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which tasks share a thread, and the system as its threads see it.

Tasks share a thread that may (`Task.shares`) and that have one rank, one level, one period and one offset:
they are always released together, and would run one after the other in any case. To a releaser, a store and
the dispatch such a thread is one task. So the plan and the generated releasers are made for the *system of
threads*: each thread's first task stands for all its tasks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from horolog.analyse.levels import levels, rank
from horolog.analyse.memo import remembered
from horolog.analyse.releases import HOP_COUNTS
from horolog.model import Kind, Plan, Releaser, Resource, Sporadic, System, Task

__all__ = [
    "of_threads",
    "shared_threads",
    "thread_of",
    "threads_apart",
    "with_all_tasks",
    "with_threads_only",
]


@remembered
def shared_threads(system: System) -> tuple[tuple[int, ...], ...]:
    """The tasks of each thread that several share, ascending; the threads by their first task."""
    if not any(task.shares for task in system.tasks):
        return ()
    on, hz = levels(system), system.board.clock.hz
    found: dict[object, list[int]] = defaultdict(list)
    for index, task in enumerate(system.tasks):
        if task.shares and task.kind is Kind.THREAD and task.period * hz <= HOP_COUNTS:
            found[on[index], rank(system, index), task.period, task.offset].append(index)
    return tuple(sorted(tuple(tasks) for tasks in found.values() if len(tasks) > 1))


def threads_apart(system: System) -> System:
    """`system` with a thread for each task that is none of the basic ones, whatever it says of sharing."""
    return replace(system, tasks=tuple(replace(task, shares=False) for task in system.tasks))


@remembered
def _followers(system: System) -> dict[int, int]:
    """The first task of its thread, of each task that is not the first."""
    return {index: tasks[0] for tasks in shared_threads(system) for index in tasks[1:]}


@remembered
def thread_of(system: System) -> tuple[int, ...]:
    """For each task the first one of its thread, which may be itself."""
    first = _followers(system)
    return tuple(first.get(index, index) for index in range(len(system.tasks)))


@remembered
def _firsts(system: System) -> tuple[int, ...]:
    """The tasks that stand for a thread, or for themselves."""
    first = _followers(system)
    return tuple(index for index in range(len(system.tasks)) if index not in first)


@remembered
def of_threads(system: System) -> System:
    """`system` with one task for each thread; itself if no thread is shared."""
    shared = {tasks[0]: tasks for tasks in shared_threads(system)}
    if not shared:
        return system
    own = _firsts(system)
    at = {index: position for position, index in enumerate(own)}
    return replace(
        system,
        tasks=tuple(
            _thread(system, shared[index]) if index in shared else system.tasks[index]
            for index in own
        ),
        resources=tuple(_resource(system, one, at) for one in system.resources),
        sporadic=tuple(_served(one, at) for one in system.sporadic),
        cell_schedules=tuple(
            one.behind(len(system.tasks) - len(own)) for one in system.cell_schedules
        ),
    )


def _served(one: Sporadic, at: Mapping[int, int]) -> Sporadic:
    """With its server's thread as the system of threads numbers it; a server shares no thread."""
    if one.server is None:
        return one
    return replace(one, server=replace(one.server, task=at[one.server.task]))


def _resource(system: System, resource: Resource, at: Mapping[int, int]) -> Resource:
    """With the threads of its users, each of which holds it as long as one of its tasks does.

    And takes it as often as all of them.
    """
    holds: dict[int, list[Fraction | None]] = defaultdict(list)
    requests: dict[int, int] = defaultdict(int)
    first, behind = thread_of(system), len(at) - len(system.tasks)  # of sporadic tasks
    for index, hold in resource.users:
        thread = index + behind if index >= len(system.tasks) else at[first[index]]
        holds[thread].append(hold)
        requests[thread] += resource.requests_of(index)

    def longest(of: list[Fraction | None]) -> Fraction | None:
        return None if None in of else max(hold for hold in of if hold is not None)

    tasks = tuple(sorted(holds))
    return replace(
        resource,
        tasks=tasks,
        holds=tuple(longest(holds[index]) for index in tasks),
        requests=tuple(requests[index] for index in tasks),
    )


def _thread(system: System, tasks: tuple[int, ...]) -> Task:
    every = [system.tasks[index] for index in tasks]
    first, wcets = every[0], [task.wcet for task in every]
    return replace(
        first,
        name=f"{first.name} (+{len(every) - 1})",
        wcet=None if None in wcets else sum((w for w in wcets if w is not None), Fraction(0)),
        stack=max(task.stack for task in every) + system.board.port.stacks.shared,
        bodies=len(every),
    )


def with_all_tasks(system: System, plan: Plan) -> Plan:
    """`plan`, made for of_threads(system), for the tasks of `system`."""
    own = _firsts(system)
    shared = {tasks[0]: tasks for tasks in shared_threads(system)}
    if not shared:
        return plan
    return _with_tasks(
        plan,
        lambda tasks: [one for at in tasks for one in shared.get(own[at], (own[at],))],
    )


def with_threads_only(system: System, plan: Plan) -> Plan:
    """`plan`, for the tasks of `system`, for those of of_threads(system)."""
    if not shared_threads(system):
        return plan
    at = {index: position for position, index in enumerate(_firsts(system))}
    return _with_tasks(plan, lambda tasks: [at[index] for index in tasks if index in at])


def _with_tasks(plan: Plan, of: Callable[[tuple[int, ...]], list[int]]) -> Plan:
    return replace(
        plan,
        releasers=tuple(_releaser(releaser, of(releaser.tasks)) for releaser in plan.releasers),
    )


def _releaser(releaser: Releaser, tasks: Iterable[int]) -> Releaser:
    return replace(releaser, tasks=tuple(sorted(tasks)))
