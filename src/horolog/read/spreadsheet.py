# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A table of tasks as a spreadsheet saves it (CSV): a heading for each column, a row for each task.

Units stand in the heading (`period [ms]`) or in the cell (`10 ms`). Cells are separated by commas, semicolons
or tabs; numbers may have a decimal comma where cells are not separated by commas. Values are exact. Places of
errors are file:row:column as the spreadsheet counts them, from 1.
"""

from __future__ import annotations

import codecs
import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from horolog.model import HorologError, Kind, Place
from horolog.read.problems import listed, raise_all, shown, suggestion
from horolog.read.units import duration_text, parse_duration, parse_period

__all__ = ["COLUMNS", "REQUIRED", "TableTask", "read_table"]

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

_DELIMITERS = (",", ";", "\t")
_HEADING = re.compile(r"(?P<name>[^\[(]*?)\s*(?:[\[(](?P<unit>[^\])]*)[\])])?")
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)\s*(?P<number>[0-9][0-9.,/]*)(?P<power>[eE][+-]?[0-9]{1,2})?\s*(?P<unit>.*)"
)
_QUANTITIES: dict[str, Callable[[str], Fraction]] = {
    "period": parse_period,
    "wcet": parse_duration,
    "deadline": parse_duration,
    "offset": partial(parse_duration, zero=True),
    "jitter": partial(parse_duration, zero=True),
    "min_gap": parse_duration,
}
_BY_TASK = "task "
_OF_SPORADIC = ("min_gap", "activated_by")
_OF_TIME = ("offset", "jitter")
_EXAMPLES = {"period": '"10 ms" or "100 Hz"'}
_UNIT = 'a unit in the heading, such as "{0} [ms]", or in the cell, such as "10 ms"'


@dataclass(frozen=True, slots=True)
class TableTask:
    """A row: a task. `cells`: for each column that the row fills, the number of that column, from 1.

    The `period` of a sporadic task is its least gap; `after` is the task that activates it, if one does.
    """

    name: str
    period: Fraction
    wcet: Fraction
    deadline: Fraction
    offset: Fraction
    priority: int | None
    jitter: Fraction
    kind: Kind
    place: Place
    cells: dict[str, int]
    after: str | None = None

    @property
    def is_sporadic(self) -> bool:
        """Whether time does not release it."""
        return "period" not in self.cells


@dataclass(frozen=True, slots=True)
class _Column:
    """A column that is read. `name`: one of COLUMNS; `unit`: of its heading."""

    name: str
    number: int
    heading: str
    unit: str | None


@dataclass(slots=True)
class _Table:
    """A table while it is read, and what is wrong with it."""

    file: str
    delimiter: str
    columns: list[_Column] = field(default_factory=list)
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
        place = Place(self.file, row, column, key)
        self.problems.append(HorologError(message, place=place, found=found, expected=expected))


def read_table(path: Path) -> tuple[TableTask, ...]:
    """The tasks of the table in `path`, in its order. Raises HorologError with all that is wrong."""
    text = _text(path)
    delimiter, rows = _rows(str(path), text)
    table = _Table(str(path), delimiter)
    filled = [(number, row) for number, row in rows if any(row)]
    if not filled:
        table.error("the table is empty", 1, expected=f"a row of headings: {', '.join(REQUIRED)}")
        raise_all(table.problems)
    _read_headings(table, *filled[0])
    raise_all(table.problems)
    table.decimal_comma = delimiter != "," and any(
        _has_decimal_comma(row, table.columns) for _, row in filled[1:]
    )
    tasks = [_task(table, number, row) for number, row in filled[1:]]
    if not tasks:
        table.error("the table has no task", filled[0][0], expected="a row for each task")
    _refuse_taken_names(table, filled[1:])
    raise_all(table.problems)
    read = [task for task in tasks if task is not None]
    if all(task.is_sporadic for task in read):
        table.error(
            "no task has a period",
            read[0].place.line or 0,
            expected="a period in the row of at least one task",
        )
    found = [_with_gap(table, task, {one.name: one for one in read}) for task in read]
    raise_all(table.problems)
    return tuple(found)


def _with_gap(table: _Table, task: TableTask, by_name: dict[str, TableTask]) -> TableTask:
    """`task`; activated by a task and without a gap, with that of the first task in their row."""
    chain = [task]
    while chain[-1].after is not None and chain.count(chain[-1]) == 1:
        if chain[-1].after not in by_name:
            if chain[-1] is task:
                _refuse_activator(table, task, "no such task activates it", by_name)
            return task
        chain.append(by_name[chain[-1].after])
    if chain.count(chain[-1]) > 1:
        if chain[-1] is task:
            _refuse_activator(table, task, "the task activates itself", by_name)
        return task
    gap = next(one.period for one in chain[1:] if one.period) if task.after else task.period
    if not task.period:
        deadline = task.deadline or gap
        return replace(task, period=gap, deadline=deadline)
    if gap < task.period:
        table.error(
            f'"{task.after}" runs more often than it may be activated',
            task.place.line or 0,
            task.cells["min_gap"],
            "min_gap",
            found=f"{duration_text(task.period)}, and {duration_text(gap)} of {shown(task.after or '')}",
            expected=f"at most {duration_text(gap)}, or an empty cell",
        )
    return task


def _refuse_activator(
    table: _Table, task: TableTask, message: str, by_name: dict[str, TableTask]
) -> None:
    others = [name for name in by_name if name != task.name]
    assert task.after is not None
    table.error(
        message + ("" if task.after in by_name else suggestion(task.after, others)),
        task.place.line or 0,
        task.cells["activated_by"],
        "activated_by",
        found=shown(f"{_BY_TASK}{task.after}"),
        expected='"task NAME", of a task that has a period or a least gap in the end',
    )


def _text(path: Path) -> str:
    place = Place(str(path))
    try:
        raw = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise HorologError(
            f"cannot read it: {reason}", place=place, expected="a table of tasks as CSV"
        ) from None
    try:
        return raw.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise HorologError(
            "not UTF-8",
            place=Place(str(path), line),
            found=f"the byte 0x{raw[error.start]:02x}",
            expected='text in UTF-8: "CSV UTF-8" where a spreadsheet asks for the format',
        ) from None


def _rows(file: str, text: str) -> tuple[str, list[tuple[int, list[str]]]]:
    """The delimiter, and the rows with their numbers, cells without spaces around them."""
    lines = StringIO(text, newline="").readlines()
    skipped = 0
    delimiter = None
    if lines and re.fullmatch(r"sep=[,;\t]\s*", lines[0]):  # Excel's own mark
        delimiter, skipped = lines[0][4], 1
    if delimiter is None:
        delimiter = max(_DELIMITERS, key=partial(_headings_known, lines))
    reader = csv.reader(lines[skipped:], delimiter=delimiter, skipinitialspace=True, strict=True)
    found = []
    try:
        for number, row in enumerate(reader, skipped + 1):
            found.append((number, [cell.strip() for cell in row]))
    except csv.Error as error:
        line = skipped + max(1, reader.line_num)
        raise HorologError(
            f"not a table: {error}",
            place=Place(file, line),
            expected='cells separated by commas, semicolons or tabs; quotes in pairs: "a, b"',
        ) from None
    return delimiter, found


def _headings_known(lines: Sequence[str], delimiter: str) -> tuple[int, int]:
    """How many headings of the first row are known with that delimiter, and how many cells it has."""
    first = next((line for line in lines if line.strip()), "")
    cells = first.strip("\r\n").split(delimiter)
    return sum(_named(cell.strip().strip('"'))[0] in COLUMNS for cell in cells), len(cells)


def _named(heading: str) -> tuple[str, str | None]:
    """The name and the unit that a heading has."""
    parts = _HEADING.fullmatch(heading)
    if parts is None:
        return heading.lower(), None
    unit = parts["unit"]
    return parts["name"].strip().lower(), None if unit is None else unit.strip()


def _read_headings(table: _Table, row: int, headings: Sequence[str]) -> None:
    """Fill `table.columns`. A column whose heading is empty or begins with # is not read."""
    for number, heading in enumerate(headings, 1):
        if heading:
            table.headed.add(number)
        if not heading or heading.startswith("#"):
            continue
        name, unit = _named(heading)
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
        table.columns.append(_Column(name, number, heading, unit))
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
    table: _Table, row: int, number: int, heading: str, name: str, unit: str | None
) -> None:
    if unit is None:
        return
    parse = _QUANTITIES.get(name)
    message = f'the column "{name}" has no unit'
    expected = f'the heading "{name}"'
    if parse is not None:
        try:
            parse(f"1 {unit}")
            return
        except ValueError as error:
            message, expected = str(error), f'ns, us, ms, s or min: "{name} [ms]"'
    table.error(message, row, number, found=shown(heading), expected=expected)


