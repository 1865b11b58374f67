# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether the bodies of threads fit on their stacks, by their compiled code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from horolog.analyse import thread_of
from horolog.calls.frames import body_root
from horolog.calls.graph import Body, Doubt, analyse_calls
from horolog.image import read_image
from horolog.model import Exit, HorologError, Kind, System
from horolog.read.problems import raise_all

__all__ = ["TaskStack", "check_thread_stacks", "thread_stacks"]

_SUFFIX = r"(?:\.\w+)*"  # of functions that GCC has changed
_LOOP = re.compile(rf"run_(?:jobs|further_jobs|\d+){_SUFFIX}")
_SHARED_LOOP = re.compile(rf"run_shared_\d+{_SUFFIX}")
_SHARED_LATE = re.compile(rf"hrli_shared_(?:run_slowly|end_late){_SUFFIX}")
_SHARED_FROM = re.compile(rf"run_from{_SUFFIX}")
_ENQUEUE = re.compile(rf"\w*enqueue(?:_\w+)?{_SUFFIX}")
_TAKE = "hrl_semaphore_take_forever"  # in which a sporadic thread waits for its activation
_RECEIVE = "hrl_message_receive"  # or in which it waits for a message
_CANARY_BYTES = 4  # the lowest word stays as it was painted (kernel/thread/stack.h)


@dataclass(frozen=True, slots=True)
class TaskStack:
    """What a task's job needs of the stack of its thread, at worst."""

    task: int  # index of System.all_tasks
    given: int  # bytes, of its thread
    body: int  # bytes, as far as they are known
    around: (
        int  # of what lies above and below the body: the loop, a context, the canary and a guard
    )
    wait: int  # of the wait for the next release or activation, in place of the body
    unbounded: tuple[Doubt, ...]  # why the body may need more: code of the application's

    @property
    def need(self) -> int:
        """Bytes: the most that is known."""
        return max(self.body, self.wait) + self.around

    @property
    def fits(self) -> bool:
        """Whether what is known of it has room."""
        return self.need <= self.given


@dataclass(frozen=True, slots=True)
class _Loops:
    """The loops that call bodies: the most that one has on the stack at the call, and in its wait beyond."""

    alone: int
    shared: int
    wait: int


def thread_stacks(system: System, elf: Path) -> tuple[TaskStack, ...]:
    """The stack of each task of `elf` that is a thread and has a body; `work` needs next to nothing.

    Beside the body count the loop that calls it; the context, which a switch in an interrupt leaves on the
    stack; the painted word by which an overflow is found; and the guard.
    """
    return (*_periodic(system, elf), *_sporadic(system, elf))


def _around(system: System) -> int:
    port = system.board.port
    around = port.fpu_context_bytes if system.board.fpu else port.context_bytes
    guard = system.stack_guard
    return around + _CANARY_BYTES + (0 if guard is None else guard.stack_bytes)


def _periodic(system: System, elf: Path) -> tuple[TaskStack, ...]:
    tasks = [
        index
        for index, task in enumerate(system.tasks)
        if task.kind is Kind.THREAD and task.body is not None
    ]
    if not tasks:
        return ()
    first, around = thread_of(system), _around(system)
    given: dict[int, int] = {}
    for index, thread in enumerate(first):
        given[thread] = max(given.get(thread, 0), system.tasks[index].stack)
    members = Counter(first)
    switches = system.board.port.switch_calls
    loops = _loops(elf, switches)
    bodies = analyse_calls(elf, [body_root(index) for index in tasks], switches).bodies
    return tuple(
        TaskStack(
            index,
            given[first[index]],
            body.followed_bytes,
            around + (loops.shared if members[first[index]] > 1 else loops.alone),
            loops.wait,
            _own_doubts(body),
        )
        for index, body in zip(tasks, bodies, strict=True)
    )


def _own_doubts(body: Body) -> tuple[Doubt, ...]:
    return tuple(doubt for doubt in body.unbounded if not doubt.in_kernel)


