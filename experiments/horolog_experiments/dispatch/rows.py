# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the tables: ours, FreeRTOS's two ways, and what the paper and others published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from horolog_experiments.dispatch.results import Results
from horolog_experiments.dispatch.scenarios import FREERTOS, MAXPERF, OURS, SMALL, Platform, Span
from horolog_experiments.dispatch.visits import Spans

__all__ = [
    "ENDS",
    "REFERENCES",
    "RELEASES",
    "STARTS",
    "Case",
    "Paper",
    "Row",
    "freertos_of",
    "ours_of",
]


@dataclass(frozen=True, slots=True)
class Paper:
    """Cycles on the paper's TriCore TC1796: SLOTH ON TIME's, and the commercial kernels'.

    Tables I and III, and for a basic task that interrupts an extended one section V.C.1.
    """

    sloth: int
    autosar: int | None = None
    osektime: int | None = None


class Case(Enum):
    """What sets a row apart from others of its kind."""

    PLAIN = "interrupted code without division"
    DIVISION = "interrupted code with division"
    WIDE = "a frame of all registers"
    BOTH_KINDS = "a basic task is interrupted, in a system of both kinds"
    NEXT = "the job of another task begins"


@dataclass(frozen=True, slots=True)
class Row:
    """`tick` and `notify` are scenarios of FreeRTOS. `case`: rows of one kind and case share a limit."""

    title: str
    kind: str
    scenario: str
    span: Span
    tick: str | None = None
    notify: str | None = None
    paper: Paper | None = None
    case: Case = Case.PLAIN


def _start(title: str, kind: str, scenario: str, past: str, **more: object) -> Row:
    return Row(title, kind, scenario, Span.START, f"tick-{past}", f"notify-{past}", **more)  # type: ignore[arg-type]


def _end(title: str, kind: str, scenario: str, past: str, **more: object) -> Row:
    return Row(title, kind, scenario, Span.END, f"tick-{past}", f"notify-{past}", **more)  # type: ignore[arg-type]


STARTS = (
    _start("idle to basic", "basic", "idle-basic", "idle", paper=Paper(14, 2_344, 120)),
    _start("basic to basic", "basic", "basic-basic", "preempt", paper=Paper(14, 2_400)),
    _start("thread to basic", "basic", "thread-basic", "preempt", paper=Paper(28, None, 120)),
    _start(
        "basic that divides to basic", "basic", "basic-basic-div", "preempt-div", case=Case.DIVISION
    ),
    _start(
        "thread that divides to basic",
        "basic",
        "thread-basic-div",
        "preempt-div",
        case=Case.DIVISION,
    ),
    _start(
        "idle to basic, a frame of all registers",
        "basic",
        "idle-basic-wide",
        "idle",
        case=Case.WIDE,
    ),
    _start("idle to thread", "thread", "idle-thread", "idle"),
    _start("basic to thread", "thread", "basic-thread", "preempt", case=Case.BOTH_KINDS),
    _start("thread to thread", "thread", "thread-thread", "preempt", paper=Paper(77, 2_400)),
    _start(
        "basic that divides to thread",
        "thread",
        "basic-thread-div",
        "preempt-div",
        case=Case.BOTH_KINDS,
    ),
    _start(
        "thread that divides to thread",
        "thread",
        "thread-thread-div",
        "preempt-div",
        case=Case.DIVISION,
    ),
)
"""From the expiry to the first instruction of the task."""

ENDS = (
    _end("basic to idle", "basic", "idle-basic", "idle", paper=Paper(14, 382, 38)),
    _end("basic to preempted basic", "basic", "basic-basic", "preempt", paper=Paper(14, 532)),
    _end("basic to preempted thread", "basic", "thread-basic", "preempt"),
    _end(
        "basic to preempted basic that divides",
        "basic",
        "basic-basic-div",
        "preempt-div",
        case=Case.DIVISION,
    ),
    _end(
        "basic to idle, a frame of all registers",
        "basic",
        "idle-basic-wide",
        "idle",
        case=Case.WIDE,
    ),
    Row(
        "basic to the next basic that waits",
        "basic",
        "next-basic",
        Span.NEXT,
        tick="tick-next",
        case=Case.NEXT,
    ),
    _end("thread to idle", "thread", "idle-thread", "idle"),
    _end("thread to preempted basic", "thread", "basic-thread", "preempt"),
    _end("thread to preempted thread", "thread", "thread-thread", "preempt", paper=Paper(88, 532)),
    Row(
        "thread to the next thread that waits",
        "thread",
        "next-thread",
        Span.NEXT,
        tick="tick-next",
        case=Case.NEXT,
    ),
)
"""From the last instruction of a task to the first of what goes on."""

RELEASES = tuple(
    (
        f"{many} task{'s' if many > 1 else ''}{words}",
        f"release-{many}-{name}",
        f"tick-release-{many}",
    )
    for many in (1, 8, 32)
    for name, words in (
        ("level", " of one level" if many > 1 else ""),
        ("levels", " of their own levels"),
    )
    if many > 1 or name == "level"
)
"""Title, our scenario, FreeRTOS's."""

REFERENCES: Mapping[str, Mapping[str, str]] = {
    "yield": {MAXPERF.name: "148", SMALL.name: "222"},
    "tick": {MAXPERF.name: "289", SMALL.name: "409"},
    "lean": {MAXPERF.name: "25 to 27", SMALL.name: "35 to 38"},
}
"""Measured on a first sketch of the board, before this project: FreeRTOS's yield; its tick to the task's
first instruction; a cell's expiry to the first C instruction of a handler that can be interrupted."""


def ours_of(results: Results, platform: Platform, row: Row) -> Spans | None:
    """Our samples of `row`."""
    return results.span(platform.name, OURS, row.scenario, row.span)


def freertos_of(
    results: Results, platform: Platform, row: Row
) -> tuple[Spans | None, Spans | None]:
    """FreeRTOS's, at its tick and notified."""

    def of(name: str | None) -> Spans | None:
        return None if name is None else results.span(platform.name, FREERTOS, name, row.span)

    return of(row.tick), of(row.notify)
