# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Groups of timer cells, and the cells of each: what one store starts and stops together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from horolog.model import Board, Cell

__all__ = ["CELLS_TOGETHER", "CellGroup", "cell_groups"]

CELLS_TOGETHER = 32
"""Requests of so many cells are forgotten by one store."""


@dataclass(frozen=True, slots=True)
class CellGroup:
    """Cells that follow one another in their device, and the number of their group."""

    number: int
    cells: tuple[Cell, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(cell.name for cell in self.cells)


def cell_groups(
    board: Board, sizes: Sequence[int], taken: Collection[str]
) -> tuple[CellGroup, ...] | None:
    """A group of so many cells for each of `sizes`, of the board's last cells that are not `taken`.

    None: there are not so many groups, or cells. Groups of budgets are numbered from the other end, and
    know how many these are (budgets.py).
    """
    free = [cell for cell in board.cells if cell.groups and cell.name not in taken]
    made: list[CellGroup] = []
    for number, size in enumerate(sizes, 1):
        run = next(_runs(free, size), None)
        if run is None or number > run[0].groups:
            return None
        made.append(CellGroup(number, run))
        free = [cell for cell in free if cell not in run]
    return tuple(made)


def _runs(cells: Sequence[Cell], size: int) -> Iterator[tuple[Cell, ...]]:
    """Runs of cells that follow one another, within a word of requests; the last ones first."""
    for start in range(len(cells) - size, -1, -1):
        run = tuple(cells[start : start + size])
        first, last = run[0], run[-1]
        if (
            last.instance - first.instance == size - 1
            and first.instance // CELLS_TOGETHER == last.instance // CELLS_TOGETHER
            and {cell.device for cell in run} == {first.device}
        ):
            yield run
