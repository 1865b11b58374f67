# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What would fit, where a system needs more cells, groups or levels than there are.

An error of this kind carries changes of the description. Each is made and read like a description of the
user's, by the same code; only what is then accepted is told. So nothing is suggested that is refused in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from horolog.model import HorologError, Place
from horolog.read.document import Document
from horolog.read.problems import HorologErrors

__all__ = [
    "Change",
    "Data",
    "Unfit",
    "set_system",
    "set_table",
    "set_tasks",
    "with_what_fits",
]

_MOST_NAMED = 3
_MOST_READ = 40  # descriptions that are read to find what fits

Data = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a description: what the user would write, and how to do it to the data of a copy."""

    text: str
    make: Callable[[Data], None]
    family: str = ""  # of which the first that fits is told; "": it has none


class Unfit(HorologError):
    """Something that does not fit, and changes with which it may, the nearest first."""

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        found: str | None = None,
        expected: str,
        changes: Sequence[Change],
    ) -> None:
        super().__init__(message, place=place, found=found, expected=expected)
        self.changes = tuple(changes)


def set_system(text: str, **keys: Any) -> Change:
    """Keys of [system]; None takes one away."""

    def make(data: Data) -> None:
        _set(data["system"], keys)

    return Change(text, make)


def set_table(text: str, kind: str, name: str | None, **keys: Any) -> Change:
    """Keys of the [[table]] of that kind and name, or of all of that kind; None takes one away."""

    def make(data: Data) -> None:
        for table in data["table"]:
            if table.get("kind") == kind and name in (None, table.get("name")):
                _set(table, keys)

    return Change(text, make)


def set_tasks(text: str, names: Sequence[str], **keys: Any) -> Change:
    """Keys of the [[task]]s of those names; None takes one away."""

    def make(data: Data) -> None:
        for task in data["task"]:
            if task.get("name") in names:
                _set(task, keys)

    return Change(text, make)


def with_what_fits(
    error: HorologError, document: Document, read: Callable[[Document], object]
) -> HorologError:
    """`error` with what fits told, wherever it is an Unfit; `read` is what has refused `document`.

    Changes are tried alone, then in pairs. One that brings another error than those of `error` does not fit.
    """
    errors = error.errors if isinstance(error, HorologErrors) else (error,)
    if not any(isinstance(one, Unfit) for one in errors):
        return error
    known = {_key(one) for one in errors}
    made = [
        _with_changes(one, document, read, known - {_key(one)}) if isinstance(one, Unfit) else one
        for one in errors
    ]
    return HorologErrors(made) if len(made) > 1 else made[0]


def _with_changes(
    error: Unfit, document: Document, read: Callable[[Document], object], others: set[str]
) -> HorologError:
    left = _MOST_READ
    fit: list[str] = []
    families: set[str] = set()
    for changes in _alone_and_in_pairs(error.changes):
        if any(change.family in families for change in changes):
            continue
        if left == 0 or (fit and len(changes) > 1) or len(fit) == _MOST_NAMED:
            break
        left -= 1
        data = deepcopy(document.data)
        for change in changes:
            change.make(data)
        try:
            read(replace(document, data=data))
        except HorologError as again:
            errors = again.errors if isinstance(again, HorologErrors) else (again,)
            if not {_key(one) for one in errors} <= others:
                continue
        fit.append(" and ".join(change.text for change in changes))
        families |= {change.family for change in changes if change.family}
    what = f"; this fits: {'; or '.join(fit)}" if fit else ""
    return HorologError(
        error.message, place=error.place, found=error.found, expected=f"{error.expected}{what}"
    )


def _alone_and_in_pairs(changes: Sequence[Change]) -> Iterator[tuple[Change, ...]]:
    for many in (1, 2):
        yield from combinations(changes, many)


def _key(error: HorologError) -> str:
    return f"{error.place}: {error.message}"


def _set(table: Data, keys: Data) -> None:
    for key, value in keys.items():
        if value is None:
            table.pop(key, None)
        else:
            table[key] = value
