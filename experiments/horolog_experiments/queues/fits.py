# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cost formulas: a + b x by least squares, and where two of them meet. Exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog_experiments.harness.tables import number

__all__ = ["LARGEST", "Fit", "fit", "meeting"]

_FORMS: dict[str, Callable[[int], int]] = {
    "n": lambda n: n,
    "ceil(log2(n + 1))": lambda n: n.bit_length(),
}
LARGEST = 4096
"""So far formulas are followed."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A cost as a + b x, x being n or ceil(log2(n + 1)); by how much it is off at most."""

    form: str
    a: Fraction
    b: Fraction
    residual: Fraction

    def __call__(self, n: int) -> Fraction:
        """The cost at n."""
        return self.a + self.b * _FORMS[self.form](n)

    def __str__(self) -> str:
        if number(self.b) == "0":
            return number(self.a)
        sign = "-" if self.b < 0 else "+"
        return f"{number(self.a)} {sign} {number(abs(self.b))} {self.form}"


def fit(points: Sequence[tuple[int, Fraction | int]]) -> Fit:
    """The better of the forms for (n, cost)."""
    fits = [_line(form, [(x(n), y) for n, y in points]) for form, x in _FORMS.items()]
    return min(fits, key=lambda one: one.residual)


def meeting(one: Fit, other: Fit) -> int | None:
    """From which n on `one` costs no more than `other`; None if not before LARGEST."""
    for n in range(LARGEST, 0, -1):
        if one(n) > other(n):
            return None if n == LARGEST else n + 1
    return 1


def _line(form: str, points: Sequence[tuple[int, Fraction | int]]) -> Fit:
    count = len(points)
    mean_x = Fraction(sum(x for x, _ in points), count)
    mean_y = Fraction(sum((y for _, y in points), Fraction(0)), count)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    together = sum(((x - mean_x) * (y - mean_y) for x, y in points), Fraction(0))
    b = together / spread if spread else Fraction(0)
    a = mean_y - b * mean_x
    return Fit(form, a, b, max(abs(a + b * x - y) for x, y in points))
