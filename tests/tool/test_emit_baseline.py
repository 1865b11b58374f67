# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's stronger sides: rate groups, the cell that notifies, and the nearest tick."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_system, ms

from horolog.analyse import common_levels
from horolog.emit import (
    as_run,
    baseline_tick,
    generate,
    nearest_tick,
    notify_tick,
    rate_groups,
    tick_of,
)
from horolog.model import Baseline, PriorityRule, System
from horolog.plan import plan
from horolog.read import read_board

BOARD = read_board("mps2-an385")


def system_of(
    *periods: str, offsets: Sequence[str] = (), cells: tuple[str, ...] = ("timer0",)
) -> System:
    shifts = [ms(offset) for offset in offsets] or [Fraction(0)] * len(periods)
    made = make_system([ms(period) for period in periods], offsets=shifts)
    return replace(made, board=BOARD, cells=cells, duration=ms(100))


def groups_of(system: System) -> list[tuple[int, ...]]:
    return [group.tasks for group in rate_groups(system, common_levels(system))]


# --- rate groups ---------------------------------------------------------------------------------


def test_tasks_of_one_period_share_a_task_in_their_order() -> None:
    assert groups_of(system_of("5", "10", "5", "10", "20")) == [(0, 2), (1, 3), (4,)]


def test_an_offset_of_its_own_is_a_group_of_its_own() -> None:
    system = system_of("5", "5", "5", offsets=["0", "1", "0"])
    assert groups_of(system) == [(0, 2), (1,)]


def test_a_priority_of_its_own_is_a_group_of_its_own() -> None:
    system = system_of("5", "5", "5")
    tasks = [replace(t, priority=p) for t, p in zip(system.tasks, (3, 2, 3), strict=True)]
    system = replace(system, tasks=tuple(tasks), priorities=PriorityRule.EXPLICIT)
    assert groups_of(system) == [(0, 2), (1,)]


@given(
    st.lists(
        st.tuples(st.sampled_from([1, 2, 5]), st.sampled_from([0, 1])), min_size=1, max_size=12
    )
)
def test_every_task_is_in_one_group_of_its_rate(drawn: list[tuple[int, int]]) -> None:
    system = make_system([ms(p) for p, _ in drawn], offsets=[ms(o) for _, o in drawn])
    level = common_levels(system)
    groups = rate_groups(system, level)
    assert sorted(task for group in groups for task in group.tasks) == list(range(len(drawn)))
    for group in groups:
        assert list(group.tasks) == sorted(group.tasks)
        rates = {(drawn[task], level[task]) for task in group.tasks}
        assert len(rates) == 1
    assert len(groups) == len({(one, level[i]) for i, one in enumerate(drawn)})


def test_the_generated_groups_call_their_bodies_in_order_and_have_their_largest_stack() -> None:
    system = system_of("5", "10", "5")
    stacks = (512, 256, 1024)
    tasks = tuple(replace(t, stack=s) for t, s in zip(system.tasks, stacks, strict=True))
    system = replace(system, tasks=tasks)
    made = generate(system, plan(system, mechanism="tick").choice)["hrl_gen_freertos_rate_group.c"]
    assert "BASELINE_GROUP(hrl_gen_group_0, BASELINE_JOB(0) BASELINE_JOB(2))\n" in made
    assert "BASELINE_STACK(server_stack_0, 260)\n" in made  # 1,024 bytes, and a call's frame
    assert "BASELINE_STACK(server_stack_1, 64)\n" in made
    rows = re.findall(r"{\"(\w+)\", (\w+), (\w+), (\d+)u, (\d+)u, (\d+)u, (\d+)u}", made)
    assert rows == [
        ("t0", "hrl_gen_group_0", "server_stack_0", "260", "2", "5", "0"),
        ("t1", "hrl_gen_body_1", "server_stack_1", "64", "1", "10", "0"),
    ]
    assert "baseline_task_count = 2u" in made


# --- the cell that notifies ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("periods", "offsets", "hz"),
    [
        (["1", "5"], [], 1000),
        (["6", "9"], [], Fraction(1000, 3)),
        (["0.05", "1"], [], 20_000),  # too fast for a tick of FreeRTOS's
        (["0.02"], [], 50_000),
        (["1", "2"], ["0", "0.5"], 2000),
    ],
)
def test_a_periodic_cell_at_the_common_divisor(
    periods: list[str], offsets: list[str], hz: Fraction | int
) -> None:
    tick = notify_tick(system_of(*periods, offsets=offsets))
    assert (tick.hz, tick.cell, tick.one_shot, tick.note) == (hz, "timer0", False, None)
    assert tick.rounded == 0
    assert tick.start / Fraction(hz) >= ms(20 + len(periods))  # as late as with a tick


