# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans with offsets and periods moved: no further than allowed, where it pays, and what it saves."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.analyse import distinct_instants, release_instants, streams
from horolog.model import HorologError, Mode, System, Task
from horolog.plan import NOTHING, Limit, moved_as, plan, plan_moving
from horolog.read import read_board

if TYPE_CHECKING:
    from tests.tool.conftest import Workshop

US = Fraction(1, 10**6)
BOARD = read_board("mps2-an385")


def task(name: str, period: Fraction | int, offset_us: int = 0, jitter_us: int = 0) -> Task:
    made = make_task(name, ms(1) * period, offset=offset_us * US, wcet=20 * US)
    return replace(made, jitter=jitter_us * US)


def system_of(*tasks: Task, board: bool = True, cells: int = 4) -> System:
    made = make_system(tasks=tasks, board=BOARD if board else None, duration=Fraction(1))
    return replace(made, cells=made.cells[:cells])


def test_near_instants_are_served_by_one_interrupt() -> None:
    system = system_of(task("a", 10, 0, 20), task("b", 10, 13), task("c", 20, 8, 20))
    moved, planned = plan_moving(system)
    assert [one.delay for one in moved.tasks] == [13 * US, 0, 5 * US]
    assert planned.choice.prediction.interrupts == 100
    assert planned.moves is not None
    assert [(one.task, one.delay) for one in planned.moves.moves] == [(0, 13 * US), (2, 5 * US)]
    assert planned.moves.interrupts == 150
    assert planned.moves.interrupts_per_second == 150
    assert "2 tasks are released up to 13 us later than nominal: saves 150" in planned.notes[-1]


def test_a_system_that_allows_nothing_is_planned_as_it_is() -> None:
    system = system_of(task("a", 10), task("b", 10, 13))
    moved, planned = plan_moving(system)
    assert moved is system
    assert planned == plan(system)
    assert planned.moves is None


def test_what_does_not_pay_stays() -> None:
    """There is one interrupt for both already."""
    system = system_of(task("a", 10, 0, 20), task("b", 20, 0, 20))
    moved, planned = plan_moving(system)
    assert moved is system
    assert planned.moves is not None
    assert planned.moves.moves == ()


def test_a_shorter_period_saves_a_cell() -> None:
    odd = replace(task("b", 61), least_period=ms(50))
    moved, planned = plan_moving(system_of(task("a", 10), odd))
    assert [one.period for one in moved.tasks] == [ms(10), ms(60)]
    assert len(planned.choice.releasers) == 1
    assert planned.moves is not None
    assert planned.moves.busy == 20 * US / ms(61) - 20 * US / ms(60)
    assert "additional jobs take" in planned.notes[-1]


def test_a_shorter_period_that_costs_more_than_it_saves_is_not_taken() -> None:
    """A sixth more jobs of 20 ms each."""
    odd = replace(task("b", 59), least_period=ms(50), wcet=ms(20))
    moved, _ = plan_moving(system_of(task("a", 10), odd))
    assert moved.tasks[1].period == ms(59)


def test_of_two_periods_only_the_one_that_pays_is_shortened() -> None:
    light = replace(task("b", 61), least_period=ms(50))
    heavy = replace(task("c", 59), least_period=ms(50), wcet=ms(20))
    moved, _ = plan_moving(system_of(task("a", 10), light, heavy))
    assert [one.period for one in moved.tasks] == [ms(10), ms(60), ms(59)]


def test_where_no_instructions_are_counted_jobs_decide_between_equals() -> None:
    """The cell has 5 ms with c at 30 ms, too."""
    tasks = (
        task("a", 10),
        task("b", 15),
        replace(task("c", 35), least_period=ms(30)),
        replace(task("d", 61), least_period=ms(60)),
    )
    system = make_system(tasks=tasks, board=read_board("host"), duration=Fraction(1))
    moved, planned = plan_moving(system, mechanism="gcd")
    assert planned.choice.prediction.interrupts_per_second == 200
    assert [one.period for one in moved.tasks] == [ms(10), ms(15), ms(35), ms(60)]


def test_one_interrupt_that_is_saved_is_one() -> None:
    near = (task("a", 900, 0, 20), task("b", 900, 13))
    system = replace(system_of(*near), duration=ms(500))
    assert "(1 interrupt saved in 500 ms)" in plan_moving(system)[1].notes[-1]


def test_moves_may_make_a_plan_possible() -> None:
    """Without them two cells would be needed, as 1 us between two instants is nothing that one can time."""
    cell = make_cell("cell0", modes=frozenset({Mode.PERIODIC}), min_counts=250)
    system = make_system(tasks=[task("a", 10, 0, 20), task("b", 10, 1)], board=make_board([cell]))
    with pytest.raises(HorologError):
        plan(system, prices=NOTHING)
    moved, planned = plan_moving(system, prices=NOTHING)
    assert moved.tasks[0].delay == US
    assert planned.moves is not None
    assert planned.moves.interrupts is None
    assert "without that there is no plan" in planned.notes[-1]


