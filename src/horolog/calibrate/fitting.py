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
    names: Sequence[str], runs: Sequence[tuple[Mapping[str, Fraction], Fraction]]
) -> dict[str, Fraction]:
    """The cost of each step, so that the runs' totals are met best.

    A run is how often each step was taken, and what all of them came to together. Every run counts
    alike: what is made small is the sum of squares of *relative* errors. With as many independent runs as
    steps all are met exactly.
    """
    rows = [
        ([Fraction(taken.get(name, 0)) / total for name in names], Fraction(1))
        for taken, total in runs
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
