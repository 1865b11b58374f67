# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a planned system asks of its processor, and its bounds, by hand and without some of the parts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.analyse import Dispatcher, dispatchers
from horolog.data import data_root
from horolog.model import Exit, HorologError, Kind, Place, PriorityRule, Resource, System, Task
from horolog.plan import plan, read_prices
from horolog.plan.prices.static_costs import StepCosts
from horolog.read import read_system
from horolog.responses import (
    analysis_of,
    demand_of,
    factor_of,
    ms_text,
    refuse_misses,
    to_data,
    verdict_text,
    why_text,
)
from horolog.responses.kernel import Releasing, releasing
from horolog.schedulability import Order

EXAMPLES = data_root() / "examples"
LINE = Place("system.toml", 1)


def tasks_of(*rows: tuple[int, int], kind: Kind = Kind.THREAD, **more: Fraction) -> System:
    tasks = [
        make_task(f"t{at}", ms(period), wcet=ms(wcet), kind=kind, line=at + 1)
        for at, (period, wcet) in enumerate(rows)
    ]
    return make_system(tasks=tasks, **more)  # type: ignore[arg-type]


def example(name: str, kind: Kind | None = None) -> System:
    return read_system(EXAMPLES / name / "system.toml", kind=kind)


def test_both_systems_of_the_issue_are_refused_with_their_reason() -> None:
    for system, allowed in (
        (tasks_of((10, 5), (14, 6)), 14),
        (
            make_system(
                tasks=[
                    make_task("fast", ms(10), wcet=ms(5)),
                    make_task("slow", ms(20), wcet=ms(6), deadline=ms(9)),
                ]
            ),
            9,
        ),
    ):
        found = analysis_of(system, None)
        assert found.certain == {1}
        assert found.bounds[1].response == ms(16)
        with pytest.raises(HorologError, match=f"may take 16.000 ms, and {allowed}.000") as error:
            refuse_misses(system, found, Fraction(9, 10))
        assert error.value.exit is Exit.DOES_NOT_HOLD
        assert error.value.found == "10.000 ms tasks of higher priority, 6.000 ms its own body"
        assert error.value.expected is not None
        assert error.value.expected.endswith("0.900 times as long")


def test_a_miss_with_offsets_is_certain_too() -> None:
    """A microsecond between the first releases changes nothing: `check` refuses both."""
    fast, slow = tasks_of((10, 5), (14, 6)).tasks
    for offset in ("0", "0.001", "2.5"):
        system = make_system(tasks=[fast, replace(slow, offset=ms(offset))])
        assert analysis_of(system, None).certain == {1}
    apart = make_system(
        tasks=[
            make_task("a", ms(20), wcet=ms(10)),
            make_task("b", ms(20), wcet=ms(10), offset=ms(10), deadline=ms(11)),
        ]
    )
    assert analysis_of(apart, None, most=0).certain == set()


def test_jobs_that_are_dropped_above_do_not_count() -> None:
    """Of the task that misses, each second release is dropped: what is left of the time is enough below."""
    tasks = [
        make_task("top", ms(5), wcet=ms(2)),
        make_task("over", ms(8), wcet=ms(5)),
        make_task("below", ms(300), wcet=ms(5), deadline=ms(280)),
    ]
    found = analysis_of(make_system(tasks=tasks), None)
    assert [one.holds for one in found.bounds] == [True, False, False]
    assert found.certain == {1}


def test_every_job_has_its_share_of_the_kernel() -> None:
    """A part that is left out of the demand makes each bound shorter by what the parts say."""
    system = example("engine-control")
    chosen = plan(system).choice
    found = analysis_of(system, chosen, read_prices(system.board))
    bare = analysis_of(system, None)
    for one, without in zip(found.bounds, bare.bounds, strict=True):
        assert one.response is not None
        assert without.response is not None
        kernel = one.parts["kernel"] + one.parts["interrupts"] + one.parts["blocking"]
        assert one.response - kernel >= without.response
        assert one.parts["interrupts"] > 0
        assert one.parts["blocking"] > 0
        assert one.parts["own"] == system.tasks[one.task].wcet
        assert sum(one.parts.values()) == one.response


