# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is run: the platforms, the small systems of ours, and FreeRTOS's programs that do the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from types import MappingProxyType

__all__ = [
    "BEFORE",
    "BEHIND",
    "FIGURES",
    "FIGURE_JOBS",
    "FIGURE_OFFSETS",
    "FIGURE_PERIOD",
    "FREERTOS",
    "FREERTOS_FIGURE",
    "FREERTOS_IMAGES",
    "FREERTOS_MINIMAL",
    "IDLE",
    "MANY",
    "MAXPERF",
    "MINIMAL",
    "MPS2",
    "OURS",
    "PERIOD",
    "PLATFORMS",
    "RATE_WAKEUPS",
    "SAMPLES",
    "SMALL",
    "SYSTEMS",
    "FreertosImage",
    "Job",
    "Platform",
    "Span",
    "SystemImage",
    "freertos_image",
    "rate_freertos",
    "rate_system",
    "system_image",
]

SAMPLES = 1000
"""Expiries of a scenario."""
PERIOD = 3001
"""Counts between them: a prime, so that they meet the interrupted code everywhere."""
MANY = 32
"""The most tasks of one instant."""
_FEWER, _LONGER = 50, 50_021
_RESTING = "BENCH_PERIOD=16000000"  # a tick that does not come in a run; SysTick has 24 bits
OURS = "horolog"
FREERTOS = "freertos"


@dataclass(frozen=True, slots=True)
class Platform:
    """A board to build firmware for, and the `configuration` of the simulated core; None: QEMU."""

    name: str
    title: str
    board: str
    configuration: str | None
    unit: str


MAXPERF = Platform("ibex-cells", "ibex-cells, maxperf", "ibex-cells", "maxperf", "cycles")
SMALL = Platform("ibex-cells-small", "ibex-cells, small", "ibex-cells", "small", "cycles")
MPS2 = Platform("mps2-an385", "mps2-an385", "mps2-an385", None, "instructions")
PLATFORMS = (MAXPERF, SMALL, MPS2)
"""Both configurations run the same images."""


class Span(StrEnum):
    """What is measured of a scenario."""

    START = "start"  # expiry to the first instruction of the urgent task
    END = "end"  # its last instruction to the code that goes on
    NEXT = "next"  # its last instruction to the first of the next task, which waits
    ROUND = "round"  # expiry until the interrupted code goes on, without the bodies
    YIELD = "yield"  # one task's last instruction to the other's first


@dataclass(frozen=True, slots=True)
class Job:
    """A task: the function that it does, and its owner's name in the log. Times are counts.

    `every` None: once in a run, and without end.
    """

    owner: str
    body: str
    kind: str
    priority: int
    every: int | None = PERIOD
    offset: int = 0
    lasts: int = 50


IDLE = "idle"
"""Owner of the idle loop."""
BEFORE = "to the kernel's first instruction"
"""From an expiry: the end of the instruction that is interrupted, the controller, the core's entry."""
BEHIND = "out of the body"
"""From a body's last instruction: the jump out of it."""


@dataclass(frozen=True, slots=True)
class SystemImage:
    """A system of ours. `past` is the owner of the code that the expiry interrupts.

    `mechanism` None: the planner's choice.
    """

    name: str
    title: str
    jobs: tuple[Job, ...]
    spans: tuple[Span, ...]
    past: str = IDLE
    cells: int = 1
    samples: int = SAMPLES
    period: int = PERIOD
    mechanism: str | None = None


@dataclass(frozen=True, slots=True)
class FreertosImage:
    """A program of bench/dispatch/freertos. `notified`: by a timer's interrupt, not the tick's."""

    name: str
    title: str
    source: str
    defines: tuple[str, ...]
    owners: MappingProxyType[str, tuple[str, ...]]
    spans: tuple[Span, ...]
    past: str = IDLE
    notified: bool = False
    samples: int = SAMPLES
    period: int = PERIOD


_START_END = (Span.START, Span.END)
_LOWS = {"": "bench_background", "-div": "bench_dividing"}
_WORDS = {"": "", "-div": ", which divides"}


