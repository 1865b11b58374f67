# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Geometry of the picture of cost over the number of cells: a row for each mechanism.

A row has one bar for each number of cells, from 1 on, as high as the mechanism's predicted cost; all rows
have one scale. Where a mechanism cannot serve the system there is no bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import significant
from horolog.model import MECHANISMS, Prediction, System
from horolog.plan import ByCells

__all__ = ["CellsPicture", "CellsRow", "cells_picture"]

_WIDTH = 1000
_HEIGHT = 100
_SHARE = 0.72  # of a column that its bar takes
_NAMED_ONLY = "chronos-const"


@dataclass(frozen=True, slots=True)
class CellsRow:
    """One mechanism: SVG paths of the bars, those of the numbers at which it is chosen apart."""

    mechanism: str
    chosen: str
    other: str
    few: str  # its cost with the fewest cells that it can do with, and their number
    most: str  # its cost with the most cells, and their number
    words: str  # the row in words, for readers without the picture


@dataclass(frozen=True, slots=True)
class CellsPicture:
    """All rows, the cheapest with the most cells first; `unit` says what a bar is high by."""

    rows: tuple[CellsRow, ...]
    cells: tuple[int, ...]
    unit: str
    now: int  # the number of cells in use


def cells_picture(system: System, curve: Sequence[ByCells]) -> CellsPicture | None:
    """The picture of `curve`; None if it is empty."""
    if not curve:
        return None
    priced = system.board.runner.ns_per_step is not None

    def cost(prediction: Prediction) -> Fraction:
        if priced:
            return prediction.kernel_per_second
        return prediction.interrupts_per_second

    names = {name for row in curve for name, _ in row.others}
    found = {
        name: {row.cells: cost(one) for row in curve for other, one in row.others if other == name}
        for name in sorted(names, key=MECHANISMS.index)
    }
    found = {name: costs for name, costs in found.items() if name != _NAMED_ONLY}
    highest = max((c for costs in found.values() for c in costs.values()), default=Fraction(0))
    chosen = {row.cells: row.chosen for row in curve}
    rows = [_row(name, costs, chosen, len(curve), highest) for name, costs in found.items()]
    last = {name: costs[max(costs)] for name, costs in found.items()}
    rows.sort(key=lambda row: last[row.mechanism])
    return CellsPicture(
        tuple(rows),
        tuple(row.cells for row in curve),
        f"kernel {system.board.runner.unit} a second" if priced else "interrupts a second",
        len(system.cells),
    )


def _row(
    name: str,
    costs: dict[int, Fraction],
    chosen: dict[int, str],
    columns: int,
    highest: Fraction,
) -> CellsRow:
    step = _WIDTH / columns
    paths = {True: "", False: ""}
    for cells, cost in sorted(costs.items()):
        height = max(2.0, float(_HEIGHT * cost / highest)) if highest else 2.0
        left = (cells - 1) * step + step * (1 - _SHARE) / 2
        width = step * _SHARE
        paths[chosen[cells] == name] += (
            f"M{left:.1f} {_HEIGHT - height:.1f}h{width:.1f}V{_HEIGHT}h-{width:.1f}z"
        )
    few, most = min(costs), max(costs)
    said = ", ".join(f"{cells}: {significant(cost)}" for cells, cost in sorted(costs.items()))
    return CellsRow(
        mechanism=name,
        chosen=paths[True],
        other=paths[False],
        few=f"{significant(costs[few])} with {few}",
        most=f"{significant(costs[most])} with {most}",
        words=f"{name}, by number of cells: {said}",
    )
