# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What predictions are made of: numbers of things in the window, and per second in the long run."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["NONE", "Amount"]


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
