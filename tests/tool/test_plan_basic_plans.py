# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans of basic tasks: release methods, their costs, lines, disturbances; and what does not fit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.analyse import group_walks, jobs_in, levels, numbered
from horolog.model import (
    BASIC_MECHANISMS,
    Board,
    HorologError,
    Kind,
    Mode,
    Plan,
    Planned,
    Releaser,
    System,
)
from horolog.plan import NOTHING, Costs, Prices, StepCosts, greedy, plan, to_data
from horolog.plan.prices.basic_costs import BASIC_STEPS

B, T = Kind.BASIC, Kind.THREAD
FIGURES = {
    "interrupt": 30,
    "row": 12,
    "row_alone": 14,
    "row_both": 15,
    "cycle": 0,
    "part": 20,
    "job": 10,
    "alone": 4,
    "general": 45,
    "ending": 25,
    "release": 50,
    "release_alone": 54,
    "release_both": 55,
    "fraction": 7,
    "line": 10,
    "moved": 9,
    "walk": 5,
    "head": 3,
    "group": 11,
    "chain": 20,
    "lone": -6,
    "several": 8,
    "whole": -4,
    "several_release": -2,
    "several_whole": -7,
    "rank": 2,
    "counted": 17,
    "far": 18,
}
PRICES = Prices(
    Costs(*[Fraction(10)] * 8),
    basic={
        method: StepCosts(
            {mode: {step: Fraction(FIGURES[step]) for step in steps} for mode, steps in of.items()}
        )
        for method, of in BASIC_STEPS.items()
    },
)


def board(cells: int = 4, lines: int = 29, levels: int = 8) -> Board:
    made = [make_cell(f"cell{at}", min_counts=250) for at in range(cells)]
    return make_board(made, basic_levels=levels, lines=lines)


def system(*periods: int, cells: int = 4, lines: int = 29, levels: int = 8) -> System:
    tasks = [
        make_task(f"t{at}", ms(period), kind=B, wcet=ms(period) / 40, line=at + 1)
        for at, period in enumerate(periods)
    ]
    return make_system(tasks=tasks, board=board(cells, lines, levels))


def made(of: System, **given: Any) -> Planned:
    return plan(of, prices=PRICES, **given)


def by_cell(found: Plan) -> list[tuple[int | None, bool, str, int]]:
    return [(r.level, r.direct, r.store, len(r.tasks)) for r in found.releasers]


def test_interrupts_cost_what_those_of_their_cell_do() -> None:
    more = {method: Fraction(at) for at, method in enumerate(PRICES.basic, start=1)}
    basic = {
        method: replace(costs, cells={mode: {"slow": more[method]} for mode in costs.by_mode})
        for method, costs in PRICES.basic.items()
    }
    for of, method in ((system(10), "none"), (system(10, 20, cells=1), "lines")):
        slow = replace(of.board, cells=tuple(replace(c, device="slow") for c in of.board.cells))
        usual, found = (
            plan(replace(of, board=on), mechanism="gcd", prices=replace(PRICES, basic=basic))
            for on in (of.board, slow)
        )
        beyond = found.choice.prediction.kernel_per_second
        beyond -= usual.choice.prediction.kernel_per_second
        assert beyond == 100 * more[method], method
        for choice in found.choice.queues:  # what people are told adds up, too
            best = choice.options[0]
            assert best.per_second == sum(
                step.per_second * step.instructions for step in best.steps
            )


def test_one_task_is_the_cells_own_interrupt() -> None:
    found = made(system(10)).choice
    assert by_cell(found) == [(1, True, "none", 1)]
    assert found.prediction.kernel_per_second == 100 * 10
    assert found.prediction.disturbances_per_second == 0


def test_tasks_of_one_level_need_no_line() -> None:
    of = system(10, 10, 10)
    found = made(of).choice
    assert by_cell(found) == [(1, True, "mask-table", 3)]
    assert found.prediction.kernel_per_second == 100 * (30 + 12 + 3 * 10)
    ((line, number),) = numbered(of, found)
    assert (line.cell, number) == (found.releasers[0].cell, None)


def test_several_levels_on_one_cell_are_raised() -> None:
    of = system(10, 10, 20, cells=1)
    found = made(of, mechanism="gcd").choice
    assert by_cell(found) == [(2, False, "mask-table", 3)]
    # The two of 10 ms share a line, that of 20 ms has one to itself: 100 interrupts and rows
    assert found.prediction.kernel_per_second == 100 * 45 + 100 * 20 + 200 * 10 + 50 * 4
    assert [own and own.handler for _, own in numbered(of, found)] == ["line0", "line1"]


