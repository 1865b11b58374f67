# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables with counter = "cells": a timer cell for each of their points."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from horolog.figures import plural
from horolog.model import Board, CellPoint, CellSchedule, HorologError
from horolog.read.cell_groups import CellGroup, cell_groups
from horolog.read.schedule_tables import Scheduled
from horolog.read.schema import SystemFile

__all__ = ["cell_schedules", "schedule_cells"]

_FEWEST = 1  # cells that are left for other tasks


def schedule_cells(
    scheduled: Scheduled, file: SystemFile, board: Board, taken: Collection[str]
) -> tuple[tuple[CellGroup, ...], list[HorologError]]:
    """A group of cells for each table: one for each point, and one for the round's end where that is needed.

    `taken` are the cells that other things have.
    """
    if not scheduled.in_cells:
        return (), []
    sizes = [
        has_end + len(scheduled.all_tables[at].points) for at, has_end in scheduled.in_cells.items()
    ]
    found = cell_groups(board, sizes, taken)
    free = sum(cell.groups > 0 and cell.name not in taken for cell in board.cells)
    spare = file.system.cells is not None or free - sum(sizes) >= _FEWEST
    if found is not None and spare:
        return found, []
    most = max(cell.groups for cell in board.cells)
    return (), [
        HorologError(
            "the tables in timer cells need more cells than there are",
            place=scheduled.document.place("table", min(scheduled.in_cells)),
            found=f"{plural(len(sizes), 'table')} with {plural(sum(sizes), 'cell')}, one for each point and "
            f"for the end of a round that is followed or the only one, of {free} that are free",
            expected=f"at most {most} tables, of cells that follow one another; fewer points, or fewer cells "
            'in "cells" of [system]; or counter = "clock" of one of them',
        )
    ]


def cell_schedules(
    scheduled: Scheduled, groups: Sequence[CellGroup], tasks: Mapping[str, int]
) -> tuple[CellSchedule, ...]:
    """The tables of a file without problems; `tasks` are numbers in System.all_tasks, by names."""
    made = []
    for (at, has_end), group in zip(scheduled.in_cells.items(), groups, strict=True):
        of = scheduled.all_tables[at]
        points = tuple(
            CellPoint(
                point.offset,
                tuple(tasks[scheduled.names[task]] for task in point.tasks),
                point.events,
            )
            for point in of.points
        )
        made.append(
            CellSchedule(
                name=of.name,
                duration=of.duration,
                repeats=of.is_repeating,
                has_end=has_end,
                points=points,
                place=of.place,
                cells=group.names,
                group=group.number,
            )
        )
    return tuple(made)