def test_where_nothing_can_be_planned_the_first_error_is_told() -> None:
    system = system_of(task("a", Fraction(5, 2), 0, 1), task("b", 10, 1))
    with pytest.raises(HorologError) as of_plan:
        plan(system, mechanism="tick")
    with pytest.raises(HorologError) as caught:
        plan_moving(system, mechanism="tick")
    assert str(caught.value) == str(of_plan.value)


@pytest.mark.parametrize(
    ("objective", "delay"), [("overhead", 13), ("interrupts", 13), ("jitter", 0)]
)
def test_the_objective_decides(objective: str, delay: int) -> None:
    """A handler that releases both tasks is longer than two that release one each."""
    system = system_of(task("a", 10, 0, 20), task("b", 10, 13))
    moved, planned = plan_moving(system, objective=objective)
    assert planned.objective == objective
    assert moved.tasks[0].delay == delay * US


def test_no_time_left_compares_fewer_ways() -> None:
    system = system_of(task("a", 10, 0, 20), task("b", 10, 13))
    moved, planned = plan_moving(system, limit=Limit(Fraction(0)))
    assert moved is system
    assert planned.moves is not None
    assert planned.moves.compared == 1 < planned.moves.ways
    assert "1 of 2 ways were compared" in planned.notes[-1]


def test_a_system_moved_as_another_is_not_moved_further() -> None:
    system = system_of(task("a", 10, 0, 20), task("b", 10, 13))
    moved, _ = plan_moving(system)
    again = moved_as(system, moved)
    assert streams(again) == streams(moved)
    assert plan_moving(again)[1].moves is None


@st.composite
def systems(draw: st.DrawFn) -> System:
    tasks = []
    for index in range(draw(st.integers(1, 6))):
        period = draw(st.sampled_from([Fraction(one) for one in (2, 5, 10, 20, 59, 61, "10/3")]))
        offset, jitter = draw(st.integers(0, 60)), draw(st.integers(0, 30))
        one = task(f"t{index}", period, offset, jitter)
        if draw(st.booleans()):
            one = replace(one, least_period=one.period * draw(st.integers(60, 100)) / 100)
        tasks.append(one)
    return system_of(*tasks, cells=draw(st.integers(1, 4)))


@settings(max_examples=15)
@given(systems())
def test_nothing_moves_further_than_allowed_nor_drifts_nor_costs_more(system: System) -> None:
    moved, planned = plan_moving(system)
    nominal, hz = plan(system), system.board.clock.hz
    for before, after in zip(system.tasks, moved.tasks, strict=True):
        assert 0 <= after.delay <= before.jitter
        least = before.period if before.least_period is None else before.least_period
        assert least <= after.period <= before.period
        assert after.nominal_offset == before.offset
    for one in streams(moved):  # release k is due at floor((offset + k period) hz), without drift
        for number, at in zip(range(50), release_instants([one], hz, 0, hz), strict=False):
            member = moved.tasks[one.tasks[0]]
            due = (member.nominal_offset + number * member.period) * hz
            assert 0 <= at - int(due) <= member.delay * hz + 1
    assert moved.utilisation <= max(system.utilisation, Fraction(1))
    step_ns = system.board.runner.ns_per_step
    assert step_ns is not None

    def cost(of: System, kernel: Fraction) -> Fraction:
        return kernel * step_ns / 10**9 + of.utilisation

    best = cost(moved, planned.choice.prediction.kernel_per_second)
    assert best <= cost(system, nominal.choice.prediction.kernel_per_second)
    if planned.moves is not None:
        saved = nominal.choice.prediction.interrupts - planned.choice.prediction.interrupts
        assert planned.moves.interrupts == saved
        assert planned.distinct_instants == distinct_instants(moved)


NEAR = """
[system]
name = "near"
board = "mps2-an385"
cells = ["timer0"]
duration = "1 s"

[[task]]
name = "a"
period = "10 ms"
jitter = "20 us"
work = 100

[[task_group]]
name = "b"
tasks = 2
period = { at_most = "61 ms", at_least = "60 ms" }
offset = "15 us"
work = 100
"""


def test_the_command_shows_what_is_moved(workshop: Workshop) -> None:
    path = workshop.write(NEAR)
    said = workshop.run("plan", str(path))
    assert said.code == 0, said.err
    rows = [" ".join(line.split()) for line in said.out.splitlines()]
    assert "moved period planned later by" in rows
    assert "a 10 ms 15 us" in rows
    assert "b.0, b.1 61 ms 60 ms" in rows
    assert "saves " in said.out


def test_json_has_what_is_moved_and_saved(workshop: Workshop) -> None:
    said = workshop.run("plan", str(workshop.write(NEAR)), "--json")
    found = json.loads(said.out)["moves"]
    assert [one["task"] for one in found["tasks"]] == ["a", "b.0", "b.1"]
    assert found["tasks"][0]["delay_s"] == 15e-6
    assert found["tasks"][1]["period_s"] == 0.06
    assert found["saved"]["interrupts"] > 0


def test_the_curve_is_of_what_is_moved(workshop: Workshop) -> None:
    said = workshop.run("plan", str(workshop.write(NEAR)), "--curve", "--json")
    curve = json.loads(said.out)["curve"]
    assert {row["interrupts_per_second"] for row in curve} == {100}