def test_an_early_end_costs_every_job_of_its_line_and_a_limit_none() -> None:
    of = system(10, 10, 20, cells=1)
    ends = replace(of.tasks[0], terminates=True)
    found = made(replace(of, tasks=(ends, *of.tasks[1:])), mechanism="gcd").choice
    plain = made(of, mechanism="gcd").choice.prediction.kernel_per_second
    assert found.prediction.kernel_per_second == plain + 200 * 45 + 100 * 25
    late = replace(of.tasks[2], activations=2)
    found = made(replace(of, tasks=(*of.tasks[:2], late)), mechanism="gcd").choice
    # The task of 20 ms has words now, so that every line has; and is a part and a job of them.
    rows = 100 * (12 - 15)
    assert found.prediction.kernel_per_second == plain + rows + 50 * (20 + 10 - 4)


def test_with_cells_to_spare_each_task_has_its_own() -> None:
    found = made(system(5, 10, 20), mechanism="sloth").choice
    assert [one[1:3] for one in by_cell(found)] == [(True, "none")] * 3
    assert found.prediction.kernel_per_second == (200 + 100 + 50) * 10
    assert made(system(5, 10, 20)).choice.prediction.kernel_per_second == 3500


def test_too_few_cells_say_how_many_are_needed_and_what_fits() -> None:
    with pytest.raises(HorologError) as caught:
        made(system(5, 10, 20, 40, 80), mechanism="sloth")
    said = str(caught.value)
    assert "5 cells are needed, one for each level, period and offset; 4 can be had" in said
    assert "the nearest plan that fits: mixed" in said


def test_disturbances_are_those_of_tasks_above_the_released() -> None:
    of = system(4, 6, 12, cells=1)
    found = made(of, mechanism="gcd").choice
    # Every 2 ms at level 3: of six instants in 12 ms three release level 3, one level 2 alone (6, with
    # no task above but below level 3: level 2 is released itself), two no task: these find level 1 or 2.
    per_cycle = Fraction(2 * 2, 40)
    expected = per_cycle / ms(12)
    measured = found.prediction.disturbances_per_second
    assert measured is not None
    assert abs(measured - expected) < Fraction(1, 1000)


def test_a_long_hyperperiod_has_no_table() -> None:
    of = system(7, 11, 13, 17, 19, 23, 29, 31, cells=1)
    with pytest.raises(HorologError, match=r"a hyperperiod of .* needs a table of") as caught:
        made(of, queue="mask-table")
    said = str(caught.value)
    assert "table_bytes allows 131,072" in said
    assert "expected: another store, or none named" in said


def test_numbers_too_long_to_read_are_rounded() -> None:
    of = system(*(101, 103, 107, 109, 113, 127, 131, 137, 139, 149), cells=1)
    with pytest.raises(HorologError, match=r"a hyperperiod of \d\.\de\+17 s with") as caught:
        made(of, queue="mask-table")
    assert "release instants needs a table of" in str(caught.value)


def test_what_has_no_table_has_a_store_of_groups() -> None:
    """Chosen by its price; what the others would cost, and why a table cannot be had, is told, too."""
    of = system(59, 61, 67, 71, cells=1)
    found = made(of, mechanism="one-shot").choice
    assert by_cell(found) == [(4, False, "sorted-list", 4)]
    rate = sum((1 / task.period for task in of.tasks), Fraction(0))
    (told,) = found.queues
    assert {one.store for one in told.options} == {"sorted-list", "period-groups"}
    assert [one.store for one in told.misfits][:2] == ["none", "mask-table"]
    walks = group_walks(of, found.releasers[0].tasks)
    interrupts = found.prediction.interrupts_per_second
    # An interrupt each; a release each, alone on its line, with a walk; and a job.
    assert found.prediction.kernel_per_second == 30 * interrupts + rate * (
        54 + 9 * walks.moved + 5 * walks.passed + 3 * walks.by_head + 4
    )
    few = made(system(59, 61, 67, cells=1), mechanism="one-shot", queue="period-groups").choice
    assert by_cell(few) == [(3, False, "period-groups", 3)]


