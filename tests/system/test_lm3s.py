# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""lm3s6965evb: its timers cannot be read, and SysTick is the clock, which wraps every 1.34 s.

The clock is the emulator's: an instruction lasts 64 ns, a count 80 ns. test_releases.py holds its cells to
their counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import ROOT, Run, made_system, ms, task

from horolog.analyse import jobs_in
from horolog.model import Baseline, Mode, Plan, System, Task
from horolog.plan import NOTHING, plan
from horolog.read import read_board, read_system
from horolog.run import Request, measure
from horolog_experiments.releases.boards import target
from horolog_experiments.releases.cases import Case
from horolog_experiments.releases.measure import measure_case
from horolog_experiments.releases.plans import Line

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

LM3S = "lm3s6965evb"


@pytest.mark.soak
def test_a_cell_that_is_armed_while_the_clock_wraps_is_none_the_later(tmp_path: Path) -> None:
    """16 releases a wrap, a count later each time: about the 60th is armed in the count of the wrap."""
    board, wrap = read_board(LM3S), 1 << 24
    hz = board.clock.hz
    period = Fraction(wrap + 1, 16 * hz)
    first = Fraction(wrap - board.start_counts - 240, hz) - 15 * period
    line = Line("timer0", Mode.ONE_SHOT, period, (first,))
    case = Case("wraps", (line,), Fraction(200))
    (row,) = measure_case(LM3S, target(board), case, tmp_path)
    assert row.wraps == 148
    assert row.releases == row.found.instants > 2000
    assert (row.off, row.late, row.overruns) == (0, 0, 0)


def test_the_header_says_how_late_a_handler_may_enter() -> None:
    """What arming takes beside the least that the timer times, each a count more for its rounding."""
    text = (ROOT / "ports" / "cell" / "gptm" / "hrlp_gptm.h").read_text(encoding="utf-8")
    said = {name: int(n) for name, n in re.findall(r"#define HRLP_GPTM_(\w+) (\d+)u?\b", text)}
    assert said["LATE_COUNTS"] == said["ARM_LATENCY"] + said["SHORTEST"] + 2
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
