# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is compared: the rows, the images that they need, and which of these can be built today."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "BOARD",
    "OURS",
    "REPEATS",
    "REPORTED",
    "ROM",
    "ROWS",
    "SIDES",
    "Image",
    "Scenario",
    "TableRow",
    "images_of",
    "scenario",
    "unavailable",
]

BOARD = "mps2-an385"
REPEATS = 1000
"""Samples of a scenario."""
OURS = "horolog"
SIDES = {
    "freertos": "as it comes",
    "notify": "task notification",
    "heap": "heap_4",
    "freelist": "free list in a critical section",
    "minimal": "as it comes, other services configured away",
}
"""The ways in which FreeRTOS is used, which are folders of bench/kernel, and in words."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One program over either kernel: a source of bench/kernel/scenarios, compiled with `defines`.

    `handler`: a sample begins with its first instruction. `two_parts`: what idle and others do between the
    call and the interrupt that ends the wait does not count.
    """

    name: str
    source: str
    services: tuple[str, ...] = ()  # of bench_<service>.h
    defines: tuple[str, ...] = ()
    handler: str | None = None
    two_parts: bool = False
    samples: int = REPEATS


_RAISED = "TIMER1_Handler"
ROM = "minimal"
"""The scenario of which only the size counts."""
REPORTED = "minimal_reported"
"""The same with the full report of faults on both sides: no row, but a remark beside that one."""


def _sleep(even: int = 0, before: int = 0, around: int = 0) -> tuple[str, ...]:
    return f"BENCH_EVEN={even}", f"BENCH_BEFORE={before}", f"BENCH_AROUND={around}"


_SCENARIOS = (
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
    Scenario("sleep", "sleep", defines=_sleep(even=1), two_parts=True),
    Scenario("sleep_after", "sleep", defines=_sleep(), two_parts=True),
    Scenario("sleep_burst", "sleep", defines=_sleep(before=10, around=10), two_parts=True),
    Scenario(ROM, "minimal", ("semaphore",)),
    Scenario(REPORTED, "minimal", ("semaphore",)),
)


def scenario(name: str) -> Scenario:
    """The one of that name."""
    (found,) = (one for one in _SCENARIOS if one.name == name)
    return found


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the comparison. `divisor`: a sample has that many of what is compared."""

    title: str
    scenario: str
    side: str
    divisor: int = 1
    unit: str = "instructions"


ROWS = (
    TableRow("yield switch", "yield", "freertos"),
    TableRow("suspend-resume chain of five, an increment", "chain", "freertos", divisor=5),
    TableRow("semaphore give + take, uncontended", "semaphore", "freertos"),
    TableRow("semaphore give + take, uncontended", "semaphore", "notify"),
    TableRow("semaphore give that wakes a higher thread", "semaphore_wakes", "freertos"),
    TableRow("semaphore give that wakes a higher thread", "semaphore_wakes", "notify"),
    TableRow("mutex lock + unlock, uncontended", "mutex", "freertos"),
    TableRow("queue send + receive, 16 bytes", "queue", "freertos"),
    TableRow("event set that wakes", "event_wakes", "freertos"),
    TableRow("block pool take + give", "pool", "freertos"),
    TableRow("block pool take + give", "pool", "heap"),
    TableRow("block pool take + give", "pool", "freelist"),
    TableRow("interrupt to thread", "interrupt", "freertos"),
    TableRow("interrupt to thread", "interrupt", "notify"),
    TableRow("interrupt that resumes a higher thread, whole round", "interrupt_round", "freertos"),
    TableRow("sleep 1 ms, 1,000 others asleep, call + wake", "sleep", "freertos"),
    TableRow("the same, all others wake later", "sleep_after", "freertos"),
    TableRow("the same, 10 wake before it and 10 around it", "sleep_burst", "freertos"),
    TableRow("ROM, two threads and a semaphore", ROM, "minimal", unit="bytes"),
)
"""The table. A pool of FreeRTOS as it comes is a queue of pointers."""


@dataclass(frozen=True, slots=True)
class Image:
    """One firmware: a scenario over a side."""

    side: str
    scenario: Scenario

    @property
    def target(self) -> str:
        """What CMake calls it, and its file's stem."""
        return f"{self.side}_{self.scenario.name}"


def images_of(names: Iterable[str] | None, missing: Mapping[str, str]) -> list[Image]:
    """The images of the rows of the scenarios `names` (None: all); without those of ours in `missing`."""
    chosen = None if names is None else set(names)
    found: dict[Image, None] = {}
    for row in ROWS:
        if chosen is None or row.scenario in chosen:
            one = scenario(row.scenario)
            if one.name not in missing:
                found[Image(OURS, one)] = None
            found[Image(row.side, one)] = None
            if one.name == ROM:
                sides = {image.side for image in found if image.scenario == one}
                found |= {Image(side, scenario(REPORTED)): None for side in sorted(sides)}
    return list(found)


_SERVICES = {
    "semaphore": "semaphores",
    "mutex": "mutexes",
    "queue": "message queues",
    "event": "event flags",
    "pool": "block pools",
}
_HEADER = re.compile(r"^#include <(hrl/[^>]+)>", re.MULTILINE)


def unavailable(root: Path) -> dict[str, str]:
    """The scenarios whose services our kernel does not have, and why. `root` holds bench and include."""
    found = {}
    for one in _SCENARIOS:
        for service in one.services:
            adapter = root / "bench" / "kernel" / OURS / f"bench_{service}.h"
            if not adapter.is_file():
                found[one.name] = f"Horolog has no {_SERVICES[service]} yet"
                continue
            for header in _HEADER.findall(adapter.read_text(encoding="utf-8")):
                if not (root / "include" / header).is_file():
                    found[one.name] = f"Horolog has no {_SERVICES[service]} yet"
    return found
