# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from typing import Any

from horolog_experiments.dispatch.figure import Interruptions, Timeline
from horolog_experiments.dispatch.memory import Piece
from horolog_experiments.dispatch.scenarios import Span
from horolog_experiments.dispatch.visits import Part, Spans, Visit
from horolog_experiments.harness import text_of

__all__ = ["Chronos", "Engine", "Key", "Results", "measured_from", "measured_text"]

_CHRONOS = 8  # values of a point before those that are fractions
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
    deadlines. `tickless` and `gcd_tick` are kernel instructions a job: of FreeRTOS without a tick while
    nothing is due, and with one at the greatest common divisor of the periods; None as `theirs` is 0.
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


@dataclass(frozen=True)
class Results:
    """Everything. Of `freertos`, its version; None without its source. Times are of the platform's unit."""

    spans: Mapping[Key, Spans]
    parts: Mapping[Key, tuple[Part, ...]] = field(default_factory=dict)  # of the worst sample
    plans: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by board and scenario
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)  # why there is none
    rates: Mapping[tuple[str, str], int] = field(default_factory=dict)  # platform, way: cycles
    interruptions: Mapping[tuple[str, str], Interruptions] = field(default_factory=dict)
    timelines: Mapping[str, Timeline] = field(default_factory=dict)  # of Figure 7, by way
    memory: Mapping[tuple[str, str], tuple[Piece, ...]] = field(default_factory=dict)
    engine: Engine | None = None
    chronos: tuple[Chronos, ...] = ()
    chronos_freertos: str = ""  # where its figures come from
    freertos: str | None = None
    toolchain: str = ""

    def span(self, platform: str, kernel: str, scenario: str, span: Span) -> Spans | None:
        """The samples of `span` in `scenario`; None if they were not measured."""
        return self.spans.get((platform, kernel, scenario, span))


def measured_text(results: Results) -> str:
    """All of `results` as JSON that `measured_from` reads, an entry a line."""
    head = {
        "freertos": results.freertos,
        "toolchain": results.toolchain,
        "chronos_freertos": results.chronos_freertos,
        "engine": None
        if results.engine is None
        else [_plain(value) for value in astuple(results.engine)],
    }
    lists: dict[str, list[list[Any]]] = {
        "spans": [[*key[:3], key[3].value, *astuple(one)] for key, one in results.spans.items()],
        "parts": [
            [*key[:3], key[3].value, [list(astuple(part)) for part in some]]
            for key, some in results.parts.items()
        ],
        "plans": [[*key, words] for key, words in sorted(results.plans.items())],
        "refused": [[*key, words] for key, words in sorted(results.refused.items())],
        "rates": [[*key, rate] for key, rate in results.rates.items()],
        "interruptions": [[*key, *astuple(one)] for key, one in results.interruptions.items()],
        "timelines": [
            [
                way,
                one.begin,
                one.end,
                list(one.owners),
                [[v.owner, v.first, v.last] for v in one.visits],
                [list(release) for release in one.releases],
            ]
            for way, one in results.timelines.items()
        ],
        "memory": [
            [*key, [list(astuple(piece)) for piece in pieces]]
            for key, pieces in results.memory.items()
        ],
        "chronos": [[_plain(value) for value in astuple(one)] for one in results.chronos],
    }
    return text_of({"head": head}, lists)


def measured_from(text: str) -> Results:
    """What measured_text wrote."""
    data: dict[str, Any] = json.loads(text)
    head = data["head"]
    engine = head["engine"]
    return Results(
        spans={(p, k, s, Span(of)): Spans(*rest) for p, k, s, of, *rest in data["spans"]},
        parts={
            (p, k, s, Span(of)): tuple(Part(*part) for part in some)
            for p, k, s, of, some in data["parts"]
        },
        plans={(board, name): words for board, name, words in data["plans"]},
        refused={(board, name): words for board, name, words in data["refused"]},
        rates={(platform, way): rate for platform, way, rate in data["rates"]},
        interruptions={(p, way): Interruptions(*rest) for p, way, *rest in data["interruptions"]},
        timelines={
            way: Timeline(
                begin,
                end,
                tuple(owners),
                tuple(Visit(*visit) for visit in visits),
                tuple((owner, time) for owner, time in releases),
            )
            for way, begin, end, owners, visits, releases in data["timelines"]
        },
        memory={
            (board, kernel): tuple(Piece(*piece) for piece in pieces)
            for board, kernel, pieces in data["memory"]
        },
        engine=None
        if engine is None
        else Engine(engine[0], engine[1], *(_exact(value) for value in engine[2:])),  # type: ignore[arg-type]
        chronos=tuple(
            Chronos(*line[:_CHRONOS], *(_exact(value) for value in line[_CHRONOS:]))
            for line in data["chronos"]
        ),
        chronos_freertos=head["chronos_freertos"],
        freertos=head["freertos"],
        toolchain=head["toolchain"],
    )


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Fraction) else value


def _exact(value: str | None) -> Fraction | None:
    return None if value is None else Fraction(value)
