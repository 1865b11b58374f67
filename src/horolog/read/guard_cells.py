# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which cells have deadlines, points and budgets, and which are left for tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from horolog.model import Board, BudgetCells, DeadlineCells, HorologError, TableControl
from horolog.read.budgets import budget_cells
from horolog.read.cell_needs import guards_can_share, guards_share
from horolog.read.cells import deadline_cells
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.schema import SystemFile
from horolog.read.table_control import point_cell

__all__ = ["GivenCells", "given_cells"]


@dataclass(frozen=True, slots=True)
class GivenCells:
    """What has which cells, and what is wrong with that."""

    cells: tuple[str, ...]  # for tasks
    deadlines: DeadlineCells | None = None
    control: TableControl | None = None
    budgets: BudgetCells | None = None
    problems: tuple[HorologError, ...] = ()

    def without(self, names: Sequence[str], wrong: Sequence[HorologError]) -> GivenCells:
        """These cells given away, with what is wrong with that."""
        left = tuple(name for name in self.cells if name not in names)
        return replace(self, cells=left, problems=(*self.problems, *wrong))


def given_cells(
    document: Document,
    file: SystemFile,
    entries: Sequence[Entry],
    boards: tuple[Board, Board],
    cells: Sequence[str],
    groups: int,
) -> GivenCells:
    """Gives `cells` to what needs one beside tasks; `groups` of cells are taken.

    Deadlines and budgets share one if cells do not suffice otherwise, or none that is left can count budgets.
    """
    share = guards_share(file, entries, boards, cells)
    found = _given(document, file, boards, cells, groups, share=share)
    if found.problems and not share and guards_can_share(file, boards):
        shared = _given(document, file, boards, cells, groups, share=True)
        return found if shared.problems else shared
    return found


def _given(
    document: Document,
    file: SystemFile,
    boards: tuple[Board, Board],
    cells: Sequence[str],
    groups: int,
    *,
    share: bool,
) -> GivenCells:
    own, target = boards
    beside = _beside_points(file, own, target, cells)
    deadlines, wrong = deadline_cells(document, file, own, target, beside)
    budgets = None
    if share and not wrong:
        able = _for_both(file, own, target, cells)
        budgets, wrong = budget_cells(document, file, target, able, groups)
        deadlines = None if budgets is None else DeadlineCells(budgets.names)
    given = GivenCells(tuple(cells)).without(deadlines.names if deadlines else (), wrong)
    control, wrong = point_cell(document, file, own, target, given.cells)
    given = given.without((control.cell,) if control else (), wrong)
    if not share:
        budgets, wrong = budget_cells(document, file, target, given.cells, groups)
        given = given.without(budgets.names if budgets else (), wrong)
    return replace(given, deadlines=deadlines, control=control, budgets=budgets)


def _for_both(file: SystemFile, own: Board, target: Board, cells: Sequence[str]) -> Sequence[str]:
    """Cells of `target`, of which one is to monitor deadlines and count budgets: the named one, or any."""
    if target.name != own.name:
        return cells
    named = [of.deadline_cell for of in file.table if of.deadline_cell is not None]
    return named[:1] or _beside_points(file, own, target, cells)


def _beside_points(
    file: SystemFile, own: Board, target: Board, cells: Sequence[str]
) -> Sequence[str]:
    """Cells of `target` but the one that the description gives to points; it names cells of `own`."""
    if target.name != own.name:
        return cells
    points = [of.point_cell for of in file.table]
    return [name for name in cells if name not in points]
