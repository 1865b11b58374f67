# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Priority levels: which of the board's levels each task runs at, and what dispatches it there.

Basic tasks are more urgent than all threads, unless priorities are explicit and say otherwise. The
controller dispatches those that are more urgent than every thread, on levels of its own; a basic task
that is not, and every one on a board without a controller, runs in a thread of the kernel's, which has a
level among those of the threads (extended tasks, after SLEEPY SLOTH, turned round).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial

from horolog.analyse.memo import remembered
from horolog.analyse.priority_grid import shared_levels
from horolog.model import HorologError, Interrupt, Kind, PriorityRule, Releaser, System, Task

__all__ = [
    "Dispatcher",
    "all_dispatchers",
    "all_levels",
    "basic_levels",
    "common_levels",
    "dispatchers",
    "expiry_level",
    "is_basic",
    "levels",
    "may_preempt",
    "rank",
]


class Dispatcher(Enum):
    """What starts a task's jobs: the kernel, a thread of the kernel, or the interrupt controller."""

    KERNEL = "kernel"  # a thread
    LINE_THREAD = "line thread"  # a basic task, which the kernel's thread for its line runs
    CONTROLLER = "controller"  # a basic task, as an interrupt at its level


@remembered
def levels(system: System) -> tuple[int, ...]:
    """Returns the level of each periodic task, from 1 on; larger is more urgent.

    Tasks are ranked by period (rate-monotonic) or by relative deadline (deadline-monotonic),
    shortest first; equal ones share a rank. With R ranks on L levels:

    - R <= L: rank 0 gets level R, the last rank level 1; nothing is shared and nothing skipped.
    - R > L: neighbouring ranks share, so that the deadlines on a level differ by the smallest factor
      (priority_grid.py). That keeps the order and uses every level.

    Explicit priorities of threads are taken as they are given while all lie in 1..L; otherwise they
    only rank the tasks, largest first, and the two rules above apply.

    The tasks of a dispatcher table have levels above all of these, those that the table says
    (table_levels.py); L is smaller by them. Threads have L = `board.levels`. What the controller dispatches
    is ranked by itself, with L = basic_levels(board): these are the controller's levels, all of them above
    the threads'. What a thread of the kernel's runs has a level among the threads', by the explicit priority
    or, without priorities, above all of them.
    """
    return all_levels(system)[: len(system.tasks)]


@remembered
def all_levels(system: System) -> tuple[int, ...]:
    """Returns the level of each of System.all_tasks as levels(); those of a server have the server's."""
    by = all_dispatchers(system)
    server = {served: thread for thread, served in system.served.items()}
    found: dict[int, int] = {}
    controller = [i for i, one in enumerate(by) if one is Dispatcher.CONTROLLER]
    # The interrupts of monitored deadlines, of budgets and of expiry points are above all tasks.
    above = system.has_guards or expiry_level(system) is not None
    available = basic_levels(system) - above
    found.update(_below_table(system, controller, available, partial(_ranked, system)))
    threads = [
        i for i, one in enumerate(by) if one is not Dispatcher.CONTROLLER and i not in server
    ]
    available = system.board.levels
    found.update(_below_table(system, threads, available, partial(_in_software, system)))
    found.update({served: found[thread] for served, thread in server.items()})
    return tuple(found[index] for index in range(len(by)))


@remembered
def common_levels(system: System) -> tuple[int, ...]:
    """Returns the level of each task where one kernel dispatches all of them as threads.

    Other kernels have these; basic tasks still go before threads.
    """
    found = _below_table(
        system,
        range(len(system.tasks)),
        system.board.levels,
        partial(_given_or_ranked, system),
    )
    return tuple(level for _, level in sorted(found.items()))


@remembered
def dispatchers(system: System) -> tuple[Dispatcher, ...]:
    """Returns the dispatcher of each task, in the order of `system.tasks`."""
    return all_dispatchers(system)[: len(system.tasks)]


@remembered
def all_dispatchers(system: System) -> tuple[Dispatcher, ...]:
    """Returns the dispatcher of each of System.all_tasks, sporadic ones included."""
    own = (one.task for one in system.sporadic if one.server is None)
    threads = [task for task in (*system.tasks, *own) if task.kind is Kind.THREAD]
    most_urgent: int | None = None
    if system.priorities is PriorityRule.EXPLICIT and threads:
        most_urgent = max(_explicit(task) for task in threads)

    def of(task: Task) -> Dispatcher:
        if task.kind is Kind.THREAD:
            return Dispatcher.KERNEL
        if system.board.controller is None:
            return Dispatcher.LINE_THREAD
        above = most_urgent is None or task.table_level is not None or _explicit(task) > most_urgent
        return Dispatcher.CONTROLLER if above else Dispatcher.LINE_THREAD

    return tuple(of(task) for task in system.all_tasks)


