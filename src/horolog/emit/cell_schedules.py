# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables in timer cells as lines of generated C (kernel/assemble/cell_tables.h)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from horolog.analyse import all_levels, basic_levels
from horolog.emit.basic_parts import prepare_cell
from horolog.emit.parts import Part, driver_of, part, unsigned
from horolog.model import Cell, CellPoint, CellSchedule, System

__all__ = [
    "ScheduleCell",
    "schedule_cells",
    "schedule_headers",
    "schedule_parts",
    "schedule_prepare",
]


@dataclass(frozen=True, slots=True)
class ScheduleCell:
    """The cell of a point, or of the end of a table's round, with its handler."""

    cell: Cell
    driver: str
    level: int | None  # of the interrupt; None: the cells' own, as it activates threads only
    serve: tuple[Part | str, ...]
    """What its handler does behind the cell's acknowledge."""
    thread: str | None = None
    """The thread that it activates, if its handler may end with the switch to that, and does nothing else."""

    @property
    def is_basic(self) -> bool:
        """Whether its interrupt is one of basic tasks."""
        return self.level is not None

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        return self.driver, unsigned(self.cell.instance)


def schedule_cells(system: System) -> tuple[ScheduleCell, ...]:
    """Builds the cells of all tables, those of a table in the order of its points, behind that of its end."""
    return tuple(cell for table in system.cell_schedules for cell in _cells(system, table))


def _cells(system: System, table: CellSchedule) -> Iterator[ScheduleCell]:
    if table.has_end:
        # Before all points, also those of the basic tasks of the highest level: it has the lowest channel.
        level = basic_levels(system) if system.has_basic else None
        end = system.board.cell(table.cells[0])
        yield _cell(end, level, part("HRLI_SERVE_CELL_TABLE_END", _object(table)))
    for point, cell in table.point_cells:
        levels = [
            all_levels(system)[task]
            for task in point.tasks
            if system.sporadic[task - len(system.tasks)].is_basic
        ]
        of = system.board.cell(cell)
        made = _cell(of, max(levels, default=None), *_acts(system, point))
        yield replace(made, thread=_only_thread(system, point))


def _cell(cell: Cell, level: int | None, *serve: Part) -> ScheduleCell:
    return ScheduleCell(cell, driver_of(cell.device), level, serve)


def _only_thread(system: System, point: CellPoint) -> str | None:
    """Returns the name of the thread that is all that a point activates, on a port for which that matters."""
    if len(point.tasks) != 1 or point.events or not system.board.port.ends_with_switch:
        return None
    one = system.sporadic[point.tasks[0] - len(system.tasks)]
    return None if one.is_basic or one.limit > 1 else one.task.name


def _acts(system: System, point: CellPoint) -> Iterator[Part]:
    """Yields what a point does: the most urgent activation first, as the others then wait for it anyway."""
    for task in point.tasks:
        one = system.sporadic[task - len(system.tasks)]
        yield part("HRLI_ACTIVATE_BASIC" if one.is_basic else "HRLI_ACTIVATE", one.task.name)
    for event, flags in point.events:
        yield part("HRLI_SET_EVENT", event, unsigned(flags))


def schedule_headers(system: System) -> tuple[str, ...]:
    """Returns the header of kernel/assemble/ that has the macros, if there are tables."""
    return ("cell_tables",) if system.cell_schedules else ()


def schedule_parts(system: System) -> Iterator[Part | str]:
    """Yields the macros that define the tables and their calls, in front of the handlers."""
    tables = system.cell_schedules
    if not tables:
        return
    device = system.board.cell(tables[0].cells[0]).device
    yield part("HRLI_CELL_TABLE_CALLS", driver_of(device))
    for table in tables:
        first = system.board.cell(table.cells[0])
        offsets = [table.duration] if table.has_end else []
        offsets += [point.offset for point in table.points]
        yield part(
            "HRLI_CELL_TABLE",
            _object(table),
            unsigned(first.instance),
            unsigned(len(table.cells)),
            part(f"{driver_of(first.device).upper()}_FORGET", unsigned(first.instance)),
            unsigned(table.group),
            unsigned(table.duration),
            table.repeats,
            table.has_end,
            unsigned(table.points[0].offset),
            *map(unsigned, offsets),
        )


def _object(table: CellSchedule) -> str:
    """Returns its name in C."""
    return f"table_{table.name}"


def schedule_prepare(system: System, cells: Sequence[ScheduleCell]) -> Iterator[Part]:
    """Yields the steps before the clock starts: the cells' periods, then their interrupts."""
    for table in system.cell_schedules:
        yield part("HRLI_PREPARE_CELL_TABLE", _object(table))
    for one in cells:
        yield prepare_cell(one.channel, one.level)
