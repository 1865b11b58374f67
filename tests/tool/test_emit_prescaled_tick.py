# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's tick from a timer behind a prescaler: its exact rates, and what is generated for such a chip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_system, ms

from horolog.emit import as_run, baseline_tick, generate, nearest_tick, notify_tick
from horolog.emit.prescaled_tick import (
    is_exact,
    nearest_rate,
    tick_clock_hz,
    tick_prescaler,
    timer_hz,
)
from horolog.measure import watched
from horolog.measure.measured import HOROLOG, Kernel
from horolog.model import Board, FreertosPort, System
from horolog.plan import plan
from horolog.read import read_board

BOARD = read_board("mps2-an385")  # any: only its FreeRTOS is another
PORT = FreertosPort("GCC/ATMega323", "TIMER1_COMPA_vect", 16, (1, 8, 64, 256, 1024))
EIGHT_BITS = replace(PORT, port="ThirdParty/GCC/ATmega", handler="TIMER0_COMPA_vect", bits=8)


def board_of(hz: int, port: FreertosPort = PORT) -> Board:
    cells = tuple(replace(cell, hz=hz) for cell in BOARD.cells)
    return replace(BOARD, clock=replace(BOARD.clock, hz=hz), cells=cells, freertos=port)


def system_of(hz: int, periods: Sequence[str], port: FreertosPort = PORT) -> System:
    made = make_system([ms(period) for period in periods])
    return replace(made, board=board_of(hz, port), cells=("timer0",), duration=ms(100))


@pytest.mark.parametrize(
    ("hz", "port", "periods", "rate"),
    [
        (8_000_000, PORT, ["5", "200"], 1000),
        (8_000_000, PORT, ["0.5"], 2000),
        (16_000_000, EIGHT_BITS, ["5", "200"], 1000),
        (16_000_000, EIGHT_BITS, ["0.25"], 8000),  # 4 kHz would take 256 times 15.625
        (7_372_800, PORT, ["10", "150"], 900),  # 1 kHz is 7,372.8 steps
        (7_372_800, PORT, ["1.25"], 800),
        (8_000_000, PORT, ["2.048", "6.144"], Fraction(15625, 16)),  # 8,192 steps
        (7_372_800, EIGHT_BITS, ["10"], 900),
        (32_768, replace(PORT, prescalers=(1,)), ["125"], 512),
    ],
)
def test_the_exact_tick_nearest_to_the_usual_one(
    hz: int, port: FreertosPort, periods: list[str], rate: Fraction | int
) -> None:
    system = system_of(hz, periods, port)
    tick = baseline_tick(system)
    assert tick.hz == rate
    assert tick.rounded == 0
    assert (tick.note is None) == (rate == 1000)
    assert tick.start / Fraction(rate) >= ms(20 + len(periods))
    prescaler = tick_prescaler(system.board, tick.hz)
    assert prescaler is not None
    counts = Fraction(hz, prescaler * rate)
    assert counts.denominator == 1
    assert counts <= 1 << port.bits


@pytest.mark.parametrize(
    ("name", "rate"), [("atmega128", 900), ("atmega128-8mhz", 1000), ("arduino-uno", 1000)]
)
def test_the_boards_tick_by_the_hertz_of_the_core_whatever_their_clock_counts(
    name: str, rate: int
) -> None:
    board = read_board(name)
    assert timer_hz(board) == board.runner.cycles_hz
    tick = baseline_tick(replace(make_system([ms("10"), ms("150")]), board=board))
    assert tick.hz == rate
    assert tick.rounded == 0


def test_a_rate_that_no_prescaler_gives_is_refused_with_the_reason_and_rounded() -> None:
    system = system_of(7_372_800, ["1"])
    refused = baseline_tick(system)
    assert refused.hz is None
    assert refused.note is not None
    assert "no prescaler of FreeRTOS's timer gives a tick of 1 kHz exactly" in refused.note
    assert "of 7.3728 MHz" in refused.note
    nearest = nearest_tick(system)
    assert nearest.hz == Fraction(7_372_800, 7372)
    assert 0 < nearest.rounded < Fraction(1, 1000)