def test_the_longest_handler_is_in_every_bound() -> None:
    """What the plan publishes as the longest handler, at the one instant at which all tasks are due."""
    system = example("engine-control")
    planned = plan(system).choice
    assert planned.longest_handler is not None
    step = Fraction(system.board.runner.ns_per_step or 0, 10**9)
    alone = {releaser.cell for releaser in planned.releasers}
    assert len(alone) == 1
    for one in analysis_of(system, planned, read_prices(system.board)).bounds:
        assert one.parts["interrupts"] >= planned.longest_handler[0] * step * Fraction(9, 10)


def test_a_shared_thread_ends_its_tasks_one_after_the_other() -> None:
    system = example("engine-control")
    bounds = analysis_of(system, plan(system).choice, read_prices(system.board)).bounds
    ignition = [one.response for one in bounds[:3]]
    assert None not in ignition
    assert ignition == sorted(ignition, key=lambda one: one or 0)
    assert (ignition[1] or 0) - (ignition[0] or 0) > Fraction(19, 10**6)


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("name", ["drone", "engine-control", "chronos"])
def test_all_examples_hold_and_say_so(name: str, kind: Kind) -> None:
    system = example(name, kind)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    assert found.holds
    data = to_data(system, found, factor_of(found, 0), "some")
    assert data["holds"] is True
    waits = name == "drone" and kind is Kind.THREAD
    assert data["not_covered"] == (["waits in bodies"] if waits else [])
    more = "; not covered: waits in bodies" if waits else ""
    assert data["verdict"] == f"all {len(system.tasks)} deadlines hold{more}"
    assert [one["name"] for one in data["tasks"]] == [task.name for task in system.tasks]
    assert all(sum(one["parts_ns"].values()) >= one["bound_ns"] for one in data["tasks"])


def test_services_of_the_application_are_said_to_be_missing() -> None:
    system = example("logger")
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    assert any("application's own" in note for note in found.notes)
    assert verdict_text(system, found) == (
        "all 2 deadlines hold; not covered: waits in bodies, "
        "the application's own threads, handlers and time-outs"
    )


def test_a_body_that_may_wait_makes_the_verdict_conditional(tmp_path: Path) -> None:
    """A semaphore or a mutex needs nothing in the description but a body."""
    text = """[system]
name = "one"
board = "mps2-an385"
duration = "1 s"
sources = ["a.c"]

[[task]]
name = "a"
period = "10 ms"
wcet = "1 ms"
body = "a"
"""
    (tmp_path / "a.c").write_text("void a(void) {}\n", encoding="utf-8")
    path = tmp_path / "one.toml"
    for more, covered in (("", False), ("waits = true\n", False), ("waits = false\n", True)):
        path.write_text(text + more, encoding="utf-8")
        system = read_system(path)
        found = analysis_of(system, plan(system).choice, read_prices(system.board))
        assert found.holds
        assert (verdict_text(system, found) == "the deadline holds") is covered
        assert any("bodies of a may wait" in note for note in found.notes) is not covered
    path.write_text(text + 'kind = "basic"\n', encoding="utf-8")
    assert analysis_of(read_system(path), None).not_covered == ()


def test_a_clock_that_wraps_often_counts_often() -> None:
    system = example("chronos")
    clock = replace(system.board.clock, width=16)
    short = replace(system, board=replace(system.board, clock=clock))
    chosen, prices = plan(system).choice, read_prices(system.board)
    wide, narrow = (analysis_of(one, chosen, prices) for one in (system, short))
    wraps = 0
    for one, other in zip(wide.bounds, narrow.bounds, strict=True):
        assert one.response is not None
        assert other.response is not None
        wraps = max(wraps, floor(other.response * clock.hz / 2**16))
        more = other.parts["interrupts"] - one.parts["interrupts"]
        assert more >= floor(other.response * clock.hz / 2**16) * 200 * Fraction(32, 10**9)
    assert wraps > 1


