# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables with counter = "cells": a timer cell for each of their points."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

from horolog.figures import plural
from horolog.model import Board, CellPoint, CellSchedule, HorologError, Mode
from horolog.read.cell_groups import CELLS_TOGETHER, CellGroup, cell_groups
from horolog.read.nearest import Change, Data, Unfit, set_system
from horolog.read.problems import listed
from horolog.read.schedule_tables import Scheduled
from horolog.read.schema import SystemFile

__all__ = ["cell_schedules", "schedule_cells"]

_FEWEST = 1  # cells that are left for other tasks
_FEW = 3  # of the smallest tables and of the largest any may go by the clock


def schedule_cells(
    scheduled: Scheduled, file: SystemFile, boards: tuple[Board, Board], taken: Collection[str]
) -> tuple[tuple[CellGroup, ...], list[HorologError]]:
    """A group of cells for each table: one for each point, and one for the round's end where that is needed.

    `boards`: the file's own, and the one to run on. `taken` are the cells that other things have.
    """
    own, board = boards
    if not scheduled.in_cells:
        return (), []
    sizes = {
        at: has_end + len(scheduled.all_tables[at].points)
        for at, has_end in scheduled.in_cells.items()
    }
    found = cell_groups(board, [*sizes.values()], taken)
    free = [cell for cell in board.cells if cell.groups > 0 and cell.name not in taken]
    spare = file.system.cells is not None or len(free) - sum(sizes.values()) >= _FEWEST
    if found is not None and spare:
        return found, []
    names = [
        f'{plural(size, "cell")} of "{scheduled.all_tables[at].name}"' for at, size in sizes.items()
    ]
    groups = max(cell.groups for cell in board.cells)
    longest = max(sizes, key=lambda at: sizes[at])
    if sizes[longest] > CELLS_TOGETHER:
        longest_name = scheduled.all_tables[longest].name
        message = f'the table "{longest_name}" needs {plural(sizes[longest], "cell")} in one group'
        most = f"at most {CELLS_TOGETHER}, which follow one another"
    elif len(sizes) > groups:
        message = f"{plural(len(sizes), 'table')} need a group of timer cells each"
        most = f'at most {groups}, the groups of the board "{board.name}"'
    else:
        message = f"the tables in timer cells need {plural(sum(sizes.values()), 'cell')}"
        left = len(free) - (0 if file.system.cells else _FEWEST)
        most = f"at most {left}, those of one table next to one another"
    return (), [
        Unfit(
            message,
            place=scheduled.document.place("table", longest),
            found=f"{listed(names, last='and')}, one for each point and for the end of a round that is "
            f"followed or the only one; {len(free)} are free",
            expected=most,
            changes=[
                *_fewer_ends(scheduled),
                *_fewer_others(file, own, sum(sizes.values()) - len(free)),
                *_by_clock(scheduled, file, own, sizes),
            ],
        )
    ]


def _fewer_ends(scheduled: Scheduled) -> Iterator[Change]:
    """Tables that none may follow."""
    of = [scheduled.all_tables[at] for at, has_end in scheduled.in_cells.items() if has_end]
    names = [table.name for table in of if table.is_repeating]
    if names:
        quoted = listed([f'"{name}"' for name in names], last="and")
        yield Change(
            f"no followed of {quoted}, if none follows",
            partial(_set_tables, names, {"followed": False}),
        )


def _fewer_others(file: SystemFile, own: Board, missing: int) -> Iterator[Change]:
    """Fewer cells for what is planned."""
    cells = file.system.cells or []
    for left in range(len(cells) - max(missing, 1), 0, -1):
        gone = f"{cells[left]} to {cells[-1]}" if left < len(cells) - 1 else cells[-1]
        change = set_system(f"cells of [system] without {gone}", cells=cells[:left])
        yield replace(change, family="cells")


def _by_clock(
    scheduled: Scheduled, file: SystemFile, own: Board, sizes: Mapping[int, int]
) -> Iterator[Change]:
    """The fewest tables by the clock, with the cell for time-outs; and how often that interrupts then."""
    timeouts, needs = file.system.timeouts, ""
    if timeouts is None:
        one_shot = [cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes]
        timeouts = next((name for name in one_shot if name not in (file.system.cells or ())), None)
        if timeouts is None:
            return
        needs = f' and timeouts = "{timeouts}" in [system]'
    tables = sorted(sizes, key=lambda at: sizes[at])
    tables = [*tables[:_FEW], *tables[-_FEW:]] if len(tables) > 2 * _FEW else tables
    for many in range(1, len(tables) + 1):
        for some in combinations(tables, many):
            of = [scheduled.all_tables[at] for at in some]
            quoted = listed([f'"{table.name}"' for table in of], last="and")
            points = ", ".join(f"{len(t.points)} a round of {t.name}" for t in of)
            yield Change(
                f'counter = "clock" of {quoted}{needs}, at the cost of an alarm a point ({points})',
                partial(_to_clock, [table.name for table in of], timeouts),
                "clock",
            )


def _to_clock(names: Sequence[str], timeouts: str, data: Data) -> None:
    _set_tables(names, {"counter": "clock", "followed": False}, data)
    data["system"].setdefault("timeouts", timeouts)


def _set_tables(names: Sequence[str], keys: Data, data: Data) -> None:
    for table in data["table"]:
        if table.get("kind") == "schedule" and table.get("name") in names:
            table.update(keys)


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