def test_where_no_prescaler_comes_near_there_is_no_tick() -> None:
    board = board_of(1000, replace(PORT, prescalers=(1024,)))
    assert nearest_rate(board, 1000) == 1000
    assert tick_prescaler(board, Fraction(1000)) is None


def generated(periods: Sequence[str], hz: int = 8_000_000) -> dict[str, str]:
    system = system_of(hz, periods)
    choice = plan(replace(system, board=BOARD), mechanism="tick").choice
    return dict(generate(system, choice))


def defined(text: str) -> dict[str, int]:
    return {name: int(n) for name, n in re.findall(r"#define HRL_GEN_(\w+) (\d+)", text)}


def test_a_chip_gets_its_prescaler_and_no_more_bits_and_priorities_than_tasks_need() -> None:
    texts = generated(["10", "20", "10"])
    config = defined(texts["hrl_gen_freertos_config.h"])
    assert config["CPU_HZ"] // config["TICK_HZ"] == 8000
    assert (config["TICK_PRESCALER"], config["TICK_SELECT"]) == (1, 1)
    assert (config["TICK_BITS"], config["PRIORITIES"]) == (16, 3)
    tasks = texts["hrl_gen_freertos.c"]
    assert "const __flash struct baseline_task baseline_tasks[] = {\n" in tasks
    assert "{NULL, hrl_gen_body_1, hrl_gen_stack_1, 528u, 1u, 20u, 0u}" in tasks  # bytes, 16 more
    groups = texts["hrl_gen_freertos_rate_group.c"]
    assert "{NULL, hrl_gen_group_0, server_stack_0, 532u, 2u, 10u, 0u}" in groups
    notified = texts["hrl_gen_freertos_notify.c"]
    assert "{NULL, hrl_gen_group_0, server_stack_0, 548u, 2u, 1u, 0u}" in notified
    assert "#define HRL_GEN_CLOCK_HANDLER " in texts["hrl_gen_freertos_notify.h"]
    assert "set(HRL_FREERTOS_PORT GCC/ATMega323)\n" in texts["system.cmake"]


def test_times_that_16_bits_do_not_hold_have_32() -> None:
    assert defined(generated(["65000"])["hrl_gen_freertos_config.h"])["TICK_BITS"] == 16
    config = defined(generated(["65520"])["hrl_gen_freertos_config.h"])
    assert config["TICK_BITS"] == 32  # with its start
    assert config["NOTIFY_BITS"] == 16  # one interrupt a period


def test_a_rounded_tick_is_a_whole_number_of_counts() -> None:
    config = defined(generated(["1"], 7_372_800)["hrl_gen_freertos_config.h"])
    assert config["CPU_HZ"] % config["TICK_HZ"] == 0
    assert config["CPU_HZ"] // config["TICK_HZ"] == 7372
    assert config["TICK_PRESCALER"] == 1


def test_the_cell_that_notifies_is_none_with_the_handler_of_the_tick() -> None:
    system = system_of(8_000_000, ["10"], replace(PORT, handler=BOARD.cell("timer0").handler))
    system = replace(system, cells=("timer0", "timer1"))
    assert notify_tick(system).cell == "timer1"
    assert notify_tick(replace(system, cells=("timer0",))).hz is None


def prescaled(*periods: str) -> System:
    """On the ATmega128 at 8 MHz, with a cell of the clock's timer."""
    system = make_system([ms(period) for period in periods])
    return replace(
        system, board=read_board("atmega128-8mhz"), cells=("timer1a", "timer1b"), duration=ms(200)
    )


