# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Audsley's assignment beside every assignment that there is."""

from __future__ import annotations

from itertools import permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.schedulability import (
    Demand,
    End,
    Source,
    assigned_levels,
    spread_levels,
    window_bounds,
)

Row = tuple[int, int, int]  # period, cost, deadline


def late(rows: list[Row], on: list[int]) -> set[int]:
    sources = tuple(
        Source(f"t{at}", level, period, cost, ends=(End(at, cost, deadline),))
        for at, ((period, cost, deadline), level) in enumerate(zip(rows, on, strict=True))
    )
    return {one.task for one in window_bounds(Demand(sources, {})) if not one.holds}


def on_levels(levels: tuple[tuple[int, ...], ...], count: int) -> list[int]:
    found = {one: number for number, level in enumerate(levels, 1) for one in level}
    return [found[at] for at in range(count)]


def assigned(rows: list[Row], most: int) -> tuple[tuple[int, ...], ...] | None:
    def holding(levels: tuple[tuple[int, ...], ...]) -> set[int]:
        return {*levels[-1]} - late(rows, on_levels(levels, len(rows)))

    return assigned_levels(range(len(rows)), most, holding)


def test_neither_the_shorter_period_nor_the_shorter_deadline_goes_first() -> None:
    """(T, C, D) = (11, 3, 11), (7, 5, 10). Below, the first one's job ends at 3 + 5 + 5 = 13 > 11.

    Below, the second one's first jobs end at 5 + 3 = 8 and at 10 + 2 * 3 = 16, which is 9 after its release.
    """
    rows = [(11, 3, 11), (7, 5, 10)]
    assert late(rows, [1, 2]) == {0}
    assert assigned(rows, 2) == ((1,), (0,))
    assert assigned(rows, 1) is None


rows_of_tasks = st.lists(
    st.tuples(st.integers(3, 12), st.integers(1, 4), st.integers(1, 20)).map(
        lambda row: (row[0], min(row[:2]), max(row[1:]))
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=150, deadline=None)
@given(rows=rows_of_tasks, most=st.integers(1, 4))
def test_an_assignment_is_found_if_there_is_one(rows: list[Row], most: int) -> None:
    """On every number of levels: so it is that with the fewest, too."""
    count = len(rows)
    every = product(range(1, most + 1), repeat=count)
    found = assigned(rows, most)
    assert (found is not None) == any(not late(rows, list(on)) for on in every)
    if found is None:
        return
    assert sorted(one for level in found for one in level) == list(range(count))
    spread = spread_levels(found, most, {at: (row[2], at) for at, row in enumerate(rows)})
    assert len(spread) == min(most, count)
    assert all(spread)
    for levels in (found, spread):
        assert not late(rows, on_levels(levels, count))


def test_levels_are_divided_by_their_share_with_the_last_ones_lowest() -> None:
    order = {at: at for at in range(6)}
    assert spread_levels(((0, 1, 2, 3), (4, 5)), 2, order) == ((3, 2, 1, 0), (5, 4))
    assert spread_levels(((0, 1, 2, 3), (4, 5)), 4, order) == ((3, 2), (1, 0), (5, 4))
    assert spread_levels(((0, 1, 2, 3), (4, 5)), 9, order) == tuple(
        (one,) for one in (3, 2, 1, 0, 5, 4)
    )


def test_a_search_ends_when_it_is_told_to() -> None:
    rows = [(10, 1, 10), (20, 1, 2)]
    assert assigned(rows, 2) is not None
    assert assigned_levels((0, 1), 2, lambda levels: levels[-1][:1], lambda: False) is None


def test_an_order_of_all_tasks_is_never_missed() -> None:
    """Three tasks of utilisation 1 that one order of six serves."""
    rows = [(4, 2, 8), (8, 2, 3), (8, 2, 16)]
    orders = [on for on in permutations((1, 2, 3)) if not late(rows, list(on))]
    assert orders
    assert assigned(rows, 3) is not None
