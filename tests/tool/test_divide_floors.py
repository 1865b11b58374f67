# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What no plan undercuts, against what plans are predicted to cost on the boards with costs."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_board, make_system, ms

from horolog.divide.common_instants import instant_sets
from horolog.divide.floors import Floor, floor_of
from horolog.plan import FREE, NOTHING, Cooperation, Prices, SharingCosts, plan, read_prices
from horolog.read import read_board

BOARDS = ("ibex-cells", "mps2-an385", "qemu-virt-rv32")
PERIODS = (1, 2, 3, 5, 7, 10, 14, 20, 21, 40, 100, 1000)


@pytest.mark.parametrize("name", BOARDS)
def test_no_plan_costs_less_than_the_floor(name: str) -> None:
    board, draw = read_board(name), random.Random(f"floors {name}")
    prices = read_prices(board)
    for _ in range(4):
        periods = [ms(draw.choice(PERIODS)) for _ in range(draw.randint(1, 6))]
        offsets = [period * draw.randint(0, 1) / 2 for period in periods]
        cells = [cell.name for cell in board.cells[: draw.randint(1, 4)]]
        system = make_system(periods, offsets=offsets, board=board, cells=cells)
        floor = floor_of(system, prices)
        assert floor is not None
        hz = board.clock.hz
        rows = sorted({(int(p * hz), int(o * hz)) for p, o in zip(periods, offsets, strict=True)})
        instants = sum(instant_sets(rows).values(), Fraction(0)) * hz
        jobs = sum((1 / period for period in periods), Fraction(0))
        least = floor.instant * instants + floor.job * jobs
        assert least > 0
        for one in plan(system, prices=prices).alternatives:
            if one.plan is not None:
                assert one.plan.prediction.kernel_per_second >= least, one.mechanism


def test_a_floor_is_the_chord_of_the_cheapest_stores() -> None:
    """A periodic sorted list alone: a handler for each instant, release and wait for each job."""
    costs = replace(
        FREE,
        interrupt_periodic=Fraction(100),
        required=Fraction(-10),
        interrupt_one_shot=Fraction(1000),
        release=Fraction(20),
        wait=Fraction(30),
        switch=Fraction(7),
    )
    floor = floor_of(make_system([ms(1)]), Prices(costs))
    assert floor == Floor(Fraction(90), Fraction(57))


def test_figures_that_bound_nothing_give_no_floor() -> None:
    system = make_system([ms(1)])
    below = Fraction(-1)
    for prices in (
        Prices(replace(FREE, walk=below)),
        Prices(replace(FREE, interrupt_periodic=below)),
        replace(NOTHING, cooperation=Cooperation(below, Fraction(0), Fraction(0))),
        replace(NOTHING, sharing=SharingCosts(Fraction(0), below, Fraction(0))),
    ):
        assert floor_of(system, prices) is None
    only = replace(system, cells=(), board=make_board([]))
    assert floor_of(only, NOTHING) is None


def test_an_insertion_that_saves_instants_of_its_own_counts_as_saved() -> None:
    costs = replace(
        FREE, interrupt_periodic=Fraction(100), interrupt_one_shot=Fraction(100), wait=Fraction(5)
    )
    saving = Cooperation(Fraction(0), Fraction(0), Fraction(40))
    floor = floor_of(make_system([ms(1)]), Prices(costs, cooperation=saving))
    assert floor == Floor(Fraction(60), Fraction(5))
