# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""lm3s6965evb: its timers cannot be read, and SysTick is the clock, which wraps every 1.34 s.

The clock is the emulator's: an instruction lasts 64 ns, a count 80 ns.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.cell_a_task import cell_a_task, lateness
from tests.system.support import ROOT, Run, made_system, ms, task

from horolog.analyse import clock_wraps_in, jobs_in
from horolog.model import Baseline, Mode, Plan, System, Task
from horolog.plan import NOTHING, plan
from horolog.read import read_board, read_system
from horolog.run import Request, measure

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

LM3S = "lm3s6965evb"
COUNT_NS = 80
IN_PHASE_NS = COUNT_NS + 64
"""A count, the header's bound of instants that are not near, and an instruction till an entry is seen."""
QUIET_NS = 100_000  # without an event: the processor is idle
MODES = {
    "periodic": (Mode.PERIODIC,) * 4,
    "one-shot": (Mode.ONE_SHOT,) * 4,
    "mixed": (Mode.PERIODIC, Mode.ONE_SHOT) * 2,
    "mixed the other way": (Mode.ONE_SHOT, Mode.PERIODIC) * 2,
}


def check(run: Run) -> None:
    interrupts = run.side.interrupts
    assert interrupts.taken == interrupts.predicted == len(run.times("I"))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    assert run.side.jobs == len(run.times("R")) == len(run.times("E"))


PHASED = [task(f"t{p}", ms(p), work=10) for p in (3, 5, 7, 11)]


@pytest.mark.parametrize(
    "modes", [one if one == "mixed" else pytest.param(one, marks=pytest.mark.soak) for one in MODES]
)
def test_all_timers_are_in_phase_across_wraps_of_the_clock(modes: str, bench: Bench) -> None:
    system = made_system(PHASED, board=LM3S, duration=Fraction(3))
    assert clock_wraps_in(system) == 2
    run = bench(system, cell_a_task(system.board, PHASED, MODES[modes], system.duration))
    check(run)
    for number, late in lateness(run, QUIET_NS).items():
        assert len(late) > 100, number
        assert -IN_PHASE_NS < min(late) <= max(late) < IN_PHASE_NS, number


@pytest.mark.soak
@pytest.mark.parametrize("modes", MODES)
def test_100_000_releases_none_a_count_off(modes: str, bench: Bench) -> None:
    spread = [task(f"t{n}", ms(1), offset=n * ms("1/4"), work=10) for n in range(4)]
    system = made_system(spread, board=LM3S, duration=Fraction(25))
    run = bench(system, cell_a_task(system.board, spread, MODES[modes], system.duration))
    check(run)
    assert run.side.jobs == 100_000
    late = [ns for each in lateness(run, QUIET_NS).values() for ns in each]
    assert len(late) == 100_000
    assert -IN_PHASE_NS < min(late) <= max(late) < IN_PHASE_NS


def test_the_header_says_how_late_a_handler_may_enter() -> None:
    """What arming takes beside the least that the timer times, and a wrap that is found while reading."""
    text = (ROOT / "ports" / "cell" / "gptm" / "hrlp_gptm.h").read_text(encoding="utf-8")
    said = {name: int(n) for name, n in re.findall(r"#define HRLP_GPTM_(\w+) (\d+)u?\b", text)}
    assert said["LATE_COUNTS"] == said["ARM_LATENCY"] + said["SHORTEST"] + 5
    least = min(cell.min_counts for cell in read_board(LM3S).cells)
    assert said["LATE_COUNTS"] < least / 2


BASIC = """
[system]
name = "basic"
board = "lm3s6965evb"
duration = "3 s"

[[task_group]]
name = "fast"
tasks = 3
kind = "basic"
period = "2 ms"
work = 100

[[task_group]]
name = "slow"
tasks = 4
kind = "basic"
period = "7 ms"
work = 300

[[task]]
name = "thread"
period = "10 ms"
work = 500
"""


@pytest.mark.parametrize("mechanism", ["one-shot", pytest.param("gcd", marks=pytest.mark.soak)])
def test_basic_tasks_on_the_lines_of_the_chip(mechanism: str, tmp_path: Path, bench: Bench) -> None:
    """No job is lost beside a thread, across two wraps; cells interrupt at the levels of their tasks."""
    (tmp_path / "system.toml").write_text(BASIC, encoding="utf-8")
    system = read_system(tmp_path / "system.toml")
    run = bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)
    assert run.side.jobs == sum(jobs_in(system)) == 3 * 1500 + 4 * 429 + 300
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted


def slow(one: Task) -> Task:
    """With time for turns of the work loop that take twice what they do on other boards."""
    assert one.wcet is not None
    return replace(one, wcet=3 * one.wcet)


BESIDE = [
    *(slow(task(f"fast.{n}", ms(2), work=300)) for n in range(2)),
    *(slow(task(f"slow.{n}", ms(10), work=9_000)) for n in range(2)),
    slow(task("later", ms(20), offset=ms(3), work=2_000)),
]


@pytest.mark.soak
def test_every_job_beside_freertos(freertos: Path, tmp_path: Path) -> None:
    """Its tick is SysTick, or a timer of the board's notifies its tasks."""
    system = made_system(BESIDE, board=LM3S, name="beside")
    chosen = plan(system, mechanism="gcd", prices=NOTHING)
    asked = (Baseline.STOCK, Baseline.RATE_GROUP, Baseline.NOTIFY)
    request = Request(system, chosen, tmp_path, lambda text: None, compare=True, baselines=asked)
    result = measure(request).result
    assert set(result.freertos_sides) == set(asked)
    for one, side in result.freertos_sides.items():
        assert side.jobs == result.horolog.jobs == sum(jobs_in(system)), one
        assert side.deadline_misses == side.overruns == 0
        assert side.counted.bodies == result.horolog.counted.bodies
        assert side.interrupts.adds_up
        ratio = result.ratio_to(one)
        assert ratio is not None
        assert ratio > 1, one
