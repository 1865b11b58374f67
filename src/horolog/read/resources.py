# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[resource]] tables of system.toml, and whether a priority ceiling can protect each resource."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from horolog.analyse import ceiling, unordered
from horolog.figures import plural
from horolog.model import HorologError, Kind, MutexKind, Resource, System
from horolog.read.document import Document
from horolog.read.problems import choice_problems, listed, name_taken, suggestion
from horolog.read.schema import ResourceTable, SystemFile
from horolog.read.units import duration_text

__all__ = [
    "ceiling_problems",
    "hold_problems",
    "resource_problems",
    "resources",
    "shared_problems",
    "waiting_problems",
]


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
        yield from _held_across_a_wait(document, file, index, table)
        yield from choice_problems(
            table.within,
            [one.name for one in file.resource if table.mutex is not None or one.mutex is not None],
            partial(document.place, "resource", index, "within"),
            absent="there is no mutex",
            noun="mutex",
            shown=[one.name for one in file.resource if one.mutex is not None],
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
        yield from _user_problems(document, index, table, "hold", named)
        yield from _user_problems(document, index, table, "requests", named)
        yield from _spin_problems(document, index, table)
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


def _no_mutexes(file: SystemFile) -> set[str]:
    return {one.name for one in file.resource if one.mutex is None}


def _held_across_a_wait(
    document: Document, file: SystemFile, index: int, table: ResourceTable
) -> Iterator[HorologError]:
    """A mutex that is locked within what is no mutex: a thread that waits for it keeps that one."""
    for at, name in enumerate(table.within):
        if table.mutex is not None and name in _no_mutexes(file):
            yield HorologError(
                f'the resource "{name}" would be held across a wait: a thread waits for the mutex '
                f'"{table.name}" while another owns it',
                place=document.place("resource", index, "within", at),
                found=f'"{name}", which is no mutex',
                expected=f'"{name}" taken and given back while a thread owns "{table.name}"; then within '
                "does not name it",
            )


def _spin_problems(document: Document, index: int, table: ResourceTable) -> Iterator[HorologError]:
    """What a resource that cores spin for cannot be, and what it has to say."""
    place = partial(document.place, "resource", index)
    if not table.spin:
        if table.requests is not None:
            yield HorologError(
                f'how often a job takes the resource "{table.name}" counts only where cores spin for it',
                place=place("requests"),
                found="requests, and no spin",
                expected="spin = true, if tasks of several cores use it; or no requests",
            )
        return
    if table.mutex is not None:
        yield HorologError(
            f'the resource "{table.name}" is a mutex, for which a thread waits without its core',
            place=place("spin"),
            found=f'spin = true, and mutex = "{table.mutex}"',
            expected="one of the two",
        )
    left = [user for user in table.tasks if not _says(table.hold, user)]
    if table.hold is None or (isinstance(table.hold, dict) and left):
        yield HorologError(
            f'for how long "{left[0]}" holds the resource "{table.name}" is not said: so long others spin',
            place=place("hold") if table.hold is not None else place("spin"),
            found=f"spin = true, and no hold of {listed(left, last='and')}",
            expected='hold = "...", the longest time from taking it to giving it back, of each user',
        )


def _says(table: object, user: str) -> bool:
    """Whether a table by task or group has `user`, or the group that it is of."""
    return isinstance(table, dict) and (user in table or user.rpartition(".")[0] in table)


def _user_problems(
    document: Document,
    index: int,
    table: ResourceTable,
    key: str,
    named: Mapping[str, Sequence[int]],
) -> Iterator[HorologError]:
    """Users of the table `hold`, or `requests`, that are none of the resource's."""
    users = {task for user in table.tasks for task in named.get(user, ())}
    said = getattr(table, key)
    for user in said if isinstance(said, dict) else ():
        if user not in table.tasks and not (user in named and users.issuperset(named[user])):
            yield HorologError(
                f'"{user}" is no user of the resource "{table.name}"{suggestion(user, table.tasks)}',
                place=document.place("resource", index, key, user, key=True),
                found=f'{key} = {{ "{user}" = ... }}',
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


def waiting_problems(document: Document, system: System) -> Iterator[HorologError]:
    """Resources that a task holds for its whole job, while the description says that its body waits."""
    waits = {str(one.get("name")) for key in ("task", "task_group") for one in document.data.get(key, ())
             if one.get("waits")}  # fmt: skip
    for index, resource in enumerate(system.resources):
        for task, hold in resource.users if resource.mutex is None else ():
            one = system.task(task)
            if one.entry not in waits or hold is None or hold != one.wcet:
                continue
            yield HorologError(
                f'the resource "{resource.name}" is held across a wait: "{one.name}" has it for a whole job, '
                "and its body waits",
                place=document.place(
                    "resource", index, "hold", *_held_by(document, index, one.name)
                ),
                found=f"{duration_text(hold)}, its WCET, with waits = true",
                expected="less than the WCET: it is given back before each wait; or waits = false",
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
            tuple(_of_user(table.hold, named, task) for task in users),
            None if table.mutex is None else MutexKind(table.mutex),
            tuple(table.within),
            table.spin,
            tuple(_of_user(table.requests, named, task) or 1 for task in users),
        )
        for index, table in enumerate(file.resource)
        for users in [tuple(sorted({task for user in table.tasks for task in named[user]}))]
    )


_Said = TypeVar("_Said")


def _of_user(
    said: _Said | dict[str, _Said] | None, named: Mapping[str, Sequence[int]], task: int
) -> _Said | None:
    """What is said of `task`: by the name that stands for the fewest tasks."""
    if not isinstance(said, dict):
        return said
    known = [(len(named[user]), at) for at, user in enumerate(said) if task in named[user]]
    return list(said.values())[min(known)[1]] if known else None


def _user_of_cores(system: System, resource: Resource) -> dict[int, str]:
    """By core, the first user there; of those that have a core."""
    found: dict[int, str] = {}
    for task in (system.task(index) for index in resource.tasks):
        if task.core is not None:
            found.setdefault(task.core, task.name)
    return found


def shared_problems(system: System) -> Iterator[HorologError]:
    """Resources with users on several cores for which no core spins."""
    for one in system.resources:
        first = _user_of_cores(system, one)
        if one.spin or len(first) < 2:
            continue
        mutex = one.mutex is not None
        yield HorologError(
            f'the {"mutex" if mutex else "resource"} "{one.name}" has users on {plural(len(first), "core")}',
            place=one.place,
            found=listed([f'"{first[core]}" on core {core}' for core in sorted(first)], last="and"),
            expected=f"users on one core; or spin = true{' in place of mutex' * mutex}, with hold: then a "
            "core waits busily for its turn (hrl/spinlock.h)",
        )


def ceiling_problems(system: System) -> Iterator[HorologError]:
    """Resources that no ceiling orders."""
    for resource in system.resources:
        if resource.spin or len(_user_of_cores(system, resource)) > 1:
            continue  # of the latter shared_problems speaks
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
