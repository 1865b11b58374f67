# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it. Times are the chip's cycles unless said."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from horolog_experiments.harness import Data

__all__ = [
    "Check",
    "Choice",
    "Crowd",
    "DATA",
    "Engine",
    "Handling",
    "Instants",
    "Intervals",
    "Lamp",
]
__all__ += ["Price", "Results", "Size", "Spread", "Threads", "To", "spread_of"]


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
    parts: tuple[tuple[str, int], ...] = ()  # of the longest: cycles by function


@dataclass(frozen=True, slots=True)
class To:
    """Cycles by function from the timer's flag to the handler's mark, in Table 3's runs."""

    side: str
    mode: str
    parts: tuple[tuple[str, int], ...]


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
    plan: str = ""


@dataclass(frozen=True, slots=True)
class Threads:
    """Table 4: the interrupts of the timer in a hyperperiod. Of ours, up to where they switch, if they do.

    Of ours with most threads also cycles by function, of the shortest and of the longest.
    """

    side: str
    threads: int
    cycles: Spread
    plan: str = ""
    least: tuple[tuple[str, int], ...] = ()
    most: tuple[tuple[str, int], ...] = ()


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
class Choice:
    """One task of Tables 1 to 3, released as the tool chooses.

    `asked_hz`: the table's timer clock; None: the plan chose the prescaler, too. `ten`: as of Intervals, and
    `off` and `late` as of Instants, if the run was so long. `releasing`: interrupts that release the task,
    and `counting`: those that do not, as of Handling. `refused`: why there is no plan, and nothing else.
    """

    side: str
    asked_hz: int | None
    period_us: int
    prescaler: int = 0
    plan: str = ""
    ten: Spread | None = None
    off: Fraction | None = None
    late: int | None = None
    releasing: Spread | None = None
    counting: Spread | None = None
    refused: str = ""


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
    """Bytes that a program takes: RAM without stacks, and ROM; its largest functions, and objects in RAM."""

    side: str
    ram: int
    rom: int
    largest: tuple[tuple[str, int], ...] = ()
    objects: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Price:
    """Cycles of an interrupt and of all that follows, of `number` threads or alarms; so many are released.

    Both 0: of an interrupt that releases nothing, a tick or a hop; 1 and 0: of a tick that has to look again.
    """

    kind: str
    mode: str
    number: int
    released: int
    cycles: Fraction


@dataclass(frozen=True, slots=True)
class Check:
    """Cycles a second of a family of question.py: measured, and by the prices."""

    kind: str
    mode: str
    clock_hz: int
    period_us: int
    number: int
    measured: Fraction
    predicted: Fraction


@dataclass(frozen=True, slots=True)
class Crowd:
    """As many threads as fit, with stacks of so many bytes: do all of them hand over so often?

    `caught`: whether the kernel's checks stop the same with stacks of `small` bytes.
    """

    threads: int
    stack: int
    times: int
    runs: bool
    small: int
    caught: bool


@dataclass(frozen=True)
class Results:
    """Everything."""

    intervals: tuple[Intervals, ...] = ()
    handling: tuple[Handling, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    threads: tuple[Threads, ...] = ()
    instants: tuple[Instants, ...] = ()
    paths: tuple[To, ...] = ()
    choices: tuple[Choice, ...] = ()  # of Tables 1 and 2
    handled: tuple[Choice, ...] = ()  # of Table 3
    engine: tuple[Engine, ...] = ()
    sizes: tuple[Size, ...] = ()
    crowd: Crowd | None = None
    prices: tuple[Price, ...] = ()
    checks: tuple[Check, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()  # what could not be planned, and why
    toolchain: str = ""
    freertos: str | None = None


DATA = Data(
    Results,
    head=("toolchain", "freertos", "crowd"),
    lists=(
        "intervals",
        "handling",
        "lamps",
        "threads",
        "instants",
        "paths",
        "choices",
        "handled",
        "engine",
        "sizes",
        "prices",
        "checks",
        "refused",
    ),
)
