# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The small systems with a dispatcher table that are run, and FreeRTOS's programs beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from types import MappingProxyType

from horolog_experiments.dispatch.scenarios import (
    FREERTOS_IMAGES,
    IDLE,
    SAMPLES,
    FreertosImage,
    Job,
    Platform,
    Span,
    SystemImage,
)

__all__ = [
    "BUDGETS",
    "FREERTOS_CALLS",
    "FREERTOS_SIDES",
    "KEEPING",
    "MINIMALS",
    "STEP",
    "TABLES",
    "UNEVEN",
    "Monitor",
    "PASTS",
    "PAST_WORDS",
    "TableImage",
    "budget_name",
    "can_monitor",
    "keeping_name",
    "minimal_name",
    "table_image",
    "table_name",
    "uneven_name",
]

STEP = 3001
"""Counts from one point of the urgent task to its next: a prime."""
LATER = 500
"""Counts by which a point of UNEVEN is later than an even step."""
_DEADLINE = 1000
_BUDGET, _LARGE_BUDGET = 500, 2500  # the second is no operand of one RISC-V instruction
_MOST_CELLS = 4


class Monitor(StrEnum):
    """What monitors the deadlines of a table."""

    NONE = "none"  # there are no deadlines
    OWN = "own"  # a cell for each task
    ONE = "one"  # one cell for all deadlines


@dataclass(frozen=True, slots=True)
class TableImage:
    """A system with a table, in which the task `high` has so many `points`, each with a deadline or without.

    `past` is what it interrupts: None is the idle loop; of the kind `table` a task of the table, which starts
    with each round. Its last point is by `later` behind an even step. Times are counts.
    """

    name: str
    title: str
    points: int
    round: int
    monitor: Monitor = Monitor.NONE
    later: int = 0
    past: Job | None = None
    first: int = 0
    deadline: int = _DEADLINE
    samples: int = SAMPLES
    spans: tuple[Span, ...] = (Span.START, Span.END)
    budget: int | None = None  # of each job of `high`; None: it has none
    high: Job = Job("high", "bench_short", "table", 3)  # noqa: RUF009 - it is frozen
    resource: bool = False  # `high` may take one

    @property
    def system(self) -> SystemImage:
        """As the bench dispatch sees it: the owners of code, and what is measured."""
        jobs = (self.high,) if self.past is None else (self.high, self.past)
        past = IDLE if self.past is None else self.past.owner
        return SystemImage(
            self.name,
            self.title,
            jobs,
            self.spans,
            past=past,
            cells=_MOST_CELLS,
            samples=self.samples,
            period=self.round // self.points,
        )


PASTS = {
    "idle": None,
    "table": Job("low", "bench_table_low", "table", 1, lasts=5_900),
    "thread": Job("low", "bench_background", "thread", 1, every=None),
    "table-div": Job("low", "bench_table_dividing", "table", 1, lasts=5_900),
    "thread-div": Job("low", "bench_dividing", "thread", 1, every=None),
}
PAST_WORDS = {
    "idle": "the idle loop",
    "table": "a task of the table",
    "thread": "a thread",
    "table-div": "a task of the table that divides",
    "thread-div": "a thread that divides",
}
_MONITOR_WORDS = {
    Monitor.NONE: "no deadline",
    Monitor.OWN: "a deadline at each, a cell for each task",
    Monitor.ONE: "a deadline at each, one cell for all",
}


def table_name(past: str, points: int, monitor: Monitor) -> str:
    """The name of one of TABLES."""
    return f"{past}-{points}-{monitor}"


def uneven_name(past: str) -> str:
    """The name of one of UNEVEN."""
    return f"{table_name(past, 2, Monitor.NONE)}-uneven"


def budget_name(past: str) -> str:
    """The name of one of BUDGETS."""
    return f"{past}-1-budget"


def keeping_name(past: str, *, budget: bool) -> str:
    """The name of one of KEEPING."""
    return f"{past}-1-keeping" + ("-budget" if budget else "")


