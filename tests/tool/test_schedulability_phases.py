# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The analysis with offsets, beside schedules step by step and beside the one without."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.schedules import Drawn, demands, longest_responses, without_phases

from horolog.schedulability import (
    Demand,
    End,
    Level,
    Order,
    Source,
    breakdown_factor,
    longest_work,
    phase_bounds,
    response_bounds,
    window_bounds,
)


def thread(at: int, level: int, period: int, cost: int, offset: int = 0) -> Source:
    return Source(f"t{at}", level, period, cost, offset=offset, ends=(End(at, cost, period),))


@settings(max_examples=120, deadline=None)
@given(demands(known=True))
def test_no_schedule_has_a_longer_response(drawn: Drawn) -> None:
    bounds = phase_bounds(drawn.demand)
    if bounds is None:
        return
    for seed in range(3):
        again = replace(drawn, seed=drawn.seed + seed)
        for bound, seen in zip(bounds, longest_responses(again), strict=True):
            assert bound.response is not None
            assert seen <= bound.response


@settings(max_examples=200, deadline=None)
@given(demands(known=True, floating=True))
def test_no_schedule_has_a_longer_response_among_floating_sources(drawn: Drawn) -> None:
    bounds = phase_bounds(without_phases(drawn))
    if bounds is None:
        return
    for seed in range(4):
        shift = Random(drawn.seed + seed)
        moved = [
            replace(one, offset=shift.randint(0, 3 * one.period))
            if one.late or 24 % one.period
            else one
            for one in drawn.demand.sources
        ]
        again = replace(drawn, demand=drawn.demand.replaced(moved), seed=drawn.seed + seed)
        for bound, seen in zip(bounds, longest_responses(again), strict=True):
            assert bound.response is None or seen <= bound.response


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_floating_sources_are_met_at_every_phase(seed: int) -> None:
    """No phase is worse than the bound, and where one source has a level of its own some phase is as bad."""
    random = Random(seed)
    period = random.randint(5, 13)
    floating = Source("f", 9, period, random.randint(1, 4), offset=None)
    fixed = [
        replace(thread(at, 3 - at, 24, random.randint(1, 5)), offset=random.randint(0, 24))
        for at in range(3)
    ]
    demand = Demand((*fixed, floating), {})
    found = phase_bounds(demand)
    if found is None:
        return
    worst = [0, 0, 0]
    for offset in range(period * 24):
        known = demand.replaced([*fixed, replace(floating, offset=offset)])
        seen = longest_responses(Drawn(known, 0, offset + 100))
        worst = [max(two) for two in zip(worst, seen, strict=True)]
    for one, most in zip(found, worst, strict=True):
        assert one.response is not None
        assert one.by_offsets
        assert most <= one.response
    assert found[0].response == worst[0]


def test_floating_sources_leave_the_offsets_of_others_in_use() -> None:
    """Two halves of a period stay apart though something is short and unknown."""
    rare = Source("clock", 9, 10**9, 2, offset=None)
    demand = Demand((thread(0, 2, 100, 45), thread(1, 1, 100, 45, 50), rare), {})
    found = response_bounds(demand)
    assert [(one.response, one.by_offsets) for one in found] == [(47, False), (47, True)]
    assert found[1].parts.interrupts == 2
    late = demand.replaced([*demand.sources[:2], replace(rare, offset=0, late=1)])
    assert [one.response for one in response_bounds(late)] == [47, 47]


def test_steps_are_what_is_gone_through() -> None:
    """Windows with many jobs in them take more steps than there are jobs."""
    many = tuple(thread(at, 50 - at, 400, 1, at) for at in range(40))
    demand = Demand((*many, replace(thread(40, 0, 400, 300), offset=399)), {})
    assert phase_bounds(demand) is not None
    (least,) = (
        most
        for most in range(0, 10_000, 50)
        if phase_bounds(demand, most) and not phase_bounds(demand, most - 50)
    )
    releases = sum(3 * (41 - at) for at in range(41))
    assert least > 1.3 * releases


