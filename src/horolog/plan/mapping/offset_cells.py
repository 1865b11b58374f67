# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cells that are the interrupts of tasks with uneven points: each interrupt moves the comparison to the next.

After SLOTH ON TIME, section IV-F: one cell for all activations of a task, by its offsets in ROM
(kernel/basic/offset_table.h).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from horolog.analyse import count_instant
from horolog.model import Board, Cell, Mode, System, Task
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.plan.times import time_text

__all__ = ["LEAST_OFFSET_COUNTS", "offset_cell_fault", "offset_cells", "tasks_with_offsets"]

LEAST_OFFSET_COUNTS = 64
"""Points are at least so many counts apart: HRLI_OFFSET_NEAR of the kernel."""


def offset_cell_fault(board: Board, cell: Cell, task: Task) -> str | None:
    """Why `cell` cannot be moved from point to point of `task`; None if it can."""
    if Mode.ONE_SHOT not in cell.modes or not cell.moves_compare:
        return f"the points of its task are not evenly spaced, and no handler moves {cell.name} to the next"
    if board.port.overrun_handler is None or not board.port.has_entries:
        return "the points of its task are not evenly spaced, and no controller tells of overruns"
    if task.budget is not None:
        return "its task has a budget and points that are not evenly spaced"
    hz = board.clock.hz
    if (task.period * hz).denominator != 1:
        return "the round of its task is no whole number of counts"
    at = [count_instant(offset, hz) for offset in task.offsets]
    gaps = [b - a for a, b in pairwise([*at, at[0] + int(task.period * hz)])]
    least = max(cell.min_counts, LEAST_OFFSET_COUNTS)
    if min(gaps) < least:
        nearest = time_text(Fraction(min(gaps), hz))
        return f"two points of its task are {nearest} apart, less than {time_text(Fraction(least, hz))}"
    if max(gaps) >= one_shot_span(cell):
        furthest = time_text(Fraction(max(gaps), hz))
        return f"two points of its task are {furthest} apart, too far for {cell.name}"
    return None


def offset_cells(system: System) -> list[Cell]:
    """The cells in use that can be moved from point to point, in the user's order."""
    cells = [system.board.cell(name) for name in system.cells]
    return [cell for cell in cells if Mode.ONE_SHOT in cell.modes and cell.moves_compare]


def tasks_with_offsets(system: System) -> list[int]:
    """The tasks with points that are not evenly spaced."""
    return [index for index, task in enumerate(system.tasks) if not task.is_even]