def test_a_period_that_is_rounded_has_no_phase() -> None:
    """A period that is a little short drifts from its exact offset."""
    odd = [
        make_task(f"t{at}", 1 / Fraction(10**6 + 2 * at + 1), wcet=ms("0.0001")) for at in range(40)
    ]
    even = make_task("even", ms(1), wcet=ms("0.1"), offset=ms("0.5"))
    demanded = demand_of(make_system(tasks=[*odd[:9], even]), None)
    assert demanded.unit == 10**12
    assert [one.offset for one in demanded.demand.sources] == [None] * 9 + [demanded.unit // 2000]


def at_one_level(*tasks: Task) -> System:
    """On mps2-an385; all with one priority, but those that have another one already."""
    system = example("chronos")
    made = (task if task.priority else replace(task, priority=1) for task in tasks)
    return replace(system, priorities=PriorityRule.EXPLICIT, tasks=tuple(made))


def test_no_order_is_taken_where_a_shared_thread_may_be_behind() -> None:
    pair = [replace(make_task(f"p{at}", ms(10), wcet=ms(1)), shares=True) for at in range(2)]
    for store, order in (("mask-table", Order.RANK), ("sorted-list", Order.FIFO)):
        for longest, expected in ((7, order), (9, Order.ANY)):
            system = at_one_level(*pair, make_task("long", ms(100), wcet=ms(longest)))
            chosen = plan(system, mechanism="gcd", queue=store).choice
            levels = demand_of(system, chosen, read_prices(system.board)).demand.levels
            assert {one.order for one in levels.values()} == {expected}


def test_the_wait_of_a_server_holds_off_threads_above() -> None:
    basic = replace(make_task("b", ms(20), wcet=ms(1), kind=Kind.BASIC), priority=1)
    system = at_one_level(basic, replace(make_task("t", ms(10), wcet=ms(1)), priority=5))
    assert dispatchers(system)[0] is Dispatcher.LINE_THREAD
    prices = read_prices(system.board)
    slow = replace(prices, costs=replace(prices.costs, wait=Fraction(1000)))
    demand = demand_of(system, plan(system).choice, slow).demand
    unit = demand_of(system, plan(system).choice, slow).unit
    top = next(one for one in demand.sources if one.name == "t")
    assert Fraction(demand.level(top.level).blocking, unit) >= 1000 * Fraction(32, 10**9)


def test_a_step_that_costs_less_than_nothing_cancels_no_other() -> None:
    """Differences of calibrations may be negative."""
    system = example("chronos", Kind.BASIC)
    chosen, prices = plan(system, mechanism="chronos").choice, read_prices(system.board)

    def with_steps(value: int) -> list[Releasing]:
        def changed(costs: StepCosts) -> StepCosts:
            by_mode = {
                mode: {
                    name: Fraction(value)
                    if name.startswith(("row", "release", "job", "alone"))
                    else one
                    for name, one in steps.items()
                }
                for mode, steps in costs.by_mode.items()
            }
            return replace(costs, by_mode=by_mode)

        basic = {store: changed(costs) for store, costs in prices.basic.items()}
        known = replace(prices, basic=basic)
        return [releasing(system, one, Fraction(0), known) for one in chosen.releasers]

    assert with_steps(-500) == with_steps(0)


def test_offsets_are_used_where_they_repeat_soon_and_are_told_per_task() -> None:
    tasks = [
        make_task("a", ms(10), wcet=ms(4)),
        make_task("b", ms(10), wcet=ms(4), offset=ms(5), deadline=ms(6)),
    ]
    system = make_system(tasks=tasks, board=make_board(levels=1))
    found = analysis_of(system, None)
    assert [(one.response, one.by_offsets) for one in found.bounds] == [(ms(4), True)] * 2
    without = analysis_of(system, None, most=0)
    assert [(one.response, one.by_offsets) for one in without.bounds] == [(ms(8), False)] * 2


def test_a_resource_blocks_what_is_below_its_ceiling() -> None:
    board = make_board(basic_levels=8)
    tasks = [
        make_task(f"t{at}", ms(period), wcet=ms(1), kind=Kind.BASIC)
        for at, period in enumerate((10, 20, 40))
    ]
    system = make_system(tasks=tasks, board=board)
    shared = replace(system, resources=(Resource("bus", (0, 2), LINE),))
    free = [one.response for one in analysis_of(system, None).bounds]
    blocked = [one.response for one in analysis_of(shared, None).bounds]
    assert free == [ms(1), ms(2), ms(3)]
    assert blocked == [ms(2), ms(3), ms(3)]
    found = analysis_of(shared, None)
    assert found.bounds[0].parts["blocking"] == ms(1)
    assert any("not all users of bus say how long" in note for note in found.notes)
    for holds, first in (((ms("0.5"), ms("0.25")), "1.25"), ((ms("0.5"), None), 2)):
        held = replace(system, resources=(Resource("bus", (0, 2), LINE, holds),))
        found = analysis_of(held, None)
        assert [one.response for one in found.bounds] == [ms(first), ms(first) + ms(1), ms(3)]
        assert any("bus" in note for note in found.notes) == (None in holds)


def test_moved_releases_count_from_the_nominal_ones() -> None:
    (task,) = tasks_of((10, 2)).tasks
    moved = make_system(tasks=[replace(task, offset=ms(3), delay=ms(3), deadline=ms(5))])
    (bound,) = analysis_of(moved, None).bounds
    assert (bound.response, bound.parts["jitter"], bound.holds) == (ms(5), ms(3), True)
    (late,) = analysis_of(make_system(tasks=[replace(task, jitter=ms(4))]), None).bounds
    assert (late.response, late.parts["jitter"]) == (ms(6), ms(4))


def test_a_task_without_a_wcet_leaves_the_verdict_open() -> None:
    system = make_system(tasks=[make_task("known", ms(5), wcet=ms(1)), make_task("open", ms(9))])
    found = analysis_of(system, None)
    assert found.unknown == (1,)
    assert not found.holds
    assert verdict_text(system, found) == "not known: 1 of 2 tasks has no WCET"
    assert "no WCET is known of open" in found.notes[0]
    assert found.open == {1}, "known has a higher priority"
    assert [one["bound_ns"] for one in to_data(system, found, None, None)["tasks"]] == [10**6, None]
    with pytest.raises(HorologError, match="not known") as error:
        refuse_misses(system, found)
    assert error.value.found == '"open" without a WCET'
    assert "horolog run --wcet measures one as a hint" in str(error.value.expected)


def test_what_needs_more_than_the_processor_says_how_much() -> None:
    system = tasks_of((10, 7), (20, 8))
    found = analysis_of(system, None)
    assert found.bounds[1].response is None
    assert why_text(found.bounds[1]).endswith("need 110.0 % of the processor")
    assert to_data(system, found, None, None)["tasks"][1]["bound_ns"] is None


def test_releases_are_early_by_a_cells_counts() -> None:
    system = example("drone")
    demand = demand_of(system, plan(system).choice, read_prices(system.board)).demand
    count = Fraction(1, system.board.clock.hz)
    unit = demand_of(system, plan(system).choice, read_prices(system.board)).unit
    assert {Fraction(one.early, unit) for one in demand.sources} == {3 * count}


def test_the_order_on_a_level_is_known_by_the_store() -> None:
    system = replace(example("chronos"))
    for store, order in (("mask-table", Order.RANK), ("sorted-list", Order.FIFO)):
        chosen = plan(system, mechanism="chronos", queue=store).choice
        levels = demand_of(system, chosen, read_prices(system.board)).demand.levels
        assert {one.order for one in levels.values()} == {order}


def test_milliseconds_are_rounded_to_the_safe_side() -> None:
    third = Fraction(1, 3000)
    assert (ms_text(third), ms_text(third, up=False)) == ("0.334", "0.333")
    assert ms_text(-third, up=False) == "-0.334"
    assert ms_text(Fraction(1234)) == "1,234,000.000"
