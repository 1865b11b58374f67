# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How many timer cells a system needs at least, and how many there are: told at once, for all purposes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from horolog.figures import plural
from horolog.model import Board, Cell, HorologError, Kind, Mode
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.nearest import Change, Unfit, set_system, set_table, set_tasks
from horolog.read.problems import listed
from horolog.read.schema import SystemFile
from horolog.read.table_control import is_controlled

__all__ = [
    "cell_needs_problems",
    "guards_can_share",
    "guards_share",
    "interrupts_alone",
    "more_cells",
    "without_budgets",
    "without_monitoring",
]


def cell_needs_problems(
    document: Document,
    file: SystemFile,
    entries: Sequence[Entry],
    boards: tuple[Board, Board],
    cells: Sequence[str],
) -> Iterator[HorologError]:
    """Too few of `cells` for tables, guards and tasks; neither time-outs nor schedule tables have these.

    `boards`: the file's own, and the one to run on. Without dispatcher tables and budgets the planner says
    what is missing.
    """
    own, target = boards
    yield from _shared_cell(document, file)
    apart = _apart(file, boards, cells)
    share = guards_share(file, entries, boards, cells)
    guards = [*_guards(file, target, apart, share=share)]
    needs = [*_tasks(file, entries), *guards]
    missing = sum(many for many, _ in needs) - len(cells)
    if missing <= 0 or not (guards or file.table):
        return
    names = list(cells)
    if file.system.timeouts is not None:
        needs.append((1, "time-outs"))
        names = [cell.name for cell in target.cells if cell.name in cells] + [file.system.timeouts]
    of = f", of {listed(names, last='and')}" if target.name == own.name and names else ""
    needed = len(names) + missing
    yield Unfit(
        f"{plural(needed, 'cell')} are needed, and {len(names)} can be had",
        place=document.place("system", "cells"),
        found=f"{listed([f'{many} for {what}' for many, what in needs], last='and')}{of}",
        expected=f'{needed} cells; the board "{target.name}" has {len(target.cells)}',
        changes=[*more_cells(file, own, missing), *_fewer_guards(file, missing)],
    )


def guards_share(
    file: SystemFile,
    entries: Sequence[Entry],
    boards: tuple[Board, Board],
    cells: Sequence[str],
) -> bool:
    """Whether one cell monitors deadlines and counts budgets, as `cells` do not suffice otherwise."""
    if not guards_can_share(file, boards):
        return False
    needs = [*_tasks(file, entries), *_guards(file, boards[1], _apart(file, boards, cells))]
    return sum(many for many, _ in needs) > len(cells)


def guards_can_share(file: SystemFile, boards: tuple[Board, Board]) -> bool:
    """Whether there are deadlines and budgets that one cell could have.

    A deadline_cell that cannot count budgets is not shared.
    """
    own, target = boards
    budgets = any(task.budget is not None for task in file.task) and target.port.redirects
    monitored = next((of for of in file.table if of.deadline_monitoring != "none"), None)
    if monitored is None or not budgets or target.port.follows:
        return False
    if monitored.deadline_cell is not None and own.name == target.name:
        named = [cell for cell in own.cells if cell.name == monitored.deadline_cell]
        return all(interrupts_alone(own, cell) for cell in named)
    return True


def interrupts_alone(board: Board, cell: Cell) -> bool:
    """Whether a cell can be armed, and its interrupt is no other's."""
    return Mode.ONE_SHOT in cell.modes and board.has_own_interrupt(cell)


def _apart(file: SystemFile, boards: tuple[Board, Board], cells: Sequence[str]) -> set[str]:
    """Cells that tables name: of the board, and not of `cells`."""
    own, target = boards
    named = {cell for of in file.table for cell in (of.deadline_cell, of.point_cell) if cell}
    return named - {*cells} if own.name == target.name else set()


