# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's tick for a system, shared handlers, and files that are written only when they change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_system, ms

from horolog.emit import baseline_tick, generate, generated_files, slowest_tick
from horolog.model import Mode, Plan, Prediction, Releaser, System
from horolog.plan import NOTHING, plan
from horolog.read import read_board
from horolog.read.units import frequency_text


def system_of(*periods: str, offsets: Sequence[str] = ()) -> System:
    shifts = [ms(offset) for offset in offsets] or [Fraction(0)] * len(periods)
    return make_system([ms(period) for period in periods], offsets=shifts)


# --- the tick ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("periods", "offsets", "hz"),
    [
        (["1", "5", "20"], [], 1000),
        (["10", "20"], [], 1000),  # never slower than the usual tick
        (["3", "1000"], [], 1000),
        (["2.5", "5"], [], 2000),
        (["2.5", "3"], [], 2000),
        (["0.25", "1"], [], 4000),
        (["0.1", "1"], [], 10_000),
        (["5"], ["0.5"], 2000),  # an offset counts like a period
        (["5"], ["0.2"], 5000),
        (["1/4", "1/5"], [], None),  # 20 kHz
        (["0.09"], [], None),
        (["1/3"], [], None),  # 3 kHz does not divide 25 MHz
    ],
)
def test_the_tick_of_freertos(periods: list[str], offsets: list[str], hz: int | None) -> None:
    tick = baseline_tick(system_of(*periods, offsets=offsets))
    assert tick.hz == hz
    if hz == 1000:
        assert tick.note is None
    else:
        assert tick.note is not None
        assert ("not compared" in tick.note) == (hz is None)
        assert hz is None or frequency_text(hz) in tick.note


def test_a_refused_tick_says_which_rate_it_would_take() -> None:
    note = baseline_tick(system_of("1/4", "1/5")).note
    assert note is not None
    assert "20 kHz" in note
    assert "10 kHz" in note
    note = baseline_tick(system_of("1/3")).note
    assert note is not None
    assert "3 kHz does not divide the clock of 25 MHz" in note


@given(
    st.lists(
        st.builds(Fraction, st.integers(1, 400), st.sampled_from([1, 2, 4, 5, 8, 10])),
        min_size=1,
        max_size=6,
    )
)
def test_the_tick_is_the_slowest_that_expresses_everything(periods: list[Fraction]) -> None:
    system = make_system([period / 1000 for period in periods])
    tick = baseline_tick(system)
    # By trial: the multiples of 1 kHz in which all periods are whole.
    possible = [
        hz
        for hz in range(1000, 10_001, 1000)
        if all((p * hz / 1000).denominator == 1 for p in periods)
    ]
    wanted = min(possible, default=None)
    assert tick.hz == (wanted if wanted and 25_000_000 % wanted == 0 else None)


@pytest.mark.parametrize(
    ("periods", "offsets", "hz"),
    [
        (["3", "5"], [], 1000),
        (["6", "9"], [], Fraction(1000, 3)),
        (["30", "45"], ["10", "0"], 200),
        (["2.5", "10"], [], 400),  # slower than the usual tick, which is 2 kHz
        (["0.1"], [], 10_000),
        (["670"], [], Fraction(100, 67)),
        (["680"], [], None),  # 17,000,000 counts are more than 24 bits
        (["0.09"], [], None),
    ],
)
def test_the_slowest_tick(
    periods: list[str], offsets: list[str], hz: Fraction | int | None
) -> None:
    system = system_of(*periods, offsets=offsets)
    tick = slowest_tick(system)
    assert tick.hz == hz
    assert (tick.note is not None) == (hz is None)
    if tick.hz is not None:
        usual = baseline_tick(system)
        assert usual.hz is not None
        # The tasks have as long to get to their first wait.
        assert Fraction(usual.start, 1) / usual.hz <= (tick.start - 1) / tick.hz


