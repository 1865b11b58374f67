# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Names of C objects that the tool generates, and that sources use: each is one thing's alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from horolog.model import HorologError, Kind, Place
from horolog.read.activated import BY_MESSAGE, is_sporadic
from horolog.read.document import Document, Loc
from horolog.read.schema import SystemFile, TaskTable

__all__ = ["c_name_problems", "function_names", "reserved_problem"]

_WORDS = re.compile(
    "auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|"
    "long|main|register|restrict|return|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|"
    "void|volatile|while"
)
"""Words of C, and the name of the program's first function, which is generated."""


@dataclass(frozen=True, slots=True)
class _Object:
    """A C object, what it is, for people, and the key of the name that it has or is made of."""

    name: str
    what: str
    loc: Loc
    is_named: bool  # the key's value is the whole name


def c_name_problems(
    document: Document, file: SystemFile, kind: Kind | None
) -> Iterator[HorologError]:
    """Objects with the name of a function, of another object, or of the kernel; once for each key.

    `kind`: of all tasks, whatever the file says.
    """
    taken = function_names(file)
    reported: set[Loc] = set()
    for one in _objects(file, kind):
        other = taken.setdefault(one.name, one.what)
        problem = _reserved(document, one)
        if problem is None and other != one.what:
            problem = _clash(document, one, other)
        if problem is not None and one.loc not in reported:
            reported.add(one.loc)
            yield problem


def _reserved(document: Document, one: _Object) -> HorologError | None:
    if not one.is_named:
        return None  # it begins with the tool's word
    return reserved_problem(one.name, f"the {one.what}", document.place(*one.loc))


def reserved_problem(name: str, what: str, place: Place) -> HorologError | None:
    """What is wrong with a name for C that the user gives; None: nothing. `what` has that name."""
    if name.lower().startswith("hrl"):
        why, expected = "is a name of the kernel", "a name that does not begin with hrl or HRL"
    elif _WORDS.fullmatch(name):
        why, expected = "has a meaning in C", "a name that is no word of C"
    else:
        return None
    return HorologError(
        f"{what} cannot have its name in C: {name} {why}",
        place=place,
        found=f'"{name}"',
        expected=expected,
    )


def _clash(document: Document, one: _Object, other: str) -> HorologError:
    return HorologError(
        f"the {one.what} and the {other} have one name in C: {one.name}",
        place=document.place(*one.loc),
        found=f'"{one.name}"' if one.is_named else f"a name that makes {one.name}",
        expected="a name of its own for each object and each function",
    )


def function_names(file: SystemFile) -> dict[str, str]:
    """By their names, the functions that the file names."""
    found: dict[str, str] = {}
    for tasks in (file.task, file.task_group):
        for task in tasks:
            if task.body is not None:
                found.setdefault(task.body, f'body of "{task.name}"')
    for one in file.interrupt:
        if one.handler is not None:
            found.setdefault(one.handler, f'handler of "{one.name}"')
    if file.system.start is not None:
        found.setdefault(file.system.start, "start function")
    return found


def _objects(file: SystemFile, kind: Kind | None) -> Iterator[_Object]:
    """Those of tasks, and then those of resources, which are easier to rename."""
    for index, table in enumerate(file.task):
        for name, what in _of_task(table, kind):
            yield _Object(name, f'{what} of "{table.name}"', ("task", index, "name"), False)
    for index, one in enumerate(file.resource):
        yield _Object(one.name, f'resource "{one.name}"', ("resource", index, "name"), True)


def _of_task(table: TaskTable, kind: Kind | None) -> list[tuple[str, str]]:
    """The names of its objects, and what these are (kernel/assemble/sporadic_*.h and *_server.h)."""
    name = table.name
    if table.server is not None:
        return [(f"activate_{name}", "semaphore")]
    if not is_sporadic(table):
        return []
    if (kind or Kind(table.kind)) is Kind.BASIC:
        return [(f"basic_{name}", "basic task")]
    if table.activated_by == BY_MESSAGE:
        return [
            (f"messages_{name}", "message queue"),
            (f"messages_{name}_slots", "memory for messages"),
            (f"message_{name}", "message"),
        ]
    return [(f"activate_{name}", "semaphore")]