def test_prices_decide_between_a_table_and_a_store_of_groups() -> None:
    of = system(5, 10, 20, cells=1)
    assert [r.store for r in made(of, mechanism="gcd").choice.releasers] == ["mask-table"]
    cheaper = {step: Fraction(1) for step in BASIC_STEPS["queue"][Mode.PERIODIC]}
    queue = StepCosts({**PRICES.basic["queue"].by_mode, Mode.PERIODIC: cheaper})
    prices = replace(PRICES, basic={**PRICES.basic, "queue": queue})
    found = plan(of, prices=prices, mechanism="gcd").choice
    assert [r.store for r in found.releasers] == ["sorted-list"]
    (told,) = found.queues
    assert told.reason == "the least predicted cost"
    assert "mask-table" in {one.store for one in told.options}
    named = plan(of, prices=prices, mechanism="gcd", queue="mask-table").choice
    assert [(r.store, q.reason) for r, q in zip(named.releasers, named.queues, strict=True)] == [
        ("mask-table", "named by the user")
    ]


def test_a_store_without_a_price_is_taken_if_no_other_serves() -> None:
    of = system(59, 61, 67, 71, cells=1)
    old = {
        method: costs
        for method, costs in PRICES.basic.items()
        if method in ("lines", "direct", "none")
    }
    found = plan(of, prices=replace(PRICES, basic=old))
    assert [r.store for r in found.choice.releasers] == ["sorted-list"]
    assert found.choice.prediction.kernel_per_second > 0
    unknown = plan(of, prices=NOTHING).choice
    assert [r.store for r in unknown.releasers] == ["sorted-list"]


def test_tasks_of_groups_have_lines_of_their_own_while_there_are_some() -> None:
    of = system(*range(7, 17), cells=1, levels=2)
    alone = numbered(of, made(of, mechanism="one-shot", queue="sorted-list").choice)
    assert [len(line.tasks) for line, _ in alone] == [1] * 10
    numbers = [own.number for _, own in alone if own is not None]
    assert numbers == [
        *range(6, 10),
        *range(6),
    ]  # within a level in order, the most urgent level last
    assert [line.level for line, _ in alone] == [2] * 4 + [1] * 6
    few = system(*range(7, 17), cells=1, levels=2, lines=4)
    lines = numbered(few, made(few, mechanism="one-shot", queue="sorted-list").choice)
    assert [line.tasks for line, _ in lines] == [(0,), (1,), (2, 3), (4, 5, 6, 7, 8, 9)]


def test_too_many_lines_say_how_many_levels_fit() -> None:
    of = system(*range(1, 9), cells=1, lines=3)
    with pytest.raises(HorologError) as caught:
        made(of, mechanism="gcd")
    said = str(caught.value)
    assert '8 interrupt lines are needed for basic tasks; the board "fake" has 3 free' in said
    assert "quantised to 3 levels they fit on 3" in said
    assert "1 ms on 3; 2 ms to 3 ms on 2; 4 ms to 8 ms on 1" in said


def test_more_tasks_than_all_lines_hold() -> None:
    of = system(*[10] * 70, 20, cells=1, lines=2)
    with pytest.raises(HorologError, match="64 tasks on one level would fit, so 7 have to be thr"):
        made(of, mechanism="gcd")


def test_lines_that_threads_serve_are_counted_too() -> None:
    of = make_system([ms(10)] * (32 * 32 + 5), kind=B, board=make_board(basic_levels=8))
    with pytest.raises(HorologError) as caught:
        plan(of, prices=NOTHING)
    said = str(caught.value)
    assert "33 interrupt lines are needed for basic tasks; without a controller" in said
    assert "1,024 tasks on one level would fit, so 5 have to be threads" in said


def test_both_kinds_have_cells_of_their_own() -> None:
    tasks = [make_task("b", ms(5), kind=B), make_task("t", ms(10)), make_task("c", ms(10), kind=B)]
    of = make_system(tasks=tasks, board=board())
    found = made(of).choice
    kinds = [{tasks[index].kind for index in r.tasks} for r in found.releasers]
    assert all(len(one) == 1 for one in kinds)
    assert sorted(index for r in found.releasers for index in r.tasks) == [0, 1, 2]
    assert {r.level is None for r in found.releasers if {*r.tasks} == {1}} == {True}
    alone = make_system(tasks=tasks, board=board(1))
    with pytest.raises(
        HorologError, match="have cells of their own, so 2 are needed; 1 is in use"
    ) as caught:
        made(alone)
    assert "2 cells or more" in str(caught.value)


