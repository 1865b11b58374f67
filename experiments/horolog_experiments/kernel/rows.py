# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is compared: the rows, the images that they need, and which of these can be built today."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from horolog_experiments.kernel.scenarios import OURS, SCENARIOS, THREADX, Scenario, scenario

__all__ = [
    "BEST",
    "COUNTER",
    "DIRECT",
    "ROM",
    "ROWS",
    "SIDES",
    "SIZES",
    "THREAD",
    "TUNED",
    "BestRow",
    "Image",
    "Row",
    "TableRow",
    "TunedRow",
    "images_of",
    "unavailable",
]

SIDES = {
    "freertos": "as it comes",
    "notify": "task notification",
    "heap": "heap_4",
    "freelist": "free list in a critical section",
    "minimal": "as it comes, other services configured away",
}
"""The ways in which FreeRTOS is used, which are folders of bench/kernel, and in words."""

ROM = "minimal"
COUNTER = "counter"
THREAD = "thread"
SIZES = {
    ROM: ROM,
    "minimal_tuned": "minimal_tuned",
    THREAD: COUNTER,
    COUNTER: COUNTER,
    f"{COUNTER}_ram": COUNTER,
    f"direct_{COUNTER}": f"direct_{COUNTER}",
    f"direct_{COUNTER}_ram": f"direct_{COUNTER}",
}
"""What is counted in bytes, and the scenario with the image that it is counted in."""


@dataclass(frozen=True, slots=True)
class Row:
    """Something that is compared, a scenario or one of SIZES. `divisor`: a sample has that many of it."""

    title: str
    scenario: str
    divisor: int = field(default=1, kw_only=True)
    unit: str = field(default="instructions", kw_only=True)


@dataclass(frozen=True, slots=True)
class TableRow(Row):
    """One line of the comparison with FreeRTOS."""

    side: str


@dataclass(frozen=True, slots=True)
class TunedRow:
    """A line of that with other settings than the default: by which scenarios of ours and of FreeRTOS's."""

    row: TableRow
    settings: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class BestRow(Row):
    """One line of the comparison with the best: over the ways of FreeRTOS in `sides`, and ThreadX."""

    target: int | None  # on the page, under this title
    sides: tuple[str, ...] = ("freertos", "notify")


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
"""The table. A pool of FreeRTOS as it comes is a queue of pointers. All by the defaults of applications."""


def _tuned() -> Iterator[TunedRow]:
    for row in ROWS:
        if row.scenario.startswith("sleep"):
            settings = "`STORE calendar`"
            yield TunedRow(row, settings, f"{row.scenario}_tuned", row.scenario)
        elif row.scenario == ROM:
            settings = "`STORE sorted_list REPORT halt`, and FreeRTOS with the report that halts"
            yield TunedRow(row, settings, f"{ROM}_tuned", f"{ROM}_tuned")


TUNED = tuple(_tuned())
"""What the rows come to with settings that suit them; they count for no target."""

BEST = (
    BestRow("semaphore take + give in a loop that counts", "turn_semaphore", 47),
    BestRow(
        "queue send + receive, 16 bytes, in a loop that counts", "turn_queue", 105, ("freertos",)
    ),
    BestRow(
        "attached interrupt raised by software that gives a semaphore, whole turn",
        "turn_interrupt",
        60,
    ),
    BestRow("pool take + give, in a loop that counts", "turn_pool", 50, ("freertos",)),
    BestRow("yield, round of five, one thread's turn", "turn_yield", 38, ("freertos",), divisor=5),
    BestRow("suspend-resume chain of five, one thread's turn", "turn_chain", 110, divisor=5),
    BestRow("interrupt that resumes a higher thread, whole turn", "turn_preempt", 170),
    BestRow(
        "thread object, bytes, of a thread that is not periodic",
        THREAD,
        100,
        ("minimal",),
        unit="bytes",
    ),
    BestRow(
        "ROM of one thread that takes and gives a semaphore, another that prints a counter every 30 s, "
        "default store, `REPORT halt`, start-up, vectors and console in, bytes",
        COUNTER,
        4800,
        ("minimal",),
        unit="bytes",
    ),
    BestRow(
        "RAM of the same (.data and .bss) without stacks",
        f"{COUNTER}_ram",
        750,
        ("minimal",),
        unit="bytes",
    ),
)
"""The rows beside the best other kernel, by their titles on the page."""

DIRECT = tuple(
    replace(row, scenario=f"direct_{row.scenario.removeprefix('turn_')}", target=None)
    for row in BEST
    if row.scenario != THREAD
)
"""These rows by the kernel's calls and one counter alone, without functions between loop and kernel."""


@dataclass(frozen=True, slots=True)
class Image:
    """One firmware: a scenario over a side."""

    side: str
    scenario: Scenario

    @property
    def target(self) -> str:
        """What CMake calls it, and its file's stem."""
        return f"{self.side}_{self.scenario.name}"


def _needed() -> Iterator[tuple[str, str]]:
    """The scenarios and sides of all rows."""
    for row in ROWS:
        yield from ((row.scenario, side) for side in (OURS, row.side))
    for tuned in TUNED:
        yield from ((tuned.ours, OURS), (tuned.theirs, tuned.row.side))
    for best in BEST + DIRECT:
        name = SIZES.get(best.scenario, best.scenario)
        yield from ((name, side) for side in (OURS, *best.sides, THREADX))


def images_of(names: Iterable[str] | None, missing: Mapping[str, str]) -> list[Image]:
    """The images of the scenarios `names` (None: all); without those of ours in `missing`."""
    chosen = None if names is None else set(names)
    found = {
        Image(side, scenario(name)): None
        for name, side in _needed()
        if (chosen is None or name in chosen) and not (side == OURS and name in missing)
    }
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
    """The scenarios with services that our kernel lacks, and why. `root` holds bench and include."""
    found = {}
    for one in SCENARIOS:
        for service in one.services:
            adapter = root / "bench" / "kernel" / OURS / f"bench_{service}.h"
            if not adapter.is_file():
                found[one.name] = f"Horolog has no {_SERVICES[service]} yet"
                continue
            for header in _HEADER.findall(adapter.read_text(encoding="utf-8")):
                if not (root / "include" / header).is_file():
                    found[one.name] = f"Horolog has no {_SERVICES[service]} yet"
    return found
