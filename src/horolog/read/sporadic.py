# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[task]] tables without a period: sporadic tasks, which are threads of their own or basic tasks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from math import ceil
from pathlib import Path

from horolog.model import (
    MOST_ACTIVATIONS,
    Board,
    HorologError,
    Kind,
    Overrun,
    Place,
    PriorityRule,
    Sporadic,
    System,
    Task,
)
from horolog.read.activated import BY_MESSAGE, Activators, by_task, is_sporadic, task_problems
from horolog.read.document import Document
from horolog.read.schema import SystemFile, TaskTable
from horolog.read.stacks import stack_of
from horolog.read.units import duration_text
from horolog.read.untimed import (
    activation_of,
    activation_problems,
    name_problems,
    wcet_of,
    work_problems,
)

__all__ = [
    "lonely_problems",
    "release_problems",
    "sporadic_of",
    "sporadic_priorities",
    "sporadic_problems",
]

_FOREIGN = ("offset", "jitter", "activations", "share")
"""Keys that say how time releases a task, how many of its jobs wait, or how shared threads run."""


def release_problems(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """Tasks with neither a period nor a gap, or with both; keys of sporadic tasks at others."""
    for index, table in enumerate(file.task):
        if table.server is not None:
            continue  # read/aperiodic.py
        if table.period is None and not is_sporadic(table) and table.activated_by is not None:
            yield _no_gap(document, index, table)
        elif table.period is None and not is_sporadic(table):
            yield HorologError(
                '"period" is missing',
                place=document.place("task", index),
                expected='period = "5 ms"; or min_gap, of a task that something else activates; or '
                'activated_by = "task NAME"; or server = "NAME", of one without a least gap; or a point of a '
                "[[table]] that activates it",
            )
        elif table.period is not None and table.min_gap is not None:
            yield HorologError(
                f'the task "{table.name}" has both a period and a least gap',
                place=document.place("task", index, "min_gap"),
                found=f"min_gap = {duration_text(table.min_gap)}, with a period",
                expected="period, if time releases it; min_gap, if something else activates it",
            )
        elif table.period is not None and table.activated_by is not None:
            yield HorologError(
                f'the task "{table.name}" is released by time',
                place=document.place("task", index, "activated_by"),
                found=f'activated_by = "{table.activated_by}", with a period',
                expected='min_gap = "10 ms" in place of the period, or no activated_by',
            )


def _no_gap(document: Document, index: int, table: TaskTable) -> HorologError:
    """Of a task that something activates, which is no task with a gap or period of its own."""
    by_message = table.activated_by == BY_MESSAGE
    return HorologError(
        f'the task "{table.name}" has no least gap: nothing bounds how often '
        + ("a message activates it" if by_message else "it is activated"),
        place=document.place("task", index),
        found=f'activated_by = "{table.activated_by}", and no min_gap',
        expected='min_gap = "10 ms", the shortest time between two '
        + ("messages" if by_message else 'activations; or server = "NAME", which bounds its jobs'),
    )


def sporadic_problems(
    document: Document,
    file: SystemFile,
    board: Board,
    sources: Sequence[Path],
    names: Sequence[str],
    known: Activators,
    kind: Kind | None,
    paced: Collection[str] = (),
) -> Iterator[HorologError]:
    """What is wrong with each sporadic task. `names`: those of all other tasks and groups.

    `kind`: of all tasks, whatever the file says. `paced`: names of tasks that rarely come as close as their
    least gap, as the points of tables do that activate them: a job may last longer.
    """
    taken = set(names)
    for index, table in enumerate(file.task):
        if not is_sporadic(table):
            continue
        names_in_c = "its semaphore is activate_NAME, or basic_NAME the basic task"
        yield from name_problems(document, index, table, taken, "sporadic task", names_in_c)
        taken.add(table.name)
        for key in _FOREIGN:
            if getattr(table, key) is not None:
                yield HorologError(
                    f'the sporadic task "{table.name}" has no {key}',
                    place=document.place("task", index, key),
                    found=f"{key}, with min_gap",
                    expected=f"no {key}, or a period in place of min_gap",
                )
        if table.overrun != "skip" or table.terminates:
            yield HorologError(
                f'the sporadic task "{table.name}" runs once for each activation, and its body returns',
                place=document.place("task", index),
                found=f'overrun = "{table.overrun}"'
                + (", terminates = true" if table.terminates else ""),
                expected='overrun = "skip" and terminates = false, the defaults',
            )
        yield from work_problems(document, file, index, table, sources)
        is_paced = table.name in paced
        yield from _time_problems(document, index, table, board, known, is_paced=is_paced)
        yield from _priority_problems(document, file, index, table, board)
        if by_task(table) is None:
            basic = _kind_of(table, kind) is Kind.BASIC
            yield from activation_problems(document, file, index, table, basic=basic)
        yield from task_problems(document, index, table, known)


def _time_problems(
    document: Document,
    index: int,
    table: TaskTable,
    board: Board,
    known: Activators,
    *,
    is_paced: bool,
) -> Iterator[HorologError]:
    gap = known.gap(table.name)
    if gap is None:
        return  # told elsewhere
    wcet = wcet_of(table, board)
    limit = table.deadline or gap
    if not is_paced:
        limit = min(gap, limit)
    if table.deadline is not None and table.deadline > gap and _is_in_chain(table, known):
        yield HorologError(
            "a deadline above the least gap, of a task that a task activates, or that activates one",
            place=document.place("task", index, "deadline"),
            found=f"{duration_text(table.deadline)}, with a least gap of {duration_text(gap)}",
            expected=f"at most {duration_text(gap)}: else its jobs may end closer together than that",
        )
    elif _waiting(table, gap, known) >= MOST_ACTIVATIONS:
        most = (MOST_ACTIVATIONS - 1) * gap
        yield HorologError(
            f'"{table.name}" may have more activations that wait than can be counted',
            place=document.place("task", index, "deadline"),
            found=f"{_waiting(table, gap, known):,} in {duration_text(table.deadline or gap)}",
            expected=f"fewer than {MOST_ACTIVATIONS:,}: a deadline of at most {duration_text(most)}",
        )
    elif wcet is not None and wcet > limit:
        yield HorologError(
            f'a job of "{table.name}" is longer than its least gap or its deadline',
            place=document.place("task", index, "wcet" if table.wcet is not None else "work"),
            found=f"{duration_text(wcet)}, of {duration_text(limit)}",
            expected=f"at most {duration_text(limit)}",
        )


def _waiting(table: TaskTable, gap: Fraction, known: Activators) -> int:
    """How many activations of a task may wait.

    Within a deadline of several gaps all but the job that runs. One more, as a job is over at its body's end,
    and what gave it waits until its thread, or its line, takes the next.
    """
    deadline = table.deadline or gap
    behind = ceil(deadline / gap) if deadline > gap else 1
    return max(known.depth(table.name), behind)


def _is_in_chain(table: TaskTable, known: Activators) -> bool:
    return by_task(table) is not None or table.name in map(by_task, known.tables.values())


def _priority_problems(
    document: Document, file: SystemFile, index: int, table: TaskTable, board: Board
) -> Iterator[HorologError]:
    if file.system.priorities != PriorityRule.EXPLICIT.value:
        yield HorologError(
            f'the sporadic task "{table.name}" needs explicit priorities',
            place=document.place("task", index),
            found=f'priorities = "{file.system.priorities}"',
            expected='priorities = "explicit" in [system], and a priority of each task',
        )
    elif table.priority is None or table.priority > board.levels:
        yield HorologError(
            f'the sporadic task "{table.name}" has no priority of the board',
            place=document.place("task", index, "priority"),
            found=str(table.priority or "none"),
            expected=f"priority = N, 1 to {board.levels}, larger is more urgent",
        )


def _kind_of(table: TaskTable, kind: Kind | None) -> Kind:
    return kind or Kind(table.kind)


def sporadic_priorities(
    document: Document, file: SystemFile, kind: Kind | None
) -> Iterator[tuple[Kind, int, Place]]:
    """Of each sporadic task with a priority its kind, that, and its place."""
    for index, table in enumerate(file.task):
        if is_sporadic(table) and table.priority is not None:
            yield _kind_of(table, kind), table.priority, document.place("task", index, "priority")


def sporadic_of(
    document: Document,
    file: SystemFile,
    board: Board,
    known: Activators,
    kind: Kind | None,
    by_cells: Collection[str] = (),
) -> tuple[Sporadic, ...]:
    """The sporadic tasks of a file without sporadic_problems; points in cells activate those `by_cells`."""
    found = []
    for index, table in enumerate(file.task):
        gap = known.gap(table.name) if is_sporadic(table) else None
        if gap is None:
            continue
        own, waiting = _kind_of(table, kind), _waiting(table, gap, known)
        task = Task(
            name=table.name,
            period=gap,
            offset=Fraction(0),
            deadline=table.deadline or gap,
            wcet=wcet_of(table, board),
            body=table.body,
            work=table.work,
            stack=stack_of(table, board),
            overrun=Overrun.SKIP,
            kind=own,
            priority=table.priority,
            place=document.place("task", index),
            activations=waiting + (waiting > 1 or table.name not in by_cells)
            if own is Kind.BASIC
            else None,
            may_wait=own is Kind.THREAD and table.work is None and table.waits is not False,
        )
        interrupt, after = activation_of(file, table, known)
        found.append(Sporadic(task, interrupt, after, waiting, message=table.message_bytes))
    return tuple(found)


def lonely_problems(system: System) -> Iterator[HorologError]:
    """Sporadic threads of a system without a periodic thread: it is built without the code of threads."""
    threads = [one.task for one in system.sporadic if not one.is_basic]
    if threads and all(task.kind is Kind.BASIC for task in system.tasks):
        first = threads[0]
        yield HorologError(
            f'the sporadic thread "{first.name}" needs a system that has threads',
            place=first.place,
            found="periodic tasks that are all basic",
            expected='a periodic task with kind = "thread", or kind = "basic" of this one',
        )
