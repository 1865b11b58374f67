# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The [[cell_table]]s of system.toml: schedule tables whose points have a timer cell each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

from horolog.figures import plural
from horolog.model import Board, CellPoint, CellSchedule, HorologError
from horolog.read.activated import is_sporadic
from horolog.read.cell_groups import CellGroup, cell_groups
from horolog.read.document import Document, Loc
from horolog.read.problems import listed, name_taken, suggestion
from horolog.read.schema import CellScheduleTable, SystemFile, TaskTable
from horolog.read.units import duration_text

__all__ = ["cell_schedule_problems", "cell_schedules", "schedule_cells"]

_LONGEST = 2**30 - 1  # counts
_FEWEST = 1  # cells that are left for other tasks


def schedule_cells(
    document: Document, file: SystemFile, board: Board, taken: Collection[str]
) -> tuple[tuple[CellGroup, ...], list[HorologError]]:
    """A group of cells for each table: one for each point, and one for the round's end where that is needed.

    None where the board's cells have no groups. `taken` are the cells that other things have.
    """
    if not any(cell.groups for cell in board.cells) or not file.cell_table:
        return (), []
    sizes = [_has_end(of) + len(of.point) for of in file.cell_table]
    found = cell_groups(board, sizes, taken)
    free = sum(cell.groups > 0 and cell.name not in taken for cell in board.cells)
    spare = file.system.cells is not None or free - sum(sizes) >= _FEWEST
    if found is not None and spare:
        return found, []
    most = max(cell.groups for cell in board.cells)
    return (), [
        HorologError(
            "the tables in timer cells need more cells than there are",
            place=document.place("cell_table", 0),
            found=f"{plural(len(sizes), 'table')} with {plural(sum(sizes), 'cell')}, one for each point and "
            f"for the end of a round that is followed or the only one, of {free} that are free",
            expected=f"at most {most} tables, of cells that follow one another; fewer points, or fewer cells "
            'in "cells" of [system]; or a [[cell_table]] less, and a table on a clock counter '
            "(hrl/clock_counter.h) in its place",
        )
    ]


def cell_schedule_problems(
    document: Document, file: SystemFile, board: Board
) -> Iterator[HorologError]:
    """What is wrong with each table."""
    tasks = {task.name: task for task in file.task}
    names: set[str] = set()
    for index, of in enumerate(file.cell_table):
        loc: Loc = ("cell_table", index)
        if of.name in names:
            yield name_taken("table", of.name, document.place(*loc, "name"))
        names.add(of.name)
        yield from _time_problems(document, loc, of, board)
        for at, point in enumerate(of.point):
            if not point.activate and not point.set:
                yield HorologError(
                    f'a point of the table "{of.name}" does nothing',
                    place=document.place(*loc, "point", at),
                    found="neither activate nor set",
                    expected='activate = ["NAME"], or set = [{ event = "NAME", flags = 1 }]',
                )
            for number, name in enumerate(point.activate):
                where = (*loc, "point", at, "activate", number)
                yield from _task_problems(document, where, of, name, tasks)
            if len(set(point.activate)) < len(point.activate):
                yield HorologError(
                    f'a point of the table "{of.name}" activates a task twice',
                    place=document.place(*loc, "point", at, "activate"),
                    found=listed(point.activate, last="and"),
                    expected="each task once",
                )
        yield from _gap_problems(document, loc, of, tasks)
    by_clock = file.cell_table and not any(cell.groups for cell in board.cells)
    if by_clock and file.system.timeouts is None:
        yield HorologError(
            f'cells of the board "{board.name}" have no groups: a table needs a cell for time-outs there',
            place=document.place("cell_table", 0),
            found="no timeouts in [system]",
            expected='timeouts = "NAME" in [system], a cell; or a board whose cells have groups',
        )


