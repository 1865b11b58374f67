# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems behind a prescaler: on the host port in virtual time, and on AVR in true cycles."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import Run, measured

from horolog.analyse import count_instant
from horolog.data import data_root
from horolog.plan import NOTHING, plan_moving
from horolog.read import read_system
from horolog.trace import jobs
from horolog_experiments.releases.boards import timer8_board

SYSTEM = """\
[system]
name = "behind"
board = "{board}"
duration = "500 ms"

[[task]]
name = "a"
period = "10 ms"
work = 1

[[task]]
name = "b"
period = "6.1 ms"
offset = "300 us"
work = 1

[[task]]
name = "c"
period = "70 ms"
work = 1

[prescalers]
clock = {prescaler}
"""
JOBS = 50 + 82 + 8
HOST = (
    ("hz = 25_000_000\n", "hz = 7_372_800\nprescalers = [1, 8, 64, 256, 1024]\n"),
    ("[plain]\n", "[plain]\nprescaler = 64\n"),
)
HZ = 7_372_800  # before the prescaler, of both


def run_behind(prescaler: int, mechanism: str, board: str, folder: Path) -> Run:
    path = folder / "system.toml"
    path.write_text(SYSTEM.format(board=board, prescaler=prescaler), encoding="utf-8")
    system, planned = plan_moving(read_system(path), mechanism=mechanism, prices=NOTHING)
    assert system.board.clock.hz == HZ // prescaler
    run = measured(system, planned.choice, folder / "out")
    taken = run.side.interrupts
    assert taken.taken + taken.coalesced == planned.choice.prediction.interrupts
    assert run.side.overruns == run.side.deadline_misses == 0
    return run


def late_counts(run: Run) -> list[Fraction]:
    """By how many counts each job starts behind the count of its release."""
    found, hz = [], run.hz
    for job in jobs(run.trace, run.system):
        assert job.start_ns is not None
        found.append(Fraction(job.start_ns * hz, 10**9) - count_instant(job.release_ns / 10**9, hz))
    assert len(found) == JOBS
    return found


def test_a_process_counts_behind_a_prescaler(tmp_path: Path) -> None:
    """At 7.2 kHz 6.1 ms are 43.92 counts."""
    text = (data_root() / "boards" / "host" / "board.toml").read_text(encoding="utf-8")
    for old, new in HOST:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "board.toml").write_text(text, encoding="utf-8")
    run = run_behind(1024, "one-shot", "./board.toml", tmp_path)
    # Instants as near as HRLP_CELL_EARLY_COUNTS are served at once; a body may be in the way.
    assert all(-2 <= late <= 2 for late in late_counts(run))


@pytest.mark.emulator
@pytest.mark.xdist_group("avr")
@pytest.mark.parametrize(
    ("prescaler", "mechanism"),
    [
        (1, "one-shot"),  # hops of 4.4 ms, and a wrap each 8.9 ms
        (1024, "chronos"),  # a cell that steps
    ],
)
def test_a_chip_counts_behind_a_prescaler(prescaler: int, mechanism: str, tmp_path: Path) -> None:
    """No interrupt comes before its count; the handler of another cell may be in the way."""
    run = run_behind(prescaler, mechanism, "atmega128", tmp_path)
    late = [one * prescaler for one in late_counts(run)]  # in cycles
    assert all(0 <= one < 2_500 for one in late)
    check_instants(run, prescaler)


def check_instants(run: Run, prescaler: int) -> None:
    """Periodic cells interrupt with their counts; a sleep's end or another handler takes some cycles."""
    for releaser in run.plan.releasers:
        if releaser.cell_period is None:
            continue
        number = run.cell_index(releaser.cell)
        entered = [Fraction(ns * run.hz, 10**9) for ns, index in run.times("I") if index == number]
        due = releaser.between(0, run.hz // 2)
        for at, instant in zip(entered, due, strict=False):
            assert -16 <= (at - instant) * prescaler < 1_000
        assert len(entered) >= len(due)


@pytest.mark.emulator
@pytest.mark.xdist_group("avr")
def test_a_timer_behind_another_prescaler_is_in_step(tmp_path: Path) -> None:
    """An 8-bit timer that counts 64 cycles, beside a clock that counts one."""
    timer8_board(tmp_path)
    path = tmp_path / "system.toml"
    text = SYSTEM.format(board="./board.toml", prescaler=1)
    text = text.replace("[[task]]", 'cells = ["timer2", "timer1a"]\n\n[[task]]', 1)
    path.write_text(text.replace('"70 ms"', '"2 ms"'), encoding="utf-8")
    system, planned = plan_moving(read_system(path), mechanism="chronos", prices=NOTHING)
    by_cell = {one.cell: one for one in planned.choice.releasers}
    assert (by_cell["timer2"].prescaler, by_cell["timer2"].counts) == (64, 16_000)
    assert by_cell["timer1a"].prescaler is None
    run = measured(system, planned.choice, tmp_path / "out")
    assert run.side.interrupts.taken == planned.choice.prediction.interrupts
    check_instants(run, 1)
