# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with the tasks that schedule tables activate, and with the events that they set."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.model import HorologError
from horolog.read.document import Document
from horolog.read.problems import listed, suggestion
from horolog.read.schedule_problems import CELLS, CLOCK
from horolog.read.schema import ScheduleFile, ScheduleTableTable, SystemFile, TaskTable

__all__ = ["task_problems"]

_FOREIGN = ("period", "activated_by", "server", "offset", "jitter", "message_bytes")
"""Keys of tasks that something other than a schedule table releases."""


def task_problems(
    document: Document, tables: Document, file: SystemFile, of: ScheduleFile
) -> Iterator[HorologError]:
    """Tasks that there are not or that something else releases; points that do nothing."""
    by_name = {task.name: (index, task) for index, task in enumerate(file.task)}
    users: dict[str, list[ScheduleTableTable]] = {}
    for index, table in enumerate(of.table):
        for at, point in enumerate(table.point):
            place = tables.place("table", index, "point", at)
            if not point.activate and not point.set:
                yield HorologError(
                    f'a point of the table "{table.name}" does nothing',
                    place=place,
                    found="neither activate nor set",
                    expected='activate = ["task"], or set = [{ event = "object", flags = 1 }]',
                )
            for number, name in enumerate(point.activate):
                place = tables.place("table", index, "point", at, "activate", number)
                if name not in by_name:
                    known = [one for one, (_, task) in by_name.items() if task.period is None]
                    yield HorologError(
                        f'a point of the table "{table.name}" activates no task'
                        f"{suggestion(name, list(by_name))}",
                        place=place,
                        found=f'"{name}"',
                        expected=listed([f'"{one}"' for one in known])
                        or "a [[task]] without a period",
                    )
                    continue
                if name in point.activate[:number]:
                    yield HorologError(
                        f'a point of the table "{table.name}" activates "{name}" twice',
                        place=place,
                        found=f'"{name}" a second time',
                        expected="each task once; a task that runs twice has two points",
                    )
                if table not in users.setdefault(name, []):
                    users[name].append(table)
    for name, activating in users.items():
        yield from _task_problems(document, file, activating, *by_name[name])


def _task_problems(
    document: Document,
    file: SystemFile,
    activating: list[ScheduleTableTable],
    index: int,
    task: TaskTable,
) -> Iterator[HorologError]:
    table = activating[0]
    for other in file.table:
        if any(point.activate == task.name for point in other.point):
            yield HorologError(
                f'the dispatcher table "{other.name}" starts the task "{task.name}", too',
                place=document.place("task", index),
                found=f'a point of the schedule table "{table.name}"',
                expected="a task for each, as a dispatcher table has tasks of its own",
            )
    for key in _FOREIGN:
        if getattr(task, key) is not None:
            yield HorologError(
                f'the table "{table.name}" activates the task "{task.name}", which has no {key} of its own',
                place=document.place("task", index, key),
                found=key,
                expected=f"no {key}, or no point of the table",
            )
    if len(activating) > 1:
        if task.min_gap is None:
            names = listed([f'"{one.name}"' for one in activating], last="and")
            yield HorologError(
                f'several tables activate "{task.name}": nothing says how close to one another',
                place=document.place("task", index),
                found=f"tables {names}, and no min_gap",
                expected='min_gap = "10 ms", the shortest time between two activations; or one table',
            )
        return
    counter = next((one for one in file.counter if one.name == table.counter), None)
    is_known = table.counter in (CELLS, CLOCK) or (
        counter is not None and counter.min_increment_distance is not None
    )
    if task.min_gap is None and not is_known and task.deadline is None:
        yield HorologError(
            f'the task "{task.name}" has no deadline, and nothing that it could follow from',
            place=document.place("task", index),
            found=f'activated by the table "{table.name}", with a counter of unknown speed',
            expected='deadline = "5 ms"; or min_increment_distance of the [[counter]]',
        )
