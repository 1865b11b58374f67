# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data, and the file that keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from horolog_experiments.dispatch.figure import Timeline
from horolog_experiments.dispatch.memory import Piece
from horolog_experiments.dispatch.scenarios import Span
from horolog_experiments.dispatch.visits import Part, Spans
from horolog_experiments.harness import Data
from horolog_experiments.tables.holds import Held
from horolog_experiments.tables.sync import Following

__all__ = ["DATA", "Key", "Results"]

Key = tuple[str, str, str, Span]
"""Platform, kernel, scenario, what of it."""


@dataclass(frozen=True)
class Results:
    """Everything. Of `freertos`, its version; None without its source. Times are of the platform's unit."""

    spans: Mapping[Key, Spans]
    parts: Mapping[Key, tuple[Part, ...]] = field(default_factory=dict)  # of the worst sample
    plans: Mapping[tuple[str, str], str] = field(default_factory=dict)  # by board and scenario
    refused: Mapping[tuple[str, str], str] = field(default_factory=dict)  # why there is none
    rates: Mapping[tuple[str, str], int] = field(default_factory=dict)  # platform, way: cycles
    memory: Mapping[tuple[str, str], tuple[Piece, ...]] = field(default_factory=dict)
    calls: Mapping[tuple[str, str, str], Spans] = field(default_factory=dict)
    """Of schedule tables: by platform, counter and call."""
    held: Mapping[tuple[str, str], Held] = field(default_factory=dict)  # platform or host, image
    timelines: Mapping[str, Timeline] = field(default_factory=dict)  # of Figure 6, by image
    following: Mapping[tuple[int, bool], Following] = field(default_factory=dict)
    """A schedule table that follows a global time: by parts in a million, and whether it is told."""
    dispatched: Mapping[tuple[int, bool], Following] = field(default_factory=dict)
    """The same of a dispatcher table."""
    freertos: str | None = None
    toolchain: str = ""

    def span(self, platform: str, kernel: str, scenario: str, span: Span) -> Spans | None:
        """The samples of `span` in `scenario`; None if they were not measured."""
        return self.spans.get((platform, kernel, scenario, span))


DATA = Data(
    Results,
    head=("freertos", "toolchain"),
    lists=(
        "spans",
        "parts",
        "plans",
        "refused",
        "rates",
        "memory",
        "calls",
        "held",
        "timelines",
        "following",
        "dispatched",
    ),
    in_head=True,
    ascending=("plans", "refused"),
)
