# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import time
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

import horolog.plan
from horolog.analyse import HOP_COUNTS, streams
from horolog.model import (
    MECHANISMS,
    Cell,
    Exit,
    HorologError,
    Mode,
    Plan,
    Planned,
    PriorityRule,
    System,
)
from horolog.plan import (
    FREE,
    NOTHING,
    Costs,
    Groups,
    Outcome,
    Prices,
    Problem,
    greedy,
    merge_cheapest,
    plan,
    read_prices,
)
from horolog.plan.mapping.cell_timing import allot, periodic_timing
from horolog.plan.mapping.grouping import frame

WHOLE = [make_cell(f"cell{n}", min_counts=250, whole_counts=True) for n in range(4)]
COSTS = Costs(
    interrupt_periodic=Fraction(45),
    interrupt_one_shot=Fraction(60),
    divider_skip=Fraction(12),
    release=Fraction(25),
    wait=Fraction(60),
    walk=Fraction(6),
    rearm=Fraction(30),
    switch=Fraction(60),
)


def reasons(planned: Planned) -> dict[str, str]:
    return {a.mechanism: a.reason for a in planned.alternatives}


def able(planned: Planned) -> list[str]:
    """The mechanisms that can serve, the best first; behind them come all others."""
    can = [a.mechanism for a in planned.alternatives if a.plan is not None]
    assert [a.mechanism for a in planned.alternatives][: len(can)] == can
    assert {a.mechanism for a in planned.alternatives} == {*MECHANISMS}
    return can


def test_the_module_promises_what_exists() -> None:
    assert all(hasattr(horolog.plan, name) for name in horolog.plan.__all__)


def test_alternatives_come_in_order_of_cost_and_the_first_is_chosen() -> None:
    planned = plan(make_system([ms(p) for p in (3, 5, 7, 11)] * 25), prices=Prices(COSTS))
    assert able(planned) == ["chronos", "one-shot", "tick", "gcd"]
    assert planned.choice is planned.alternatives[0].plan
    assert not planned.forced
    assert reasons(planned)["chronos"] == (
        "chosen: lowest predicted overhead; "
        "57.6 % less kernel time, saves 233 interrupts/s over tick"
    )
    assert reasons(planned)["one-shot"] == (
        "72.6 % more kernel time, saves 183 interrupts/s over chronos"
    )
    assert reasons(planned)["tick"].endswith("233 more interrupts/s than chronos")


def test_equal_plans_go_to_the_plainest_mechanism() -> None:
    planned = plan(make_system([ms(1), ms(2), ms(10)]), prices=Prices(COSTS))
    assert able(planned) == ["tick", "gcd", "chronos", "one-shot"]
    assert reasons(planned)["gcd"] == "interrupts and costs the same as tick"
    assert reasons(planned)["tick"].endswith(" than one-shot")


def test_equal_interrupts_go_to_fewer_cells() -> None:
    # 2 ms at two phases: two cells interrupt as often as one at their gcd
    system = make_system([ms(4), ms(4)], offsets=[ms(0), ms(2)])
    planned = plan(system, prices=NOTHING, grouping=greedy)
    chronos = next(a.plan for a in planned.alternatives if a.mechanism == "chronos")
    assert chronos is not None
    assert len(chronos.releasers) == 2
    assert planned.choice.mechanism == "gcd"
    assert reasons(planned)["chronos"] == (
        "interrupts and costs the same as gcd, and needs more cells"
    )


def test_without_costs_interrupts_decide_and_it_says_so() -> None:
    system = make_system([ms(3), ms(5)], board=make_board(ns_per_instruction=None))
    planned = plan(system)
    assert planned.choice.mechanism == "one-shot"
    assert reasons(planned)["one-shot"] == (
        "chosen: fewest interrupts; no instructions are counted on this board; "
        "saves 533 interrupts/s over tick"
    )
    assert planned.choice.prediction.kernel_instructions == 0
    assert planned.choice.prediction.overhead_percent == 0


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.integers(2, 40), min_size=1, max_size=6), st.integers(1, 5000), st.integers(1, 5000)
)
def test_the_length_of_the_window_plays_no_part(periods: list[int], one: int, two: int) -> None:
    systems = [make_system([ms(p) for p in periods], duration=ms(d)) for d in (one, two)]
    first, second = (plan(system, prices=Prices(COSTS)) for system in systems)
    assert reasons(first) == reasons(second)
    assert first.choice.releasers == second.choice.releasers


