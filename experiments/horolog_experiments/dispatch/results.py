# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from horolog_experiments.dispatch.figure import Interruptions, Timeline
from horolog_experiments.dispatch.memory import Piece
from horolog_experiments.dispatch.scenarios import Span
from horolog_experiments.dispatch.visits import Part, Spans
from horolog_experiments.harness import Data

__all__ = ["DATA", "Chronos", "Engine", "Key", "Results"]

Key = tuple[str, str, str, Span]
"""Platform, kernel, scenario, what of it."""


@dataclass(frozen=True, slots=True)
class Engine:
    """examples/engine-control on mps2-an385: kernel instructions a job."""

    plan: str
    jobs: int
    basic: Fraction
    threads: Fraction | None
    freertos: Fraction | None


@dataclass(frozen=True, slots=True)
class Chronos:
    """A point of the CHRONOS experiments with the planner's basic tasks, beside stock FreeRTOS.

    `kernel` is 0 where `said` says why it does not count; `theirs` is FreeRTOS's, 0 where that misses
    deadlines. The rest: kernel instructions a job of the stronger FreeRTOS sides (chronos/sets.py, STRONGER);
    None as `theirs` is 0.
    """

    scenario: str
    factor: int
    variant: str
    plan: str
    jobs: int
    kernel: int
    theirs: int
    said: str = ""
    tickless: Fraction | None = None
    gcd_tick: Fraction | None = None
    rate_group: Fraction | None = None
    rate_group_gcd: Fraction | None = None

    def stronger(self, base: str) -> Fraction | None:
        """What one of STRONGER takes a job; None if that does not compare."""
        found: Fraction | None = getattr(self, base.replace("-", "_"))
        return found


@dataclass(frozen=True)
class Results:
    """Everything. Of `freertos`, its version; None without its source. Times are of the platform's unit."""

    spans: Mapping[Key, Spans]
    parts: Mapping[Key, tuple[Part, ...]] = field(default_factory=dict)  # of the worst sample
    plans: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by board and scenario
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)  # why there is none
    rates: Mapping[tuple[str, str], int] = field(default_factory=dict)  # platform, wake-up: cycles
    interruptions: Mapping[tuple[str, str], Interruptions] = field(default_factory=dict)
    timelines: Mapping[str, Timeline] = field(default_factory=dict)  # of Figure 7, by image
    memory: Mapping[tuple[str, str], tuple[Piece, ...]] = field(default_factory=dict)
    engine: Engine | None = None
    chronos: tuple[Chronos, ...] = ()
    chronos_freertos: str = ""  # where its figures come from
    freertos: str | None = None
    toolchain: str = ""

    def span(self, platform: str, kernel: str, scenario: str, span: Span) -> Spans | None:
        """The samples of `span` in `scenario`; None if they were not measured."""
        return self.spans.get((platform, kernel, scenario, span))


DATA = Data(
    Results,
    head=("freertos", "toolchain", "chronos_freertos", "engine"),
    lists=(
        "spans",
        "parts",
        "plans",
        "refused",
        "rates",
        "interruptions",
        "timelines",
        "memory",
        "chronos",
    ),
    in_head=True,
    ascending=("plans", "refused"),
)
