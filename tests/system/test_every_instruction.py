# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An interrupt or a basic task between any two instructions of the kernel's calls and generated handlers.

The host port injects interrupts in calls of the port only; here a timer of the board does, at each
instruction, as its period is a count longer than the cycle of a system (intruder/intruder.c). The firmware
looks at what must hold, and notes where it was interrupted.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from tests.system.running import command
from tests.system.support import ROOT, horolog

from horolog.build import firmware
from horolog.read import read_board

pytestmark = pytest.mark.emulator

SOURCE = ROOT / "tests" / "system" / "intruder" / "intruder.c"
COUNT_NS = 40
SHORT = (2501, 2503)
"""Cycles in counts, of 1.25 instructions: a sweep of one misses every fifth, which the other finds."""
LONG = 858_993_458
"""The intruder's period is a count longer: a fifth of 2^32 - 1. So it is a count earlier at each wrap."""
ROW = 2**30
"""A row of a basic task's table spans less, in counts."""
ABOVE = 7
"""The highest priority of an interrupt: the kernel does not mask it, and it makes no call."""
SYSTEM = """
[system]
name = "intruded"
board = "mps2-an385"
priorities = "explicit"
cells = ["timer0"{cells}]
timeouts = "dual0"
start = "start_threads"
duration = "1 s"
sources = ["intruder.c"]

[[task]]
name = "fast"
period = "{fast} ns"
wcet = "10 us"
body = "fast"
kind = "{kind}"
priority = 4

[[task]]
name = "slow"
period = "{slow} ns"
wcet = "10 us"
body = "slow"
kind = "{kind}"
priority = 2
"""
BASIC = """
[[task]]
name = "intruder"
period = "{period} ns"
offset = "{offset} ns"
wcet = "10 us"
body = "intruder"
kind = "basic"
priority = {priority}
"""
BEHIND = 41
"""A basic task comes a count less than this after the clock's first wrap, as five of its periods are a count
less than a wrap: its first release is one of them behind this."""
START = read_board("mps2-an385").start_counts
"""From the clock's start to t = 0, which offsets count from."""


@dataclass(frozen=True)
class Intruded:
    """A system, and the priority of the interrupt, or of the basic task beside those of 2 and 4."""

    mechanism: str
    store: str
    kind: str
    priority: int
    cycle: int = SHORT[0]
    cycles: int = SHORT[0] + 500
    call: int = 6
    rest: int = 1
    aim: int = 0
    basic: bool = False

    @property
    def slow(self) -> int:
        """The slow task's period, in counts: two cycles, or one where no row of a table can span two."""
        return self.cycle * (2 if 2 * self.cycle < ROW or self.kind == "thread" else 1)

    def __str__(self) -> str:
        where = ["at-wraps"] if self.aim else []
        by = ["basic"] if self.basic else []
        return "-".join([self.mechanism, self.store, self.kind, *by, str(self.priority), *where])


