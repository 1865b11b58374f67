# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whole plans of random systems whose periods come from a few base rates, as those of applications do."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from tests.tool.factory import make_board, make_cell, make_system, ms
from tests.tool.test_mapping_exact import cheapest, problem

from horolog.analyse import streams
from horolog.model import Alternative, System
from horolog.plan import NOTHING, plan
from horolog.plan.mapping.grouping import frame

_MOST_ROWS = 7  # all partitions of so many streams are tried
_OF_CI, _OF_SOAK = 30, 300


def system_of(cells: int, periods: list[Fraction]) -> System:
    board = make_board([make_cell(f"cell{at}", min_counts=250) for at in range(cells)])
    return make_system(periods, board=board)


def drawn(seed: int) -> System:
    """3 to 30 tasks at whole multiples of base rates of 0.1 to 10 ms, for 1 to 4 cells."""
    draw = random.Random(seed)
    cells = draw.randint(1, 4)
    rates = [Fraction(draw.randint(1, 100), 10) for _ in range(cells + draw.randint(-1, 6))]
    rates = rates or [Fraction(1)]
    longest = draw.choice((10, 50, 250))
    periods = [
        ms(1) * draw.choice(rates) * draw.randint(1, longest) for _ in range(draw.randint(3, 30))
    ]
    return system_of(cells, periods)


def by_brute_force(system: System) -> Fraction | None:
    """The fewest interrupts a second of any division among all cells; None: there are too many."""
    of = frame(streams(system), system.board.clock.hz, len(system.cells), 250)
    rows = [(of.periods[group[0]], of.offsets[group[0]]) for group in of.joined]
    if len(rows) > _MOST_ROWS:
        return None
    best = cheapest(problem(rows, of.most, of.grain, of.shortest))
    assert best is not None  # one group for all is allowed: 0.1 ms can be timed
    return best * of.unit


def check(system: System) -> bool:
    """Plan `system`; whether brute force could say that the division among cells is the best."""
    planned = plan(system, prices=NOTHING)
    fewest = min(rate(one) for one in planned.alternatives if one.plan is not None)
    assert planned.choice.prediction.interrupts_per_second == fewest
    chronos = next(one.plan for one in planned.alternatives if one.mechanism == "chronos")
    assert chronos is not None
    assert chronos.mapping is not None
    assert chronos.mapping.proved
    assert 0 < chronos.mapping.bound_per_second <= chronos.mapping.interrupts_per_second
    best = by_brute_force(system)
    assert best is None or chronos.mapping.interrupts_per_second == best
    return best is not None


def rate(one: Alternative) -> Fraction:
    assert one.plan is not None
    return one.plan.prediction.interrupts_per_second


def test_six_ordinary_tasks_on_three_cells() -> None:
    assert check(system_of(3, [ms(period) for period in (250, 535, 545, 1248, 2184, 2340)]))


def test_random_base_rates() -> None:
    assert sum(check(drawn(seed)) for seed in range(_OF_CI)) > 3


@pytest.mark.soak
def test_many_random_base_rates() -> None:
    assert sum(check(drawn(seed)) for seed in range(_OF_SOAK)) > 30
