# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The programs of the bench: each is a source of bench/kernel/scenarios, and how it is built and measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

__all__ = ["BOARD", "OURS", "REPEATS", "SCENARIOS", "THREADX", "Scenario", "scenario"]

BOARD = "mps2-an385"
REPEATS = 1000
"""Samples of a scenario."""
OURS = "horolog"
THREADX = "threadx"


@dataclass(frozen=True, slots=True)
class Scenario:
    """One program over each kernel: a source of bench/kernel/scenarios, compiled with `defines`.

    `handler`: a sample begins with its first instruction. `two_parts`: what idle and others do between the
    call and the interrupt that ends the wait does not count. `turns`: a sample is a turn of a loop without
    an end. `store`: of time-outs, on our side; None is the default. `halts`: faults are not reported.
    """

    name: str
    source: str
    services: tuple[str, ...] = ()  # of bench_<service>.h
    defines: tuple[str, ...] = ()
    handler: str | None = None
    two_parts: bool = False
    turns: bool = False
    samples: int = REPEATS
    store: str | None = None
    halts: bool = False


_RAISED = "TIMER1_Handler"


def _sleep(even: int = 0, before: int = 0, around: int = 0) -> tuple[str, ...]:
    return f"BENCH_EVEN={even}", f"BENCH_BEFORE={before}", f"BENCH_AROUND={around}"


def _sleeps() -> Iterator[Scenario]:
    """The scenarios of sleeps: in the default store, and in one that suits a thousand sleepers."""
    for name, defines in (
        ("sleep", _sleep(even=1)),
        ("sleep_after", _sleep()),
        ("sleep_burst", _sleep(before=10, around=10)),
    ):
        one = Scenario(name, "sleep", defines=defines, two_parts=True)
        yield one
        yield replace(one, name=f"{name}_tuned", store="calendar")


def _turns() -> Iterator[Scenario]:
    """Through functions that know objects by number, and by direct calls."""
    for name, services in (
        ("semaphore", ("semaphore",)),
        ("queue", ("queue",)),
        ("interrupt", ("semaphore",)),
        ("pool", ("pool",)),
        ("yield", ()),
        ("chain", ()),
        ("preempt", ()),
    ):
        one = Scenario(f"turn_{name}", f"turn_{name}", services, turns=True)
        yield one
        yield replace(one, name=f"direct_{name}", defines=("BENCH_DIRECT=1",))


SCENARIOS = (
    Scenario("yield", "yield", samples=REPEATS - 1),  # the first one's first has no start
    Scenario("chain", "chain"),
    Scenario("semaphore", "semaphore", ("semaphore",)),
    Scenario("semaphore_wakes", "semaphore_wakes", ("semaphore",)),
    Scenario("mutex", "mutex", ("mutex",)),
    Scenario("queue", "queue", ("queue",)),
    Scenario("event_wakes", "event_wakes", ("event",)),
    Scenario("pool", "pool", ("pool",)),
    Scenario("interrupt", "interrupt", ("semaphore",), handler=_RAISED),
    Scenario("interrupt_round", "interrupt_round", handler=_RAISED),
    *_sleeps(),
    Scenario("minimal", "minimal", ("semaphore",)),
    Scenario("minimal_tuned", "minimal", ("semaphore",), store="sorted_list", halts=True),
    *_turns(),
    Scenario("counter", "counter", ("semaphore",), halts=True),
    Scenario("direct_counter", "counter", ("semaphore",), ("BENCH_DIRECT=1",), halts=True),
)


def scenario(name: str) -> Scenario:
    """The one of that name."""
    (found,) = (one for one in SCENARIOS if one.name == name)
    return found
