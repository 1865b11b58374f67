# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board's timer cells as system.toml asks for them: which, what for, and how short a period can be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from horolog.model import Board, HorologError, Mode
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import choice_problems, listed, suggestion
from horolog.read.schema import SystemFile
from horolog.read.units import duration_text

__all__ = ["cell_problems", "cell_time_problems", "deadline_cell", "timeouts_cell"]


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


def deadline_cell(
    document: Document, file: SystemFile, own: Board, target: Board, cells: Sequence[str]
) -> tuple[str | None, list[HorologError]]:
    """The cell of `target` that monitors the deadlines of a dispatcher table: one of `cells`.

    The table may name a cell of its own board. By default it is the last one that can be armed for an
    instant, if possible one whose interrupt is not shared.
    """
    found = [(i, of) for i, of in enumerate(file.table) if of.deadline_monitoring != "none"]
    if not found:
        return None, []
    index, table = found[0]
    able = [cell for cell in target.cells if cell.name in cells and Mode.ONE_SHOT in cell.modes]
    if not able or len(cells) == 1:
        have = "has no cell that can be armed for one instant" if not able else "needs another cell"
        return None, [
            HorologError(
                f'the table "{table.name}" {have}'
                + (", beside the one for its deadlines" if able else ", for its deadlines"),
                place=document.place("table", index, "deadline_monitoring"),
                found=f"cells {listed(list(cells))}",
                expected='one more cell, or deadline_monitoring = "none"',
            )
        ]
    name = table.deadline_cell
    if name is not None:
        names = [cell.name for cell in own.cells if Mode.ONE_SHOT in cell.modes]
        if name not in names or name == file.system.timeouts:
            return name, [
                HorologError(
                    f'the cell "{name}" cannot monitor deadlines{suggestion(name, names)}',
                    place=document.place("table", index, "deadline_cell"),
                    found=f'"{name}"',
                    expected=f"one of {listed([one for one in names if one != file.system.timeouts])}, "
                    "which can be armed for one instant",
                )
            ]
        if target.name == own.name:
            return name, []
    handlers = [cell.handler for cell in target.cells if cell.name in cells]
    alone = [
        cell
        for cell in able
        if handlers.count(cell.handler) == 1 and cell.handler != target.clock.handler
    ]
    return (alone or able)[-1].name, []


def cell_time_problems(entry: Entry, board: Board, chosen: Iterable[str]) -> Iterator[HorologError]:
    """Periods that are too short for every cell there is."""
    cells = [cell for cell in board.cells if cell.name in set(chosen)]
    if not cells:
        return
    quickest = min(cells, key=lambda cell: cell.min_counts)
    shortest = Fraction(quickest.min_counts, board.clock.hz)
    for period, loc in entry.period_keys:
        if period < shortest:
            yield HorologError(
                "the period is too short for every cell",
                place=entry.document.place(*loc),
                found=duration_text(period),
                expected=f"at least {duration_text(shortest)}, which {quickest.name} can time",
            )
