# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether the bodies of threads fit on their stacks, by their compiled code."""

from __future__ import annotations

from pathlib import Path

from horolog.analyse import thread_of
from horolog.calls.frames import body_root
from horolog.calls.graph import analyse_calls
from horolog.model import Exit, HorologError, Kind, System
from horolog.read.problems import raise_all

__all__ = ["check_thread_stacks"]

_LOOP_BYTES = 16  # of the loop that calls the bodies
_GUARD_BYTES = 32  # the least that a guard takes of a stack


def check_thread_stacks(system: System, elf: Path) -> tuple[str, ...]:
    """HorologError (1) for each task whose body needs more than its thread's stack in `elf`.

    Beside the body count the loop that calls it, the frame of one interrupt and the guard. Of code that
    cannot be followed what is known counts, and a note says that there may be more. `work` needs next to
    nothing.
    """
    tasks = [
        index
        for index, task in enumerate(system.tasks)
        if task.kind is Kind.THREAD and task.body is not None
    ]
    port = system.board.port
    more = _LOOP_BYTES + (port.fpu_frame_bytes if system.board.fpu else port.frame_bytes)
    more += 0 if system.guard is None else _GUARD_BYTES
    given: dict[int, int] = {}
    for index, first in enumerate(thread_of(system)):
        given[first] = max(given.get(first, 0), system.tasks[index].stack)
    errors, notes = [], []
    bodies = analyse_calls(elf, [body_root(index) for index in tasks]).bodies if tasks else ()
    for index, body in zip(tasks, bodies, strict=True):
        task, room = system.tasks[index], given[thread_of(system)[index]]
        need = body.followed_bytes + more
        if need > room:
            least = "" if body.stack_bytes is not None else "at least "
            errors.append(
                HorologError(
                    f'the stack of task "{task.name}" overflows: it needs {least}{need:,} bytes at worst, '
                    f"and has {room:,}",
                    place=task.place,
                    found=f"{body.followed_bytes:,} bytes of the body and what it calls, {more} of the "
                    "loop around it, an interrupt and a guard",
                    expected=f"stack = {-(-need // 8) * 8} or more",
                    exit=Exit.DOES_NOT_HOLD,
                )
            )
        own = [doubt for doubt in body.unbounded if not doubt.in_kernel]
        if own:
            notes.append(
                f'{task.place}: task "{task.name}": nothing visible bounds its stack: {own[0]}'
            )
    raise_all(errors)
    return tuple(notes)