def test_a_tick_of_no_whole_number_of_hertz_is_exact_in_counts() -> None:
    board = read_board("mps2-an385")
    system = replace(system_of("6", "9", offsets=["3", "0"]), board=board, cells=("timer0",))
    by = plan(system, mechanism="one-shot").choice
    made = generate(system, by, slowest_tick(system))
    config = made["hrl_gen_freertos_config.h"]
    numbers = {
        word[1]: int(word[2].rstrip("u"))
        for line in config.splitlines()
        if len(word := line.split()) > 2 and word[2].rstrip("u").isdigit()
    }
    counts = Fraction(numbers["HRL_GEN_CPU_HZ"], numbers["HRL_GEN_TICK_HZ"])
    assert counts == 3 * 25_000
    assert "2u, 1u}," in made["hrl_gen_freertos.c"]  # periods and offsets in ticks of 3 ms
    assert "3u, 0u}," in made["hrl_gen_freertos.c"]
    usual = generate(system, by)
    assert generate(system, by, baseline_tick(system)) == usual
    assert "HRL_GEN_CPU_HZ 25000000u\n" in usual["hrl_gen_freertos_config.h"]


def test_a_faster_tick_starts_as_late_in_time() -> None:
    usual, fast = baseline_tick(system_of("5", "10")), baseline_tick(system_of("2.5", "10"))
    assert fast.hz == 2000
    assert Fraction(fast.start, 2000) == Fraction(usual.start, 1000)


def test_without_a_tick_there_are_no_sources_for_freertos() -> None:
    system = replace(system_of("1/4", "1/5"), board=read_board("mps2-an385"), cells=("timer0",))
    files = generate(system, plan(system, mechanism="one-shot").choice)
    ours = {"hrl_gen_bodies.c", "hrl_gen_system.c", "system.cmake"}
    config = "hrl_gen_freertos_config.h"
    notify = {"hrl_gen_freertos_notify.c", "hrl_gen_freertos_notify.h"}
    assert set(files) == {*ours, config, *notify}
    system = replace(system_of("5"), board=read_board("mps2-an385"), cells=("timer0",))
    files = generate(system, plan(system, mechanism="one-shot").choice)
    by_tick = {"hrl_gen_freertos.c", "hrl_gen_freertos_rate_group.c"}
    assert set(files) == {*ours, config, *notify, *by_tick}
    system = replace(system_of("1/7"), board=read_board("mps2-an385"), cells=("timer0",))
    files = generate(system, plan(system, mechanism="one-shot").choice)
    assert set(files) == {*ours, config, *by_tick}  # rounded, and no whole number of counts
    system = replace(system_of("1/17"), board=read_board("mps2-an385"), cells=("timer0",))
    assert set(generate(system, plan(system, mechanism="one-shot").choice)) == ours


def test_tasks_that_end_do_so_outside_of_their_bodies() -> None:
    endless = replace(system_of("5", "10"), board=read_board("mps2-an385"), cells=("timer0",))
    ending = replace(endless, releases=7)
    before, after = (generate(one, plan(one, mechanism="tick").choice) for one in (endless, ending))
    changed = {name for name in after if before[name] != after[name]}
    assert changed == {"hrl_gen_system.c", "hrl_gen_freertos_config.h"}
    assert "#define HRL_GEN_RELEASES 7u" in after["hrl_gen_freertos_config.h"]
    assert after["hrl_gen_system.c"].count(", 7u)\n") == 2
    assert "limited" not in before["hrl_gen_system.c"]


def test_both_kernels_get_the_same_levels_stacks_and_periods() -> None:
    system = replace(
        system_of("2.5", "5", "5", "40", offsets=["0", "1.5", "0", "0"]),
        board=read_board("mps2-an385"),
        cells=("timer0",),
    )
    files = generate(system, plan(system, mechanism="one-shot").choice)
    ours = re.findall(r"THREAD\(\d+, \"t\d\", (\d+)u", files["hrl_gen_system.c"])
    theirs = re.findall(
        r'\{"t\d", hrl_gen_body_\d, hrl_gen_stack_\d, (\d+)u, (\d+)u, (\d+)u, (\d+)u\}',
        files["hrl_gen_freertos.c"],
    )
    assert ours == [level for _, level, _, _ in theirs] == ["3", "2", "2", "1"]
    assert {words for words, _, _, _ in theirs} == {"128"}  # of 512 bytes
    assert [(period, offset) for _, _, period, offset in theirs] == [
        ("5", "0"),
        ("10", "3"),
        ("10", "0"),
        ("80", "0"),
    ]


