# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The clock's prescaler as a part of the plan: the cheapest that holds all deadlines, and why."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.conftest import Workshop
from tests.tool.factory import ms
from tests.tool.prescaled import OWN_CELL, write_prescaled

from horolog.analyse import count_instant, release_instants, streams
from horolog.emit import generate
from horolog.model import HorologError, Mode, Planned, System
from horolog.plan import Limit, plan, plan_moving, to_data
from horolog.plan.mapping.cell_timing import allot, nearest_periods, periodic_timing
from horolog.plan.prescalers import by_prescaler
from horolog.read import read_system
from horolog.responses import plan_for

WITH_OWN = ("[plain]", OWN_CELL + "[plain]")


def tasks_text(*periods: str) -> str:
    return "".join(
        f'[[task]]\nname = "t{at}"\nperiod = "{period}"\nwork = 10\n'
        for at, period in enumerate(periods)
    )


def system_of(folder: Path, *periods: str, tail: str = "", more: str = "") -> System:
    text, more = tasks_text(*periods[1:]) + tail, more or 'cells = ["t1a", "t1b"]'
    return read_system(write_prescaled(folder, text, WITH_OWN, period=periods[0], more=more))


def plan_behind(system: System, prescaler: int) -> Planned:
    return plan(replace(system, board=system.board.with_prescaler(prescaler)))


def test_the_cheapest_prescaler_is_taken(tmp_path: Path) -> None:
    system = system_of(tmp_path, "10 ms", "7 ms", "500 ms")
    planned_for, planned = plan_moving(system)
    by_hand = {p: plan_behind(system, p).choice.prediction for p in (1, 8, 64, 256)}
    best = min(by_hand, key=lambda one: by_hand[one].kernel_per_second)
    assert best == 64  # whole counts, few wraps; behind 8 there are 1.4 % more
    assert planned_for.board.clock.prescaler == best
    assert planned_for.board.clock.prescalers == (best,)
    assert planned.choice.prediction == by_hand[best]
    assert [one.prescaler for one in planned.prescalers] == [1, 8, 64, 256, 1024]
    costs = {one.prescaler: one.plan.prediction for one in planned.prescalers if one.plan}
    assert costs == by_hand
    assert [one.hz for one in planned.prescalers][-1] == Fraction(15625, 2)
    assert [one.wraps_after for one in planned.prescalers][:2] == [ms("8.192"), ms("65.536")]
    reasons = {one.prescaler: one.reason for one in planned.prescalers}
    assert reasons[64] == "chosen: the best plan"
    assert "more instructions/s" in reasons[1]
    assert "more interrupts of cells/s" in reasons[1]  # hops of 4.096 ms
    assert reasons[1024] == "8,000,000 Hz / 1,024 is no whole number of hertz"


def test_fine_counts_are_worth_a_hundredth(tmp_path: Path) -> None:
    """Wraps behind 8 cost 500 instructions/s more than those behind 256."""
    system = system_of(tmp_path, "8 ms", "4 ms", "2 ms", "1 ms")
    moved, planned = plan_moving(system)
    costs = {one.prescaler: one.plan.prediction for one in planned.prescalers if one.plan}
    least = min(costs.values(), key=lambda one: one.kernel_per_second)
    assert moved.board.clock.prescaler == 8
    assert least is not costs[8]
    assert costs[8].kernel_per_second < Fraction(101, 100) * least.kernel_per_second
    assert costs[1].kernel_per_second > Fraction(101, 100) * least.kernel_per_second
    reasons = {one.prescaler: one.reason for one in planned.prescalers}
    assert reasons[8] == "chosen: the finest, as coarser counts save less than 1 %"
    assert re.fullmatch(r"[\d.,]+ fewer instructions/s and with coarser counts", reasons[64])
    by_jitter = plan_moving(system, objective="jitter")[0].board.clock.prescaler
    assert by_jitter in (1, 8, 64, 256)


def test_planning_again_keeps_the_prescaler(tmp_path: Path) -> None:
    first, planned = plan_moving(system_of(tmp_path, "10 ms", "7 ms"))
    again, after = plan_moving(first)
    assert again == first
    assert after.choice == planned.choice
    assert [one.reason for one in after.prescalers] == ["chosen: there is no other"]


