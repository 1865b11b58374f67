# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a cell of a table of tasks says."""

from __future__ import annotations

import re
from fractions import Fraction

from horolog.model import Kind
from horolog.read.activated import BY_TASK
from horolog.read.problems import listed, shown, suggestion
from horolog.read.table_columns import QUANTITIES, Column, Table

__all__ = ["value_of"]

_NUMBER = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<number>[0-9][0-9.,/]*)(?P<power>[eE][+-]?[0-9]{1,2})?\s*(?P<unit>.*)"
)
_EXAMPLES = {"period": '"10 ms" or "100 Hz"'}
_UNIT = 'a unit in the heading, such as "{0} [ms]", or in the cell, such as "10 ms"'


def value_of(
    table: Table, row: int, column: Column, cell: str
) -> str | int | Kind | Fraction | None:
    """What a cell says; None where that is wrong."""
    message, expected = "", ""
    if column.name == "name":
        return cell
    if column.name == "priority":
        if re.fullmatch(r"[0-9]{1,9}", cell) and int(cell):
            return int(cell)
        message, expected = (
            "not a priority",
            "a whole number from 1 on; a larger one is more urgent",
        )
    elif column.name == "activated_by":
        if cell.startswith(BY_TASK):
            return cell.removeprefix(BY_TASK).strip()
        message = "not a task that activates it"
        expected = (
            '"task NAME", which activates it at the end of each job; or an empty cell and a min_gap'
        )
    elif column.name == "kind":
        if cell.lower() in {kind.value for kind in Kind}:
            return Kind(cell.lower())
        message = f'unknown kind "{cell}"{suggestion(cell, [kind.value for kind in Kind])}'
        expected = listed([kind.value for kind in Kind])
    else:
        try:
            return _quantity(table, column, cell)
        except _Wrong as wrong:
            message, expected = str(wrong), wrong.expected
    table.error(message, row, column.number, column.heading, found=shown(cell), expected=expected)
    return None


class _Wrong(ValueError):
    """What is wrong with a cell."""

    def __init__(self, message: str, expected: str) -> None:
        super().__init__(message)
        self.expected = expected


def _quantity(table: Table, column: Column, cell: str) -> Fraction:
    """The seconds that a cell means."""
    example = _EXAMPLES.get(column.name, '"10 ms"')
    parts = _NUMBER.fullmatch(cell)
    if parts is None:
        raise _Wrong("not a number", f"a number, with a unit there or in the heading: {example}")
    number = _with_point(table, parts["number"])
    if parts["power"]:
        try:
            number = str(Fraction(number + parts["power"]))
        except ValueError:
            raise _Wrong("not a number", f'a number such as "1.5e-3" or {example}') from None
    unit = parts["unit"] or column.unit
    if unit is None:
        raise _Wrong("no unit", _UNIT.format(column.name))
    try:
        return QUANTITIES[column.name](f"{parts['sign']}{number} {unit}")
    except ValueError as error:
        least = "zero or more" if column.name in ("offset", "jitter") else "more than zero"
        of_size = str(error).endswith("of zero") or str(error).startswith("a negative")
        raise _Wrong(str(error), least if of_size else f"such as {example}") from None


def _with_point(table: Table, number: str) -> str:
    """`number` with a decimal point; refuses a mark that may separate thousands, as in 1.000."""
    if "," in number and table.delimiter == ",":
        raise _Wrong(
            "a comma in a number, in a table with commas between cells",
            'a decimal point, as in "2.5", and nothing between thousands; or semicolons between cells',
        )
    if "." in number and table.decimal_comma:
        raise _Wrong(
            "a point in a number, in a table with decimal commas",
            'a decimal comma, as in "2,5", and nothing between thousands',
        )
    return number.replace(",", ".")