@pytest.mark.parametrize(
    "periods",
    [
        ["59", "61"],  # the divisor is 1 ms, the instants are few
        ["0.015"],  # 66.7 kHz
        ["3.75", "7.123"],
    ],
)
def test_a_one_shot_cell_where_the_divisor_is_too_fine(periods: list[str]) -> None:
    tick = notify_tick(system_of(*periods))
    assert tick.hz == 25_000_000  # its times are counts
    assert (tick.cell, tick.one_shot) == ("timer0", True)


def test_a_period_of_no_whole_count_is_refused() -> None:
    tick = notify_tick(system_of("1/3"))
    assert tick.hz is None
    assert tick.note == "a period or offset is no whole number of the clock's counts"


def test_the_cell_is_the_first_with_a_handler_of_its_own() -> None:
    assert notify_tick(system_of("5", cells=("dual0", "timer1", "timer0"))).cell == "timer1"
    assert notify_tick(system_of("5", cells=("dual0", "systick"))).cell == "systick"
    alone = notify_tick(system_of("5", cells=("dual0",)))  # the clock's handler is its, too
    assert (alone.hz, alone.note) == (None, "no cell of the system can time these releases")


def test_a_divisor_that_the_cell_cannot_time_is_refused() -> None:
    assert notify_tick(system_of("670", cells=("systick",))).hz == Fraction(100, 67)
    slow = notify_tick(system_of("680", cells=("systick",)))  # 17,000,000 counts, and 24 bits
    assert slow.note == "no cell of the system can time these releases"


def test_a_port_without_its_handler_is_refused() -> None:
    system = system_of("5")
    board = replace(BOARD, port=replace(BOARD.port, has_notify=False))
    assert notify_tick(replace(system, board=board)).note == (
        "FreeRTOS's interrupts are not built for cells of armv7m"
    )


def test_what_calls_the_kernel_is_refused() -> None:
    system = replace(system_of("5"), start="begin")
    for one in Baseline:
        note = tick_of(system, one).note
        assert note is not None
        assert "calls Horolog's services" in note


def test_what_calls_by_the_portable_header_is_compared_with_tasks_of_their_own() -> None:
    system = replace(
        system_of("5", "10"), cells=("timer0",), timeouts="timer1", start="make", portable=True
    )
    stock = tick_of(system, Baseline.STOCK)
    assert stock.hz == 1000
    assert (stock.start, stock.note) == (22, None)
    for baseline, why in (
        (Baseline.RATE_GROUP, "a body that waits would delay the others"),
        (Baseline.NOTIFY, "FreeRTOS's own tick, by which bodies wait, is off"),
    ):
        tick = tick_of(system, baseline)
        assert tick.hz is None
        assert why in (tick.note or "")
    made = generate(system, plan(system, mechanism="gcd").choice)
    assert "set(HRL_BASELINES freertos)\n" in made["system.cmake"]
    assert "set(HRL_PORTABLE HRL_TICKS=1000u HRL_TICKS_SECONDS=1u)" in made["system.cmake"]
    assert "#define HRL_GEN_START make " in made["hrl_gen_freertos_config.h"]
    assert "hrl_gen_freertos_rate_group.c" not in made


def test_more_than_the_portable_header_is_refused() -> None:
    system = replace(system_of("5"), portable=True)
    first = replace(system.tasks[0], terminates=True)
    for one in (replace(system, tasks=(first,)), replace(system, portable=False, start="make")):
        assert "which FreeRTOS does not have" in (tick_of(one, Baseline.STOCK).note or "")
    several = replace(system, cores=2)
    assert "on one core only" in (tick_of(several, Baseline.STOCK).note or "")


def test_spans_of_bodies_are_in_ticks_that_the_side_has() -> None:
    system = replace(system_of("1.7"), portable=True)
    made = generate(system, plan(system, mechanism="gcd").choice)
    assert "HRL_TICKS=10000u HRL_TICKS_SECONDS=1u" in made["system.cmake"]
    none = replace(system, portable=False)
    assert "HRL_TICKS" not in generate(none, plan(none, mechanism="gcd").choice)["system.cmake"]


