# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which jobs of lower ranks may block a job, by their phases; schedules never say more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.tool.schedules import Drawn, demands, longest_responses, without_phases

from horolog.schedulability import Demand, End, Level, Order, Source, response_bounds, window_bounds
from horolog.schedulability.blockers import may_block


def task(rank: int, period: int, cost: int, **more: int | None) -> Source:
    found = Source(f"t{rank}", 1, period, cost, rank=rank, ends=(End(rank, cost, period),))
    return replace(found, **more)  # type: ignore[arg-type]


def by_rank(drawn: Drawn) -> Drawn:
    levels = {number: replace(one, order=Order.RANK) for number, one in drawn.demand.levels.items()}
    return replace(drawn, demand=Demand(drawn.demand.sources, levels))


@settings(max_examples=600, deadline=None)
@given(demands(known=True, light=True).map(by_rank))
def test_no_schedule_has_a_longer_response(drawn: Drawn) -> None:
    """Random offsets, ranks, early releases, one releaser of several tasks, blocking of lower levels."""
    seen = longest_responses(drawn)
    for bounds in (window_bounds(drawn.demand, phases=True), response_bounds(drawn.demand)):
        for bound, longest in zip(bounds, seen, strict=True):
            assert bound.response is None or longest <= bound.response


@settings(max_examples=200, deadline=None)
@given(demands(known=True, floating=True, light=True).map(by_rank))
def test_sources_of_unknown_phase_block(drawn: Drawn) -> None:
    bounds = window_bounds(without_phases(drawn), phases=True)
    for bound, longest in zip(bounds, longest_responses(drawn), strict=True):
        assert bound.response is None or longest <= bound.response


def test_a_job_released_together_does_not_block() -> None:
    """The level's longest window is 9: no job that is released 20 before another one is left by then."""
    sources = (task(0, 20, 1), task(1, 20, 5), task(2, 40, 3))
    demand = Demand(sources, {1: Level(Order.RANK)})
    assert [one.response for one in window_bounds(demand)] == [6, 9, 9]
    found = window_bounds(demand, phases=True)
    assert [(one.response, one.by_offsets) for one in found] == [(1, True), (6, True), (9, False)]
    assert response_bounds(demand) == found
    assert response_bounds(demand, most=0) == window_bounds(demand)


@pytest.mark.parametrize(
    ("lower", "higher", "longest", "blocks"),
    [
        ({"period": 12}, {"period": 18}, 6, False),  # 6 apart at least
        ({"period": 12}, {"period": 18}, 7, True),
        ({"period": 12, "offset": 4}, {"period": 18}, 2, False),  # 2 apart
        ({"period": 12, "offset": 4}, {"period": 18}, 3, True),
        ({"period": 20, "early": 1}, {"period": 20}, 1, True),  # early, and so before the other
        ({"period": 20, "early": 1, "releaser": 0}, {"period": 20, "releaser": 1}, 1, True),
        ({"period": 20, "early": 1, "releaser": 0}, {"period": 20, "releaser": 0}, 19, False),
        ({"period": 20}, {"period": 20, "early": 1}, 19, False),
        ({"period": 20}, {"period": 20, "early": 1}, 20, True),
        ({"period": 20, "offset": None}, {"period": 20}, 1, True),
        ({"period": 20, "late": 1}, {"period": 20}, 1, True),
        ({"period": 20}, {"period": 20, "lag": 1}, 1, True),
        ({"period": 20}, {"period": 20}, None, True),
    ],
)
def test_what_is_released_longer_before_than_any_window_does_not_block(
    lower: dict[str, int], higher: dict[str, int], longest: int | None, blocks: bool
) -> None:
    of = (task(1, cost=1, **lower), task(0, cost=1, **higher))
    assert may_block(*of, longest) == blocks