def test_wraps_are_the_kernels_work(tmp_path: Path) -> None:
    fine = plan_behind(system_of(tmp_path, "10 ms"), 1).choice.prediction
    (wraps,) = fine.beside
    assert wraps.interrupts == (8_000 + 8_000_000 - 1) // 65_536
    assert wraps.what == "wraps of the clock, after 65,536 counts each"
    assert wraps.kernel_per_second == Fraction(8_000_000, 65_536) * Fraction("36.78")
    assert wraps.not_predicted is None


def test_a_wrap_has_a_price_of_its_own_if_the_costs_hold_it(tmp_path: Path) -> None:
    system = system_of(tmp_path, "10 ms")
    costs = tmp_path / "costs.toml"
    costs.write_text(
        costs.read_text("utf-8").replace("step = 6 ", "wrap = 100\nstep = 6 ", 1), "utf-8"
    )
    (wraps,) = plan_behind(system, 1).choice.prediction.beside
    assert wraps.kernel_per_second == Fraction(8_000_000 * 100, 65_536)


@pytest.mark.parametrize("prescaler", [1, 8, 64, 256])
@pytest.mark.parametrize("mechanism", ["one-shot", "chronos", "gcd"])
def test_releases_are_off_by_less_than_a_count(
    tmp_path: Path, prescaler: int, mechanism: str
) -> None:
    """Whole counts or not: each instant is served by an interrupt of its count."""
    system = system_of(tmp_path, "1.1 ms", "7 ms", "33 ms")
    system = replace(system, board=system.board.with_prescaler(prescaler))
    made = plan(system, mechanism=mechanism).choice
    hz = system.board.clock.hz
    for task in system.tasks:
        for k in range(100):
            instant = task.release(k)
            at = count_instant(instant, hz)
            assert 0 <= instant - Fraction(at, hz) < Fraction(1, hz)
    for one in made.releasers:
        assert one.cell_period is None or one.cell_period >= system.board.cell(one.cell).min_counts
        if one.mode is Mode.PERIODIC:
            due = set(release_instants(streams(system, one.tasks), hz, 0, hz // 10))
            assert due <= set(one.between(0, hz // 10))


def test_equal_plans_take_the_finest(tmp_path: Path) -> None:
    """Where nothing is priced, interrupts decide: behind 1 a period of 80,000 counts takes two."""
    system = system_of(tmp_path, "10 ms")
    runner = replace(system.board.runner, ns_per_instruction=None)
    system = replace(system, board=replace(system.board, runner=runner))
    moved, planned = plan_moving(system)
    assert moved.board.clock.prescaler == 8
    reasons = {one.prescaler: one.reason for one in planned.prescalers}
    assert reasons[1] == "100.0 more interrupts of cells/s"
    assert reasons[64] == "as good, with coarser counts"


def test_a_plan_whose_deadlines_hold_goes_before_a_cheaper_one(tmp_path: Path) -> None:
    system = system_of(tmp_path, "10 ms", "7 ms", "500 ms")
    moved, planned = plan_moving(system, holds=lambda one, _: one.board.clock.prescaler == 8)
    assert moved.board.clock.prescaler == 8
    reasons = {one.prescaler: one.reason for one in planned.prescalers}
    assert reasons[64] == "a deadline does not hold"
    assert plan_for(system)[0].board.clock.prescaler == 64


def test_a_coarse_clock_is_no_reason_where_it_cannot_be(tmp_path: Path) -> None:
    """30 us are too short behind 256: the error stands in its row."""
    system = system_of(tmp_path, "60 us", "30 ms")
    _, planned = plan_moving(system)
    rows = {one.prescaler: one for one in planned.prescalers}
    assert rows[1].plan is not None
    low = replace(system, tasks=tuple(replace(one, period=one.period / 2) for one in system.tasks))
    with pytest.raises(HorologError, match="no mechanism can serve it"):
        plan_moving(low)  # 30 us, below the 50 us of 400 counts at 8 MHz


def test_a_clock_below_a_kilohertz_is_not_taken(tmp_path: Path) -> None:
    write_prescaled(tmp_path, "", ("8_000_000", "131_072"), ("400", "4"), period="100 ms")
    _, planned = plan_moving(read_system(tmp_path / "system.toml"))
    reasons = {one.prescaler: one.reason for one in planned.prescalers}
    assert reasons[256] == "512 Hz is below 1,000 Hz"


def test_time_is_shared(tmp_path: Path) -> None:
    system = system_of(tmp_path, "10 ms", "7 ms")
    _, planned = plan_moving(system, limit=Limit(Fraction(30)))
    assert sum(one.plan is not None for one in planned.prescalers) == 4


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"counters": (object(),)}, "schedule tables are in counts of the clock"),
        ({"tables": (object(),)}, "dispatcher tables were read in counts of the clock"),
        ({"budget_cells": object()}, "budgets were read in counts of the clock"),
    ],
)
def test_what_was_read_in_counts_keeps_its_prescaler(
    tmp_path: Path, changes: dict[str, Any], why: str
) -> None:
    system = system_of(tmp_path, "10 ms")
    planned = plan(system)
    seen: list[int] = []

    def plan_one(one: System, limit: Limit | None) -> tuple[System, Planned]:
        seen.append(one.board.clock.prescaler)
        return one, planned

    bound = replace(system, **changes)
    moved, found = by_prescaler(bound, plan_one, lambda *_: (0, 0, 0), None)
    assert seen == [64]
    assert moved.board.clock.prescaler == 64
    assert f"{why}, so the clock's prescaler is 64; [prescalers] fixes another" in found.notes
    reasons = {one.prescaler: one.reason for one in found.prescalers}
    assert reasons[1] == f"not planned: {why}"
    assert reasons[64] == "chosen: there is no other"


