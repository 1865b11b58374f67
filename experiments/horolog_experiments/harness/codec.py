# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The data behind a page as JSON that diffs well: one measured row a line; and back.

A dataclass is a list of its fields' values; a fraction is a text; a member of an enumeration is its name, or
its value if that is a text. An entry of a mapping is a list: what the key is made of, then what the value
is made of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from types import UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

__all__ = ["Data", "INLINE", "UNSAVED", "listed", "plain_value", "text_of", "typed"]

INLINE = {"inline": True}
"""Metadata of a dataclass's field: the values of the dataclass that it holds stand among the others."""
UNSAVED = {"saved": False}
"""Metadata of a dataclass's field that is not written; it has its default when read."""

_T = TypeVar("_T")
_Results = TypeVar("_Results")


def listed(name: str, rows: Iterable[Any], separators: tuple[str, str] | None = None) -> str:
    """The member `name` of an object: a list with each of `rows` on a line of its own."""
    lines = (json.dumps(row, separators=separators) for row in rows)
    return f'"{name}": [\n' + ",\n".join(lines) + "\n]"


def text_of(
    head: Mapping[str, Any],
    lists: Mapping[str, Iterable[Any]],
    separators: tuple[str, str] | None = None,
) -> str:
    """An object with each value of `head` on a line, and then `lists`."""
    parts = [f'"{name}": {json.dumps(value)}' for name, value in head.items()]
    parts += [listed(name, rows, separators) for name, rows in lists.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


@dataclass(frozen=True)
class Data(Generic[_Results]):
    """How the dataclass `results` stands in a file.

    `head`: the fields that have a line each. `lists`: the fields of which each row or entry has a line;
    `called`: their members' names, where these are others. `in_head`: the head is a member of that name.
    `more`: members at the end of the head that say what stands in the lists. `ascending`: mappings that are
    written in the order of their keys.
    """

    results: type[_Results]
    head: Sequence[str]
    lists: Sequence[str]
    called: Mapping[str, str] = field(default_factory=dict)
    in_head: bool = False
    more: Mapping[str, Any] = field(default_factory=dict)
    ascending: Sequence[str] = ()

    def text(self, results: _Results) -> str:
        """All of `results`."""
        head = {name: plain_value(getattr(results, name)) for name in self.head}
        head |= self.more
        lists = {self.called.get(name, name): self._rows(results, name) for name in self.lists}
        return text_of({"head": head} if self.in_head else head, lists)

    def read(self, text: str) -> _Results:
        """What `text` wrote."""
        data = json.loads(text)
        head = data["head"] if self.in_head else data
        kinds = get_type_hints(self.results)
        found = {name: typed(kinds[name], head[name]) for name in self.head}
        found |= {
            name: typed(kinds[name], data[self.called.get(name, name)]) for name in self.lists
        }
        return self.results(**found)

    def _rows(self, results: _Results, name: str) -> list[Any]:
        rows = getattr(results, name)
        if isinstance(rows, Mapping):
            return _entries(dict(sorted(rows.items())) if name in self.ascending else rows)
        return [plain_value(row) for row in rows]


def plain_value(value: Any) -> Any:
    """`value` as json.dumps takes it."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, Enum):
        return value.value if isinstance(value, str) else value.name
    if isinstance(value, Mapping):
        is_object = all(isinstance(key, str) for key in value)
        return {k: plain_value(v) for k, v in value.items()} if is_object else _entries(value)
    if is_dataclass(value):
        return _row(value)
    return [plain_value(one) for one in value] if isinstance(value, tuple | list) else value


def _row(value: Any) -> list[Any]:
    found = []
    for one in _saved(value):
        held = getattr(value, one.name)
        found += _row(held) if _is_inline(one) else [plain_value(held)]
    return found


def _entries(mapping: Mapping[Any, Any]) -> list[list[Any]]:
    return [
        [
            *(plain_value(key if isinstance(key, tuple) else (key,))),
            *(_row(value) if is_dataclass(value) else [plain_value(value)]),
        ]
        for key, value in mapping.items()
    ]


def _saved(kind: Any) -> list[Field[Any]]:
    return [one for one in fields(kind) if one.metadata.get("saved", True)]


def _is_inline(one: Field[Any]) -> bool:
    return bool(one.metadata.get("inline"))


def typed(kind: type[_T], data: Any) -> _T:
    """The value of type `kind` that plain_value made `data` of."""
    found: _T = _value(kind, data)
    return found


def _value(kind: Any, data: Any) -> Any:
    origin = get_origin(kind) or kind
    if origin in (Union, UnionType):
        (some,) = (one for one in get_args(kind) if one is not type(None))
        return None if data is None else _value(some, data)
    if isinstance(kind, type) and is_dataclass(kind):
        return kind(**data) if isinstance(data, dict) else _row_of(kind, data)
    if isinstance(origin, type):
        for base, read in _READ.items():
            if issubclass(origin, base):
                return read(kind, data)
    return data


def _tuple(kind: Any, data: Any) -> tuple[Any, ...]:
    first, *others = get_args(kind)
    kinds = [first] * len(data) if others == [...] else [first, *others]
    return tuple(_value(one, item) for one, item in zip(kinds, data, strict=True))


def _mapping(kind: Any, data: Any) -> dict[Any, Any]:
    of_keys, of_values = get_args(kind)
    if isinstance(data, dict):
        return {key: _value(of_values, value) for key, value in data.items()}
    found = {}
    for entry in data:
        rest = iter(entry)
        key: Any = tuple(_value(one, next(rest)) for one in get_args(of_keys) or (of_keys,))
        found[key if get_args(of_keys) else key[0]] = (
            _row_of(of_values, rest) if is_dataclass(of_values) else _value(of_values, next(rest))
        )
    return found


def _row_of(kind: Any, values: Iterable[Any]) -> Any:
    rest = iter(values)
    found = _taken(kind, rest)
    if list(rest):
        raise ValueError(f"a row with more values than {kind.__name__} has")
    return found


def _taken(kind: Any, rest: Iterator[Any]) -> Any:
    """An object of the dataclass `kind` made of the next values of `rest`."""
    kinds = get_type_hints(kind)
    return kind(
        **{
            one.name: _taken(kinds[one.name], rest)
            if _is_inline(one)
            else _value(kinds[one.name], next(rest))
            for one in _saved(kind)
        }
    )


_READ: Mapping[type, Callable[[Any, Any], Any]] = {
    tuple: _tuple,
    Mapping: _mapping,
    Fraction: lambda kind, data: Fraction(data),
    Enum: lambda kind, data: kind(data) if issubclass(kind, str) else kind[data],
}
