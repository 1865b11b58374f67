# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from typing import Any

from horolog.bench.kernel.rows import OURS, ROM, ROWS, TableRow
from horolog.model import Exit, HorologError

__all__ = ["Results", "Spans", "measured_from", "measured_text", "read_spans"]


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
    lines = text.splitlines()
    if len(lines) != 2 or lines[1] != "done" or not lines[0].startswith("spans "):
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    samples, best, worst, total, call = map(int, lines[0].split()[1:])
    return Spans(samples, best, worst, total, call)


@dataclass(frozen=True)
class Results:
    """Spans by side and scenario; bytes of ROM by side, with the full report of faults by `<side>_reported`.

    `missing`: scenarios without ours, and why.
    `freertos` is its version, None without it.
    """

    spans: Mapping[tuple[str, str], Spans]
    rom: Mapping[str, int]
    missing: Mapping[str, str] = field(default_factory=dict)
    platform: str = ""
    toolchain: str = ""
    freertos: str | None = None

    def value(self, row: TableRow, side: str) -> Fraction | None:
        """What `side` costs in `row`, on average; None if it was not measured."""
        if row.scenario == ROM:
            return Fraction(self.rom[side]) if side in self.rom else None
        spans = self.spans.get((side, row.scenario))
        return None if spans is None else spans.average / row.divisor

    def ratio(self, row: TableRow) -> Fraction | None:
        """Ours by FreeRTOS's; None unless both were measured."""
        ours, theirs = self.value(row, OURS), self.value(row, row.side)
        return None if ours is None or theirs is None else ours / theirs

    def lost(self) -> list[TableRow]:
        """The rows where FreeRTOS is better."""
        ratios = {row: self.ratio(row) for row in ROWS}
        return [row for row, ratio in ratios.items() if ratio is not None and ratio > 1]

    def without_ratio(self) -> list[TableRow]:
        """The rows of which one side was not measured."""
        return [row for row in ROWS if self.ratio(row) is None]

    def geometric_mean(self) -> float | None:
        """Of the ratios there are; None without any."""
        ratios = [ratio for ratio in map(self.ratio, ROWS) if ratio is not None]
        return math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else None


def measured_text(results: Results) -> str:
    """`results` as JSON: what the page is made from."""
    head = {
        "platform": results.platform,
        "toolchain": results.toolchain,
        "freertos": results.freertos,
        "missing": dict(results.missing),
        "rom": dict(results.rom),
        "spans": ["side", "scenario", "samples", "best", "worst", "total", "call"],
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    entries = [json.dumps([*key, *astuple(spans)]) for key, spans in results.spans.items()]
    return "{\n" + "\n".join(lines) + '\n"rows": [\n' + ",\n".join(entries) + "\n]\n}\n"


def measured_from(text: str) -> Results:
    """The results that `measured_text` wrote."""
    data: dict[str, Any] = json.loads(text)
    return Results(
        spans={(side, name): Spans(*numbers) for side, name, *numbers in data["rows"]},
        rom=data["rom"],
        missing=data["missing"],
        platform=data["platform"],
        toolchain=data["toolchain"],
        freertos=data["freertos"],
    )
