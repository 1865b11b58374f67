# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Costs of steps from runs that take them in different numbers: least squares, in fractions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

__all__ = ["Undetermined", "fit"]


class Undetermined(Exception):
    """The runs do not tell the steps apart. `args`: the name of one that they do not."""


def fit(
    names: Sequence[str],
    runs: Sequence[tuple[Mapping[str, Fraction], Fraction]],
    of: Sequence[Fraction] | None = None,
) -> dict[str, Fraction]:
    """The cost of each step, so that the runs' totals are met best.

    A run is how often each step was taken, and what all of them came to together. Every run counts
    alike: what is made small is the sum of squares of *relative* errors, of what `of` says for each run
    (default: its total). With as many independent runs as steps all are met exactly.
    """
    whole = [total for _, total in runs] if of is None else of
    rows = [
        ([Fraction(taken.get(name, 0)) / scale for name in names], total / scale)
        for (taken, total), scale in zip(runs, whole, strict=True)
    ]
    size = len(names)
    normal = [
        [sum((row[i] * row[j] for row, _ in rows), Fraction(0)) for j in range(size)]
        + [sum((row[i] * goal for row, goal in rows), Fraction(0))]
        for i in range(size)
    ]
    return dict(zip(names, _solved(normal, names), strict=True))


def _solved(matrix: list[list[Fraction]], names: Sequence[str]) -> list[Fraction]:
    """The solution of a square system, by elimination; the last column is the right-hand side."""
    size = len(matrix)
    for column in range(size):
        pivot = next((row for row in range(column, size) if matrix[row][column]), None)
        if pivot is None:
            raise Undetermined(names[column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        head = matrix[column]
        for row in range(size):
            if row != column and matrix[row][column]:
                factor = matrix[row][column] / head[column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], head, strict=True)]
    return [matrix[row][size] / matrix[row][row] for row in range(size)]