# --- handlers ------------------------------------------------------------------------------------


def by_hand(*cells: str) -> Plan:
    releasers = tuple(
        Releaser(cell, Mode.PERIODIC, "sorted-list", (index,), 0, 125_000, 1, ms(5))
        for index, cell in enumerate(cells)
    )
    return Plan("by hand", releasers, Prediction(0, (), 0, Fraction(0), Fraction(0), Fraction(0)))


def handlers(*cells: str) -> dict[str, str]:
    """The text of each handler for a system with one task on each of `cells`."""
    board = read_board("mps2-an385")
    system = replace(system_of(*["5"] * len(cells)), board=board, cells=cells)
    text = generate(system, by_hand(*cells))["hrl_gen_system.c"]
    found = re.findall(r"^HRLI_HANDLER\((\w+_Handler),\n(.*?)^\)", text, re.MULTILINE | re.DOTALL)
    assert len(dict(found)) == len(found), "a handler is defined twice"
    return dict(found)


def test_the_clocks_handler_stands_alone_where_no_cell_shares_it() -> None:
    found = handlers("timer0", "systick")
    assert set(found) == {"TIMER0_Handler", "SysTick_Handler", "DUALTIMER_Handler"}
    clock = found["DUALTIMER_Handler"]
    assert clock == "    HRLI_SERVE_CLOCK(hrlp_cmsdk_dualtimer, 1u, hrli_clock_wrapped)\n"


def test_a_cell_that_shares_the_clocks_handler_is_asked_whether_it_fired() -> None:
    found = handlers("timer0", "dual0")
    shared = found["DUALTIMER_Handler"]
    assert "HRLI_SERVE_CLOCK(" in shared
    assert (
        "HRLI_IF_FIRED(hrlp_cmsdk_dualtimer, 0u, "
        "HRLI_ACKNOWLEDGE_NEXT(hrlp_cmsdk_dualtimer, 0u, 125000u) "
        "HRLI_SERVE_PERIODIC(1, QUEUE, sorted_list) HRLI_DISPATCH)" in shared
    )
    assert found["TIMER0_Handler"] == (
        "    HRLI_ACKNOWLEDGE_NEXT(hrlp_cmsdk_timer, 0u, 125000u) "
        "HRLI_SERVE_PERIODIC(0, QUEUE, sorted_list) HRLI_DISPATCH\n"
    )


def test_a_clock_that_the_port_handles_is_left_to_it() -> None:
    system = replace(system_of("5"), board=read_board("host"), cells=("cell0",))
    text = generate(system, by_hand("cell0"))["hrl_gen_system.c"]
    assert "hrli_clock_wrapped" not in text
    assert "HRLI_HANDLER(host_cell0,\n    HRLI_ACKNOWLEDGE_NEXT(hrlp_host, 0u, " in text


# --- files ---------------------------------------------------------------------------------------


def test_a_file_that_would_not_change_is_left_alone(tmp_path: Path) -> None:
    system = system_of("5", "10")
    first = plan(system, mechanism="gcd", prices=NOTHING).choice
    folder = tmp_path / "a" / "b"
    made = generated_files(system, first, folder)
    paths = [folder / name for name in made.texts]
    before = {path: path.stat().st_mtime_ns for path in paths}
    for path in paths:
        path.touch()
    touched = {path: path.stat().st_mtime_ns for path in paths}
    assert touched != before
    assert generated_files(system, first, folder) == made
    assert {path: path.stat().st_mtime_ns for path in paths} == touched

    other = plan(system, mechanism="one-shot", prices=NOTHING).choice
    generated_files(system, other, folder)
    changed = {path.name for path in paths if path.stat().st_mtime_ns != touched[path]}
    assert changed == {"hrl_gen_system.c"}


def test_generating_twice_gives_the_same_text() -> None:
    system = make_system([ms(n) for n in (3, 5, 7)], board=make_board())
    chosen = plan(system, prices=NOTHING).choice
    assert generate(system, chosen) == generate(system, chosen)