STORES: dict[str, dict[str, tuple[str, ...]]] = {
    "thread": {
        "gcd": ("sorted-list", "leftist-heap", "unsorted-list", "period-groups", "mask-table"),
        "one-shot": ("sorted-list", "calendar", "pairing-heap", "period-groups", "mask-table"),
    },
    "basic": {"gcd": ("mask-table",), "one-shot": ("mask-table",)},
}
ALL = [
    Intruded(mechanism, store, kind, priority)
    for kind, mechanisms in STORES.items()
    for mechanism, stores in mechanisms.items()
    for store in stores
    for priority in (1, 2, 3, ABOVE)
    if kind == "thread" or priority != ABOVE  # which there is none of beside basic tasks
]
ALL += [
    Intruded(mechanism, "mask-table", kind, priority, basic=True)
    for kind, mechanism, priorities in (
        ("thread", "gcd", (5,)),
        ("thread", "one-shot", (5,)),
        ("basic", "chronos", (5, 3, 1)),
        ("basic", "one-shot", (5, 3, 1)),
    )
    for priority in priorities
]
AT_WRAPS = Intruded("gcd", "sorted-list", "thread", 3, LONG, 5 * 60, rest=LONG // 2, aim=1)
BASIC_AT_WRAPS = replace(
    AT_WRAPS, mechanism="chronos", store="mask-table", kind="basic", priority=5, basic=True
)
"""The other tasks are basic, too: so the intruder's cell is two levels above the clock's interrupt, and comes
within its handler. Alone, it would have the clock's level, and would wait for that handler's end."""
FEW = {
    "gcd-sorted-list-thread-3",
    "one-shot-mask-table-basic-2",
    "chronos-mask-table-basic-basic-3",
}


@dataclass(frozen=True)
class Seen:
    """What the firmware said: its verdict, its counts, and the addresses where it was interrupted."""

    verdict: str
    counts: Mapping[str, int]
    interrupted: frozenset[int]


def built(of: Intruded, folder: Path) -> Path:
    """The image."""
    folder.mkdir()
    defines = {
        "CYCLE": f"{of.cycle}u",
        "CYCLES": f"{of.cycles}u",
        "HANDLER": "no_handler" if of.basic else "TIMER1_Handler",
        "PRIORITY": "0u" if of.basic else f"{of.priority}u",
        "CALL": f"{of.call}u",
        "REST": f"{of.rest}u",
        "AIM": str(of.aim),
    }
    head = "".join(f"#define {name} {value}\n" for name, value in defines.items())
    (folder / "intruder.c").write_text(head + SOURCE.read_text(encoding="utf-8"), encoding="utf-8")
    fast = of.cycle * COUNT_NS
    described = SYSTEM.format(
        fast=fast, slow=of.slow * COUNT_NS, kind=of.kind, cells=', "timer1"' if of.basic else ""
    )
    if of.basic:
        described += BASIC.format(
            period=fast + COUNT_NS,
            offset=(of.cycle + 1 + BEHIND - START) * COUNT_NS if of.aim else 0,
            priority=of.priority,
        )
    (folder / "system.toml").write_text(described, encoding="utf-8")
    options = ["--mechanism", of.mechanism, "--queue", of.store, "--json"]
    said = horolog("build", folder / "system.toml", "--out", folder / "out", *options)
    assert said.code == 0, said.out + said.err
    return Path(said.object["horolog"])


def seen(elf: Path) -> Seen:
    called = command(read_board("mps2-an385"), elf)
    done = subprocess.run(called, capture_output=True, text=True, check=False, timeout=1200)
    said = done.stdout + done.stderr  # where the console is depends on the emulator
    counts: dict[str, int] = {}
    interrupted: set[int] = set()
    for word, digits in re.findall(r"^([a-z-]+) (\d+)$", said, flags=re.MULTILINE):
        number = int(digits)
        counts[word] = number
        if word == "bits":
            first = 64 * counts["word"]
            interrupted |= {first + 2 * bit for bit in range(32) if number >> bit & 1}
    verdict = re.search(r"^verdict: (.*)$", said, flags=re.MULTILINE)
    assert verdict is not None, said
    return Seen(verdict[1], counts, frozenset(interrupted))


def instructions(elf: Path, function: str) -> list[int]:
    """The addresses of those of `function`, without the constants behind them."""
    listed = subprocess.run(
        ["arm-none-eabi-objdump", "-d", f"--disassemble={function}", elf],
        capture_output=True,
        text=True,
        check=True,
    )
    found = re.findall(r"^ *([0-9a-f]+):\t[^\t]*\t(?!\.word)", listed.stdout, flags=re.MULTILINE)
    return [int(address, 16) for address in found]


@pytest.mark.parametrize(
    "of",
    [
        pytest.param(one, id=str(one), marks=() if str(one) in FEW else pytest.mark.soak)
        for one in ALL
    ],
)
def test_calls_and_handlers_bear_an_interrupt_anywhere(of: Intruded, tmp_path: Path) -> None:
    found = seen(built(of, tmp_path / "made"))
    assert found.verdict == "all holds"
    assert found.counts["intrusions"] >= of.cycles - 10
    assert min(found.counts[what] for what in ("turns", "time-outs", "rings")) > of.cycles
    if of.basic or of.priority != ABOVE:
        assert min(found.counts[what] for what in ("woken", "dozed")) > of.cycles // 7


@pytest.mark.parametrize(
    ("function", "least"),
    [
        ("PendSV_Handler", 1),
        ("SVC_Handler", 1),
        ("hrl_semaphore_take", 0.8),
        ("hrl_alarm_start", 0.8),
        ("hrli_sorted_list_insert", 0.8),
        ("hrli_wait_for_key", 0.8),
        ("hrli_cpu_switch", 0.8),
        ("DUALTIMER_Handler", 0.75),
        ("TIMER0_Handler", 0.7),
    ],
)
def test_it_comes_before_each_instruction(
    function: str, least: float, swept: tuple[Path, frozenset[int]]
) -> None:
    """But for some that are executed seldom, or never, and some that two sweeps happen to miss."""
    elf, interrupted = swept
    all_of_it = instructions(elf, function)
    assert len(all_of_it) > 5
    missed = [hex(address) for address in all_of_it if address not in interrupted]
    assert 1 - len(missed) / len(all_of_it) >= least, missed


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, frozenset[int]]:
    """An image, and where it was interrupted, above all priorities that the kernel masks."""
    of = Intruded("gcd", "sorted-list", "thread", ABOVE)
    folder = tmp_path_factory.mktemp("swept")
    found: set[int] = set()
    for cycle in SHORT:
        elf = built(replace(of, cycle=cycle, cycles=2 * cycle), folder / str(cycle))
        one = seen(elf)
        assert one.verdict == "all holds"
        found |= one.interrupted
    return elf, frozenset(found)


