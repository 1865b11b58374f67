# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board's timer cells as system.toml asks for them: which, what for, and how short a period can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from horolog.figures import number
from horolog.model import Board, Clock, DeadlineCells, HorologError, Mode
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import choice_problems, listed, suggestion
from horolog.read.schema import DispatchTable, PointTable, SystemFile
from horolog.read.table_control import is_controlled
from horolog.read.units import about_duration_text, duration_text, frequency_text

__all__ = ["cell_problems", "cell_time_problems", "deadline_cells", "timeouts_cell"]


def cell_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    """Cells that the board has not, or that are listed twice."""
    yield from choice_problems(
        file.system.cells or (),
        [cell.name for cell in board.cells],
        lambda index: document.place("system", "cells", index),
        absent=f'the board "{board.name}" has no cell',
        noun="cell",
    )


def timeouts_cell(
    document: Document, file: SystemFile, own: Board, target: Board
) -> tuple[str | None, list[HorologError]]:
    """The cell of `target` for time-outs; another board than its own lends its last one."""
    name = file.system.timeouts
    if name is None:
        return None, []
    place = document.place("system", "timeouts")
    able = [cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes]
    reason = None
    if name not in [cell.name for cell in own.cells]:
        reason = f'the board "{own.name}" has no cell "{name}"{suggestion(name, able)}'
    elif name not in able:
        reason = f'the cell "{name}" of the board "{own.name}" cannot be armed for one instant'
    elif name in (file.system.cells or ()):
        reason = f'the cell "{name}" is among cells, too'
        able = [other for other in able if other not in (file.system.cells or ())]
    elif len(own.cells) == 1:
        reason = f'the cell "{name}" is the only one of the board "{own.name}"'
        able = []
    if reason is not None:
        expected = f"one of {listed(able)}" if able else "another board: tasks need a cell, too"
        return name, [HorologError(reason, place=place, found=f'"{name}"', expected=expected)]
    if target.name == own.name:
        return name, []
    lent = [cell.name for cell in target.cells if Mode.ONE_SHOT in cell.modes]
    if not lent or len(target.cells) == 1:
        return name, [
            HorologError(
                f'the board "{target.name}" has no cell left for time-outs',
                place=place,
                found=f"{len(target.cells)} in all",
                expected="a board with two: one for the tasks, one that can be armed",
            )
        ]
    return lent[-1], []


def deadline_cells(
    document: Document, file: SystemFile, own: Board, target: Board, cells: Sequence[str]
) -> tuple[DeadlineCells | None, list[HorologError]]:
    """The cells of `target` that monitor the deadlines of a dispatcher table: some of `cells`.

    The table may name one cell of its own board, which monitors all. By default each task has a cell, if the
    board has so many. Otherwise it is the last one that can be armed for an instant, if possible one whose
    interrupt is not shared.
    """
    found = [(i, of) for i, of in enumerate(file.table) if of.deadline_monitoring != "none"]
    if not found:
        return None, []
    index, table = found[0]
    each = () if is_controlled(file) else _a_cell_each(table, target, cells)
    if table.deadline_cell is None and each and len(cells) - len(each) >= len(file.task):
        return DeadlineCells(each, each=True), []
    able = [cell for cell in target.cells if cell.name in cells and Mode.ONE_SHOT in cell.modes]
    if not able:
        return None, [
            HorologError(
                f'the table "{table.name}" has no cell that can be armed for one instant, for its deadlines',
                place=document.place("table", index, "deadline_monitoring"),
                found=f"cells {listed(list(cells))}",
                expected='such a cell in "cells" of [system], or deadline_monitoring = "none"',
            )
        ]
    name = table.deadline_cell
    if name is not None:
        timeouts = file.system.timeouts
        names = [
            cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes and cell.name != timeouts
        ]
        if name not in names:
            why = ", as it is for time-outs" if name == timeouts else suggestion(name, names)
            return DeadlineCells((name,)), [
                HorologError(
                    f'the cell "{name}" cannot monitor deadlines{why}',
                    place=document.place("table", index, "deadline_cell"),
                    found=f'"{name}"',
                    expected=f"one of {listed(names)}, which can be armed for one instant",
                )
            ]
        if target.name == own.name:
            return DeadlineCells((name,)), []
    alone = [cell for cell in able if target.has_own_interrupt(cell, cells)]
    return DeadlineCells(((alone or able)[-1].name,)), []


