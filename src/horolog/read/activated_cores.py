# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which of several cores has an interrupt of the application, and a task that something activates.

What activates a task is on the task's core: the end of a job of another, or an interrupt. So one that does
not say has the core of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from horolog.figures import plural
from horolog.model import Board, HorologError, Interrupt, Kind, Sporadic, System, Task, with_tasks
from horolog.read.activated import by_task, is_sporadic
from horolog.read.cores import Cores, entry_problems, one_core
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.schema import SystemFile

__all__ = ["activated_core_problems", "elsewhere_problems", "with_activated_cores"]

_BY_INTERRUPT = "interrupt "


def activated_core_problems(
    document: Document, file: SystemFile, cores: Cores, target: Board
) -> Iterator[HorologError]:
    """Cores that there are not, and tasks and interrupts that do not say where they run."""
    if cores.count > target.cores:
        return  # core_problems() says it
    says = {_BY_INTERRUPT + one.name for one in file.interrupt if one.core is not None}
    activating = {one.activated_by for one in file.task}
    for at, table in enumerate(file.task):
        taken_over = by_task(table) is not None or table.activated_by in says
        taken_over = taken_over and table.server is None  # whose server has to have the same
        if (is_sporadic(table) or table.server is not None) and (
            one_core(table) is not None or not taken_over
        ):
            yield from entry_problems(
                Entry(document, ("task", at), table, (), (), Kind(table.kind)), cores
            )
    for at, one in enumerate(file.interrupt):
        if isinstance(one.core, int) and one.core >= cores.count:
            yield HorologError(
                f"there is no core {one.core}",
                place=document.place("interrupt", at, "core"),
                found=f"core = {one.core}, with {plural(cores.count, 'core')}",
                expected=f"0 to {cores.count - 1}"
                if cores.count > 1
                else "0, or no core; or cores = N in [system], on a board of several",
            )
        elif (
            one.core is None
            and _BY_INTERRUPT + one.name not in activating
            and cores.usual is None
            and cores.count > 1
        ):
            yield HorologError(
                f'the interrupt "{one.name}" does not say on which of {cores.count} cores it runs',
                place=document.place("interrupt", at),
                expected=f"core = 0 to {cores.count - 1}",
            )


def with_activated_cores(system: System, file: SystemFile, cores: Cores) -> System:
    """Returns `system`, of several cores, with those of its interrupts and of the tasks that they activate.

    None of a task: the plan divides it; of an interrupt: it has that of its tasks then.
    """
    said = {one.name: cores.number(one_core(one)) for one in file.task}
    tasks = [*system.tasks]
    tasks += [replace(one.task, core=said.get(one.task.name)) for one in system.sporadic]
    interrupts = [
        replace(
            one, core=0 if cores.count == 1 else table.core if isinstance(table.core, int) else None
        )
        for one, table in zip(system.interrupts, file.interrupt, strict=True)
    ]
    behind = len(system.tasks)
    for _ in range(len(system.all_tasks) + 1):  # as often as they activate one another
        for at, one in enumerate(system.sporadic, behind):
            tasks[at] = _as_its_activator(tasks[at], one, tasks, interrupts)
            if one.interrupt is not None and interrupts[one.interrupt].core is None:
                own = interrupts[one.interrupt]
                interrupts[one.interrupt] = replace(own, core=tasks[at].core)
    used = {one.interrupt for one in system.sporadic}
    known = [
        replace(one, core=0) if one.core is None and at not in used else one
        for at, one in enumerate(interrupts)
    ]
    return replace(with_tasks(system, tasks), interrupts=tuple(known))


def _as_its_activator(
    task: Task, of: Sporadic, tasks: list[Task], interrupts: list[Interrupt]
) -> Task:
    """Returns `task` with a core, if it has none and what activates it has one."""
    core = task.core
    if core is None and of.after is not None:
        core = tasks[of.after].core
    if core is None and of.interrupt is not None:
        core = interrupts[of.interrupt].core
    return replace(task, core=core)


def elsewhere_problems(
    document: Document, file: SystemFile, system: System
) -> Iterator[HorologError]:
    """Tasks that something of another core activates."""
    index = {table.name: at for at, table in enumerate(file.task)}
    for one in system.sporadic:
        core, by = one.task.core, ""
        other: Task | Interrupt | None = None
        if one.after is not None:
            other = system.task(one.after)
            by = f'the task "{other.name}"'
        elif one.interrupt is not None:
            other = system.interrupts[one.interrupt]
            by = f'the interrupt "{other.name}"'
        if other is None or None in (core, other.core) or core == other.core:
            continue
        yield HorologError(
            f'the task "{one.task.name}" of core {core} is activated on core {other.core}',
            place=document.place("task", index[one.task.name], "activated_by"),
            found=f"{by}, which is on core {other.core}",
            expected=f"one core for both, as core = {other.core} here; or a thread without activated_by, and "
            f"hrl_semaphore_give(&activate_{one.task.name}) on the other core",
        )
