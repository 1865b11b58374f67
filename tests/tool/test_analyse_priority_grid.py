# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Ranks that share levels: the deadlines on a level differ by the smallest factor that is possible."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from horolog.analyse.priority_grid import shared_levels

DEADLINES = st.fractions(min_value=Fraction(1, 1000), max_value=100, max_denominator=1000)


def _ranks(values: Sequence[int]) -> list[list[Fraction]]:
    return [[Fraction(value, 1000)] for value in values]


def _worst(deadlines: Sequence[Sequence[Fraction]], levels: Sequence[int]) -> Fraction:
    """The largest ratio of two deadlines on one level."""
    on: dict[int, list[Fraction]] = {}
    for rank, level in zip(deadlines, levels, strict=True):
        on.setdefault(level, []).extend(rank)
    return max(max(those) / min(those) for those in on.values())


def _best_of_all(deadlines: Sequence[Sequence[Fraction]], available: int) -> Fraction:
    """The smallest such ratio of all divisions into `available` levels, tried one by one."""
    ranks = len(deadlines)
    found = []
    for cuts in combinations(range(1, ranks), available - 1):
        levels = [available - sum(cut <= at for cut in cuts) for at in range(ranks)]
        found.append(_worst(deadlines, levels))
    return min(found)


def test_the_slow_share_where_the_fast_lie_far_apart() -> None:
    """100 us and 446 us had one level of eight, and the first missed its deadlines."""
    periods = [100, 446, 3750, 9000, 10000, 33000, 47000, 59000, 61000, 333000]
    assert shared_levels(_ranks(periods), 8) == [8, 7, 6, 5, 5, 4, 3, 2, 2, 1]


def test_equal_ratios_let_the_least_urgent_share() -> None:
    assert shared_levels(_ranks([1, 2, 4, 8, 16]), 4) == [4, 3, 2, 1, 1]


def test_one_level_takes_all() -> None:
    assert shared_levels(_ranks([1, 5, 7]), 1) == [1, 1, 1]


def test_as_many_ranks_as_levels_share_nothing() -> None:
    assert shared_levels(_ranks([1, 5, 7]), 3) == [3, 2, 1]


def test_priorities_against_the_deadlines_keep_their_order() -> None:
    assert shared_levels(_ranks([9, 1, 2]), 2) == [2, 1, 1]


def test_a_rank_with_several_deadlines_counts_all_of_them() -> None:
    deadlines = [[Fraction(1)], [Fraction(2), Fraction(40)], [Fraction(45)]]
    assert shared_levels(deadlines, 2) == [2, 1, 1]


@given(
    st.lists(st.lists(DEADLINES, min_size=1, max_size=3), min_size=1, max_size=9),
    st.integers(1, 9),
)
def test_no_division_has_a_smaller_ratio(deadlines: list[list[Fraction]], available: int) -> None:
    available = min(available, len(deadlines))
    levels = shared_levels(deadlines, available)
    assert set(levels) == set(range(1, available + 1))
    assert levels == sorted(levels, reverse=True)
    assert _worst(deadlines, levels) == _best_of_all(deadlines, available)


def test_many_ranks_are_quick() -> None:
    """1,500 periods on 31 levels: the largest systems that the benches plan."""
    deadlines = [[Fraction(7 * at * at + 13 * at + 1, 3)] for at in range(1, 1501)]
    levels = shared_levels(deadlines, 31)
    assert (levels[0], levels[-1], len(set(levels))) == (31, 1, 31)
