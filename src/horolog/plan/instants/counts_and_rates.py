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
        return Amount(self.window + other.window, self.rate + other.rate)

    def __sub__(self, other: Amount) -> Amount:
        return Amount(self.window - other.window, self.rate - other.rate)

    def __mul__(self, factor: Fraction | int) -> Amount:
        return Amount(self.window * factor, self.rate * factor)


NONE = Amount(Fraction(0), Fraction(0))


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
