# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What can be wrong with schedule tables and with the counters that drive them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import all_digits
from horolog.model import Board, HorologError
from horolog.read.c_names import function_names
from horolog.read.document import Document, Loc
from horolog.read.problems import listed, name_taken, suggestion
from horolog.read.schedule_start import start_problems, sync_problems
from horolog.read.schema import CounterTable, ScheduleFile, ScheduleTableTable, SystemFile
from horolog.read.units import duration_text

__all__ = ["CELLS", "CLOCK", "Grid", "counter_problems", "table_problems"]

CLOCK = "clock"
"""The counter of tables without another one."""
CELLS = "cells"
"""The counter of tables with a timer cell for each point."""
_MOST_STEPS = 2**30 - 1  # of a round (hrl/schedule_table.h)


@dataclass(frozen=True)
class Grid:
    """The steps of a counter: how many there are, how close points may be, and what they are called."""

    name: str
    maximum: int
    min_cycle: int
    hz: int | None  # of the clock; None: a software counter
    by_alarm: bool = False  # the cell for time-outs interrupts at each point

    @staticmethod
    def of_clock(board: Board, cell: str | None) -> Grid:
        """Of the clock of `board`, by the time-outs' cell: it needs a while from one point to the next."""
        known = [one.min_counts for one in board.cells if one.name == cell]
        return Grid(CLOCK, 2**32 - 1, max([1, *known]), board.clock.hz, by_alarm=True)

    @staticmethod
    def of_cells(board: Board, cell: str | None) -> Grid:
        """Of points with a timer cell each; where the board's cells have no groups, of the clock."""
        if not any(one.groups for one in board.cells):
            return replace(Grid.of_clock(board, cell), name=CELLS)
        return Grid(CELLS, 2**32 - 1, 1, board.clock.hz)

    @staticmethod
    def of_counter(table: CounterTable) -> Grid:
        """Of a software counter."""
        return Grid(table.name, table.maximum, table.min_cycle, None)

    @property
    def longest(self) -> int:
        """Of a round."""
        return min(self.maximum + 1, _MOST_STEPS)

    def fits(self, value: int | Fraction) -> bool:
        """Whether `value` is a whole number of steps, in the form that the counter has."""
        if self.hz is None:
            return isinstance(value, int)
        return isinstance(value, Fraction) and (value * self.hz).denominator == 1

    def steps(self, value: int | Fraction) -> int:
        """`value`, which fits, in steps."""
        return int(value if self.hz is None else value * self.hz)

    def text(self, steps: int) -> str:
        """So many steps, as the user writes them."""
        return f"{steps:,}" if self.hz is None else duration_text(Fraction(steps, self.hz))

    def limit_text(self, steps: int) -> str:
        """At most so many steps; of the clock, a short text."""
        if self.hz is None:
            return f"{steps:,}"
        return duration_text(Fraction(steps * 1000 // self.hz, 1000))


def counter_problems(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """Names that are taken, and cycles longer than the counter."""
    known: set[str] = set()
    functions = function_names(file)
    for index, one in enumerate(file.counter):
        place = document.place("counter", index, "name")
        if one.name in (CLOCK, CELLS):
            means = (
                "the name of the system's" if one.name == CLOCK else "what timer cells are called"
            )
            yield HorologError(
                f'a counter called "{one.name}", which is {means}',
                place=place,
                found=f'"{one.name}"',
                expected="another name",
            )
        elif one.name in known:
            yield name_taken("counter", one.name, place)
        elif f"counter_{one.name}" in functions:
            yield _taken_in_c(f"counter_{one.name}", functions, document, "counter", index)
        known.add(one.name)
        if one.min_cycle > one.maximum:
            yield HorologError(
                f'two points of a table on the counter "{one.name}" could not be so far apart',
                place=document.place("counter", index, "min_cycle"),
                found=f"{one.min_cycle}, with maximum = {one.maximum}",
                expected=f"at most {one.maximum}",
            )


def table_problems(
    document: Document, file: SystemFile, of: ScheduleFile, grids: Mapping[str, Grid]
) -> Iterator[HorologError]:
    """What is wrong with each table by itself, and with its counter. `document` has nothing else."""
    known = {other.name for other in file.table}
    functions = function_names(file)
    for index, table in enumerate(of.table):
        if table.name in known:
            yield name_taken("table", table.name, document.place("table", index, "name"))
        elif f"table_{table.name}" in functions:
            yield _taken_in_c(f"table_{table.name}", functions, document, "table", index)
        known.add(table.name)
        if table.counter not in grids:
            yield HorologError(
                f'there is no counter "{table.counter}"{suggestion(table.counter, list(grids))}',
                place=document.place("table", index, "counter"),
                found=f'"{table.counter}"',
                expected=listed([f'"{one}"' for one in grids]) + ", or a [[counter]] of that name",
            )
            continue
        grid = grids[table.counter]
        if grid.by_alarm:
            yield from _clock_problems(document, file, index, table)
        yield from _cell_problems(document, index, table)
        units = [*_unit_problems(document, index, table, grid)]
        yield from units
        if not units:
            yield from _length_problems(document, index, table, grid)
            yield from start_problems(document, index, table, grid)
            yield from sync_problems(document, index, table, grid)


def _taken_in_c(
    name: str, functions: Mapping[str, str], document: Document, key: str, index: int
) -> HorologError:
    return HorologError(
        f"the {key} and the {functions[name]} have one name in C: {name}",
        place=document.place(key, index, "name"),
        found=f"a name that makes {name}",
        expected="a name of its own for each object and each function",
    )


def _clock_problems(
    document: Document, file: SystemFile, index: int, table: ScheduleTableTable
) -> Iterator[HorologError]:
    if file.system.timeouts is None:
        in_cells = table.counter == CELLS
        yield HorologError(
            f'the table "{table.name}" goes by the clock'
            + (", as the board's cells have no groups; that" if in_cells else ", which")
            + " needs the cell for time-outs",
            place=document.place("table", index),
            found="no timeouts in [system]",
            expected='timeouts = "CELL" in [system], of a cell that can be armed for one instant; or a '
            "[[counter]]",
        )
    if file.system.releases is not None:
        yield HorologError(
            f'the table "{table.name}" goes on for ever, and tasks have so many releases',
            place=document.place("table", index),
            found=f"releases = {file.system.releases} in [system]",
            expected="no releases, or no table",
        )


def _cell_problems(
    document: Document, index: int, table: ScheduleTableTable
) -> Iterator[HorologError]:
    """What a table has in vain, by the counter that drives it."""
    if table.counter != CELLS:
        if table.followed:
            yield HorologError(
                f'another table may follow the table "{table.name}" anyway',
                place=document.place("table", index, "followed"),
                found=f'followed = true, with counter = "{table.counter}"',
                expected='no followed, or counter = "cells"',
            )
        return
    if table.autostart is not None:
        yield HorologError(
            f'the table "{table.name}" is in timer cells, which the application starts',
            place=document.place("table", index, "autostart"),
            found='autostart, with counter = "cells"',
            expected=f"no autostart, and hrl_schedule_table_start_relative(&table_{table.name}, ...) in a "
            'task; or counter = "clock"',
        )
    if table.sync != "none":
        yield HorologError(
            f'the table "{table.name}" is in timer cells, which follow no global time',
            place=document.place("table", index, "sync"),
            found=f'sync = "{table.sync}", with counter = "cells"',
            expected='sync = "none", or counter = "clock"',
        )


def _unit_problems(
    document: Document, index: int, table: ScheduleTableTable, grid: Grid
) -> Iterator[HorologError]:
    """Times that are not what the counter counts."""
    values: list[tuple[Loc, int | Fraction | None]] = [
        (("round",), table.round),
        (("precision",), table.precision),
    ]
    if table.autostart is not None:
        values.append((("autostart", "relative"), table.autostart.relative))
    for at, point in enumerate(table.point):
        for key in ("offset", "max_retard", "max_advance"):
            values.append((("point", at, key), getattr(point, key)))
    for loc, value in values:
        if value is None or grid.fits(value):
            continue
        place = document.place("table", index, *loc)
        if grid.hz is None:
            yield HorologError(
                f'a time, in a table on the counter "{grid.name}", which counts no time',
                place=place,
                found=duration_text(Fraction(value)),
                expected="a whole number of the counter's steps, without a unit",
            )
        elif isinstance(value, int):
            yield HorologError(
                "a number of steps, in a table that goes by the clock",
                place=place,
                found=str(value),
                expected='a duration, such as "2 ms"; or counter = "NAME", of a [[counter]]',
            )
        else:
            yield HorologError(
                "no whole number of the clock's counts",
                place=place,
                found=f"{duration_text(value)}, which is {all_digits(value * grid.hz)} counts",
                expected=f"a multiple of {duration_text(Fraction(1, grid.hz))}",
            )


def _length_problems(
    document: Document, index: int, table: ScheduleTableTable, grid: Grid
) -> Iterator[HorologError]:
    """Offsets that do not ascend, come too close, or lie behind the round; a round that is too long."""
    lasts = grid.steps(table.round)
    if lasts > grid.longest:
        yield HorologError(
            f'the round of the table "{table.name}" is too long for its counter',
            place=document.place("table", index, "round"),
            found=grid.text(lasts),
            expected=f"at most {grid.limit_text(grid.longest)}",
        )
    before: int | None = None
    least = grid.text(grid.min_cycle)
    for at, point in enumerate(table.point):
        offset = grid.steps(point.offset)
        place = document.place("table", index, "point", at, "offset")
        if before is not None and offset < before + grid.min_cycle:
            yield HorologError(
                f'a point of the table "{table.name}" '
                + ("is too close to" if offset > before else "does not come behind")
                + " the one before",
                place=place,
                found=f"{grid.text(offset)}, after {grid.text(before)}",
                expected=f"at least {grid.text(before + grid.min_cycle)}: points are {least} apart",
            )
        elif before is None and 0 < offset < grid.min_cycle:
            yield HorologError(
                f'the first point of the table "{table.name}" is too close to the start of the round',
                place=place,
                found=grid.text(offset),
                expected=f"0, or at least {least}",
            )
        elif offset > lasts or (offset == lasts and table.repeating):
            yield HorologError(
                f'a point of the table "{table.name}" lies behind its round',
                place=place,
                found=f"{grid.text(offset)}, in a round of {grid.text(lasts)}",
                expected=f"less than {grid.text(lasts)}"
                if table.repeating
                else f"at most {grid.text(lasts)}",
            )
        elif at == len(table.point) - 1 and table.repeating and lasts - offset < grid.min_cycle:
            yield HorologError(
                f'the last point of the table "{table.name}" is too close to the next round',
                place=place,
                found=f"a final delay of {grid.text(lasts - offset)}",
                expected=f"at least {least}, so at most {grid.text(lasts - grid.min_cycle)} here",
            )
        before = offset
