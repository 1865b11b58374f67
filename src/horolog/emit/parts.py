# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Lines of generated C: a macro with its arguments, or a row of an array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = [
    "GUARD_CELL",
    "Name",
    "Part",
    "Row",
    "Value",
    "driver_of",
    "part",
    "row",
    "unsigned",
    "word",
]

GUARD_CELL = "guard_cell"
"""The device that HRLI_SHARED_GUARD_CELL (kernel/assemble/shared_guards.h) makes: a channel for each role."""


@dataclass(frozen=True, slots=True)
class Part:
    """One macro, of kernel/assemble/ as a rule, with its arguments; `body` stands in it, a line each."""

    macro: str
    arguments: tuple[Value, ...] = ()
    body: tuple[Part | str, ...] = ()
    comment: str = ""

    @property
    def note(self) -> str:
        """The comment behind it."""
        return f" /* {self.comment} */" if self.comment else ""

    def __str__(self) -> str:
        """The part in C."""
        arguments = ", ".join(map(_in_c, self.arguments))
        lines = "".join(f"\n    {one}" for one in self.body)
        between, last = ("," if arguments and lines else ""), ("\n" if lines else "")
        return f"{self.macro}({arguments}{between}{lines}{last})"


@dataclass(frozen=True, slots=True)
class Row:
    """An element of an array: its fields in order."""

    fields: tuple[Value, ...]
    comment: str = ""

    @property
    def note(self) -> str:
        """The comment behind it."""
        return f" /* {self.comment} */" if self.comment else ""

    def __str__(self) -> str:
        """The element in C."""
        return "{" + ", ".join(map(_in_c, self.fields)) + "}"


@dataclass(frozen=True, slots=True)
class Name:
    """An element of an array that is a name in C."""

    text: str
    note: str = ""

    def __str__(self) -> str:
        return self.text


Value = int | str | Part | Row
"""An argument of a macro or a field of a row: a number, true or false, a name in C, or a macro or row."""


def part(macro: str, *arguments: Value, body: Iterable[Part | str] = (), comment: str = "") -> Part:
    """Returns the macro `macro` with these arguments."""
    return Part(macro, arguments, tuple(body), comment)


def row(*fields: Value, comment: str = "") -> Row:
    """Returns an element with these fields."""
    return Row(fields, comment)


def unsigned(number: int) -> str:
    """Returns a number for C to calculate with; without the suffix it becomes part of a name."""
    return f"{number}u"


def word(bits: int) -> str:
    """Returns a word of bits."""
    return f"0x{bits:08x}u"


def _in_c(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def driver_of(device: str) -> str:
    """Returns the prefix of the names of a device's functions."""
    return "hrlp_" + device.replace("-", "_")
