# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction

from horolog.calibrate.firmware import finished
from horolog_experiments.harness import Data
from horolog_experiments.kernel.recorded import Recorded, recorded
from horolog_experiments.kernel.rows import ROWS, SIZES, BestRow, Row, TableRow, TunedRow
from horolog_experiments.kernel.scenarios import OURS, THREADX

__all__ = ["DATA", "Results", "Spans", "read_spans"]


@dataclass(frozen=True, slots=True)
class Spans:
    """The samples of one image, in instructions; `call`: the sum of their first parts."""

    samples: int
    best: int
    worst: int
    total: int
    call: int = 0

    @property
    def average(self) -> Fraction:
        """Instructions a sample."""
        return Fraction(self.total, self.samples)


def read_spans(text: str) -> Spans:
    """What plugin/horolog_spans.c wrote."""
    (line,) = finished(text, "spans ", 1)
    samples, best, worst, total, call = map(int, line.split()[1:])
    return Spans(samples, best, worst, total, call)


@dataclass(frozen=True)
class Results:
    """Spans by side and scenario; bytes by side and what of SIZES they are of.

    `missing`: scenarios without ours, and why.
    `freertos` is its version, None without it; `threadx` the same, and None: the recorded figures hold;
    `threadx_options` is what it was configured with.
    """

    spans: Mapping[tuple[str, str], Spans]
    sizes: Mapping[tuple[str, str], int]
    missing: Mapping[str, str] = field(default_factory=dict)
    platform: str = ""
    toolchain: str = ""
    freertos: str | None = None
    threadx: str | None = None
    threadx_options: tuple[str, ...] = ()

    def value(self, row: Row, side: str, scenario: str | None = None) -> Fraction | None:
        """What `side` costs in `row`, on average, or in another scenario of it; None: not measured."""
        name = scenario or row.scenario
        if side == THREADX and self.threadx is None:
            known = recorded().samples.get(name)
            return None if known is None else known / row.divisor
        if name in SIZES:
            size = self.sizes.get((side, name))
            return None if size is None else Fraction(size)
        spans = self.spans.get((side, name))
        return None if spans is None else spans.average / row.divisor

    def ratio(self, row: TableRow) -> Fraction | None:
        """Our value over the other kernel's; None unless both were measured."""
        return _ratio(self.value(row, OURS), self.value(row, row.side))

    def tuned_ratio(self, tuned: TunedRow) -> Fraction | None:
        """Our value over the other kernel's, with the settings of `tuned`; None unless both were measured."""
        row = tuned.row
        ours = self.value(row, OURS, tuned.ours)
        return _ratio(ours, self.value(row, row.side, tuned.theirs))

    def best_other(self, row: BestRow) -> Fraction | None:
        """What the cheapest of the other kernels costs; None if none is known."""
        values = [self.value(row, side) for side in (*row.sides, THREADX)]
        return min((value for value in values if value is not None), default=None)

    def record(self) -> Recorded | None:
        """ThreadX's figures, to be recorded; None unless they were measured."""
        if self.threadx is None:
            return None
        spans = {name: one.average for (side, name), one in self.spans.items() if side == THREADX}
        sizes = {name: Fraction(n) for (side, name), n in self.sizes.items() if side == THREADX}
        return Recorded(self.threadx, self.toolchain, self.threadx_options, spans | sizes)

    def lost(self) -> list[TableRow]:
        """The rows where FreeRTOS is better."""
        ratios = {row: self.ratio(row) for row in ROWS}
        return [row for row, ratio in ratios.items() if ratio is not None and ratio > 1]

    def without_ratio(self) -> list[TableRow]:
        """The rows of which one side was not measured."""
        return [row for row in ROWS if self.ratio(row) is None]

    def geometric_mean(self) -> float | None:
        """The geometric mean of the ratios that there are; None without any."""
        ratios = [ratio for ratio in map(self.ratio, ROWS) if ratio is not None]
        return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None


def _ratio(ours: Fraction | None, theirs: Fraction | None) -> Fraction | None:
    return None if ours is None or theirs is None else ours / theirs


DATA = Data(
    Results,
    head=(
        "platform",
        "toolchain",
        "freertos",
        "threadx",
        "threadx_options",
        "missing",
        "sizes",
    ),
    lists=("spans",),
    called={"spans": "rows"},
    more={"spans": ["side", "scenario", *(one.name for one in fields(Spans))]},
)
