# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A dispatcher table on one of several cores: that of all its tasks, with cells and levels of that core.

Source: SLOTH ON TIME (Hofer et al., RTSS 2012), section VI-A: tables, guards and budgets belong to a core.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from horolog.model import Board, HorologError, timeouts_on
from horolog.read.cell_needs import cell_needs_problems
from horolog.read.cells import deadline_cells
from horolog.read.cores import Cores, one_core
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.guard_cells import GivenCells
from horolog.read.problems import listed
from horolog.read.schema import SystemFile
from horolog.read.values import AUTO

__all__ = ["OnOneCore", "core_table_problems", "given_on_core", "of_table_core"]


@dataclass(frozen=True, slots=True)
class OnOneCore:
    """What the core has that a table belongs to."""

    file: SystemFile  # with its tasks alone, and those that may come to it
    entries: tuple[Entry, ...]
    boards: tuple[Board, Board]  # of that core alone: the file's own, and the one to run on


def core_table_problems(
    document: Document, schedules: Document, file: SystemFile, cores: Cores, target: Board
) -> Iterator[HorologError]:
    """Tables that no one core can have, on a board of several; `schedules` has the schedule tables."""
    if target.cores == 1 or cores.count > target.cores:
        return
    for index in range(len(schedules.data.get("table", ()))):
        yield HorologError(
            "schedule tables on a board of several cores: not yet supported",
            place=schedules.place("table", index),
            found='kind = "schedule"',
            expected='a board of one core, or kind = "dispatcher"',
        )
    if not file.table:
        return
    of = {task.name: one_core(task) for task in file.task if task.name in _names(file)}
    left = [
        name
        for name, core in of.items()
        if core == AUTO or (core is None and cores.usual == AUTO and cores.count > 1)
    ]
    by_core = _by_core(file, cores)
    if left and cores.count > 1:
        yield HorologError(
            f'the table "{file.table[0].name}" belongs to one core, and the plan is to choose that of '
            f'"{left[0]}"',
            place=document.place("table", 0),
            found=f"no core of {listed(left, last='and')}",
            expected="core = N, the same one for each task of the table",
        )
    elif len(by_core) > 1:
        (first, some), (second, others), *_ = sorted(by_core.items())
        yield HorologError(
            f'the table "{file.table[0].name}" has tasks of several cores, and belongs to one',
            place=document.place("table", 0),
            found=f'"{some[0]}", which is on core {first}, and "{others[0]}", on core {second}',
            expected=f"one core for all its tasks, as core = {first}",
        )


def of_table_core(
    file: SystemFile,
    entries: Sequence[Entry],
    boards: tuple[Board, Board],
    cores: Cores,
    timeouts: str | None,
) -> OnOneCore | None:
    """What the core has that the table belongs to. None: no table, a board of one core, or problems."""
    own, target = boards
    by_core = _by_core(file, cores)
    if target.cores == 1 or len(by_core) != 1:
        return None
    (core,) = by_core
    if core >= target.cores:
        return None
    there = {core, None}
    update: dict[str, object] = {
        "task": [one for one in file.task if cores.number(one_core(one)) in there]
    }
    if own.name == target.name and timeouts is not None:
        of_cores = timeouts_on(target, timeouts)
        name = of_cores[core] if of_cores else timeouts
        update["system"] = file.system.model_copy(update={"timeouts": name})
    own, target = (_of_core(one, core) for one in boards)
    return OnOneCore(
        file.model_copy(update=update),
        tuple(one for one in entries if cores.number(one_core(one.table)) in there),
        (own, target),
    )


def given_on_core(document: Document, on: OnOneCore, cells: Sequence[str]) -> GivenCells:
    """Gives those of `cells` that monitor the deadlines of a table on one of several cores."""
    names = {cell.name for cell in on.boards[1].cells}
    some = [name for name in cells if name in names]
    wrong = [*cell_needs_problems(document, on.file, on.entries, on.boards, some)]
    given = GivenCells(tuple(cells))
    if wrong:
        return given.without((), wrong)
    deadlines, wrong = deadline_cells(document, on.file, *on.boards, some)
    given = given.without(deadlines.names if deadlines else (), wrong)
    return replace(given, deadlines=deadlines)


def _of_core(board: Board, core: int) -> Board:
    if core >= board.cores or board.cores == 1:
        return board
    return replace(board, cells=board.cells_of(core), cores=1)


def _names(file: SystemFile) -> set[str]:
    return {point.activate for of in file.table for point in of.point}


def _by_core(file: SystemFile, cores: Cores) -> dict[int, list[str]]:
    """The tasks of tables by their cores, of those that have one."""
    names, found = _names(file), dict[int, list[str]]()
    for task in file.task:
        core = cores.number(one_core(task)) if task.name in names else None
        if core is not None:
            found.setdefault(core, []).append(task.name)
    return found
