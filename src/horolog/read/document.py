# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A TOML file with the places of its keys and values, so that an error can point at them.

tomllib decides what the file says and whether it is valid; tree-sitter says where.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import tree_sitter_toml
from tree_sitter import Language, Node, Parser

from horolog.model import HorologError, Place

__all__ = ["Document", "Loc", "read_document"]

Loc = tuple[str | int, ...]
"""A way into the data: keys of tables, indices of arrays."""

_INTEGERS = 2**63
_KEYS = ("bare_key", "quoted_key", "dotted_key")
_WHERE = re.compile(r" \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, and where it says it."""

    file: str
    data: dict[str, Any]
    keys: dict[Loc, tuple[int, int]]
    values: dict[Loc, tuple[int, int]]

    def place(self, *loc: str | int, key: bool = False) -> Place:
        """Where the value at `loc` stands (or its key); what is absent is placed at its table."""
        spots = self.keys if key else self.values
        named: str | None = self._named(loc) or None
        for end in range(len(loc), 0, -1):
            spot = spots.get(loc[:end]) or self.keys.get(loc[:end])
            if spot is not None:
                return Place(self.file, *spot, key=named)
        return Place(self.file, key=named)

    def only(self, key: str, indices: Sequence[int]) -> Document:
        """The document with those elements of the array `key` alone, each where the file has it."""
        of = {before: after for after, before in enumerate(indices)}

        def kept(spots: dict[Loc, tuple[int, int]]) -> dict[Loc, tuple[int, int]]:
            found: dict[Loc, tuple[int, int]] = {}
            for loc, spot in spots.items():
                if len(loc) < 2 or loc[0] != key:
                    found[loc] = spot
                elif isinstance(loc[1], int) and loc[1] in of:
                    found[(key, of[loc[1]], *loc[2:])] = spot
            return found

        data = {**self.data, key: [self.data[key][index] for index in indices]}
        return replace(self, data=data, keys=kept(self.keys), values=kept(self.values))

    def _named(self, loc: Loc) -> str:
        """`loc` for people: an array's element goes by its name where it has one."""
        text = ""
        node: Any = self.data
        for step in loc:
            try:
                node = node[step]
            except (KeyError, IndexError, TypeError):
                node = None
            if isinstance(step, str):
                text += f".{step}" if text else step
            elif isinstance(node, dict) and isinstance(node.get("name"), str):
                text += f".{node['name']}"
            else:
                text += f"[{step}]"
        return text


def read_document(path: Path) -> Document:
    """Read a TOML file. Raises HorologError, for a syntax error with its place."""
    file = str(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise HorologError(
            f"cannot read it: {reason}", place=Place(file), expected="a TOML file"
        ) from None
    raw = raw.removeprefix(codecs.BOM_UTF8)  # some editors write it, and it means nothing
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        raise HorologError(
            "not UTF-8",
            place=Place(file, line, column),
            found=f"the byte 0x{raw[error.start]:02x}",
            expected="TOML, which is UTF-8 text",
        ) from None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax_error(file, text, str(error)) from None
    except (ValueError, RecursionError):  # neither carries a place
        raise HorologError(
            "a number of thousands of digits, or thousands of nested brackets",
            place=Place(file),
            expected="TOML of a sensible size",
        ) from None
    places = _Places(raw)
    document = Document(file, data, places.keys, places.values)
    _refuse_endless_numbers(document, data, ())
    return document


def _refuse_endless_numbers(document: Document, value: Any, loc: Loc) -> None:
    """TOML's integers have 64 bits; Python reads longer ones, and cannot even print the longest."""
    if isinstance(value, int) and not -_INTEGERS <= value < _INTEGERS:
        raise HorologError(
            "a whole number of more than 64 bits",
            place=document.place(*loc),
            found=f"{value.bit_length()} bits",
            expected=f"at most {_INTEGERS - 1:,}",
        )
    steps: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, dict):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
    for step, inner in steps:
        _refuse_endless_numbers(document, inner, (*loc, step))


def _syntax_error(file: str, text: str, said: str) -> HorologError:
    lines = text.splitlines() or [""]
    line, column = len(lines), len(lines[-1]) + 1
    where = _WHERE.search(said)
    if where is not None:
        said = said[: where.start()]
        if where["line"]:
            line, column = int(where["line"]), int(where["column"])
    shown = lines[line - 1].strip() if line <= len(lines) else ""
    return HorologError(
        f"TOML syntax: {said[:1].lower()}{said[1:]}",
        place=Place(file, line, column),
        found=shown or "the end of the file",
        expected='TOML 1.0, such as period = "5 ms" or [[task]]',
    )


@dataclass(slots=True)
class _Places:
    """Walks a syntax tree once and notes where each key and each value begins."""

    raw: bytes
    keys: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    values: dict[Loc, tuple[int, int]] = field(default_factory=dict)
    _lengths: dict[Loc, int] = field(default_factory=dict)  # of arrays of tables, so far

    def __post_init__(self) -> None:
        tree = Parser(Language(tree_sitter_toml.language())).parse(self.raw)
        for node in tree.root_node.children:
            if node.type == "pair":
                self._pair(node, ())
            elif node.type in ("table", "table_array_element"):
                self._table(node)

    def _table(self, node: Node) -> None:
        header = next(child for child in node.children if child.type in _KEYS)
        names = _names(header)
        loc: Loc = ()
        for depth, name in enumerate(names):
            loc += (name,)
            if depth == len(names) - 1 and node.type == "table_array_element":
                self._lengths[loc] = self._lengths.get(loc, 0) + 1
                self.keys.setdefault(loc, self._spot(node))
            if loc in self._lengths:
                loc += (self._lengths[loc] - 1,)
        self.keys.setdefault(loc, self._spot(node))
        for child in node.children:
            if child.type == "pair":
                self._pair(child, loc)

    def _pair(self, node: Node, table: Loc) -> None:
        parts = [child for child in node.children if child.type not in ("=", "comment", "ERROR")]
        if len(parts) != 2:
            return
        loc = table
        for name in _names(parts[0]):
            loc += (name,)
            self.keys.setdefault(loc, self._spot(parts[0]))
        self._value(parts[1], loc)

    def _value(self, node: Node, loc: Loc) -> None:
        self.values[loc] = self._spot(node)
        if node.type == "inline_table":
            for child in node.children:
                if child.type == "pair":
                    self._pair(child, loc)
        elif node.type == "array":
            elements = [c for c in node.children if c.type not in ("[", "]", ",", "comment")]
            for index, child in enumerate(elements):
                self._value(child, (*loc, index))

    def _spot(self, node: Node) -> tuple[int, int]:
        """Line and column from 1; columns in characters, where tree-sitter has bytes."""
        row, byte = node.start_point
        start = node.start_byte - byte
        return row + 1, len(self.raw[start : node.start_byte].decode("utf-8", "replace")) + 1


def _names(key: Node) -> list[str]:
    """The names that a key is made of: `a."b c"` has two."""
    if key.type == "dotted_key":
        return [name for child in key.children if child.type in _KEYS for name in _names(child)]
    text = (key.text or b"").decode("utf-8", "replace")
    if key.type == "bare_key":
        return [text]
    return list(tomllib.loads(f"{text} = 0"))
