# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Lines of generated C: a macro with what it takes, or a row of an array."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Name", "Part", "Row", "Value", "part", "row", "unsigned", "word"]


@dataclass(frozen=True, slots=True)
class Part:
    """One macro, of kernel/assemble/ as a rule, and what it takes; `does` stands in it, a line each."""

    macro: str
    takes: tuple[Value, ...] = ()
    does: tuple[Part | str, ...] = ()
    said: str = ""

    @property
    def note(self) -> str:
        """The comment behind it."""
        return f" /* {self.said} */" if self.said else ""

    def __str__(self) -> str:
        """The part in C."""
        taken = ", ".join(map(_in_c, self.takes))
        lines = "".join(f"\n    {one}" for one in self.does)
        between, last = ("," if taken and lines else ""), ("\n" if lines else "")
        return f"{self.macro}({taken}{between}{lines}{last})"


@dataclass(frozen=True, slots=True)
class Row:
    """An element of an array: its fields in order."""

    fields: tuple[Value, ...]
    said: str = ""

    @property
    def note(self) -> str:
        """The comment behind it."""
        return f" /* {self.said} */" if self.said else ""

    def __str__(self) -> str:
        """The element in C."""
        return "{" + ", ".join(map(_in_c, self.fields)) + "}"


@dataclass(frozen=True, slots=True)
class Name:
    """An element of an array that is what C calls a thing."""

    text: str
    note: str = ""

    def __str__(self) -> str:
        return self.text


Value = int | str | Part | Row
"""What a macro or a row takes: a number, true or false, what C calls a thing, or another of them."""


def part(macro: str, *takes: Value, does: Iterable[Part | str] = (), said: str = "") -> Part:
    """The macro `macro` with what it takes."""
    return Part(macro, takes, tuple(does), said)


def row(*fields: Value, said: str = "") -> Row:
    """An element with these fields."""
    return Row(fields, said)


def unsigned(number: int) -> str:
    """A number that C shall calculate with; a bare one becomes part of a name."""
    return f"{number}u"


def word(bits: int) -> str:
    """A word of bits."""
    return f"0x{bits:08x}u"


def _in_c(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
