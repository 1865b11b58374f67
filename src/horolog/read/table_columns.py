# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The columns of a table of tasks, and what their headings say."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from horolog.model import HorologError, Place
from horolog.read.problems import listed, shown, suggestion
from horolog.read.units import parse_duration, parse_period

__all__ = ["COLUMNS", "QUANTITIES", "REQUIRED", "Column", "Table", "named", "read_headings"]

COLUMNS = (
    "name",
    "period",
    "wcet",
    "deadline",
    "offset",
    "priority",
    "jitter",
    "kind",
    "min_gap",
    "activated_by",
)
"""The columns that a table may have, in any order."""
REQUIRED = COLUMNS[:3]

_HEADING = re.compile(r"(?P<name>[^\[(]*?)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?")
QUANTITIES: dict[str, Callable[[str], Fraction]] = {
    "period": parse_period,
    "wcet": parse_duration,
    "deadline": parse_duration,
    "offset": partial(parse_duration, zero=True),
    "jitter": partial(parse_duration, zero=True),
    "min_gap": parse_duration,
}
"""The columns of times, and how one is read."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column that is read. `name`: one of COLUMNS; `unit`: of its heading."""

    name: str
    number: int
    heading: str
    unit: str | None


@dataclass(slots=True)
class Table:
    """A table while it is read, and what is wrong with it."""

    file: str
    delimiter: str
    columns: list[Column] = field(default_factory=list)
    headed: set[int] = field(default_factory=set)  # numbers of columns with a heading, read or not
    decimal_comma: bool = False
    problems: list[HorologError] = field(default_factory=list)

    def error(
        self,
        message: str,
        row: int,
        column: int | None = None,
        key: str | None = None,
        *,
        found: str | None = None,
        expected: str,
    ) -> None:
        """Note what is wrong at a row and a column, from 1; `key`: the heading."""
        place = Place(self.file, row, column, key)
        self.problems.append(HorologError(message, place=place, found=found, expected=expected))


def named(heading: str) -> tuple[str, str | None]:
    """The name and the unit that a heading has."""
    parts = _HEADING.fullmatch(heading)
    if parts is None:
        return heading.lower(), None
    unit = parts["unit"]
    return parts["name"].strip().lower(), None if unit is None else unit.strip()


def read_headings(table: Table, row: int, headings: Sequence[str]) -> None:
    """Fill `table.columns`. A column with an empty heading, or one that begins with #, is not read."""
    for number, heading in enumerate(headings, 1):
        if heading:
            table.headed.add(number)
        if not heading or heading.startswith("#"):
            continue
        name, unit = named(heading)
        if name not in COLUMNS:
            table.error(
                f"unknown column {shown(heading)}{suggestion(name, COLUMNS)}",
                row,
                number,
                found=shown(heading),
                expected=f"{listed(COLUMNS)}; a heading that begins with # for a column that is not read",
            )
            continue
        if any(one.name == name for one in table.columns):
            table.error(
                f'a second column "{name}"',
                row,
                number,
                found=shown(heading),
                expected="each column once",
            )
            continue
        _check_unit(table, row, number, heading, name, unit)
        table.columns.append(Column(name, number, heading, unit))
    given = {one.name for one in table.columns}
    for name in REQUIRED:
        if name not in given and not table.problems:
            example = name if name == "name" else f"{name} [ms]"
            table.error(
                f'the column "{name}" is missing',
                row,
                found=", ".join(heading for heading in headings if heading),
                expected=f'a column with the heading "{example}"',
            )


def _check_unit(
    table: Table, row: int, number: int, heading: str, name: str, unit: str | None
) -> None:
    if unit is None:
        return
    parse = QUANTITIES.get(name)
    message = f'the column "{name}" has no unit'
    expected = f'the heading "{name}"'
    if parse is not None:
        try:
            parse(f"1 {unit}")
            return
        except ValueError as error:
            message, expected = str(error), f'ns, us, ms, s or min: "{name} [ms]"'
    table.error(message, row, number, found=shown(heading), expected=expected)
