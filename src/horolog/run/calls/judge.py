# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a basic task must not do, as far as its code shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from horolog.model import HorologError, Task
from horolog.read.problems import raise_all
from horolog.run.calls.graph import Body, Calls, Spot, Wait

__all__ = ["check_basic_tasks"]


def check_basic_tasks(calls: Calls, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    """Notes on the basic tasks whose bodies are the roots of `calls`; `tasks` is by root.

    Raises HorologError (2), or several of them at once, with the task's place: for a call that only
    threads can make, and for recursion, whose stack has no bound. Calls that may wait, until an
    instant that is not visible where they are called, are notes: the kernel checks them when it runs.
    """
    errors: list[HorologError] = []
    notes: list[str] = []
    for body in calls.bodies:
        task = tasks.get(body.root)
        if task is not None:
            errors += [_waits(task, wait) for wait in body.waits if wait.certain]
            errors += [_recursion(task, cycle) for cycle in body.cycles]
            notes += _notes(task, body)
    raise_all(errors)
    return tuple(notes)


def _waits(task: Task, wait: Wait) -> HorologError:
    return HorologError(
        f'basic task "{task.name}" calls {wait.call}, which only a thread can do',
        place=task.place,
        found=_chain(wait.path, wait.call),
        expected='kind = "thread", or nothing that waits; with HRL_NO_WAIT a semaphore, queue, event, '
        "pool or alarm can be asked",
    )


def _recursion(task: Task, cycle: Sequence[Spot]) -> HorologError:
    return HorologError(
        f'basic task "{task.name}" reaches a recursion: nothing bounds its part of the common stack',
        place=task.place,
        found=_chain(cycle, cycle[0].function),
        expected='a loop, or kind = "thread", whose stack is its own',
    )


def _notes(task: Task, body: Body) -> list[str]:
    return [
        f'{task.place}: basic task "{task.name}" may wait: {_chain(wait.path, wait.call)}; until when '
        "is not visible there, HRL_NO_WAIT would be right"
        for wait in body.waits
        if not wait.certain
    ]


def _chain(path: Sequence[Spot], last: str) -> str:
    """Who calls whom, and where."""
    callees = [callee.function for _, callee in pairwise(path)] + [last]
    return ", ".join(
        f"{spot.function} calls {callee} at {spot.source or hex(spot.address)}"
        for spot, callee in zip(path, callees, strict=True)
    )
