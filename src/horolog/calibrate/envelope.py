# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of steps from runs that take them in different numbers, in fractions: no run lies beyond."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

__all__ = ["envelope"]

_Row = tuple[list[Fraction], Fraction]


def envelope(
    names: Sequence[str], runs: Sequence[tuple[Mapping[str, int], int]], *, above: bool
) -> dict[str, Fraction]:
    """For each step a cost, not negative, with which no run took more (`above`), or less, than its steps.

    A run is how often each step was taken, and what all of them came to together, more than 0. Of all such
    costs those are returned with the least sum of relative distances from the runs: a small linear
    programme, of which all corners are looked at.
    """
    sign = 1 if above else -1
    limits: list[_Row] = [  # a * x >= b
        ([Fraction(sign * taken.get(name, 0)) for name in names], Fraction(sign * total))
        for taken, total in runs
    ]
    limits = list({(tuple(row), goal): (row, goal) for row, goal in limits}.values())
    size = len(names)
    limits += [([Fraction(at == own) for at in range(size)], Fraction(0)) for own in range(size)]
    weight = [
        sum((Fraction(taken.get(name, 0), total) for taken, total in runs), Fraction(0))
        for name in names
    ]
    best: tuple[Fraction, list[Fraction]] | None = None
    for corner in combinations(limits, size):
        point = _solved(corner)
        if point is None or any(_dot(row, point) < goal for row, goal in limits):
            continue
        far = sign * _dot(weight, point)
        if best is None or far < best[0]:
            best = far, point
    assert best is not None  # 0 lies below every run; and each run takes a step
    return dict(zip(names, best[1], strict=True))


def _dot(row: Sequence[Fraction], point: Sequence[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(row, point, strict=True)), Fraction(0))


def _solved(corner: Sequence[_Row]) -> list[Fraction] | None:
    """Where all of `corner` hold with equality; None: nowhere, or at several points."""
    size = len(corner)
    matrix = [[*row, goal] for row, goal in corner]
    for column in range(size):
        pivot = next((row for row in range(column, size) if matrix[row][column]), None)
        if pivot is None:
            return None
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        head = matrix[column]
        for row in range(size):
            if row != column and matrix[row][column]:
                factor = matrix[row][column] / head[column]
                matrix[row] = [a - factor * b for a, b in zip(matrix[row], head, strict=True)]
    return [matrix[row][size] / matrix[row][row] for row in range(size)]
