# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the experiment `irregular` found, and its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from horolog_experiments.harness import Data
from horolog_experiments.irregular.families import Case

__all__ = [
    "DATA",
    "SLOW",
    "Alone",
    "Answer",
    "Flash",
    "Irregular",
    "Large",
    "Measured",
    "Theirs",
    "Tried",
    "Whole",
    "Wide",
    "geometric_mean",
    "percentile",
]

SLOW = 5
"""Seconds of the processor that planning a system may take."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One plan that was run: the kernel's instructions in the window, predicted (rounded) and measured."""

    mechanism: str
    stores: tuple[str, ...]
    predicted: int
    measured: int
    jobs: int
    misses: int
    interrupts: tuple[int, int, int]  # predicted, taken, coalesced
    excess: int

    @property
    def off(self) -> Fraction:
        """How far the prediction is from what was measured, as a share of that; negative: too low."""
        return Fraction(self.predicted - self.measured, self.measured)

    @property
    def per_job(self) -> Fraction:
        """Kernel instructions a job."""
        return Fraction(self.measured, self.jobs)

    @property
    def words(self) -> str:
        """Mechanism and stores, for people."""
        return f"{self.mechanism}: {', '.join(self.stores)}"


@dataclass(frozen=True, slots=True)
class Measured:
    """A case as one kind of tasks: the choice first, then what else was tried.

    `state`: "measured", "refused" (`said` says why) or "overloaded" (it never becomes idle: more than the
    processor, or late for ever).
    """

    case: Case
    kind: str
    state: str
    said: str
    tried: tuple[Tried, ...]

    @property
    def choice(self) -> Tried:
        """The planner's; only where it was measured."""
        return self.tried[0]

    @property
    def regret(self) -> Fraction:
        """What the choice costs for each instruction of the best that was tried."""
        return Fraction(self.choice.measured, min(one.measured for one in self.tried))


@dataclass(frozen=True, slots=True)
class Theirs:
    """The kernel instructions of a baseline of FreeRTOS's that can express the case of this number."""

    number: int
    baseline: str
    kernel: int


@dataclass(frozen=True, slots=True)
class Flash:
    """Bytes of flash of a case's choice as threads, and of stock FreeRTOS; `said`: by the plan."""

    number: int
    ours: int
    theirs: int
    built: bool  # FreeRTOS was built; else the bytes are predicted
    said: bool

    @property
    def ratio(self) -> Fraction:
        """How many times FreeRTOS's ours is."""
        return Fraction(self.ours, self.theirs)


@dataclass(frozen=True, slots=True)
class Whole:
    """One side of an example: `side` is a kind of tasks for ours, else a baseline's name."""

    example: str
    side: str
    kernel: int
    jobs: int
    misses: int


@dataclass(frozen=True, slots=True)
class Alone:
    """25 tasks without a common instant, one-shot, by one store."""

    seed: int
    store: str
    kernel: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Large:
    """The plan of 1,500 tasks on 64 cells; no mechanism: there is none. `within`: before the limit."""

    family: str
    seed: int
    mechanism: str
    gap: Fraction
    within: bool


@dataclass(frozen=True, slots=True)
class Wide:
    """A case on so many of the host port's cells: the choice's interrupts, and the fewest of a listed plan.

    No mechanism: it was refused; `said` says why.
    """

    case: Case
    mechanism: str
    said: str
    interrupts: tuple[int, int, int]  # predicted, taken, coalesced
    excess: int
    fewest: int
    misses: int
    rate: Fraction  # of the choice's interrupts, a second in the long run
    fewest_rate: Fraction


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a case."""

    measured: tuple[Measured, ...]
    freertos: tuple[Theirs, ...]
    flash: Flash | None
    seconds: tuple[float, ...]  # of the processor, to plan each kind


@dataclass(frozen=True)
class Irregular:
    """All cases, as both kinds, and what was measured of other systems (others.py)."""

    seed: int
    measured: tuple[Measured, ...]
    freertos: tuple[Theirs, ...]
    slow: int  # cases that took more than SLOW seconds of the processor to plan, as either kind
    platform: str
    toolchain: str
    flash: tuple[Flash, ...] = ()
    wholes: tuple[Whole, ...] = ()
    alone: tuple[Alone, ...] = ()
    large: tuple[Large, ...] = ()
    wide: tuple[Wide, ...] = ()

    def kernels(self, baseline: str) -> dict[int, int]:
        """What a baseline's kernel executes, by number of the case."""
        return {one.number: one.kernel for one in self.freertos if one.baseline == baseline}

    def strongest(self) -> dict[int, int]:
        """The same of the baseline that costs least in each case."""
        found: dict[int, int] = {}
        for one in self.freertos:
            found[one.number] = min(one.kernel, found.get(one.number, one.kernel))
        return found

    def ratios(self, kind: str, theirs: Mapping[int, int]) -> list[Fraction]:
        """What FreeRTOS executes for each instruction of ours, of the cases that both serve in time."""
        return [
            Fraction(theirs[one.case.number], one.choice.measured)
            for one in self.of(kind)
            if one.case.number in theirs and not one.choice.misses
        ]

    def whole(self, example: str, side: str) -> Whole | None:
        """One side of an example, if it was measured."""
        return next((w for w in self.wholes if (w.example, w.side) == (example, side)), None)

    def of(self, kind: str, state: str = "measured") -> list[Measured]:
        """Those of a kind and a state."""
        return [one for one in self.measured if (one.kind, one.state) == (kind, state)]


def percentile(values: Sequence[Fraction], percent: int) -> Fraction:
    """The smallest of `values` that `percent` of them do not exceed (nearest rank). ValueError if empty."""
    if not values:
        raise ValueError("no values")
    return sorted(values)[max(0, -(-len(values) * percent // 100) - 1)]


def geometric_mean(values: Sequence[Fraction]) -> float:
    """Of positive values. ValueError if empty."""
    if not values:
        raise ValueError("no values")
    return float(prod(float(value) ** (1 / len(values)) for value in values))


DATA = Data(
    Irregular,
    head=("seed", "slow", "platform", "toolchain"),
    lists=("measured", "freertos", "flash", "wholes", "alone", "large", "wide"),
)