def test_the_generated_cell_is_the_one_that_was_chosen() -> None:
    system = system_of("0.05", "1", cells=("timer1",))
    made = generate(system, plan(system, mechanism="gcd").choice)
    header = made["hrl_gen_freertos_notify.h"]
    for line in (
        "#define HRL_GEN_GROUPS 2u",
        "#define HRL_GEN_CELL(verb) hrlp_cmsdk_timer_##verb",
        "#define HRL_GEN_CELL_CHANNEL 1u",
        "#define HRL_GEN_CELL_HANDLER TIMER1_Handler",
        "#define HRL_GEN_CELL_COUNTS 1250u ",
    ):
        assert line in header
    assert "HRL_GEN_CLOCK" not in header
    assert ", 1u, 0u}" in made["hrl_gen_freertos_notify.c"]  # in interrupts of 50 us
    assert ", 20u, 0u}" in made["hrl_gen_freertos_notify.c"]
    assert "set(HRL_BASELINES freertos_notify)" in made["system.cmake"]
    assert "set(HRL_NOTIFY periodic)" in made["system.cmake"]


def test_a_generated_one_shot_cell_counts_in_counts() -> None:
    system = system_of("59", "61")
    made = generate(system, plan(system, mechanism="one-shot").choice)
    assert f", {59 * 25_000}u, 0u}}" in made["hrl_gen_freertos_notify.c"]
    assert "HRL_GEN_CLOCK_HANDLER DUALTIMER_Handler" in made["hrl_gen_freertos_notify.h"]
    assert "set(HRL_NOTIFY one_shot)" in made["system.cmake"]


# --- the nearest tick ----------------------------------------------------------------------------


def test_an_exact_tick_is_the_nearest() -> None:
    for periods in (["5"], ["2.5", "3"], ["0.1"]):
        system = system_of(*periods)
        assert nearest_tick(system) == baseline_tick(system)
        assert as_run(system, nearest_tick(system)) is system


@pytest.mark.parametrize(
    ("periods", "hz", "rounded"),
    [
        (["61.35"], 1000, Fraction(7, 1227)),  # by half a percent: the slowest tick will do
        (
            ["1/3"],
            Fraction(25_000_000, 8333),
            Fraction(1, 25_000),
        ),  # 8,333 counts, not a third more
        (["0.72"], Fraction(25_000_000, 3571), None),
    ],
)
def test_the_slowest_tick_that_rounds_little(
    periods: list[str], hz: Fraction | int, rounded: Fraction | None
) -> None:
    system = system_of(*periods)
    tick = nearest_tick(system)
    assert tick.hz is not None
    assert round(tick.hz) == round(hz)
    assert tick.rounded <= Fraction(1, 100)
    assert rounded is None or tick.rounded == rounded
    run = as_run(system, tick)
    errors = [
        abs(new.period - old.period) / old.period
        for old, new in zip(system.tasks, run.tasks, strict=True)
    ]
    assert max(errors) == tick.rounded
    for old, new in zip(system.tasks, run.tasks, strict=True):
        assert (new.period * tick.hz).denominator == 1
        assert (new.offset * tick.hz).denominator == 1
        assert new.deadline == (new.period if old.deadline == old.period else old.deadline)
    assert tick.note is not None
    assert "rounds them, by up to" in tick.note


def test_a_tick_that_makes_it_another_system_is_refused() -> None:
    tick = nearest_tick(system_of("0.05"))
    assert tick.hz is None
    assert tick.note == "no tick of up to 10 kHz comes within 10 % of every period"


def test_a_rounded_tick_is_what_freertos_makes_of_its_configuration() -> None:
    system = system_of("1/3", "5")
    made = generate(system, plan(system, mechanism="one-shot").choice)
    config = made["hrl_gen_freertos_config.h"]
    cpu, tick = (
        int(found[1])
        for name in ("CPU", "TICK")
        if (found := re.search(rf"HRL_GEN_{name}_HZ (\d+)u", config))
    )
    exact = nearest_tick(system).hz
    assert exact is not None
    assert cpu == 25_000_000 < 2**32
    assert Fraction(cpu, cpu // tick) == exact
    for name in ("freertos", "freertos_rate_group"):
        assert ", 1u, 0u}" in made[f"hrl_gen_{name}.c"]
        assert ", 15u, 0u}" in made[f"hrl_gen_{name}.c"]