# --- cells with a timer of their own -------------------------------------------------------------


def own(folder: Path, prescaler: int = 1) -> System:
    system = system_of(folder, "10 ms")
    return replace(system, board=system.board.with_prescaler(prescaler), cells=("own",))


@pytest.mark.parametrize(
    ("behind", "counts", "expected"),
    [
        (1, 8_000, (8_000, 1, 64)),  # 125 of its counts
        (1, 16_000, (16_000, 1, 64)),
        (1, 32_000, (16_000, 2, 64)),
        (1, 65_536, (8_192, 8, 64)),  # not 1,024: its start, 1 ms, is no whole number of that
        (64, 125, (125, 1, 64)),
        (64, 250, (250, 1, 64)),
        (64, 251, (251, 1, 64)),  # 255 are the most
        (64, 257, None),  # a prime
        (8, 1_000, (1_000, 1, 64)),
        (1, 10, None),  # too short
    ],
)
def test_the_smallest_prescaler_with_which_the_period_fits(
    tmp_path: Path, behind: int, counts: int, expected: tuple[int, int, int] | None
) -> None:
    cell = own(tmp_path, behind).board.cell("own")
    timing = periodic_timing(cell, counts, 0)
    found = None if timing is None else (timing.cell_period, timing.divider, timing.prescaler)
    assert found == expected
    if timing is not None:
        step = cell.step(timing.prescaler or 1)
        assert timing.cell_period / step <= 255
        assert (timing.cell_period / step).denominator == 1
        assert ((cell.hz // 1000 + timing.first) / step).denominator == 1


def test_no_part_of_a_count(tmp_path: Path) -> None:
    cell = own(tmp_path).board.cell("own")
    assert periodic_timing(cell, Fraction(8001, 2), 0) is None
    assert periodic_timing(cell, 8000, Fraction(1, 2)) is None


def test_the_nearest_periods_are_said(tmp_path: Path) -> None:
    system = own(tmp_path)
    cell = system.board.cell("own")
    assert nearest_periods([cell], Fraction(8_003)) == [8_000, 8_064]
    assert nearest_periods([cell], Fraction(10)) == [448]  # 7 of its counts, as 400 is too short
    odd = replace(system, tasks=(replace(system.tasks[0], period=Fraction(8_003, 8_000_000)),))
    board = replace(odd.board, clock=replace(odd.board.clock, prescalers=(1,)))
    with pytest.raises(HorologError) as caught:
        plan_moving(replace(odd, board=board))
    assert "is given by no prescaler of own" in str(caught.value)
    assert "a period of 1 ms or 1.008 ms" in str(caught.value)


def test_cells_of_one_timer_have_one_prescaler(tmp_path: Path) -> None:
    cell = own(tmp_path).board.cell("own")
    cells = [cell, replace(cell, name="other")]
    found = allot([(16_320, 0), (8_000, 0)], cells)
    assert found is not None
    assert [one.prescaler for _, one in found] == [64, 64]
    apart = [replace(one, prescalers=(8, 64), timer=None) for one in cells]
    assert allot([(2_040 * 8, 0), (504 * 8, 0)], apart) is not None
    first, second = (replace(one, prescalers=(p,)) for one, p in zip(cells, (64, 8), strict=True))
    assert allot([(8_000, 0), (8_000, 0)], [first, replace(second, timer="elsewhere")]) is None


def test_the_plan_uses_the_cell_and_the_build_is_told(tmp_path: Path) -> None:
    system = system_of(tmp_path, "1 ms", "2 ms")
    moved, planned = plan_moving(replace(system, cells=("own",)))
    (releaser,) = planned.choice.releasers
    assert releaser.cell == "own"
    assert releaser.prescaler == 64
    text = generate(moved, planned.choice)["system.cmake"]
    clock = moved.board.clock.prescaler
    assert f"set(HRL_CLOCK_HZ {8_000_000 // clock})" in text
    assert (
        f"set(HRL_PRESCALERS HRL_BOARD_CLOCK_PRESCALER={clock} "
        "HRL_BOARD_CMSDK_TIMER_2_PRESCALER=64)" in text
    )
    data = to_data(moved, planned)
    assert data["clock"] == {"hz": 8_000_000 // clock, "prescaler": clock, "input_hz": 8_000_000}
    assert [one["prescaler"] for one in data["prescalers"]] == [1, 8, 64, 256, 1024]
    assert data["prescalers"][-1]["mechanism"] is None
    assert data["choice"]["releasers"][0]["prescaler"] == 64


def test_boards_without_prescalers_say_nothing_of_them(workshop: Workshop) -> None:
    system = workshop.read()
    moved, planned = plan_moving(system)
    assert moved is system
    assert planned.prescalers == ()
    assert "prescaler" not in str(to_data(system, planned)).lower()
    assert "PRESCALER" not in generate(system, planned.choice)["system.cmake"]


# --- commands ------------------------------------------------------------------------------------


def test_explain(tmp_path: Path, workshop: Workshop) -> None:
    path = write_prescaled(tmp_path, tasks_text("7 ms"), more='cells = ["t1a", "t1b"]')
    said = workshop.run("plan", str(path), "--explain").out
    assert "prescaler  64 of 8 MHz: a count is 8 us, and the counter wraps after 524.288 ms" in said
    assert re.search(r"\n +64 +8 us +524.288 ms +[\d.]+ +[\d,]+ +[\d.]+ % +one-shot", said)
    assert re.search(r"\n +1,024 +128 us +8.39 s +impossible", said)
    assert re.search(r"\n64 +chosen: the best plan\n", said)
    assert "3 interrupts of its own" not in said
    assert "beside     wraps of the clock, after 65,536 counts each: 1 interrupt of its own" in said


def test_a_curve_over_cells_counts_as_the_plan_does(tmp_path: Path, workshop: Workshop) -> None:
    path = write_prescaled(tmp_path, tasks_text("7 ms"), more='cells = ["t1a", "t1b"]')
    data = workshop.run("plan", str(path), "--curve", "--json").object
    assert data["clock"]["prescaler"] == 64
    at_two = data["curve"][1]["mechanisms"]["chronos"]["kernel_per_second"]
    chronos = next(one for one in data["alternatives"] if one["mechanism"] == "chronos")
    assert at_two == chronos["plan"]["prediction"]["kernel_per_second"]


def test_boards_shows_prescalers(tmp_path: Path, workshop: Workshop) -> None:
    path = write_prescaled(tmp_path, "", WITH_OWN).parent / "board.toml"
    said = workshop.run("boards", str(path))
    assert "clock of 8 MHz by 1, 8, 64, 256, 1,024 (here by 64: 125 kHz)" in said.out
    board = workshop.run("boards", str(path), "--json").object["boards"][0]
    assert board["clock"]["prescalers"] == [1, 8, 64, 256, 1024]
    assert [one.get("prescalers") for one in board["cells"]] == [*[None] * 4, [8, 64, 1024]]
    host = workshop.run("boards", "host", "--json").object["boards"][0]
    assert "prescalers" not in host["clock"]