def may_preempt(system: System, task: int, interrupt: Interrupt) -> bool:
    """Whether a task, an index of System.all_tasks, may interrupt the handler of `interrupt`.

    A basic task that the controller dispatches may, unless its level is known to be no higher than the
    handler's (port.toml's `compares_levels`).
    """
    if all_dispatchers(system)[task] is not Dispatcher.CONTROLLER:
        return False
    level = all_levels(system)[task]
    return not system.board.port.compares_levels or level > interrupt.priority + 1


def basic_levels(system: System) -> int:
    """Returns the number of levels that the board has for basic tasks."""
    return system.board.basic_levels or system.board.levels


def expiry_level(system: System) -> int | None:
    """Returns the controller's level of the time-outs' cell, if tables activate tasks on the controller.

    It is above those of all tasks, as else an activation would wait for less urgent ones. None: the cell is
    below them, as others that release threads.
    """
    by = all_dispatchers(system)
    tasks = (task for table in system.clock_schedules for task in table.tasks)
    if any(by[len(system.tasks) + task] is Dispatcher.CONTROLLER for task in tasks):
        return basic_levels(system)
    return None


def is_basic(system: System, releaser: Releaser) -> bool:
    """Whether a releaser's tasks are basic: either all of them are, or none is."""
    return bool(releaser.tasks) and system.tasks[releaser.tasks[0]].kind is Kind.BASIC


def rank(system: System, index: int) -> Fraction:
    """Returns the key by which levels() ranks tasks of one kind, smallest for the most urgent.

    It compares tasks of a dispatcher table with each other, and all other tasks with each other.
    """
    task = system.task(index)
    if task.table_level is not None:
        return Fraction(-task.table_level)
    if system.priorities is PriorityRule.EXPLICIT:
        return Fraction(-_explicit(task))
    deadline = system.priorities is PriorityRule.DEADLINE_MONOTONIC
    return task.deadline if deadline else task.period


def _below_table(
    system: System,
    tasks: Sequence[int],
    available: int,
    others: Callable[[Sequence[int], int], Mapping[int, int]],
) -> dict[int, int]:
    """Returns the levels of `tasks`: `others` says those of all but a table's, which are above them."""
    tabled = {
        index: level for index in tasks if (level := system.task(index).table_level) is not None
    }
    most = max(1, available - max(tabled.values(), default=0))
    found = dict(others([index for index in tasks if index not in tabled], most))
    top = max(found.values(), default=0)
    return {**found, **{index: top + level for index, level in tabled.items()}}


def _in_software(system: System, tasks: Sequence[int], available: int) -> Mapping[int, int]:
    """Returns the levels of threads, and of basic tasks that run in the kernel's threads."""
    basic = [index for index in tasks if system.task(index).kind is Kind.BASIC]
    if not basic:
        return _given_or_ranked(system, tasks, available)
    if system.priorities is PriorityRule.EXPLICIT:
        return _given_or_ranked(system, tasks, available)
    above = _ranked(system, basic, min(available, basic_levels(system)))
    threads = [index for index in tasks if index not in above]
    left = available - max(above.values())
    below = _ranked(system, threads, max(1, left))
    top = max(below.values(), default=0)
    return {**below, **{index: top + level for index, level in above.items()}}


def _given_or_ranked(system: System, tasks: Sequence[int], available: int) -> Mapping[int, int]:
    """Returns explicit priorities that are levels; else ranks of all `tasks` over the `available` ones."""
    if system.priorities is PriorityRule.EXPLICIT:
        given = {index: _explicit(system.task(index)) for index in tasks}
        if all(1 <= priority <= available for priority in given.values()):
            return given
    return _ranked(system, tasks, available)


def _ranked(system: System, tasks: Iterable[int], available: int) -> Mapping[int, int]:
    explicit = system.priorities is PriorityRule.EXPLICIT
    key = {
        index: (not explicit and system.task(index).kind is Kind.THREAD, rank(system, index))
        for index in tasks
    }
    distinct = sorted(set(key.values()))
    ranks = len(distinct)
    if ranks <= available:
        level = {one: ranks - at for at, one in enumerate(distinct)}
    else:
        deadlines: dict[tuple[bool, Fraction], list[Fraction]] = {one: [] for one in distinct}
        for index, one in key.items():
            deadlines[one].append(system.task(index).deadline)
        shared = shared_levels([deadlines[one] for one in distinct], available)
        level = dict(zip(distinct, shared, strict=True))
    return {index: level[one] for index, one in key.items()}


def _explicit(task: Task) -> int:
    if task.priority is None:
        raise HorologError(
            f'task {task.name} has no priority, but priorities are "explicit"',
            place=task.place,
            expected="priority = N, larger is more urgent",
        )
    return task.priority