def _tables() -> Sequence[TableImage]:
    found = []
    for monitor, points, past in product(Monitor, (1, 2), PASTS):
        in_table = past.startswith("table")
        found.append(
            TableImage(
                table_name(past, points, monitor),
                f"{points} point{'s' if points > 1 else ''} a round, {_MONITOR_WORDS[monitor]}; "
                f"interrupts {PAST_WORDS[past]}",
                points,
                # Both points of a round are to meet a job of the task that is interrupted.
                round=2 * STEP if in_table else points * STEP,
                monitor=monitor,
                past=PASTS[past],
                first=STEP // 6 if in_table else 0,
            )
        )
    return found


UNEVEN = tuple(
    TableImage(
        uneven_name(past),
        f"2 points a round that are not evenly spaced, no deadline; interrupts {PAST_WORDS[past]}",
        2,
        round=2 * STEP,
        later=LATER,
        past=PASTS[past],
        first=STEP // 6 if past.startswith("table") else 0,
    )
    for past in PASTS
)
"""A cell is moved from point to point of its task, by an offset table."""
TABLES = (*_tables(), *UNEVEN)
BUDGETS = tuple(
    replace(
        image,
        name=budget_name(past),
        title=f"1 point a round, with a budget; interrupts {PAST_WORDS[past]}",
        budget=_BUDGET,
    )
    for past in PASTS
    for image in TABLES
    if image.name == table_name(past, 1, Monitor.NONE)
)
"""Those with one point and no deadline, with a budget that holds."""
KEEPING = tuple(
    replace(
        image,
        name=keeping_name(past, budget=budget is not None),
        title=f"1 point a round, all kept registers change, a resource, {words}; "
        f"interrupts {PAST_WORDS[past]}",
        budget=budget,
        high=Job("high", "bench_keeping", "table", 3),
        resource=True,
    )
    for budget, words in ((None, "no budget"), (_LARGE_BUDGET, "with a budget"))
    for past in PASTS
    for image in TABLES
    if image.name == table_name(past, 1, Monitor.NONE)
)
"""The same with a job for which a budget has most to do: it changes all registers that calls keep, and may
take a resource; and the budget is large. Without the budget, and with it."""
MINIMALS = tuple(
    TableImage(f"minimal-{monitor}", f"one task, {_MONITOR_WORDS[monitor]}", 1, 50_000, monitor)
    for monitor in Monitor
)
"""The images of which the memory is counted: one task, and one deadline or none."""


def _timers() -> Sequence[FreertosImage]:
    made = []
    for past, low in (
        ("idle", ""),
        ("preempt", "bench_background"),
        ("preempt-div", "bench_dividing"),
    ):
        owners = {"high": ("bench_short",), **({"low": (low,)} if low else {})}
        made.append(
            FreertosImage(
                f"timer-{past}",
                "the callback of a software timer",
                "software_timer",
                (*_TIMERS, f"BENCH_PERIOD={STEP}", *([f"BENCH_LOW={low}"] if low else [])),
                MappingProxyType(owners),
                (Span.START, Span.END),
                past="low" if low else IDLE,
            )
        )
    return made


_TIMERS = ("BENCH_TIMERS", "BENCH_TASKS=1")
FREERTOS_SIDES: tuple[FreertosImage, ...] = (
    *(image for image in FREERTOS_IMAGES if Span.END in image.spans),
    *_timers(),
)
"""FreeRTOS has no tables: a task that waits with xTaskDelayUntil, or is notified by a timer's interrupt, or
the callback of a software timer."""
FREERTOS_CALLS = FreertosImage(
    "timer-calls",
    "a software timer is started and stopped",
    "timer_calls",
    (*_TIMERS, "BENCH_PERIOD=16000000"),  # a tick that does not come in a run
    MappingProxyType({}),
    (),
)


def can_monitor(platform: Platform, monitor: Monitor) -> bool:
    """Whether the cells of `platform` can do that: those of mps2-an385 cannot move their comparisons."""
    return monitor is not Monitor.OWN or platform.configuration is not None


def minimal_name(platform: Platform) -> str:
    """The image of MINIMALS with a deadline, as the tool monitors it there without being asked."""
    own = can_monitor(platform, Monitor.OWN)
    return f"minimal-{Monitor.OWN if own else Monitor.ONE}"


def table_image(name: str) -> TableImage:
    """The image of TABLES called `name`; StopIteration if there is none."""
    return next(image for image in TABLES if image.name == name)