def cell_schedules(
    document: Document,
    file: SystemFile,
    board: Board,
    groups: Sequence[CellGroup],
    tasks: Mapping[str, int],
) -> tuple[CellSchedule, ...]:
    """The tables of a file without problems; `tasks` are numbers in System.all_tasks, by names."""
    made = []
    for index, of in enumerate(file.cell_table):
        points = tuple(
            CellPoint(
                int(point.offset * board.clock.hz),
                tuple(tasks[name] for name in point.activate),
                tuple((one.event, one.flags) for one in point.set),
            )
            for point in sorted(of.point, key=lambda point: point.offset)
        )
        made.append(
            CellSchedule(
                name=of.name,
                duration=int(of.round * board.clock.hz),
                repeats=of.repeating,
                has_end=_has_end(of),
                points=points,
                place=document.place("cell_table", index),
                cells=groups[index].names if groups else (),
                group=groups[index].number if groups else 0,
            )
        )
    return tuple(made)


def _has_end(of: CellScheduleTable) -> bool:
    return of.followed or not of.repeating


def _time_problems(
    document: Document, loc: Loc, of: CellScheduleTable, board: Board
) -> Iterator[HorologError]:
    hz = board.clock.hz
    times = [((*loc, "round"), "the round", of.round)]
    times += [
        ((*loc, "point", at, "offset"), "an offset", point.offset)
        for at, point in enumerate(of.point)
    ]
    for where, what, time in times:
        if (time * hz).denominator != 1:
            yield HorologError(
                f'{what} of the table "{of.name}" is no whole number of the clock\'s counts',
                place=document.place(*where),
                found=duration_text(time),
                expected=f"a multiple of {duration_text(Fraction(1, hz))}",
            )
    if of.round * hz > _LONGEST:
        yield HorologError(
            f'the table "{of.name}" lasts too long',
            place=document.place(*loc, "round"),
            found=duration_text(of.round),
            expected=f"at most {duration_text(Fraction(_LONGEST, hz))}",
        )
    seen: set[Fraction] = set()
    for at, point in enumerate(of.point):
        where = (*loc, "point", at, "offset")
        if point.offset > of.round or (of.repeating and point.offset == of.round):
            yield HorologError(
                f'a point of the table "{of.name}" lies behind its round',
                place=document.place(*where),
                found=f"{duration_text(point.offset)}, of {duration_text(of.round)}",
                expected=f"{'less than' if of.repeating else 'at most'} {duration_text(of.round)}",
            )
        if point.offset in seen:
            yield HorologError(
                f'two points of the table "{of.name}" have one offset',
                place=document.place(*where),
                found=f"{duration_text(point.offset)} a second time",
                expected="one point, which does what both do",
            )
        seen.add(point.offset)


def _task_problems(
    document: Document, where: Loc, of: CellScheduleTable, name: str, tasks: Mapping[str, TaskTable]
) -> Iterator[HorologError]:
    task = tasks.get(name)
    if task is not None and is_sporadic(task) and task.activated_by is None:
        return
    able = [one.name for one in tasks.values() if is_sporadic(one) and one.activated_by is None]
    known = task is not None
    yield HorologError(
        f'a point of the table "{of.name}" activates '
        + (f'"{name}", which something else does' if known else "no task")
        + ("" if known else suggestion(name, able)),
        place=document.place(*where),
        found=f'"{name}"',
        expected=listed([f'"{one}"' for one in able])
        or "a sporadic [[task]]: with min_gap, and without activated_by",
    )


def _gap_problems(
    document: Document, loc: Loc, of: CellScheduleTable, tasks: Mapping[str, TaskTable]
) -> Iterator[HorologError]:
    """Points of a task that come sooner than its least gap allows."""
    by_task: dict[str, list[Fraction]] = {}
    for point in sorted(of.point, key=lambda point: point.offset):
        for name in point.activate:
            by_task.setdefault(name, []).append(point.offset)
    for name, offsets in by_task.items():
        gap = tasks[name].min_gap if name in tasks else None
        again = [offsets[0] + of.round] if of.repeating else []
        apart = [after - before for before, after in pairwise((*offsets, *again))]
        if gap is not None and apart and min(apart) < gap:
            yield HorologError(
                f'the table "{of.name}" activates "{name}" more often than it may be',
                place=document.place(*loc),
                found=f"points that are {duration_text(min(apart))} apart, and a min_gap of "
                f"{duration_text(gap)}",
                expected=f"min_gap = {duration_text(min(apart))} at most, or points further apart",
            )
