# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[resource]] tables of system.toml, and whether a priority ceiling can protect each resource."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial

from horolog.analyse import ceiling, unordered
from horolog.model import HorologError, Kind, MutexKind, Resource, System
from horolog.read.document import Document
from horolog.read.problems import choice_problems, listed, name_taken, suggestion
from horolog.read.schema import ResourceTable, SystemFile
from horolog.read.units import duration_text

__all__ = ["ceiling_problems", "hold_problems", "resource_problems", "resources"]


def resource_problems(
    document: Document,
    file: SystemFile,
    named: Mapping[str, Sequence[int]],
    aperiodic: Collection[str],
) -> Iterator[HorologError]:
    """Names that are taken, users that there are not, and aperiodic ones, as servers run these.

    `named`: tasks by their names and their groups', as System.all_tasks has them.
    """
    known: set[str] = set()
    for index, table in enumerate(file.resource):
        if table.name in known:
            yield name_taken("resource", table.name, document.place("resource", index, "name"))
        known.add(table.name)
        yield from choice_problems(
            table.tasks,
            [*named, *aperiodic],
            partial(document.place, "resource", index, "tasks"),
            absent="there is no task",
            noun="task",
            shown=_few(named),
        )
        yield from choice_problems(
            table.within,
            [one.name for one in file.resource if one.mutex is not None],
            partial(document.place, "resource", index, "within"),
            absent="there is no mutex",
            noun="mutex",
        )
        if table.within and table.mutex is None:
            yield HorologError(
                f'no mutex: the resource "{table.name}" is taken within others by its ceiling alone',
                place=document.place("resource", index, "within"),
                found="within, and no mutex",
                expected='mutex = "inheritance" or "ceiling", of a resource of threads; or no within',
            )
        for at, user in enumerate(table.tasks):
            if user in aperiodic:
                yield HorologError(
                    f'the aperiodic task "{user}" cannot use the resource "{table.name}"',
                    place=document.place("resource", index, "tasks", at),
                    found=f'"{user}", which a server runs',
                    expected="tasks with a period or min_gap, or a mutex (hrl/mutex.h) in place of the "
                    "resource",
                )
        yield from _hold_problems(document, index, table, named)
    yield from _cycle_problems(document, file)


def _cycle_problems(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """Mutexes of which each is locked within the next and the last within the first: threads may deadlock."""
    within = {table.name: table.within for table in file.resource}
    reported: set[str] = set()
    for index, table in enumerate(file.resource):
        path = _path_to(table.name, table.name, within)
        if path is None or reported & {*path}:
            continue
        reported |= {*path}
        names = [f'"{name}"' for name in path]
        yield HorologError(
            f'the resource "{table.name}" is locked within itself'
            if len(path) == 1
            else f"resources are locked within each other in a cycle, so that threads may deadlock: "
            f"{' within '.join([*names, names[0]])}",
            place=document.place("resource", index, "within"),
            found=f"within = [{', '.join(shown_name for shown_name in map(_quoted, table.within))}]",
            expected="one order in which all threads lock them",
        )


def _quoted(name: str) -> str:
    return f'"{name}"'


def _path_to(goal: str, name: str, within: Mapping[str, Sequence[str]]) -> list[str] | None:
    """From `name` outwards over `within` to `goal`: the names in between, `name` first; None: no such way.

    Each resource is looked at once.
    """
    came_from: dict[str, str | None] = {name: None}
    waiting = deque([name])
    while waiting:
        inner = waiting.popleft()
        for outer in within.get(inner, ()):
            if outer == goal:
                path: list[str] = []
                at: str | None = inner
                while at is not None:
                    path.append(at)
                    at = came_from[at]
                return path[::-1]
            if outer not in came_from:
                came_from[outer] = inner
                waiting.append(outer)
    return None


def _hold_problems(
    document: Document, index: int, table: ResourceTable, named: Mapping[str, Sequence[int]]
) -> Iterator[HorologError]:
    """Users of a table `hold` that are none of the resource's."""
    users = {task for user in table.tasks for task in named.get(user, ())}
    for user in table.hold if isinstance(table.hold, dict) else ():
        if user not in table.tasks and not (user in named and users.issuperset(named[user])):
            yield HorologError(
                f'"{user}" is no user of the resource "{table.name}"{suggestion(user, table.tasks)}',
                place=document.place("resource", index, "hold", user, key=True),
                found=f'hold = {{ "{user}" = ... }}',
                expected=f"some of {listed(table.tasks, last='and')}",
            )


def hold_problems(document: Document, system: System) -> Iterator[HorologError]:
    """Resources that a task holds for longer than a job lasts: once for each value that says so."""
    for index, resource in enumerate(system.resources):
        for task, hold in resource.users:
            wcet = system.task(task).wcet
            if hold is None or wcet is None or hold <= wcet:
                continue
            name = system.task(task).name
            yield HorologError(
                f'the resource "{resource.name}" is held for longer than a job of "{name}" lasts',
                place=document.place("resource", index, "hold", *_held_by(document, index, name)),
                found=f"{duration_text(hold)}, with a WCET of {duration_text(wcet)}",
                expected=f"at most {duration_text(wcet)}: the part of a job from taking it to giving it back",
            )
            break


def _held_by(document: Document, index: int, name: str) -> tuple[str, ...]:
    """The key of a table `hold` that says it of the task `name`, if there is one of that name."""
    hold = document.data["resource"][index]["hold"]
    return (name,) if isinstance(hold, dict) and name in hold else ()


def resources(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]]
) -> tuple[Resource, ...]:
    """The resources of a file that has no resource_problems."""
    return tuple(
        Resource(
            table.name,
            users,
            document.place("resource", index, "tasks"),
            tuple(_hold(table, named, task) for task in users),
            None if table.mutex is None else MutexKind(table.mutex),
            tuple(table.within),
        )
        for index, table in enumerate(file.resource)
        for users in [tuple(sorted({task for user in table.tasks for task in named[user]}))]
    )


