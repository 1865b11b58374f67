# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What stamps the records of a firmware that measures itself, and where it is refused. Nothing is built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import Board, Exit, HorologError, System
from horolog.model.board import Probing
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog.run.by_debugger import refuse_unprobed, ring_for

SYSTEM = """
[system]
name = "probed"
board = "microbit"
cells = ["timer0"]
duration = "50 ms"

[[task]]
name = "t0"
period = "1 ms"
work = 51
"""


@pytest.fixture
def system(tmp_path: Path) -> System:
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM)
    return read_system(path)


def counting(board: Board, hz: int = 16_000_000) -> Board:
    """`board`, of which the processor's counter of cycles stamps records."""
    return replace(board, probe=Probing(cycles_hz=hz))


def with_cell(board: Board, name: str, device: str) -> Board:
    cells = (
        replace(one, device=device) if one.name == name else one for one in counting(board).cells
    )
    return replace(counting(board), cells=tuple(cells))


def with_clock(board: Board) -> Board:
    board = counting(board)
    return replace(board, clock=replace(board.clock, device="systick-clock"))


def without_counter(board: Board) -> Board:
    board = counting(board)
    return replace(board, port=replace(board.port, cycle_counter=None))


@pytest.mark.parametrize(
    ("made", "message", "expected"),
    [
        (
            lambda board: with_cell(board, "timer0", "systick"),
            "SysTick, which would count cycles, is cell timer0 of probed",
            "no cycles_hz: the stamps are the clock's then; or other cells in the system",
        ),
        (
            with_clock,
            "SysTick, which would count cycles, is the clock of probed",
            "no cycles_hz: the stamps are the clock's then",
        ),
        (
            without_counter,
            "firmware for microbit has nothing that counts cycles",
            "no cycles_hz: the stamps are the clock's then",
        ),
    ],
)
def test_a_counter_of_cycles_that_is_taken_is_refused(
    system: System, made: Callable[[Board], Board], message: str, expected: str
) -> None:
    with pytest.raises(HorologError) as refused:
        refuse_unprobed(replace(system, board=made(system.board)))
    error = refused.value
    assert error.exit is Exit.BAD_INPUT
    assert message in error.message
    assert error.found == "cycles_hz = 16_000_000"
    assert error.expected == expected
    assert error.place is not None
    assert error.place.key == "probe.cycles_hz"


def test_a_counter_that_only_another_cell_has_is_free(system: System) -> None:
    refuse_unprobed(replace(system, board=with_cell(system.board, "timer1a", "systick")))


def test_stamps_are_cycles_only_where_the_board_says_so(system: System) -> None:
    chosen = plan(system).choice
    by_clock = ring_for(system, chosen)
    by_cycles = ring_for(replace(system, board=counting(system.board)), chosen)
    assert not by_clock.cycles
    assert by_cycles.cycles
    assert by_cycles.window == 16 * by_clock.window


def test_a_ring_that_streams_has_room_for_any_window(system: System) -> None:
    """Of a window that no ring holds, and of which stamps of 32 bits do not say how long it is."""
    board = counting(system.board)
    long = replace(system, board=board, duration=Fraction(3600))
    chosen = plan(system).choice
    with pytest.raises(HorologError, match="the window is longer than a trace"):
        ring_for(long, chosen)
    ring = ring_for(long, chosen, streams=True)
    assert ring.streams
    assert ring.records == 1024  # half of 16 KiB
    assert ring.window > 3600 * 16_000_000 > 1 << 32


def test_a_ring_that_streams_is_no_larger_than_a_probe_needs(system: System) -> None:
    board = read_board("mps2-an385")
    chosen = plan(system).choice
    assert ring_for(replace(system, board=board), chosen, streams=True).records == 8192


def test_records_that_stamps_cannot_tell_apart_are_refused(system: System) -> None:
    """At 16 MHz 32 bits are 268 s."""
    task = replace(system.tasks[0], period=Fraction(200))
    seldom = replace(system, board=counting(system.board), tasks=(task,), duration=Fraction(1000))
    with pytest.raises(HorologError, match="further apart than their stamps") as refused:
        ring_for(seldom, plan(system).choice, streams=True)
    assert refused.value.exit is Exit.BAD_INPUT
    assert refused.value.found == "no task with a period below 134 s"


@pytest.mark.parametrize(
    ("board", "counter"),
    [("pico", "SysTick"), ("nrf52840dk", "DWT_CYCCNT"), ("nucleo-f446re", "DWT_CYCCNT")],
)
def test_boards_that_come_with_horolog_count_cycles(board: str, counter: str) -> None:
    found = read_board(board)
    assert found.probe is not None
    assert found.probe.cycles_hz is not None
    assert found.port.cycle_counter is not None
    assert found.port.cycle_counter.name == counter


def test_a_microbit_has_no_counter_of_cycles() -> None:
    """An nRF51 has no SysTick."""
    probe = read_board("microbit").probe
    assert probe is not None
    assert probe.cycles_hz is None
