# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The analysis that ignores offsets, beside an oracle of others and beside schedules, step by step."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from math import ceil

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

from horolog.data import data_root
from horolog.schedulability import Demand, End, Level, Order, Source, window_bounds, windows


def thread(
    at: int, level: int, period: int, cost: int, deadline: int | None = None, **more: int
) -> Source:
    end = End(at, cost, period if deadline is None else deadline)
    return replace(Source(f"t{at}", level, period, cost, ends=(end,)), **more)  # type: ignore[arg-type]


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


@settings(max_examples=120, deadline=None)
@given(demands())
def test_what_a_level_shares_changes_no_bound(drawn: Drawn) -> None:
    """The search that begins where all tasks of a level may begin ends where each would by itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows._Together, "is_single", lambda self, source: False)
        apart = window_bounds(drawn.demand)
    assert window_bounds(drawn.demand) == apart


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


def earliest(gap: int, curve: tuple[tuple[int, int], ...], until: int) -> list[int]:
    """Releases as early as a gap and a curve allow them, written anew."""
    found: list[int] = []
    while not found or found[-1] < until:
        at = found[-1] + gap if found else 0
        for count, within in curve:
            if len(found) >= count:
                at = max(at, found[-count] + within)
        found.append(at)
    return found


points = st.tuples(st.integers(1, 5), st.integers(2, 60))


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 9), st.lists(points, min_size=1, max_size=3), st.integers(1, 200))
def test_an_arrival_curve_counts_what_can_come(
    gap: int, drawn: list[tuple[int, int]], window: int
) -> None:
    """Exactly with one point, no less with several."""
    curve = tuple((count, max(within, count * gap + 1)) for count, within in drawn)
    source = Source("line", 1, gap, 1, curve=curve)
    most = sum(at < window for at in earliest(gap, curve, window))
    assert source.arrivals(window) >= most
    if len(curve) == 1:
        assert source.arrivals(window) == most
    rate = min([Fraction(1, gap), *(Fraction(*point) for point in curve)])
    assert source.share(1000) == ceil(1000 * rate)


@settings(max_examples=100, deadline=None)
@given(systems, st.integers(1, 9), st.lists(points, min_size=1, max_size=2), st.integers(1, 4))
def test_bounds_with_an_arrival_curve_are_the_least_fixed_point(
    sources: tuple[Source, ...], gap: int, drawn: list[tuple[int, int]], cost: int
) -> None:
    """Where a window has one job; and no bound is above that with the gap alone."""
    curve = tuple((count, max(within, count * gap + 1)) for count, within in drawn)
    line = Source("line", 9, gap, cost, offset=None, curve=curve)
    found = window_bounds(Demand((line, *sources), {}))
    alone = window_bounds(Demand((replace(line, curve=()), *sources), {}))
    for one, bound, other in zip(sources, found, alone, strict=True):
        if other.response is not None:
            assert bound.response is not None
            assert bound.response <= other.response
        if bound.response is None or bound.response > one.period:
            continue
        rivals = [rival for rival in sources if rival.level >= one.level and rival is not one]
        w = one.cost
        while True:
            most = sum(at < w for at in earliest(gap, curve, w))
            least = one.cost + cost * most + sum(-(-w // r.period) * r.cost for r in rivals)
            if least == w:
                break
            w = least
        if len(curve) == 1:
            assert bound.response == w
        else:
            assert bound.response >= w


def test_the_example_of_the_guide() -> None:
    """The last line of the guide's Python is an expression, with its value as a comment."""
    guide = (data_root() / "docs" / "guide" / "analysis.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    *lines, last = code.strip().splitlines()
    expression, _, value = last.partition("  # ")
    assert "horolog.schedulability" in lines[0]
    names: dict[str, object] = {}
    exec("\n".join(lines), names)
    assert eval(expression, names) == [*eval(f"({value},)")]