def test_a_mechanism_alone_is_planned_as_among_others() -> None:
    system = make_system([ms(3), ms(5)])
    among = plan(system, mechanism="chronos", prices=Prices(COSTS))
    alone = plan(system, mechanism="chronos", prices=Prices(COSTS), alone=True)
    assert alone.choice == among.choice
    assert [one.mechanism for one in alone.alternatives] == ["chronos"]
    assert len(among.alternatives) > 1


def test_a_named_mechanism_is_taken() -> None:
    planned = plan(make_system([ms(3), ms(5)]), mechanism="tick", prices=Prices(COSTS))
    assert planned.forced
    assert planned.choice.mechanism == "tick"
    assert planned.alternatives[0].mechanism == "chronos"
    assert reasons(planned)["tick"] == "chosen: named by the user; chronos is predicted cheaper"


@pytest.mark.parametrize(
    ("system", "mechanism", "reason"),
    [
        (make_system([ms(3), ms("2.5")]), "tick", "task t1: period 2.5 ms is no multiple of 1 ms"),
        (
            make_system([ms(3)], offsets=[ms("0.5")]),
            "tick",
            "task t0: offset 500 us is no multiple of 1 ms",
        ),
        (
            make_system([ms("1/3")], board=make_board(WHOLE)),
            "gcd",
            "the common divisor 1000/3 us is no whole number of counts at 25,000,000 Hz",
        ),
        (
            make_system([ms(3), ms("3.001")]),
            "gcd",
            "the common divisor 1 us is too short for every cell in use (at least 10 us)",
        ),
        (
            make_system([ms(3), ms("1/3")], board=make_board(WHOLE)),
            "chronos",
            "task t1: period 1000/3 us is no whole number of counts at 25,000,000 Hz",
        ),
        (
            make_system([ms(3), ms("3.001")], cells=["cell1"]),
            "chronos",
            "1 cell is too few: tasks that would have to share one have a common divisor "
            "that no cell can time",
        ),
        (
            make_system([ms("0.002"), ms(3)]),
            "one-shot",
            "task t0: period 2 us is too short for every cell in use (at least 10 us)",
        ),
        (
            make_system([ms(3)], offsets=[Fraction(80)]),
            "one-shot",
            "task t0: offset 80 s is not below",
        ),
        (
            make_system(
                [ms(3)], board=make_board([make_cell("cell0", modes=frozenset({Mode.PERIODIC}))])
            ),
            "one-shot",
            "no cell in use can be armed for one instant",
        ),
        (
            make_system(
                [ms(3)], board=make_board([make_cell("cell0", modes=frozenset({Mode.ONE_SHOT}))])
            ),
            "chronos",
            "no cell in use can interrupt periodically",
        ),
    ],
)
def test_why_a_mechanism_cannot_serve(system: System, mechanism: str, reason: str) -> None:
    with pytest.raises(HorologError) as caught:
        plan(system, mechanism=mechanism, prices=Prices(COSTS))
    assert caught.value.exit is Exit.BAD_INPUT
    assert f"mechanism {mechanism} cannot serve it: {reason}" in str(caught.value)
    if reason.startswith("task t1"):
        assert str(caught.value).startswith("system.toml:2: ")
    if mechanism != "one-shot":
        planned = plan(system, prices=Prices(COSTS))
        assert reasons(planned)[mechanism].startswith(reason)
        assert planned.alternatives[-1].plan is None


def test_no_mechanism_may_be_able_to() -> None:
    with pytest.raises(HorologError) as caught:
        plan(make_system([ms(3), ms("0.002")]), prices=Prices(COSTS))
    assert str(caught.value) == (
        "system.toml:2: system made: no mechanism can serve it: "
        "task t1: period 2 us is too short for every cell in use (at least 10 us)"
    )


