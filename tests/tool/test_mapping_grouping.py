# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import streams
from horolog.model import System
from horolog.plan import NOTHING, plan
from horolog.plan.mapping.grouping import frame

HZ = 25_000_000


def system_of(periods: list[Fraction], min_counts: int) -> System:
    cells = [make_cell(f"cell{at}", min_counts=min_counts) for at in range(3)]
    return make_system(periods, board=make_board(cells))


@given(
    st.lists(st.fractions(Fraction(1, 400), 1, max_denominator=400), min_size=1, max_size=5),
    st.integers(1, 3 * HZ // 1000),
    st.integers(-3, 3),
)
def test_a_group_is_allowed_if_a_cell_can_time_it(
    periods: list[Fraction], shortest: int, beside: int
) -> None:
    of = frame(streams(make_system(periods)), HZ, 3, shortest, whole=True)
    near = shortest * of.unit // HZ // of.grain  # the limit, in grains
    units = max(1, near + beside) * of.grain
    counts = Fraction(units * HZ, of.unit)
    assert counts.denominator == 1
    assert of.allows(units) == (counts >= shortest)
    assert of.grain == 1 or not of.allows(units + 1)


@pytest.mark.parametrize(
    ("min_counts", "periods"),
    [(50_000, ["2"]), (50_001, ["4", "6", "10"]), (62_500, ["4", "6", "10"])],
)
def test_a_division_that_no_cell_can_time_hides_none_that_cells_can(
    min_counts: int, periods: list[str]
) -> None:
    # One cell at 2 ms would interrupt 500 times a second, three cells 516.7 times; but 2 ms are too short.
    planned = plan(
        system_of([ms(4), ms(6), ms(10)], min_counts), mechanism="chronos", prices=NOTHING
    )
    found = sorted(one.period or 0 for one in planned.choice.releasers)
    assert found == [ms(period) for period in periods]
