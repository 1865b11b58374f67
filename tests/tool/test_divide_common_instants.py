# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which rows are released at one instant, against counting each of them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import lcm
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.divide import common_instants
from horolog.divide.common_instants import instant_sets

ROWS = st.lists(
    st.tuples(st.sampled_from([1, 2, 3, 4, 5, 6, 10, 12, 15, 20]), st.integers(0, 19)),
    min_size=1,
    max_size=6,
    unique_by=lambda row: (row[0], row[1] % row[0]),
)


def counted(rows: list[tuple[int, int]]) -> dict[frozenset[int], Fraction]:
    cycle = lcm(*(period for period, _ in rows))
    sets = Counter(
        frozenset(
            at for at, (period, offset) in enumerate(rows) if (instant - offset) % period == 0
        )
        for instant in range(cycle)
    )
    return {found: Fraction(times, cycle) for found, times in sets.items() if found}


@given(ROWS)
def test_short_hyperperiods_are_counted(rows: list[tuple[int, int]]) -> None:
    assert instant_sets(rows) == counted(rows)


@settings(max_examples=60)
@given(ROWS, st.sampled_from([0, 40]))
def test_bounds_are_no_more_than_there_are(rows: list[tuple[int, int]], triples: int) -> None:
    exact = counted(rows)
    with (
        mock.patch.object(common_instants, "_MOST_INSTANTS", 0),
        mock.patch.object(common_instants, "_MOST_TRIPLES", triples),
    ):
        found = instant_sets(rows)
    assert all(0 < density <= exact.get(rows_of, 0) for rows_of, density in found.items())


def test_rows_that_hardly_meet_lose_little() -> None:
    periods = [1009, 1013, 1019, 1021, 1031]
    found = instant_sets([(period, 0) for period in periods])
    alone = sum((found[frozenset({at})] for at in range(5)), Fraction(0))
    assert alone > Fraction(99, 100) * sum(Fraction(1, period) for period in periods)
    assert len(found) == 15


def test_of_very_many_rows_nothing_is_said() -> None:
    assert instant_sets([(1009 + at, 0) for at in range(401)]) == {}
    assert instant_sets([]) == {}