def _hold(table: ResourceTable, named: Mapping[str, Sequence[int]], task: int) -> Fraction | None:
    """How long `task` holds it: as the name says that stands for the fewest tasks."""
    if not isinstance(table.hold, dict):
        return table.hold
    known = [(len(named[user]), time) for user, time in table.hold.items() if task in named[user]]
    return min(known)[1] if known else None


def ceiling_problems(system: System) -> Iterator[HorologError]:
    """Resources that no ceiling orders."""
    for resource in system.resources:
        basic = [i for i in resource.tasks if system.task(i).kind is Kind.BASIC]
        if resource.mutex is not None:
            if basic:
                yield HorologError(
                    f'a basic task cannot wait for the mutex "{resource.name}"',
                    place=resource.place,
                    found=f'"{system.task(basic[0]).name}", a basic task',
                    expected="threads, or no mutex: then its holder runs at the priority of its most urgent "
                    "basic task",
                )
            continue
        if not basic:
            yield HorologError(
                f'no ceiling orders the users of the resource "{resource.name}": all are threads',
                place=resource.place,
                found=f"{len(resource.tasks)} user{'s' * (len(resource.tasks) != 1)}, and no basic task "
                "among them",
                expected='mutex = "inheritance" or "ceiling", if threads alone use it; or a basic task '
                '(kind = "basic") among them',
            )
            continue
        pair = unordered(system, resource.tasks)
        if pair is None:
            assert ceiling(system, resource) > 0
            continue
        yield _no_ceiling(system, resource, *pair)


def _no_ceiling(system: System, resource: Resource, one: int, other: int) -> HorologError:
    first, second = system.task(one), system.task(other)
    message = f'no ceiling orders the users of the resource "{resource.name}": '
    if first.kind is Kind.THREAD:
        return HorologError(
            message + f"{first.name}, a thread, is above {second.name}, the most urgent basic task",
            place=resource.place,
            found=f"priorities {first.priority} and {second.priority}",
            expected="a basic task among the users that is more urgent than every thread of them",
        )
    return HorologError(
        message + f"{first.name} and {second.name} have different dispatchers",
        place=resource.place,
        found=f"{first.name} and {second.name}, of which one is less urgent than a thread and so runs in one",
        expected="basic tasks that are all more urgent than every thread, or none of them",
    )


def _few(names: Mapping[str, object]) -> list[str]:
    """The first names, so that a line holds them."""
    found = [name for name in names if "." not in name] or list(names)
    return found if len(found) <= 8 else [*found[:7], f"{len(found) - 7} more"]
