# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[resource]] tables of system.toml, and whether a priority ceiling can protect each resource."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from horolog.analyse import ceiling, unordered
from horolog.model import HorologError, Kind, Resource, System
from horolog.read.document import Document
from horolog.read.problems import choice_problems, name_taken
from horolog.read.schema import SystemFile

__all__ = ["ceiling_problems", "resource_problems", "resources"]


def resource_problems(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]]
) -> Iterator[HorologError]:
    """Names that are taken, users that there are not. `named`: tasks by their names and their groups'."""
    known: set[str] = set()
    for index, table in enumerate(file.resource):
        if table.name in known:
            yield name_taken("resource", table.name, document.place("resource", index, "name"))
        known.add(table.name)
        yield from choice_problems(
            table.tasks,
            named,
            partial(document.place, "resource", index, "tasks"),
            absent="there is no task",
            noun="task",
            shown=_few(named),
        )


def resources(
    document: Document, file: SystemFile, named: Mapping[str, Sequence[int]]
) -> tuple[Resource, ...]:
    """The resources of a file that has no resource_problems."""
    return tuple(
        Resource(
            table.name,
            tuple(sorted({task for user in table.tasks for task in named[user]})),
            document.place("resource", index, "tasks"),
        )
        for index, table in enumerate(file.resource)
    )


def ceiling_problems(system: System) -> Iterator[HorologError]:
    """Resources that no ceiling orders."""
    for resource in system.resources:
        basic = [i for i in resource.tasks if system.tasks[i].kind is Kind.BASIC]
        if not basic:
            yield HorologError(
                f'no ceiling orders the users of the resource "{resource.name}": all are threads',
                place=resource.place,
                found=f"{len(resource.tasks)} user{'s' * (len(resource.tasks) != 1)}, and no basic task "
                "among them",
                expected='a basic task (kind = "basic") among them; threads share by a mutex, hrl/mutex.h',
            )
            continue
        pair = unordered(system, resource.tasks)
        if pair is None:
            assert ceiling(system, resource) > 0
            continue
        yield _no_ceiling(system, resource, *pair)


def _no_ceiling(system: System, resource: Resource, one: int, other: int) -> HorologError:
    first, second = system.tasks[one], system.tasks[other]
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