def _has_decimal_comma(row: Sequence[str], columns: Sequence[_Column]) -> bool:
    return any(
        "," in row[one.number - 1]
        for one in columns
        if one.name in _QUANTITIES and one.number <= len(row)
    )


def _task(table: _Table, row: int, cells: Sequence[str]) -> TableTask | None:
    """The task of a row; None if a cell is wrong."""
    known = len(table.problems)
    _refuse_cell_without_heading(table, row, cells)
    values: dict[str, Any] = {}
    filled: dict[str, int] = {}
    for column in table.columns:
        cell = cells[column.number - 1] if column.number <= len(cells) else ""
        if cell:
            filled[column.name] = column.number
            values[column.name] = _value(table, row, column, cell)
        elif column.name in (*REQUIRED, "priority") and not (
            column.name == "period" and _is_sporadic(table, cells)
        ):
            example = "a priority for each task" if column.name == "priority" else "a value"
            table.error(
                "an empty cell",
                row,
                column.number,
                column.heading,
                found="nothing",
                expected=example,
            )
    _refuse_contradictions(table, row, filled, cells)
    if len(table.problems) > known:
        return None
    period = values.get("period", values.get("min_gap", Fraction(0)))  # 0: _with_gap finds it
    return TableTask(
        name=values["name"],
        period=period,
        wcet=values["wcet"],
        deadline=values.get("deadline", period),
        offset=values.get("offset", Fraction(0)),
        priority=values.get("priority"),
        jitter=values.get("jitter", Fraction(0)),
        kind=values.get("kind", Kind.THREAD),
        place=Place(table.file, row, None, values["name"]),
        cells=filled,
        after=values.get("activated_by"),
    )