def _sporadic(system: System, elf: Path) -> Iterator[TaskStack]:
    """Of threads that wait for their semaphores; a polling server runs its task on its own stack."""
    tasks = [
        index
        for index, one in enumerate(system.sporadic, len(system.tasks))
        if not one.is_basic and not one.is_polled and one.task.body is not None
    ]
    numbers = [system.job(index) for index in tasks]
    waits = [
        _TAKE if system.sporadic[index - len(system.tasks)].message is None else _RECEIVE
        for index in tasks
    ]
    roots = [*map(body_root, numbers), *(f"hrl_gen_run_{number}" for number in numbers), *waits]
    found = analyse_calls(elf, roots, system.board.port.switch_calls).bodies
    for at, index in enumerate(tasks):
        body, loop, wait = found[at], found[len(tasks) + at], found[2 * len(tasks) + at]
        yield TaskStack(
            index,
            system.task(index).stack,
            body.followed_bytes,
            _around(system) + loop.own_bytes,
            wait.followed_bytes,
            _own_doubts(body),
        )


def _loops(elf: Path, switches: Sequence[str]) -> _Loops:
    """The wait calls `enqueue` of its releaser by a pointer: of these functions the deepest counts."""
    image = read_image(elf)
    code = {function.low for function in image.functions}
    names = sorted(name for name, address in image.symbols.items() if address in code)
    shapes = (_LOOP, _SHARED_LOOP, _SHARED_LATE, _SHARED_FROM, _ENQUEUE)
    found = [[name for name in names if shape.fullmatch(name)] for shape in shapes]
    known = analyse_calls(elf, [name for group in found for name in group], switches).bodies
    by_root = {body.root: body for body in known}
    alone, *shared, enqueue = ([by_root[name] for name in group] for group in found)
    loop = _most_own(alone)
    wait = _most_followed(alone) + _most_followed(enqueue)
    # A loop calls that of the shared thread, that one of the late, and these the loop over all bodies.
    return _Loops(loop, loop + sum(map(_most_own, shared)), max(0, wait - loop))


def _most_own(bodies: Sequence[Body]) -> int:
    return max((body.own_bytes for body in bodies), default=0)


def _most_followed(bodies: Sequence[Body]) -> int:
    return max((body.followed_bytes for body in bodies), default=0)


def check_thread_stacks(system: System, elf: Path) -> tuple[str, ...]:
    """HorologError (1) for each task whose body needs more than its thread's stack in `elf`.

    Of code that cannot be followed what is known counts, and a note says that there may be more.
    """
    errors, notes = [], []
    for one in thread_stacks(system, elf):
        task = system.task(one.task)
        if not one.fits:
            errors.append(_overflow(system, one))
        if one.unbounded:
            notes.append(
                f'{task.place}: task "{task.name}": nothing visible bounds its stack: {one.unbounded[0]}'
            )
    raise_all(errors)
    return tuple(notes)


def _overflow(system: System, one: TaskStack) -> HorologError:
    # A polling server runs the jobs of its aperiodic task, on the stack that this asks for.
    by_server = {x.server.task: x.task for x in system.sporadic if x.server and x.is_polled}
    task = by_server.get(one.task, system.task(one.task))
    least = "at least " if one.unbounded else ""
    waits_for = "release" if one.task < len(system.tasks) else "activation"
    most = (
        f"{one.body:,} bytes of the body and what it calls"
        if one.body >= one.wait
        else f"{one.wait:,} bytes of the wait for the next {waits_for}"
    )
    return HorologError(
        f'the stack of task "{task.name}" overflows: it needs {least}{one.need:,} bytes at worst, '
        f"and has {one.given:,}",
        place=task.place,
        found=f"{most}, {one.around} of the loop around it, the registers that a switch saves, and a guard",
        expected=f"stack = {-(-one.need // 8) * 8} or more",
        exit=Exit.DOES_NOT_HOLD,
    )