def test_without_a_controller_nothing_is_direct() -> None:
    of = make_system([ms(10)] * 3, kind=B, board=make_board(basic_levels=8))
    found = plan(of, prices=NOTHING).choice
    assert [(r.level, r.direct, r.store) for r in found.releasers] == [(None, False, "mask-table")]
    assert [line.by.value for line, _ in numbered(of, found)] == ["line thread"]


def test_mechanisms_and_stores_of_threads_are_refused() -> None:
    with pytest.raises(HorologError, match="mechanism chronos-const is not for basic tasks"):
        made(system(10), mechanism="chronos-const")
    with pytest.raises(HorologError, match="mechanism sloth is not for threads"):
        plan(make_system([ms(10)]), prices=NOTHING, mechanism="sloth")
    with pytest.raises(HorologError, match="basic tasks cannot have unsorted-list"):
        made(system(10), queue="unsorted-list")
    with pytest.raises(HorologError, match="none is for basic tasks"):
        plan(make_system([ms(10)]), prices=NOTHING, queue="none")


def test_as_data() -> None:
    of = system(5, 10, 10, cells=1)
    choice = to_data(of, made(of, mechanism="gcd"))["choice"]
    assert choice["releasers"][0]["interrupt"] == {"level": 2, "direct": False}
    assert [line["number"] for line in choice["lines"]] == [0, 1]
    assert choice["lines"][1]["tasks"] == ["t1", "t2"]
    assert choice["prediction"]["disturbances_per_second"] == 0
    threads = make_system([ms(10)])
    data = to_data(threads, plan(threads, prices=NOTHING))["choice"]
    assert "lines" not in data
    assert "interrupt" not in data["releasers"][0]
    assert "disturbances_per_second" not in data["prediction"]


@given(
    st.lists(st.sampled_from((1, 2, 4, 5, 10, 20, 40)), min_size=1, max_size=40),
    st.integers(1, 5),
)
@settings(max_examples=10)
def test_every_plan_serves_every_task_once(periods: list[int], cells: int) -> None:
    of = system(*periods, cells=cells)
    on = levels(of)
    planned = made(of, grouping=greedy)
    plans = [one.plan for one in planned.alternatives if one.plan is not None]
    assert {*BASIC_MECHANISMS} - {one.mechanism for one in plans} <= {"sloth"}
    for found in plans:
        assert sorted(i for r in found.releasers for i in r.tasks) == [*range(len(periods))]
        for releaser in found.releasers:
            served = {on[index] for index in releaser.tasks}
            assert releaser.level == max(served)
            assert not releaser.direct or (len(served) == 1 and len(releaser.tasks) <= 32)
            if releaser.store == "none":
                assert own_interrupt(of, releaser)
        assert found.prediction.kernel_instructions >= 4 * sum(jobs_in(of))
    least = min(one.prediction.kernel_per_second for one in plans)
    assert planned.choice.prediction.kernel_per_second == least


def own_interrupt(of: System, releaser: Releaser) -> bool:
    (task,) = releaser.tasks
    period = of.tasks[task].period * of.board.clock.hz
    return releaser.mode is Mode.PERIODIC and releaser.cell_period == period


def test_lines_of_one_level_are_numbered_in_order() -> None:
    of = system(*[10] * 70, 20, cells=1)
    turned = replace(of.board.controller, lines=of.board.controller.lines[::-1])  # type: ignore[type-var,union-attr]
    of = replace(of, board=replace(of.board, controller=turned))
    found = numbered(of, made(of, mechanism="gcd").choice)
    numbers = [own.number for line, own in found if own is not None and line.level == 2]
    assert numbers == sorted(numbers)


def test_of_cells_that_share_an_interrupt_one_is_taken() -> None:
    """An interrupt has one level, and the cell that is prepared last would set it for all."""
    of = system(7, 10, 20, 50, cells=4)
    shared = tuple(
        replace(cell, handler=of.board.cells[0].handler if index < 3 else cell.handler)
        for index, cell in enumerate(of.board.cells)
    )
    apart = replace(of, board=replace(of.board, cells=shared))
    for mechanism in ("gcd", "mixed"):
        found = made(apart, mechanism=mechanism).choice
        handlers = [apart.board.cell(one.cell).handler for one in found.releasers]
        assert len(set(handlers)) == len(handlers)
    with pytest.raises(HorologError):  # a cell for each of four tasks
        made(apart, mechanism="sloth")
