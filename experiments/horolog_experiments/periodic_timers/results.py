# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it. Times are the chip's cycles unless said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from horolog_experiments.harness import Data

__all__ = [
    "DATA",
    "Engine",
    "Handling",
    "Instants",
    "Intervals",
    "Lamp",
    "Results",
    "Size",
    "Spread",
]
__all__ += ["Threads", "spread_of"]


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

    `cycles`: from the interrupted code's stop to its going on, or to the switch to the thread that is
    released. `lit`: while the handler's LED is on, as the paper measured it; None: there is none.
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
    """Table 4: the interrupts of the timer in a hyperperiod. Of ours, up to where they switch, if they do."""

    side: str
    threads: int
    cycles: Spread
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Instants:
    """Our releases, 0 to 1,000, of one period.

    `off`: by how many counts the instant of release 1,000 is off its nominal one, measured from release 0;
    `late`: from the timer's flag to the handler's mark, at worst, in cycles; None: no handler ran.
    """

    side: str
    mode: str
    clock_hz: int
    period_us: int
    plan: str
    off: Fraction
    late: int | None

    @property
    def is_off(self) -> bool:
        """By a count or more."""
        return abs(self.off) >= 1


@dataclass(frozen=True, slots=True)
class Engine:
    """examples/engine-12 with tasks of one kind: kernel cycles a job, ours and FreeRTOS's."""

    kind: str
    plan: str
    jobs: int
    ours: Fraction
    freertos: Fraction | None


@dataclass(frozen=True, slots=True)
class Size:
    """Bytes that a program takes: RAM without stacks, and ROM."""

    side: str
    ram: int
    rom: int


@dataclass(frozen=True)
class Results:
    """Everything."""

    intervals: tuple[Intervals, ...] = ()
    handling: tuple[Handling, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    threads: tuple[Threads, ...] = ()
    instants: tuple[Instants, ...] = ()
    engine: tuple[Engine, ...] = ()
    sizes: tuple[Size, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # what could not be planned, and why
    toolchain: str = ""
    freertos: str | None = None


DATA = Data(
    Results,
    head=("toolchain", "freertos"),
    lists=("intervals", "handling", "lamps", "threads", "instants", "engine", "sizes", "refused"),
)
