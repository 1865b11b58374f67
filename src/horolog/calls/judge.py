# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What basic tasks, and tasks that share a thread, must not do, checked in their compiled code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from horolog.analyse import Dispatcher, lines, of_threads, releases_levels, shared_threads
from horolog.calls.frames import body_root
from horolog.calls.graph import Body, Calls, Spot, Wait, analyse_calls
from horolog.calls.services import OF_THREADS, UNTIL, service
from horolog.image import read_image
from horolog.model import HorologError, Place, System, Task
from horolog.read.problems import raise_all

__all__ = [
    "check_basic_tasks",
    "check_firmware",
    "check_shared_threads",
    "check_without_threads",
    "common_stack",
]

_HOOKS = ("hrl_overrun_hook", "hrl_idle_hook")


def check_firmware(system: System, elf: Path) -> tuple[str, ...]:
    """The notes of check_basic_tasks on the basic tasks of `system`, built as the firmware `elf`."""
    tasks = _basic_tasks(system)
    return check_basic_tasks(analyse_calls(elf, list(tasks)), tasks)


def _basic_tasks(system: System) -> dict[str, Task]:
    """All basic tasks, each by the root of its body."""
    basic = (*system.basic, *system.sporadic_basic)
    return {body_root(system.job(index)): system.task(index) for index in basic}


def check_without_threads(system: System, elf: Path) -> tuple[str, ...]:
    """Check a firmware without threads as check_firmware does, and refuse calls that need threads."""
    tasks = _basic_tasks(system)
    calls = analyse_calls(elf, list(tasks))
    notes = check_basic_tasks(calls, tasks)
    raise_all(
        HorologError(
            f'basic task "{task.name}" calls {name}, and there are no threads in the system',
            place=task.place,
            found=f"basic tasks only, and a call of {name}",
            expected='a call that basic tasks may make, or kind = "thread"; or start in '
            "[system], for threads of the application's own",
        )
        for task, body in zip(tasks.values(), calls.bodies, strict=True)
        for name in body.services
        if name.startswith(OF_THREADS)
    )
    return notes


def check_shared_threads(system: System, elf: Path) -> tuple[str, ...]:
    """Refuse tasks of `system` that may share a thread and wait in `elf`; notes on those that may wait.

    The application's hooks are refused likewise: they run in these threads, or may change their priorities.
    HorologError (2) with the task's place and the path of calls.
    """
    able = [i for i, task in enumerate(system.tasks) if task.shares and task.body is not None]
    if not system.has_sources or not (
        shared_threads(system) or releases_levels(of_threads(system))
    ):
        return ()
    symbols = read_image(elf).symbols
    hooks = analyse_calls(elf, [name for name in _HOOKS if name in symbols])
    errors = [
        _waits_in_a_hook(system, hook.root, wait)
        for hook in hooks.bodies
        for wait in hook.waits
        if wait.certain
    ]
    notes: list[str] = []
    calls = analyse_calls(elf, [body_root(index) for index in able])
    for task, body in zip((system.tasks[index] for index in able), calls.bodies, strict=True):
        errors += [_waits_for_others(task, wait) for wait in body.waits if wait.certain]
        notes += [
            f'{task.place}: task "{task.name}" may share a thread, and may wait: '
            f"{_chain(wait.path, wait.call)}; the time-out is not visible there"
            for wait in body.waits
            if not wait.certain
        ]
    raise_all(errors)
    return tuple(notes)


def _waits_for_others(task: Task, wait: Wait) -> HorologError:
    return HorologError(
        f'task "{task.name}" may share a thread, and calls {wait.call}, which may wait or give way',
        place=task.place,
        found=_chain(wait.path, wait.call),
        expected='waits = true, or share = "never"',
    )


def _waits_in_a_hook(system: System, hook: str, wait: Wait) -> HorologError:
    return HorologError(
        f"{hook} calls {wait.call}, and threads of the system have priorities that do not change",
        place=Place(str(system.path), key="system.share"),
        found=_chain(wait.path, wait.call),
        expected='a hook without this call, or share = "never" in [system]',
    )


def common_stack(system: System, calls: Calls) -> int | None:
    """Bytes that the bodies of basic tasks have on their common stack at most, all levels nested.

    Of each level only the task that needs most counts, as tasks of one level do not interrupt each
    other. `calls` has a body for each of System.all_tasks, in order. None: the need of one task is not
    known. What entries, handlers and the kernel put on the stack between the bodies is not included.
    """
    most: dict[int, int] = {}
    for line in lines(system):
        for index in line.tasks:
            need = calls.bodies[index].stack_bytes
            if need is None:
                return None
            if line.by is Dispatcher.CONTROLLER:
                most[line.level] = max(most.get(line.level, 0), need)
    return sum(most.values())


def check_basic_tasks(calls: Calls, tasks: Mapping[str, Task]) -> tuple[str, ...]:
    """Notes on basic tasks. The roots of `calls` are their bodies; `tasks` has each task by its root.

    Raises HorologError (2), or several of them at once, with the task's place: for a call that only
    threads can make, and for recursion, as its stack has no bound. A call that may wait gives a note if
    its time-out is not visible in the code: the kernel checks it at run time. Calls through pointers and
    stack of a variable size give notes too, as the bound of the stack is then not known.
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
    known = service((wait.call,))
    until = known is not None and known[1] == UNTIL
    does = f"waits in {wait.call}" if until else f"calls {wait.call}, which is for threads alone"
    return HorologError(
        f'basic task "{task.name}" {does}',
        place=task.place,
        found=_chain(wait.path, wait.call),
        expected='kind = "thread"' + (", or not to wait: HRL_NO_WAIT" if until else ""),
    )


def _recursion(task: Task, cycle: Sequence[Spot]) -> HorologError:
    return HorologError(
        f'basic task "{task.name}" reaches a recursion: nothing bounds its part of the common stack',
        place=task.place,
        found=_chain(cycle, cycle[0].function),
        expected='a loop, or kind = "thread", as a thread has a stack of its own',
    )


def _notes(task: Task, body: Body) -> list[str]:
    what = f'{task.place}: basic task "{task.name}"'
    notes = [
        f"{what} may wait: {_chain(wait.path, wait.call)}; the time-out is not visible there, "
        "HRL_NO_WAIT would be right"
        for wait in body.waits
        if not wait.certain
    ]
    own = [doubt for doubt in body.unbounded if not doubt.in_kernel]
    if own and not body.cycles:
        notes.append(f"{what}: nothing visible bounds its part of the common stack: {own[0]}")
    if body.stack_bytes is not None and body.stack_bytes > task.stack:
        notes.append(f"{what} needs {body.stack_bytes} bytes of stack, and stack = {task.stack}")
    return notes


def _chain(path: Sequence[Spot], last: str) -> str:
    """The calls along `path`, each with its caller, callee and place; the final callee is `last`."""
    callees = [callee.function for _, callee in pairwise(path)] + [last]
    return ", ".join(
        f"{spot.function} calls {callee} at {spot.source or hex(spot.address)}"
        for spot, callee in zip(path, callees, strict=True)
    )
