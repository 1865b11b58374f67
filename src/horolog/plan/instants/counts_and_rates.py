# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Amounts that predictions are made of: a count in the window, and a rate per second in the long run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["NONE", "Amount", "added", "exact_sum"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Something counted in the window, and per second in the long run."""

    window: Fraction
    rate: Fraction

    def __add__(self, other: Amount) -> Amount:
        return Amount(_sum(self.window, other.window), _sum(self.rate, other.rate))

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.window - other.window, self.rate - other.rate)

    def __mul__(self, factor: Fraction | int) -> Amount:
        # Rates alone are asked for while plans are compared; a product with 0 takes as long as any.
        window = self.window * factor if self.window else self.window
        return Amount(window, self.rate * factor if self.rate else self.rate)


NONE = Amount(Fraction(0), Fraction(0))


def _sum(one: Fraction, other: Fraction) -> Fraction:
    return one + other if one and other else one or other


def exact_sum(parts: Iterable[Fraction]) -> Fraction:
    """The sum, by halves: most numbers stay short, where thousands of periods have no common multiple."""
    left = list(parts)
    while len(left) > 1:
        odd = left[-1:] if len(left) % 2 else []
        left = [one + other for one, other in zip(left[::2], left[1::2], strict=False)] + odd
    return left[0] if left else Fraction(0)


def added(parts: Iterable[Amount]) -> Amount:
    """The sum, as exact_sum has it."""
    every = list(parts)
    return Amount(exact_sum(one.window for one in every), exact_sum(one.rate for one in every))