def _tasks(file: SystemFile, entries: Sequence[Entry]) -> Iterator[tuple[int, str]]:
    """Those of tasks that time releases, but for tables that the application controls."""
    if any(entry.kind is Kind.THREAD for entry in entries):
        yield 1, "threads"
    controlled = is_controlled(file)
    tabled = [entry for entry in entries if entry.table_level is not None]
    basic = [entry for entry in entries if entry.kind is Kind.BASIC and entry.table_level is None]
    if basic or (tabled and not controlled):
        yield 1, "basic tasks" if basic else f'the points of the table "{file.table[0].name}"'


def _shared_cell(document: Document, file: SystemFile) -> Iterator[HorologError]:
    """One cell for points and for deadlines, which are armed for instants of their own."""
    points = file.table[0].point_cell if file.table else None
    for index, of in enumerate(file.table):
        if points is not None and of.deadline_cell == points and is_controlled(file):
            yield HorologError(
                f'the cell "{points}" is to have points and deadlines',
                place=document.place("table", index, "deadline_cell"),
                found=f'point_cell = "{points}" and deadline_cell = "{points}"',
                expected="two cells, or one of the two keys",
            )


def _guards(
    file: SystemFile, target: Board, apart: Collection[str], *, share: bool = False
) -> Iterator[tuple[int, str]]:
    """What takes cells of `cells`, beside tasks; those `apart` are others. `share`: guards share one."""
    if is_controlled(file) and file.table[0].point_cell not in apart:
        yield 1, f'the points of the table "{file.table[0].name}", which the application controls'
    monitored = next((of for of in file.table if of.deadline_monitoring != "none"), None)
    if monitored is not None and monitored.deadline_cell not in apart:
        yield 1, "monitored deadlines and budgets" if share else "monitored deadlines"
    budgets = sum(task.budget is not None for task in file.task)
    if budgets and target.port.redirects and not share:
        yield (budgets if target.port.follows else 1), "budgets"


def more_cells(file: SystemFile, own: Board, many: int) -> Iterator[Change]:
    """So many more of the board's cells in `cells`, if there are."""
    if file.system.cells is None:
        return
    left = [
        cell.name
        for cell in own.cells
        if cell.name not in (*file.system.cells, file.system.timeouts)
        and Mode.ONE_SHOT in cell.modes
    ]
    if len(left) >= many:
        names = [*file.system.cells, *left[:many]]
        text = (
            f'"{left[0]}"' if many == 1 else listed([f'"{one}"' for one in left[:many]], last="and")
        )
        yield set_system(f"{text} in cells of [system], too", cells=names)


def _fewer_guards(file: SystemFile, missing: int) -> Iterator[Change]:
    if any(of.deadline_cell is not None for of in file.table):
        yield set_table("no deadline_cell", "dispatcher", None, deadline_cell=None)
    if any(of.deadline_monitoring != "none" for of in file.table):
        yield without_monitoring()
    budgeted = [task.name for task in file.task if task.budget is not None]
    if len(budgeted) > missing > 0:
        yield without_budgets(budgeted[-missing:])
    if budgeted:
        yield without_budgets(budgeted)
    first = file.table[0] if file.table else None
    if first is not None and is_controlled(file) and len(file.table) == 1:
        keys = [key for key in ("start", "sync") if getattr(first, key) is not None]
        yield set_table(
            f'no {" and no ".join(keys)} of the table "{first.name}"',
            "dispatcher",
            first.name,
            start=None,
            sync=None,
            point_cell=None,
        )
    if file.system.timeouts is not None:
        yield set_system("no timeouts, if no call waits with a time-out", timeouts=None)


def without_monitoring() -> Change:
    """No deadlines monitored."""
    return set_table(
        'deadline_monitoring = "none"',
        "dispatcher",
        None,
        deadline_monitoring=None,
        deadline_cell=None,
    )


def without_budgets(names: Sequence[str]) -> Change:
    """No budgets of these tasks."""
    quoted = listed([f'"{name}"' for name in names], last="and")
    return set_tasks(f"no budget of {quoted}", names, budget=None)