def _high(kind: str, body: str = "bench_short") -> Job:
    return Job("high", body, kind, 3)


def _systems() -> Sequence[SystemImage]:
    made = [
        SystemImage("idle-basic", "a basic task from idle", (_high("basic"),), _START_END),
        SystemImage(
            "idle-basic-wide",
            "a basic task with a body that changes all registers, from idle",
            (_high("basic", "bench_wide"),),
            _START_END,
        ),
        SystemImage("idle-thread", "a thread from idle", (_high("thread"),), _START_END),
        SystemImage(
            "next-basic",
            "two basic tasks of one instant",
            (_high("basic"), Job("next", "bench_next", "basic", 2)),
            (Span.START, Span.NEXT),
            cells=2,
        ),
        SystemImage(
            "next-thread",
            "two threads of one instant",
            (_high("thread"), Job("next", "bench_next", "thread", 2)),
            (Span.START, Span.NEXT),
        ),
    ]
    for suffix, body in _LOWS.items():
        for low, high in product(_KINDS, _KINDS):
            made.append(
                SystemImage(
                    f"{low}-{high}{suffix}",
                    f"a {_KINDS[high]} preempts a {_KINDS[low]}{_WORDS[suffix]}",
                    (_high(high), Job("low", body, low, 1, every=None)),
                    _START_END,
                    past="low",
                    cells=2,
                )
            )
    for many in (1, 8, MANY):
        for name, words in (("level", "of one level"), ("levels", "of levels of their own")):
            if many > 1 or name == "level":
                made.append(_release(many, name, words))
    return made


_KINDS = {"basic": "basic task", "thread": "thread"}


def _release(many: int, name: str, words: str) -> SystemImage:
    return SystemImage(
        f"release-{many}-{name}",
        f"{many} basic task{'s' if many > 1 else ''}" + (f" {words}" if many > 1 else ""),
        tuple(
            Job("high", "bench_short", "basic", 1 if name == "level" else many - nth, _LONGER)
            for nth in range(many)
        ),
        (Span.START, Span.ROUND),
        samples=_FEWER,
        period=_LONGER,
    )


SYSTEMS = tuple(_systems())


def _owners(**owners: str) -> MappingProxyType[str, tuple[str, ...]]:
    return MappingProxyType({name: (symbol,) for name, symbol in owners.items()})


def _freertos() -> Sequence[FreertosImage]:
    high = _owners(high="bench_short")
    tick = (f"BENCH_PERIOD={PERIOD}",)
    notified = (_RESTING, f"BENCH_EVERY={PERIOD}", "BENCH_NOTIFY")
    made = []
    for wakeup, source, common in (("tick", "delay", tick), ("notify", "notify", notified)):
        one = FreertosImage(
            f"{wakeup}-idle",
            f"{_WAKEUPS[wakeup]}, from idle",
            source,
            (*common, "BENCH_TASKS=1"),
            high,
            _START_END,
            notified=wakeup == "notify",
        )
        made.append(one)
        for suffix, low in _LOWS.items():
            made.append(
                replace(
                    one,
                    name=f"{wakeup}-preempt{suffix}",
                    title=f"{_WAKEUPS[wakeup]}, preempting a task{_WORDS[suffix]}",
                    defines=(*common, "BENCH_TASKS=2", f"BENCH_LOW={low}"),
                    owners=_owners(high="bench_short", low=low),
                    past="low",
                )
            )
    made.append(
        FreertosImage(
            "tick-next",
            "two tasks of one tick",
            "delay",
            (*tick, "BENCH_TASKS=2", "BENCH_NEXT"),
            _owners(high="bench_short", next="bench_next"),
            (Span.START, Span.NEXT),
        )
    )
    for many in (1, 8, MANY):
        made.append(
            FreertosImage(
                f"tick-release-{many}",
                f"{many} task{'s' if many > 1 else ''} of one tick",
                "delay",
                (f"BENCH_PERIOD={_LONGER}", f"BENCH_TASKS={many}"),
                high,
                (Span.START, Span.ROUND),
                samples=_FEWER,
                period=_LONGER,
            )
        )
    made.append(
        FreertosImage(
            "yield",
            "yield to an equal task",
            "yield",
            (_RESTING, "BENCH_TASKS=2"),
            _owners(high="bench_yield_first", low="bench_yield_second"),
            (Span.YIELD,),
            past="low",
        )
    )
    return made