@pytest.mark.soak  # 3 min each: the emulator takes a second for a minute in which little happens
@pytest.mark.parametrize("of", [AT_WRAPS, BASIC_AT_WRAPS], ids=str)
def test_the_time_around_wraps(of: Intruded, tmp_path: Path) -> None:
    """At 60 wraps of the clock, 2 h 52 min."""
    assert seen(built(of, tmp_path / "made")).verdict == "all holds"


@dataclass(frozen=True)
class Fault:
    """A line of the kernel without its lock."""

    file: str
    right: str
    wrong: str
    system: Intruded


def call(number: int) -> Intruded:
    """A system whose interrupt makes the call of that number in intruder.c each time."""
    return Intruded("gcd", "sorted-list", "thread", 3, cycles=2 * SHORT[0], call=number)


LOCK, NONE = (
    "hrlp_irq_state state = hrlp_irq_lock();\n",
    "hrlp_irq_state state = HRLP_IRQ_UNLOCKED;\n",
)
FAULTS = {
    "a basic task comes between the wrap's acknowledgement and its count": Fault(
        "kernel/time/clock.h", LOCK, NONE, BASIC_AT_WRAPS
    ),
    "a releaser does not lock": Fault(
        "kernel/release/releaser.h",
        "if (HRLP_IRQ_NESTS) {\n        hrlp_irq_mask();",
        "if (HRLP_IRQ_NESTS) {",
        call(1),
    ),
    "a time-out does not lock": Fault(
        "kernel/thread/wait.h",
        "    state = hrlp_irq_lock();\n    thread->timeout_state",
        "    state = HRLP_IRQ_UNLOCKED;\n    thread->timeout_state",
        call(1),
    ),
    "a message is received without the lock": Fault(
        "kernel/sync/message_queue.c",
        "    state = hrlp_irq_lock();\n    if (queue->senders.first",
        "    state = HRLP_IRQ_UNLOCKED;\n    if (queue->senders.first",
        call(2),
    ),
    "a token is taken by a load and a store": Fault(
        "kernel/sync/semaphore.c",
        "return count != 0 && hrlp_cpu_store_linked(&semaphore->count, count - 1u);",
        "return count != 0 && (semaphore->count = count - 1u, true);",
        call(0),
    ),
}

QUICK = {"a releaser does not lock"}
"""The one that shows in continuous integration that a fault is found, as each is a kernel to compile."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.soak]) for name in FAULTS],
)
def test_a_missing_lock_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = FAULTS[name]
    for folder in ("baselines", "boards", "cmake", "include", "kernel", "ports"):
        shutil.copytree(ROOT / folder, tmp_path / "broken" / folder)
    source = tmp_path / "broken" / fault.file
    text = source.read_text(encoding="utf-8")
    assert text.count(fault.right) == 1, "has changed: say anew how to break it"
    source.write_text(text.replace(fault.right, fault.wrong), encoding="utf-8")
    monkeypatch.setattr(firmware, "data_root", lambda: tmp_path / "broken")
    assert seen(built(fault.system, tmp_path / "made")).verdict != "all holds"
