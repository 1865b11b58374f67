# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a run came to, what follows from it, and its data as a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import exp, log, prod

from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.sets import Point, Scenario, Variant, scenario
from horolog_experiments.harness import INLINE, Data

__all__ = [
    "Breakdown",
    "DATA",
    "Ideals",
    "Region",
    "Results",
    "at_least",
    "geometric_mean",
    "region_of",
]

Region = str
"""One of "none" (no method holds), "chronos", "harmonic" (only these hold), "all" and "other"."""


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The most work a job, in turns, with which no deadline is missed: None if not even one turn.

    `point` is the run at that work; its method "ideal" is the simulated kernel of zero cost.
    """

    point: Point = field(metadata=INLINE)
    work: int | None
    kernel_per_job: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class Ideals:
    """Whether a kernel of zero cost holds at a point, and with a tenth more work."""

    feasible: bool
    feasible_with_more: bool


@dataclass(frozen=True)
class Results:
    """Everything measured. `freertos` is its version, None if its source is not here."""

    rows: tuple[Row, ...]
    ideals: Mapping[tuple[str, int, Variant], Ideals]
    breakdowns: tuple[Breakdown, ...]
    freertos: str | None
    platform: str
    toolchain: str
    quick: bool = False

    def row(self, name: str, factor: int, variant: Variant, method: str) -> Row | None:
        """That row, if it was measured, or tried."""
        return self._index.get((name, factor, variant, method))

    def factors(self, name: str) -> list[int]:
        """The period factors of a scenario, ascending."""
        return sorted({row.point.factor for row in self.rows if row.point.scenario == name})

    def scenarios(self) -> list[Scenario]:
        """The scenarios that were measured."""
        return [scenario(name) for name in dict.fromkeys(row.point.scenario for row in self.rows)]

    def feasible(self, name: str, factor: int, variant: Variant, method: str) -> bool | None:
        """Whether no deadline was missed; None if it was not measured."""
        row = self.row(name, factor, variant, method)
        return None if row is None or row.state == "refused" else row.feasible

    def ratio(self, row: Row, base: str = "freertos") -> Fraction | None:
        """Kernel instructions of `base` for each of this row's; None unless both hold and did the same."""
        point = row.point
        other = self.row(point.scenario, point.factor, point.variant, base)
        if other is None or not (row.feasible and other.feasible):
            return None
        # The tickless clock is fast: a job more or less, and so only what a job costs compares.
        if base == "tickless":
            return other.per_job / row.per_job
        if (row.jobs, row.bodies) != (other.jobs, other.bodies):
            return None
        return Fraction(other.kernel, row.kernel)

    def reduction(self, row: Row) -> Fraction | None:
        """The paper's: the baseline's share of time in ticks and delays over this row's."""
        point = row.point
        other = self.row(point.scenario, point.factor, point.variant, "freertos")
        if other is None or row.state != "measured" or other.state != "measured":
            return None
        return other.share / row.share

    @property
    def _index(self) -> Mapping[tuple[str, int, Variant, str], Row]:
        made = self.__dict__.get("index")
        if made is None:
            made = {
                (r.point.scenario, r.point.factor, r.point.variant, r.point.method): r
                for r in self.rows
            }
            self.__dict__["index"] = made
        return made


def region_of(results: Results, of: Scenario, factor: int, variant: Variant) -> Region:
    """Which methods hold, among those that the paper has in that scenario."""

    def feasible(method: str) -> bool:
        return bool(results.feasible(of.name, factor, variant, method))

    sorted_ones = ["const"] if of.single else ["chronos", "const"]
    ours = sorted_ones + (["harmonic"] if of.harmonic else [])
    if all(feasible(method) for method in ["freertos", *ours]):
        return "all"
    if not any(feasible(method) for method in ["freertos", *ours]):
        return "none"
    if feasible("freertos"):
        return "other"
    return "chronos" if any(feasible(method) for method in sorted_ones) else "harmonic"


def geometric_mean(ratios: Iterable[Fraction]) -> float | None:
    """The geometric mean of `ratios`, which are positive; None if there are none."""
    values = [log(float(one)) for one in ratios]
    return exp(sum(values) / len(values)) if values else None


def at_least(ratios: Iterable[Fraction], bound: int) -> bool:
    """Whether their geometric mean is at least `bound`, exactly."""
    values = list(ratios)
    return bool(values) and prod(values) >= Fraction(bound) ** len(values)


DATA = Data(
    Results,
    head=("freertos", "platform", "toolchain", "quick"),
    lists=("rows", "ideals", "breakdowns"),
    in_head=True,
)
