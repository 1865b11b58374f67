# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What phases say without a hyperperiod: which jobs of lower ranks may block a job, and how often interrupts
of one releaser come; beside schedules.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from tests.tool.schedules import Drawn, demands, longest_responses, without_phases

from horolog.schedulability import (
    Demand,
    End,
    Level,
    Order,
    Source,
    phase_bounds,
    response_bounds,
    window_bounds,
)
from horolog.schedulability.blockers import may_block


def task(rank: int, period: int, cost: int, **more: int | None) -> Source:
    found = Source(f"t{rank}", 1, period, cost, rank=rank, ends=(End(rank, cost, period),))
    return replace(found, **more)  # type: ignore[arg-type]


def by_rank(drawn: Drawn) -> Drawn:
    levels = {number: replace(one, order=Order.RANK) for number, one in drawn.demand.levels.items()}
    return replace(drawn, demand=Demand(drawn.demand.sources, levels))


@settings(max_examples=300, deadline=None)
@given(demands(known=True, light=True).map(by_rank))
def test_no_schedule_has_a_longer_response(drawn: Drawn) -> None:
    """Random offsets, ranks, early releases, one releaser of several tasks, blocking of lower levels."""
    seen = longest_responses(drawn)
    for bounds in (window_bounds(drawn.demand, phases=True), response_bounds(drawn.demand)):
        for bound, longest in zip(bounds, seen, strict=True):
            assert bound.response is None or longest <= bound.response


@settings(max_examples=100, deadline=None)
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


def cell(period: int, offset: int | None, cost: int = 5, **more: int | None) -> Source:
    found = Source("cell", 9, period, cost, cost, offset=offset, releaser=0, shared=3)
    return replace(found, **more)  # type: ignore[arg-type]


def test_interrupts_of_one_instant_are_one() -> None:
    """Their own parts count each, the shared one once in each interval of 20, or as often as any is due."""
    own = Source("own", 1, 400, 10, ends=(End(0, 10, 400),))
    demand = Demand((cell(40, 0), cell(60, 0), cell(100, 20), own), {})
    (plain,) = window_bounds(demand)
    (bound,) = window_bounds(demand, phases=True)
    assert (plain.response, plain.parts.interrupts, plain.by_offsets) == (25, 15, False)
    # In 19 there are three parts of 2, and one of 3.
    assert (bound.response, bound.parts.interrupts, bound.by_offsets) == (19, 9, True)
    assert response_bounds(demand, most=0) == (plain,)


@pytest.mark.parametrize(
    "others",
    [
        (cell(60, 0, releaser=1), cell(100, 20, releaser=2)),
        (cell(60, None), cell(100, None)),
        (cell(60, 1), cell(100, 22)),  # a grid of 1, less than the shared part
        (cell(60, 0, early=1), cell(100, 20, early=2)),
    ],
)
def test_interrupts_at_instants_of_their_own_share_nothing(others: tuple[Source, ...]) -> None:
    own = Source("own", 1, 400, 10, ends=(End(0, 10, 400),))
    demand = Demand((cell(40, 0), *others, own), {})
    assert window_bounds(demand, phases=True) == window_bounds(demand)


def test_far_apart_each_interrupt_has_its_shared_part() -> None:
    """In a long window there are fewer releases than points of the grid."""
    own = Source("own", 1, 4000, 900, ends=(End(0, 900, 4000),))
    demand = Demand((cell(400, 0), cell(600, 200), own), {})
    (bound,) = window_bounds(demand, phases=True)
    assert bound == window_bounds(demand)[0]
    assert bound.response == 900 + (3 + 2) * 5


def test_every_instant_of_a_hyperperiod_has_the_shared_part() -> None:
    """The releases at 40, 120, ... meet the cell's first stream, and never its second."""
    own = Source("own", 1, 80, 10, offset=40, ends=(End(0, 10, 80),))
    found = phase_bounds(Demand((cell(40, 0), cell(400, 10), own), {}))
    assert found is not None
    assert [(one.response, one.parts.interrupts) for one in found] == [(15, 5)]
    both = phase_bounds(Demand((cell(40, 0), cell(400, 40), own), {}))
    assert both is not None
    assert [(one.response, one.parts.interrupts) for one in both] == [(17, 7)]
