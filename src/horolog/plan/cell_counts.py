# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems on boards with another number of cells: for planning only, they cannot be built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from horolog.analyse import bases, streams
from horolog.model import HorologError, Mapping, Mode, Planned, Prediction, System

__all__ = ["MOST_CELLS", "ByCells", "by_cells", "hypothetical", "over_cells"]

MOST_CELLS = 16
"""For how many cells there are plans."""


def hypothetical(system: System, cells: int) -> System:
    """`system` on a board with `cells` copies of its widest periodic cell in place of others, on each core.

    Of equally wide ones, that which can time the shortest interval, then the first of those that the
    system uses. HorologError if there is none, or `cells` is not from 1 to MOST_CELLS.
    """
    if not 1 <= cells <= MOST_CELLS:
        raise HorologError(
            "--cells is out of range",
            found=str(cells),
            expected=f"1 to {MOST_CELLS}",
        )
    able = [system.board.cell(name) for name in system.cells]
    able = [cell for cell in able if Mode.PERIODIC in cell.modes]
    if not able:
        raise HorologError(f"system {system.name}: no cell in use can interrupt periodically")
    widest = max(able, key=lambda cell: (cell.width, -cell.min_counts))
    cores = range(system.board.cores)
    copies = [replace(widest, name=f"{widest.name}/{at + 1}") for at in range(len(cores) * cells)]
    # The board's other cells stay: others than releasers may have theirs.
    board = replace(
        system.board,
        cells=tuple(
            cell
            for core in cores
            for cell in (*copies[core * cells :][:cells], *system.board.cells_of(core))
        ),
    )
    used = copies[: system.cores_with_tasks * cells]
    return replace(system, board=board, cells=tuple(copy.name for copy in used))


@dataclass(frozen=True, slots=True)
class ByCells:
    """The plans for a number of cells, with their predictions."""

    cells: int
    mapping: Mapping | None  # of chronos; None: it cannot serve the system
    chronos: Prediction | None
    chosen: str
    prediction: Prediction  # of the mechanism chosen
    others: tuple[tuple[str, Prediction], ...] = ()  # of every mechanism that can serve the system


def by_cells(cells: int, planned: Planned) -> ByCells:
    """A row of the curve over the number of cells, from the plan for a hypothetical system."""
    chronos = next(a.plan for a in planned.alternatives if a.mechanism == "chronos")
    return ByCells(
        cells=cells,
        mapping=None if chronos is None else chronos.mapping,
        chronos=None if chronos is None else chronos.prediction,
        chosen=planned.choice.mechanism,
        prediction=planned.choice.prediction,
        others=tuple(
            (a.mechanism, a.plan.prediction) for a in planned.alternatives if a.plan is not None
        ),
    )


def over_cells(system: System, planned_for: Callable[[System], Planned]) -> tuple[ByCells, ...]:
    """The plans for 1 to MOST_CELLS cells, each made by `planned_for`.

    A stream with instants that all lie on another stream's never needs a cell of its own; with a cell for
    each other stream and one more, further cells change nothing.
    """
    enough = len(bases(streams(system))) + 1
    rows = [
        by_cells(number, planned_for(hypothetical(system, number)))
        for number in range(1, min(enough, MOST_CELLS) + 1)
    ]
    rows += [replace(rows[-1], cells=number) for number in range(len(rows) + 1, MOST_CELLS + 1)]
    return tuple(rows)
