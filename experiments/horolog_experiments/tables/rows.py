# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the paper's Table I: ours with each number of deadlines, FreeRTOS's, and the paper's."""

from __future__ import annotations

from dataclasses import dataclass

from horolog_experiments.dispatch.rows import Paper
from horolog_experiments.dispatch.scenarios import FREERTOS, OURS, Platform, Span
from horolog_experiments.dispatch.visits import Spans
from horolog_experiments.tables.results import Results
from horolog_experiments.tables.scenarios import PASTS, Monitor, table_name, uneven_name

__all__ = ["PLAIN", "ROWS", "Row", "deadline_rows", "dividing", "freertos_of", "ours_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """`past` is what is interrupted, or goes on; `deadlines` those of the task in a round."""

    past: str
    points: int
    monitor: Monitor
    even: bool = True  # its points are evenly spaced

    @property
    def scenario(self) -> str:
        """Its image."""
        if not self.even:
            return uneven_name(self.past)
        return table_name(self.past, self.points, self.monitor)

    @property
    def deadlines(self) -> int:
        """Those of the task in a round."""
        return 0 if self.monitor is Monitor.NONE else self.points

    def paper(self, span: Span) -> Paper | None:
        """What Table I has beside it, and section V.C.1 for a thread that is interrupted."""
        if self.past == "idle":
            sloth = {Span.START: (14, 26, 34), Span.END: (14, 24, 34)}[span][self.deadlines]
            return Paper(sloth, osektime=120 if span is Span.START else 38)
        plain = self.past == "thread" and self.deadlines == 0 and span is Span.START
        return Paper(28, osektime=120) if plain else None


ROWS = tuple(
    Row(past, points, monitor) for monitor in Monitor for points in (1, 2) for past in PASTS
) + tuple(Row(past, 2, Monitor.NONE, even=False) for past in PASTS)


def dividing(row: Row) -> bool:
    """Whether the interrupted code divides."""
    return row.past.endswith("-div")


PLAIN = tuple(row for row in ROWS if not dividing(row))


def deadline_rows(deadlines: int, monitor: Monitor, *, division: bool) -> tuple[Row, ...]:
    """The rows of a target; those without a deadline are of tasks with one point and with two, at
    even steps.
    """
    return tuple(
        row
        for row in ROWS
        if row.even
        and row.deadlines == deadlines
        and row.monitor is (monitor if deadlines else Monitor.NONE)
        and dividing(row) == division
    )


def ours_of(results: Results, platform: Platform, row: Row, span: Span) -> Spans | None:
    """Our samples of `row`."""
    return results.span(platform.name, OURS, row.scenario, span)


_FREERTOS = {
    "idle": "idle",
    "table": "preempt",
    "thread": "preempt",
    "table-div": "preempt-div",
    "thread-div": "preempt-div",
}


def freertos_of(
    results: Results, platform: Platform, row: Row, span: Span
) -> tuple[Spans | None, Spans | None]:
    """FreeRTOS's, at its tick and notified: it has no deadlines, and no tables."""
    tick, notified = (
        results.span(platform.name, FREERTOS, f"{way}-{_FREERTOS[row.past]}", span)
        for way in ("tick", "notify")
    )
    return tick, notified