def _is_sporadic(table: _Table, cells: Sequence[str]) -> bool:
    """Whether a row without a period says in another cell what releases its task."""
    return any(
        column.name in _OF_SPORADIC and column.number <= len(cells) and cells[column.number - 1]
        for column in table.columns
    )


def _refuse_contradictions(
    table: _Table, row: int, filled: dict[str, int], cells: Sequence[str]
) -> None:
    """Cells of tasks that time releases and of sporadic ones in one row."""
    period = "period" in filled
    for name in _OF_SPORADIC if period else _OF_TIME:
        if name in filled:
            table.error(
                f"time releases the task, so it has no {name}"
                if period
                else f"a sporadic task has no {name}",
                row,
                filled[name],
                name,
                found=shown(cells[filled[name] - 1]) + (", with a period" if period else ""),
                expected="an empty cell, or no period" if period else "an empty cell, or a period",
            )


def _refuse_cell_without_heading(table: _Table, row: int, cells: Sequence[str]) -> None:
    """As a rule it is there because of a decimal comma in a table with commas."""
    for number, cell in enumerate(cells, 1):
        if cell and number not in table.headed:
            advice = "decimal commas need semicolons between cells"
            table.error(
                "a cell without a heading",
                row,
                number,
                found=shown(cell),
                expected="a heading for each column"
                + (f"; {advice}" if table.delimiter == "," else ""),
            )
            return


def _value(
    table: _Table, row: int, column: _Column, cell: str
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
        if cell.startswith(_BY_TASK):
            return cell.removeprefix(_BY_TASK).strip()
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


def _quantity(table: _Table, column: _Column, cell: str) -> Fraction:
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
        return _QUANTITIES[column.name](f"{parts['sign']}{number} {unit}")
    except ValueError as error:
        least = "zero or more" if column.name in ("offset", "jitter") else "more than zero"
        of_size = str(error).endswith("of zero") or str(error).startswith("a negative")
        raise _Wrong(str(error), least if of_size else f"such as {example}") from None


def _with_point(table: _Table, number: str) -> str:
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


def _refuse_taken_names(table: _Table, rows: Sequence[tuple[int, Sequence[str]]]) -> None:
    column = next(one for one in table.columns if one.name == "name")
    first: dict[str, int] = {}
    for row, name in _names(column, rows):
        if name in first:
            table.error(
                f"the name {shown(name)} is taken",
                row,
                column.number,
                column.heading,
                found=f"{shown(name)}, which the task of row {first[name]} has",
                expected="a name of its own for each task",
            )
        first.setdefault(name, row)


def _names(column: _Column, rows: Sequence[tuple[int, Sequence[str]]]) -> Iterator[tuple[int, str]]:
    for row, cells in rows:
        if column.number <= len(cells) and cells[column.number - 1]:
            yield row, cells[column.number - 1]
