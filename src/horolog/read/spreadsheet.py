# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A table of tasks as a spreadsheet saves it (CSV): a heading for each column, a row for each task.

Units stand in the heading (`period [ms]`) or in the cell (`10 ms`). Cells are separated by commas, semicolons
or tabs; numbers may have a decimal comma where cells are not separated by commas. Values are exact. Places of
errors are file:row:column as the spreadsheet counts them, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.model import Kind, Place
from horolog.read.activated import BY_TASK
from horolog.read.problems import raise_all, shown, suggestion
from horolog.read.table_cells import value_of
from horolog.read.table_columns import QUANTITIES, REQUIRED, Column, Table, read_headings
from horolog.read.table_file import rows_of, text_of
from horolog.read.units import duration_text

__all__ = ["TableTask", "read_table"]

_OF_SPORADIC = ("min_gap", "activated_by")
_OF_TIME = ("offset", "jitter")


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


def read_table(path: Path) -> tuple[TableTask, ...]:
    """The tasks of the table in `path`, in its order. Raises HorologError with all that is wrong."""
    text = text_of(path)
    delimiter, rows = rows_of(str(path), text)
    table = Table(str(path), delimiter)
    filled = [(number, row) for number, row in rows if any(row)]
    if not filled:
        table.error("the table is empty", 1, expected=f"a row of headings: {', '.join(REQUIRED)}")
        raise_all(table.problems)
    read_headings(table, *filled[0])
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


def _with_gap(table: Table, task: TableTask, by_name: dict[str, TableTask]) -> TableTask:
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
    table: Table, task: TableTask, message: str, by_name: dict[str, TableTask]
) -> None:
    others = [name for name in by_name if name != task.name]
    assert task.after is not None
    table.error(
        message + ("" if task.after in by_name else suggestion(task.after, others)),
        task.place.line or 0,
        task.cells["activated_by"],
        "activated_by",
        found=shown(f"{BY_TASK}{task.after}"),
        expected='"task NAME", of a task that has a period or a least gap in the end',
    )


def _has_decimal_comma(row: Sequence[str], columns: Sequence[Column]) -> bool:
    return any(
        "," in row[one.number - 1]
        for one in columns
        if one.name in QUANTITIES and one.number <= len(row)
    )


def _task(table: Table, row: int, cells: Sequence[str]) -> TableTask | None:
    """The task of a row; None if a cell is wrong."""
    known = len(table.problems)
    _refuse_cell_without_heading(table, row, cells)
    values: dict[str, Any] = {}
    filled: dict[str, int] = {}
    for column in table.columns:
        cell = cells[column.number - 1] if column.number <= len(cells) else ""
        if cell:
            filled[column.name] = column.number
            values[column.name] = value_of(table, row, column, cell)
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


def _is_sporadic(table: Table, cells: Sequence[str]) -> bool:
    """Whether a row without a period says in another cell what releases its task."""
    return any(
        column.name in _OF_SPORADIC and column.number <= len(cells) and cells[column.number - 1]
        for column in table.columns
    )


def _refuse_contradictions(
    table: Table, row: int, filled: dict[str, int], cells: Sequence[str]
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


def _refuse_cell_without_heading(table: Table, row: int, cells: Sequence[str]) -> None:
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


def _refuse_taken_names(table: Table, rows: Sequence[tuple[int, Sequence[str]]]) -> None:
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


def _names(column: Column, rows: Sequence[tuple[int, Sequence[str]]]) -> Iterator[tuple[int, str]]:
    for row, cells in rows:
        if column.number <= len(cells) and cells[column.number - 1]:
            yield row, cells[column.number - 1]