@settings(max_examples=80, deadline=None)
@given(demands(known=True))
def test_offsets_never_make_a_bound_longer_than_without(drawn: Drawn) -> None:
    """Whatever the phases are, one set of them is no worse, where no order within levels is used."""
    levels = {at: replace(one, order=Order.ANY) for at, one in drawn.demand.levels.items()}
    early = max(one.early for one in drawn.demand.sources)  # taken as that of all
    sources = tuple(replace(one, early=early) for one in drawn.demand.sources)
    demand = Demand(sources, levels)
    found = phase_bounds(demand)
    for ours, without in zip(found or (), window_bounds(demand), strict=False):
        assert ours.response is not None
        assert without.response is None or ours.response <= without.response
        assert ours.parts.total == ours.response


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_it_is_exact_where_each_level_has_one_source(seed: int) -> None:
    random = Random(seed)
    sources = tuple(
        replace(thread(at, 9 - at, period, random.randint(1, 4)), offset=random.randint(0, period))
        for at, period in enumerate(random.choices((6, 8, 12, 24), k=4))
    )
    demand = Demand(sources, {})
    found = phase_bounds(demand)
    if found is None:
        assert sum(one.cost * 24 // one.period for one in sources) > 24
        return
    seen = longest_responses(Drawn(demand, 0, 24 + 3 * 24 + 48))
    assert [one.response for one in found] == seen


def test_offsets_keep_apart_what_would_meet() -> None:
    demand = Demand((thread(0, 2, 10, 5), thread(1, 1, 10, 5, 5)), {})
    assert [one.response for one in window_bounds(demand)] == [5, 10]
    found = response_bounds(demand)
    assert [(one.response, one.by_offsets) for one in found] == [(5, False), (5, True)]


def test_the_start_counts_too() -> None:
    """Only the first jobs meet what is released once before the pattern has set in."""
    demand = Demand((thread(0, 2, 10, 4), thread(1, 1, 10, 3, 10), thread(2, 0, 10, 3, 22)), {})
    found = phase_bounds(demand)
    assert found is not None
    assert [one.response for one in found] == [4, 7, 8]


def test_blocking_counts_once_for_each_job_and_lets_more_in() -> None:
    """The second job is no longer alone if the first may be held off until its release and beyond."""
    sources = (thread(0, 2, 10, 3, 4), thread(1, 1, 10, 3))
    free = phase_bounds(Demand(sources, {}))
    held = phase_bounds(Demand(sources, {1: Level(blocking=2), 2: Level(blocking=1)}))
    assert free is not None
    assert held is not None
    assert [one.response for one in free] == [3, 3]
    assert [one.response for one in held] == [4, 8]
    assert [one.parts.blocking for one in held] == [1, 2]


def test_first_come_first_served_ignores_what_comes_later() -> None:
    sources = (thread(0, 1, 20, 8), thread(1, 1, 20, 8, 4))
    fifo = phase_bounds(Demand(sources, {1: Level(Order.FIFO)}))
    unknown = phase_bounds(Demand(sources, {1: Level(Order.ANY)}))
    near = phase_bounds(Demand(sources, {1: Level(Order.FIFO, apart=4)}))
    assert fifo is not None
    assert unknown is not None
    assert near == unknown or near is not None
    assert [one.response for one in fifo] == [8, 12]
    assert [one.response for one in unknown] == [16, 12]
    assert [one.response for one in near or ()] == [16, 12]


@pytest.mark.parametrize(
    "sources",
    [
        (replace(thread(0, 1, 10, 1), offset=None),),
        (replace(thread(0, 1, 10, 1), late=1),),
        (thread(0, 1, 999_983, 1), thread(1, 1, 999_979, 1)),
        (thread(0, 2, 10, 6), thread(1, 1, 10, 5)),
    ],
)
def test_where_offsets_cannot_be_used(sources: tuple[Source, ...]) -> None:
    assert phase_bounds(Demand(sources, {})) is None


def test_bodies_that_take_longer_hold_resources_longer() -> None:
    mine = Source("mine", 2, 1000, 100, ends=(End(0, 100, 1000),))
    known = {2: Level(blocking=250, held=200)}
    factor = breakdown_factor(Demand((mine,), known))
    assert factor == pytest.approx((1000 - 50) / (100 + 200), rel=0.01)
    fixed = breakdown_factor(Demand((mine,), {2: Level(blocking=250)}))
    assert fixed == pytest.approx((1000 - 250) / 100, rel=0.01)
    shorter = Demand((mine,), known).scaled(1, 2)
    assert shorter.level(2) == known[2]


def test_the_breakdown_factor_is_where_a_deadline_is_just_met() -> None:
    demand = Demand((thread(0, 2, 1000, 100), thread(1, 1, 2000, 400)), {})
    factor = breakdown_factor(demand)
    assert factor == pytest.approx(2000 / 600, rel=0.01)
    grown = demand.scaled((factor * 4096).numerator, 4096)
    assert all(one.holds for one in response_bounds(grown))
    beyond = demand.scaled(int(factor * 4096) + 8, 4096)
    assert not all(one.holds for one in response_bounds(beyond))


def test_the_kernel_does_not_grow_with_the_bodies() -> None:
    mine = Source("t", 1, 1000, 500, kernel=300, ends=(End(0, 400, 1000, kernel=200),))
    assert breakdown_factor(Demand((mine,), {})) == pytest.approx((1000 - 300) / 200, rel=0.2)
    hopeless = replace(mine, ends=(End(0, 400, 100, kernel=200),))
    assert breakdown_factor(Demand((hopeless,), {})) == 0


def test_each_body_alone_may_grow_until_a_deadline_is_just_met() -> None:
    """The one above is limited by the one below: 2 of its jobs come before that ends."""
    high = replace(thread(0, 2, 100, 20), ends=(End(0, 20, 100),))
    low = replace(thread(1, 1, 300, 60), ends=(End(1, 60, 190),))
    demand = Demand((high, low), {})
    grown = [longest_work(demand, at) for at in (0, 1)]
    assert grown == [45, 90]
    for at, more in enumerate(grown):
        assert more is not None
        for longer, holds in ((more, True), (more + 1, False)):
            sources = list(demand.sources)
            one = sources[at]
            end = replace(one.ends[0], work=one.ends[0].work + longer)
            sources[at] = replace(one, cost=one.cost + longer, ends=(end,))
            assert all(one.holds for one in response_bounds(demand.replaced(sources))) is holds


def test_a_body_of_a_shared_thread_grows_before_those_behind_it() -> None:
    shared = Source("s", 1, 100, 60, ends=(End(0, 20, 30), End(1, 60, 70)))
    demand = Demand((shared,), {})
    assert [longest_work(demand, at) for at in (0, 1)] == [10, 10]
    late = replace(shared, ends=(End(0, 20, 19), End(1, 60, 70)))
    assert longest_work(Demand((late,), {}), 1) is None