def test_impossible_mechanisms_come_last() -> None:
    planned = plan(make_system([ms("1/3"), ms(1)], board=make_board(WHOLE)), prices=Prices(COSTS))
    assert able(planned) == ["one-shot"]
    assert reasons(planned)["one-shot"] == "chosen: no other mechanism can serve this system"


def test_periods_that_are_no_whole_counts_suit_periodic_cells() -> None:
    system = make_system([ms("1/3"), ms("2/3"), ms("1.1")], offsets=[ms("1/7"), ms("1/7"), ms(0)])
    chosen = plan(system, mechanism="chronos", prices=Prices(COSTS)).choice
    made = [(r.tasks, r.cell_period, r.part, r.first, r.first_part) for r in chosen.releasers]
    third, seventh = Fraction(25_000, 3), Fraction(25_000, 7)
    assert made == [
        ((2,), 27_500, Fraction(0), 0, Fraction(0)),
        ((0, 1), 8333, third - 8333, 3571, seventh - 3571),
    ]
    assert chosen.releasers[1].between(8_000, 30_000) == [11_904, 20_238, 28_571]
    assert [chosen.releasers[1].interrupts_at(at) for at in (3570, 3571, 11_904, 11_905)] == [
        False,
        True,
        True,
        False,
    ]


def test_a_stepped_cell_costs_more() -> None:
    system = make_system([ms("1/3")], duration=Fraction(1))
    one = plan(system, mechanism="gcd", prices=Prices(COSTS)).choice
    dear = plan(system, mechanism="gcd", prices=Prices(replace(COSTS, step=Fraction(7)))).choice
    more = dear.prediction.kernel_instructions - one.prediction.kernel_instructions
    assert (one.prediction.interrupts, int(more)) == (3000, 21_000)


def test_a_fraction_that_is_too_fine_for_the_kernel_takes_another_mechanism() -> None:
    system = make_system([Fraction(1, 2**31 + 11) + ms(1)])
    assert reasons(plan(system, prices=Prices(COSTS)))["gcd"].startswith("the cells in use cannot")


def test_fractional_offsets_suit_several_periodic_cells() -> None:
    system = make_system([ms(1), ms(1)], offsets=[ms(0), ms("1/3")])
    chosen = plan(system, mechanism="gcd", prices=Prices(COSTS)).choice
    assert [r.period for r in chosen.releasers] == [ms("1/3")]
    whole = make_system([ms(1), ms(1)], offsets=[ms(0), ms("1/3")], board=make_board(WHOLE))
    chosen = plan(whole, mechanism="chronos", prices=Prices(COSTS)).choice
    assert [r.first for r in chosen.releasers] == [0, 8333]
    with pytest.raises(HorologError, match="no whole number of counts"):
        plan(whole, mechanism="gcd", prices=Prices(COSTS))


def test_an_unknown_mechanism_and_an_empty_system_are_refused() -> None:
    with pytest.raises(HorologError, match="unknown mechanism"):
        plan(make_system([ms(1)]), mechanism="sundial", prices=Prices(COSTS))
    with pytest.raises(HorologError, match="has no task"):
        plan(make_system(), prices=Prices(COSTS))


def test_explicit_priorities_make_no_difference_to_the_releasers() -> None:
    tasks = [make_task("a", ms(3), priority=1), make_task("b", ms(5), priority=2)]
    system = make_system(tasks=tasks, priorities=PriorityRule.EXPLICIT)
    assert (
        plan(system, prices=Prices(COSTS)).choice
        == plan(make_system([ms(3), ms(5)]), prices=Prices(COSTS)).choice
    )


def test_another_grouping_can_be_put_in() -> None:
    def everything_apart(problem: Problem) -> Outcome:
        return Outcome(problem.joined, problem.rate_of(problem.joined), Fraction(0), "by hand")

    system = make_system([ms(2), ms(3), ms(5)])
    apart = plan(system, mechanism="chronos", prices=Prices(COSTS), grouping=everything_apart)
    # 1/2 + 1/3 + 1/5 > 1: one releaser at the gcd interrupts less
    assert len(apart.choice.releasers) == 1


# grouping


