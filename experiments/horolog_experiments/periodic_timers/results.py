# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it. Times are the chip's cycles unless said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from horolog_experiments.harness import Data

__all__ = ["DATA", "Handling", "Intervals", "Lamp", "Results", "Spread", "Threads", "spread_of"]


@dataclass(frozen=True, slots=True)
class Spread:
    """So many whole numbers: their sum, the sum of their squares, the least and the greatest."""

    count: int
    total: int
    squares: int
    least: int
    most: int

    @property
    def mean(self) -> Fraction:
        """Their mean."""
        return Fraction(self.total, self.count)

    @property
    def deviation(self) -> float:
        """Their standard deviation."""
        return sqrt(Fraction(self.squares, self.count) - self.mean**2)


def spread_of(values: list[int]) -> Spread:
    """The spread of `values`, which are not none."""
    squares = sum(value * value for value in values)
    return Spread(len(values), sum(values), squares, min(values), max(values))


@dataclass(frozen=True, slots=True)
class Intervals:
    """Tables 1 and 2: 10 intervals between 11 handlers of one alarm."""

    side: str
    mode: str
    clock_hz: int
    period_us: int
    cycles: Spread


@dataclass(frozen=True, slots=True)
class Handling:
    """Table 3: interrupts that release the alarm, or those that only count.

    `cycles`: from the interrupted code's stop to its going on. `lit`: while the handler's LED is on, as the
    paper measured it; None: there is none.
    """

    side: str
    mode: str
    releases: bool
    cycles: Spread
    lit: Spread | None


@dataclass(frozen=True, slots=True)
class Lamp:
    """Figures 10 and 11: turns of the lamp's loop.

    `begin`: the first turns that were measured, as pairs of how many follow one another and their length.
    """

    side: str
    mode: str
    ticks: int
    cycles: Spread
    begin: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Threads:
    """Table 4: the interrupts of the timer in a hyperperiod."""

    side: str
    threads: int
    cycles: Spread


@dataclass(frozen=True)
class Results:
    """Everything."""

    intervals: tuple[Intervals, ...] = ()
    handling: tuple[Handling, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    threads: tuple[Threads, ...] = ()
    toolchain: str = ""
    freertos: str | None = None


DATA = Data(
    Results,
    head=("toolchain", "freertos"),
    lists=("intervals", "handling", "lamps", "threads"),
)
