# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The analysis that ignores offsets, beside an oracle of others and beside schedules, step by step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from response_time_analysis import fp
from response_time_analysis.model import (
    WCET,
    Deadline,
    FullyPreemptive,
    IdealProcessor,
    Periodic,
    PeriodicWithJitter,
    Priority,
    Task,
    taskset,
)
from tests.tool.schedules import Drawn, demands, longest_responses

from horolog.schedulability import Demand, End, Level, Order, Source, window_bounds


def thread(
    at: int, level: int, period: int, cost: int, deadline: int | None = None, **more: int
) -> Source:
    end = End(at, cost, period if deadline is None else deadline)
    return Source(f"t{at}", level, period, cost, ends=(end,), **more)


def oracle(sources: tuple[Source, ...]) -> list[int | None]:
    tasks = [
        Task(
            PeriodicWithJitter(one.period, one.early) if one.early else Periodic(one.period),
            FullyPreemptive(WCET(one.cost)),
            Deadline(1000 + at),  # it takes equal tasks for one
            Priority(one.level),
        )
        for at, one in enumerate(sources)
    ]
    every = taskset(*tasks)
    found = [fp.rta(every, task, IdealProcessor(), horizon=100_000) for task in tasks]
    return [one.response_time_bound for one in found]


systems = st.lists(
    st.tuples(st.integers(1, 6), st.integers(2, 60), st.integers(1, 30)), min_size=1, max_size=8
).map(
    lambda rows: tuple(
        thread(at, level, period, min(cost, period))
        for at, (level, period, cost) in enumerate(rows)
    )
)


@settings(max_examples=200, deadline=None)
@given(systems)
def test_without_overheads_it_equals_the_oracle(sources: tuple[Source, ...]) -> None:
    """Several tasks a level, windows of several jobs, and levels that need more than the processor."""
    busy = {
        level: sum(one.cost / one.period for one in sources if one.level >= level)
        for level in range(8)
    }
    ours = window_bounds(Demand(sources, {}))
    for one, bound, theirs in zip(sources, ours, oracle(sources), strict=True):
        if busy[one.level] < 0.98:  # beyond, the oracle's horizon or our limit may come first
            assert bound.response == theirs


@settings(max_examples=80, deadline=None)
@given(systems, st.lists(st.integers(0, 20), min_size=8, max_size=8))
def test_the_jitter_of_others_equals_the_oracle(
    sources: tuple[Source, ...], jitters: list[int]
) -> None:
    for at, one in enumerate(sources):
        others = tuple(
            other if other is one else replace(other, early=jitter)
            for other, jitter in zip(sources, jitters, strict=False)
        )
        if sum(other.cost / other.period for other in others if other.level >= one.level) < 0.98:
            bound = window_bounds(Demand(others, {}))[at]
            assert bound.response == oracle(others)[at]


@settings(max_examples=120, deadline=None)
@given(demands())
def test_no_schedule_has_a_longer_response(drawn: Drawn) -> None:
    bounds = window_bounds(drawn.demand)
    for bound, seen in zip(bounds, longest_responses(drawn), strict=True):
        if bound.response is not None:
            assert seen <= bound.response
            assert bound.parts.total == bound.response


def test_deadlines_beyond_the_period_look_at_several_jobs() -> None:
    """Lehoczky's example of 1990: the longest response is not the first job's."""
    sources = (thread(0, 2, 70, 26), thread(1, 1, 100, 62, 200))
    assert window_bounds(Demand(sources, {}))[1].response == 118


def test_the_systems_of_the_issue_do_not_hold() -> None:
    found = window_bounds(Demand((thread(0, 2, 10, 5), thread(1, 1, 14, 6)), {}))
    assert [(one.response, one.holds) for one in found] == [(5, True), (16, False)]


@pytest.mark.parametrize(("rank", "response"), [(0, 9), (1, 12), (2, 13)])
def test_by_rank_one_job_of_a_lower_rank_blocks(rank: int, response: int) -> None:
    costs, blocked = (4, 5, 3), Level(Order.RANK)
    sources = tuple(
        Source(f"t{at}", 1, 100, cost, rank=at, ends=(End(at, cost, 100),))
        for at, cost in enumerate(costs)
    )
    found = window_bounds(Demand(sources, {1: blocked}))[rank].response
    assert found == min(response, sum(costs))


def test_what_needs_the_whole_processor_has_no_bound() -> None:
    found = window_bounds(Demand((thread(0, 2, 10, 6), thread(1, 1, 10, 5)), {}))
    assert [one.response for one in found] == [6, None]
    assert not found[1].holds


def test_every_part_is_told() -> None:
    tick = Source("cell", 9, 10, 1, kernel=1)
    high = Source("high", 3, 20, 4, kernel=1, ends=(End(0, 4, 20, kernel=1),))
    same = Source("same", 2, 40, 5, kernel=2, ends=(End(1, 4, 40, kernel=1),))
    mine = Source("mine", 2, 40, 9, kernel=3, late=2, ends=(End(2, 5, 40, 1), End(3, 8, 40, 2)))
    demand = Demand((tick, high, same, mine), {2: Level(blocking=3)})
    parts = window_bounds(demand)[3].parts
    assert (parts.own, parts.higher, parts.level) == (6, 2 * 3, 3)
    assert (parts.interrupts, parts.blocking, parts.jitter) == (3, 3, 2)
    assert parts.kernel == 2 + 2 * 1 + 2


def test_a_source_that_costs_nothing_responds_at_once() -> None:
    free = Source("free", 1, 10, 0, ends=(End(0, 0, 10),))
    (bound,) = window_bounds(Demand((free,), {}))
    assert (bound.response, bound.holds) == (0, True)