def solved(periods: list[int], offsets: list[int], most: int) -> tuple[Problem, Groups | None]:
    system = make_system([ms(p) for p in periods], offsets=[ms(o) for o in offsets])
    problem = frame(streams(system), 25_000_000, most, 250)
    return problem, merge_cheapest(problem)


def test_multiples_share_a_group_and_merging_stops_at_the_cells() -> None:
    problem, groups = solved([3, 5, 7, 11, 6, 55], [0] * 6, 4)
    assert groups is not None
    assert len(groups) == 4
    assert problem.rate_of(groups) == Fraction(1, 3) + Fraction(1, 5) + Fraction(1, 7) + Fraction(
        1, 11
    )
    _, fewer = solved([3, 5, 7, 11], [0] * 4, 3)
    assert fewer is not None
    assert len(fewer) == 1  # any merger comes to 1 ms, which takes in all the others


def test_congruent_offsets_share_a_group_and_others_do_not() -> None:
    _, groups = solved([4, 4, 4], [1, 5, 2], 2)
    assert groups == ((0, 2), (1,))  # streams are in order of period, then offset: 1, 2, 5


def test_there_may_be_no_grouping() -> None:
    assert solved([3, 5], [0, 0], 0)[1] is None
    system = make_system([ms("3.001"), ms("3.002")])
    assert merge_cheapest(frame(streams(system), 25_000_000, 1, 250)) is None


@given(
    st.lists(st.tuples(st.integers(1, 60), st.integers(0, 59)), min_size=1, max_size=9),
    st.integers(1, 5),
)
def test_groups_are_a_partition_no_worse_than_one_for_all(
    tasks: list[tuple[int, int]], most: int
) -> None:
    problem, groups = solved([p for p, _ in tasks], [o for _, o in tasks], most)
    assert groups is not None
    assert len(groups) <= most
    positions = range(len(problem.periods))
    assert sorted(at for group in groups for at in group) == [*positions]
    assert problem.rate_of(groups) <= problem.rate_of((tuple(positions),))


def test_hundreds_of_different_periods_are_grouped_in_seconds() -> None:
    system = make_system([ms(20_000 + n) / 20 for n in range(600)])
    began = time.process_time()
    planned = plan(system, prices=Prices(COSTS))
    assert time.process_time() - began < 5
    assert planned.jobs > 0


# cells


def test_the_longest_period_chooses_first_and_avoids_a_divider() -> None:
    cells = [make_cell("narrow", hz=1000, width=8), make_cell("wide", hz=1000, width=16)]
    found = allot([(100, 0), (1000, 5)], cells)
    assert found is not None
    assert [(cell.name, timing.divider) for cell, timing in found] == [("narrow", 1), ("wide", 1)]


def test_cells_are_taken_in_the_users_order() -> None:
    system = make_system([ms(3), ms(5)], cells=["cell3", "cell1", "cell0"])
    chosen = plan(system, mechanism="chronos", prices=Prices(COSTS)).choice
    assert [(r.cell, r.cell_period) for r in chosen.releasers] == [
        ("cell3", 125_000),
        ("cell1", 75_000),
    ]
    assert plan(system, mechanism="tick", prices=Prices(COSTS)).choice.releasers[0].cell == "cell3"
    assert (
        plan(system, mechanism="one-shot", prices=Prices(COSTS)).choice.releasers[0].cell == "cell3"
    )


def test_a_one_shot_takes_the_cell_with_the_fewest_hops() -> None:
    system = make_system([Fraction(1)], cells=["cell3", "cell1", "cell0"])
    assert (
        plan(system, mechanism="one-shot", prices=Prices(COSTS)).choice.releasers[0].cell == "cell1"
    )


def test_a_releaser_that_can_use_one_cell_only_gets_it() -> None:
    cells = [make_cell("coarse", min_counts=50), make_cell("fine", min_counts=1)]
    found = allot([(1000, 0), (10, 0)], cells[::-1])
    assert found is not None
    assert [cell.name for cell, _ in found] == ["coarse", "fine"]
    assert allot([(10, 0), (20, 0)], cells) is None