@pytest.mark.parametrize(
    ("periods", "prescaler", "hz", "one_shot"),
    [
        (["10", "20"], 64, 100, False),  # of 256 and 1,024 counts, 10 ms are no whole number
        (["2.048", "4.096"], 256, Fraction(15625, 32), False),  # 1,024 leaves no whole hertz
        (["0.5"], 8, 2000, False),  # 62.5 counts of 64 steps
        (["0.125", "10"], 8, 8000, False),
        (["7", "11"], 64, 125_000, True),
    ],
)
def test_a_cell_that_notifies_has_the_largest_prescaler_that_it_can(
    periods: list[str], prescaler: int, hz: Fraction | int, one_shot: bool
) -> None:
    system = prescaled(*periods)
    tick = notify_tick(system)
    assert (tick.prescaler, tick.hz, tick.one_shot) == (prescaler, hz, one_shot)
    assert tick.cell == "timer1b"
    run = as_run(system, tick)
    assert run.board.clock.hz * prescaler == 8_000_000
    assert run.tasks == system.tasks


def test_the_prescaler_of_the_cell_that_notifies_is_its_own() -> None:
    system = prescaled("2.048", "4.096")
    assert system.board.clock.prescaler == 64
    twin = replace(system_of(8_000_000, ["2.048", "4.096"]), board=BOARD)
    choice = plan(twin, mechanism="gcd").choice
    releasers = tuple(replace(one, cell="timer1b") for one in choice.releasers)
    made = generate(system, replace(choice, releasers=releasers))
    assert "set(HRL_NOTIFY_PRESCALER 256)\n" in made["system.cmake"]
    assert defined(made["hrl_gen_freertos_notify.h"])["CELL_COUNTS"] == 64


def test_the_tick_is_watched_by_its_handler_and_the_switch_by_freertos_functions() -> None:
    board = board_of(8_000_000)
    ticks = Kernel("FreeRTOS", "tick, 1 kHz", 1000, 25)
    assert watched.handlers_of_freertos(board, ticks).count("TIMER1_COMPA_vect") == 1
    cell = replace(ticks, cell="timer0")
    assert watched.handlers_of_freertos(board, cell).count(board.cell("timer0").handler) == 1
    systick_is_clock = read_board("lm3s6965evb")
    assert watched.handlers_of_freertos(systick_is_clock, ticks).count("SysTick_Handler") == 1
    assert "SysTick_Handler" not in watched.handlers_of_freertos(systick_is_clock, cell)
    port = replace(board.port, freertos_switch=("vPortYield", "vPortYieldFromTick"))
    other = replace(board, port=port)
    functions = port.freertos_switch
    assert watched.switch_of(other, ticks) == functions
    assert watched.switch_of(other, cell) == (*functions, "TIMER0_Handler_switch")
    ours = Kernel(HOROLOG, "tick")
    assert watched.switch_of(other, ours) == ("PendSV_Handler",)
    assert watched.switch_of(board, ticks) == ("PendSV_Handler",)
    none = replace(board, port=replace(board.port, switch=None))
    assert watched.switch_of(none, ours) == ()


def test_a_tick_of_the_processors_own_timer_counts_its_cycles() -> None:
    """Where the core is faster than the board's clock; before, FreeRTOS ticked so many times too often."""
    board = read_board("nucleo-f446re")
    assert tick_clock_hz(board) == board.clock.hz == 16_000_000
    assert board.probe is not None
    fast = replace(
        board,
        clock=replace(board.clock, hz=90_000_000),
        runner=replace(board.runner, cycles_hz=180_000_000),
        probe=replace(board.probe, cycles_hz=180_000_000),
    )
    assert tick_clock_hz(fast) == 180_000_000
    assert is_exact(fast, Fraction(32_000))  # 90 MHz is no multiple of that


@pytest.mark.parametrize("name", ["mps2-an385", "lm3s6965evb", "nrf52840dk", "pico", "microbit"])
def test_a_tick_of_the_boards_clock_or_a_cell_counts_as_these(name: str) -> None:
    board = read_board(name)
    assert tick_clock_hz(board) == board.clock.hz