_WAKEUPS = {"tick": "xTaskDelayUntil at its tick", "notify": "notified by a timer's interrupt"}
FREERTOS_IMAGES = tuple(_freertos())


FIGURE_PERIOD = 50_000
"""Counts; FreeRTOS's tick is a tenth."""
FIGURE_JOBS = 20
FIGURE_OFFSETS: Mapping[str, int] = MappingProxyType(
    {"high": 0, "low1": FIGURE_PERIOD // 10, "low2": FIGURE_PERIOD // 5}
)
"""When each is released; bench/dispatch/freertos/figure.c says the same in ticks."""


def _due(owner: str, body: str, priority: int, lasts: int) -> Job:
    return Job(owner, body, "basic", priority, FIGURE_PERIOD, FIGURE_OFFSETS[owner], lasts)


def _figure(
    name: str, title: str, cells: int, *more: Job, mechanism: str | None = None
) -> SystemImage:
    jobs = (
        *more,
        _due("high", "bench_urgent", 3, 34_000),
        _due("low2", "bench_second", 2, 5_000),
        _due("low1", "bench_first", 1, 5_000),
    )
    return SystemImage(
        name, title, jobs, (), cells=cells, period=FIGURE_PERIOD, mechanism=mechanism
    )


FIGURES = (
    _figure("figure-lines", "Horolog, a cell for each line", 3, mechanism="sloth"),
    _figure("figure-one-cell", "Horolog, one cell for the three", 1),
    _figure(
        "figure-above",
        "Horolog, one cell for the three and a more urgent fourth",
        1,
        Job("top", "bench_short", "basic", 4, FIGURE_PERIOD),
    ),
)
FREERTOS_FIGURE = FreertosImage(
    "figure",
    "FreeRTOS, xTaskDelayUntil",
    "figure",
    (f"BENCH_PERIOD={FIGURE_PERIOD // 10}", "BENCH_TASKS=3"),
    _owners(high="bench_urgent", low2="bench_second", low1="bench_first"),
    (),
    period=FIGURE_PERIOD,
)
"""Figure 7: less urgent tasks are released one and two tenths of a period into the urgent one's job."""

MINIMAL = SystemImage("minimal", "a periodic basic task", (_high("basic"),), ())
FREERTOS_MINIMAL = FreertosImage(
    "minimal",
    "a periodic task",
    "delay",
    ("BENCH_PERIOD=50000", "BENCH_TASKS=1"),
    _owners(high="bench_short"),
    (),
)
"""The image of which the memory is counted."""


def rate_system(period: int) -> SystemImage:
    """One minimal task, and nothing else, every `period` counts."""
    return SystemImage(
        "rate", "the fastest task", (Job("high", "bench_short", "basic", 1, period),), ()
    )


RATE_WAKEUPS = ("tick", "notify")


def rate_freertos(wakeup: str, period: int) -> FreertosImage:
    """FreeRTOS's minimal task, every `period` counts: released by the tick, or notified by an interrupt."""
    tick = f"BENCH_PERIOD={period}" if wakeup == "tick" else _RESTING
    defines = (tick, f"BENCH_EVERY={period}", "BENCH_TASKS=1")
    source = "delay" if wakeup == "tick" else "notify"
    return FreertosImage(
        f"rate-{wakeup}",
        "the fastest task",
        source,
        (*defines, "BENCH_NOTIFY") if wakeup == "notify" else defines,
        _owners(high="bench_short"),
        (),
        notified=wakeup == "notify",
    )


def system_image(name: str) -> SystemImage:
    """The image of SYSTEMS called `name`; StopIteration if there is none."""
    return next(image for image in SYSTEMS if image.name == name)


def freertos_image(name: str) -> FreertosImage:
    """The image of FREERTOS_IMAGES called `name`; StopIteration if there is none."""
    return next(image for image in FREERTOS_IMAGES if image.name == name)