@pytest.mark.parametrize(
    ("cell", "period", "divider"),
    [
        (make_cell("c", hz=1000, width=8), 255, 1),
        (make_cell("c", hz=1000, width=8), 256, 2),
        (make_cell("c", hz=1000, width=8), 3 * 251, 3),
        (make_cell("c", hz=1000, width=8), 257, 257),  # a prime: counted one by one
        (make_cell("c", hz=1000, width=8, min_counts=2, whole_counts=True), 257, None),
        (make_cell("c", hz=1000, width=8, min_counts=2), 257, 2),  # 128 and 129 in turn
        (make_cell("c", hz=1000, width=8, min_counts=10), 9, None),
    ],
)
def test_dividers_are_the_smallest_that_divide(
    cell: Cell, period: int, divider: int | None
) -> None:
    timing = periodic_timing(cell, period, 0)
    assert (timing and timing.divider) == divider
    if timing is not None:
        assert (timing.cell_period + timing.part) * timing.divider == period


def test_a_period_beyond_what_stamps_can_order_has_instants_in_between() -> None:
    year = 25_000_000 * 86_400 * 365
    for width in (24, 32):
        timing = periodic_timing(make_cell("c", width=width), year, 0)
        assert timing is not None
        assert timing.divider == 1
        assert timing.cell_period <= HOP_COUNTS
        assert year % timing.cell_period == 0


def test_a_distant_first_instant_is_brought_forward_by_whole_periods() -> None:
    timing = periodic_timing(make_cell("c", hz=1000, width=8), 100, 1030)
    assert timing is not None
    assert timing.first == 30
    assert periodic_timing(make_cell("c", hz=1000, width=8), 1000, 1930) is None


# costs


def write_costs(directory: Path, text: str) -> None:
    (directory / "costs.toml").write_text(text, encoding="utf-8")


def costs_text(**values: str) -> str:
    given = {field.name: "1" for field in fields(Costs)} | values
    return "[costs]\n" + "".join(f"{key} = {value}\n" for key, value in given.items())


def test_costs_are_read_exactly(tmp_path: Path) -> None:
    write_costs(tmp_path, costs_text(walk="5.1", wait='"181/3"', switch="47"))
    found = read_prices(make_board(directory=tmp_path)).costs
    assert [found.walk, found.wait, found.switch] == [Fraction(51, 10), Fraction(181, 3), 47]


def test_no_instructions_no_costs(tmp_path: Path) -> None:
    assert read_prices(make_board(directory=tmp_path, ns_per_instruction=None)) == NOTHING


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "board fake has no costs.toml"),
        ("[costs", r"costs.toml:1:7: TOML syntax"),
        ("[meta]\n", r"no \[costs\] table"),
        ("costs = 3\n", r"costs.toml:1:9: costs: no \[costs\] table"),
        (costs_text(walk="nan"), r"costs.toml:7:8: costs.walk: a value cannot be used"),
        (costs_text(walk="-1"), r"costs.toml:7:8: costs.walk: a value cannot be used"),
        (costs_text(walk="true"), "costs.walk: a value cannot be used"),
        (costs_text(walk='"six"'), "costs.walk: a value cannot be used"),
        (costs_text() + "[meta]\nflags = 2\n", "meta.flags: a value cannot be used"),
        (costs_text().replace("walk", "wander"), "costs.walk: a value is missing"),
    ],
)
def test_costs_that_cannot_be_used(tmp_path: Path, text: str | None, message: str) -> None:
    if text is not None:
        write_costs(tmp_path, text)
    with pytest.raises(HorologError, match=message) as caught:
        plan(make_system([ms(1)], board=make_board(directory=tmp_path)))
    if text is None:
        assert "horolog calibrate fake" in str(caught.value)


def test_costs_decide() -> None:
    system = make_system([ms(3), ms(5)])

    def chosen(**costs: int) -> Plan:
        given = {name: Fraction(value) for name, value in costs.items()}
        return plan(system, prices=Prices(replace(FREE, **given))).choice

    assert chosen(interrupt_periodic=1, interrupt_one_shot=100).mechanism == "chronos"
    assert chosen(interrupt_periodic=100, interrupt_one_shot=1).mechanism == "one-shot"
    assert chosen(walk=1, interrupt_one_shot=1).mechanism == "chronos"