def _a_cell_each(table: DispatchTable, target: Board, cells: Sequence[str]) -> tuple[str, ...]:
    """Cells that can monitor the deadlines of a task each, the last ones; none where that cannot be."""
    by_task: dict[str, list[PointTable]] = {}
    for point in table.point:
        by_task.setdefault(point.activate, []).append(point)
    watched = [
        points for points in by_task.values() if any(one.deadline is not None for one in points)
    ]
    hz = target.clock.hz
    if table.deadline_monitoring != "stringent" or not all(
        _are_even(points, table.round, hz) for points in watched
    ):
        return ()
    able = [
        cell.name
        for cell in target.cells
        if cell.name in cells and cell.moves_compare and cell.handler != target.clock.handler
    ]
    return tuple(able[-len(watched) :]) if len(able) >= len(watched) else ()


def _are_even(points: Sequence[PointTable], whole: Fraction, hz: int) -> bool:
    """Whether the deadlines of a task are so many counts apart, and each comes by the next point."""
    step = whole / len(points)
    offsets = sorted(point.offset for point in points)
    gaps = {after - before for before, after in pairwise((*offsets, offsets[0] + whole))}
    deadlines = {point.deadline for point in points}
    return (
        (step * hz).denominator == 1
        and gaps == {step}
        and all(deadline is not None and deadline <= step for deadline in deadlines)
        and len(deadlines) == 1
    )


def cell_time_problems(
    entry: Entry, file: SystemFile, board: Board, chosen: Iterable[str]
) -> Iterator[HorologError]:
    """Periods, and steps from point to point of a table, that are too short for every cell there is."""
    cells = [cell for cell in board.cells if cell.name in set(chosen)]
    if not cells:
        return
    named = {cell.name for cell in cells}
    shortest, quickest, by = min(
        (
            (Fraction(cell.min_counts, one.clock.hz), cell, one.clock)
            for one in board.with_each_prescaler()
            for cell in one.cells
            if cell.name in named
        ),
        key=lambda found: found[0],
    )
    index = next(
        (
            at
            for at, of in enumerate(file.table)
            if entry.table.name in [point.activate for point in of.point]
        ),
        None,
    )
    for period, loc in entry.period_keys:
        if period < shortest:
            name = entry.table.name
            yield HorologError(
                "the period is too short for every cell"
                if index is None
                else f'the points of "{name}" come too soon after one another for every cell',
                place=entry.document.place(*(loc if index is None else ("table", index, "round"))),
                found=duration_text(period) + _in_counts(period, by),
                expected=f"at least {_shortest(shortest)}, which {quickest.name} can time"
                + _by_prescaler(by, file),
            )


def _shortest(time: Fraction) -> str:
    exact, about = duration_text(time), about_duration_text(time)
    return f"{exact} (about {about})" if "/" in exact else exact


def _by_prescaler(clock: Clock, file: SystemFile) -> str:
    if not clock.prescalers:
        return ""
    fixed = ", which [prescalers] fixes; without that a smaller one is taken"
    return f" by a prescaler of {clock.prescaler:,}{fixed if file.prescalers else ''}"


def _in_counts(period: Fraction, clock: Clock) -> str:
    """How many counts that is by a clock with prescalers, as a count may be longer than the period."""
    if not clock.prescalers:
        return ""
    return f", {number(period * clock.hz)} counts at {frequency_text(clock.hz)}"
