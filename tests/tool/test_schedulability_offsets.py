# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Offsets that keep releases apart, and the most releases at one instant, beside counting all instants."""

from __future__ import annotations

from collections import Counter
from math import lcm

from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.schedulability import apart_offsets, most_together


def counted(sources: list[tuple[int, int, int]]) -> int:
    cycle = lcm(*(period for period, _, _ in sources))
    last = max(offset for _, offset, _ in sources)
    instants: Counter[int] = Counter()
    for period, offset, count in sources:
        for instant in range(offset, last + 2 * cycle, period):
            instants[instant] += count
    return max(instants.values())


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 12), st.integers(0, 15), st.integers(1, 3)),
        min_size=1,
        max_size=6,
    )
)
def test_the_most_together_is_that_of_all_instants(sources: list[tuple[int, int, int]]) -> None:
    assert most_together(sources) == counted(sources)


def test_pairs_are_half_of_their_divisor_apart() -> None:
    """gcd(20, 40) = 20 goes first: 10 apart; then gcd(10, 20) = 10: 5 apart of the first."""
    assert apart_offsets((10, 20, 40), (1, 1, 1), {}) == (5, 0, 10)
    # In steps of 10 there is one offset for the first, which meets one of the others in any case.
    assert apart_offsets((10, 20, 40), (1, 1, 1), {}, 10) == (0, 0, 10)
    assert most_together([(10, 0, 1), (20, 0, 1), (40, 10, 1)]) == 2


def test_equal_periods_go_to_instants_of_their_own() -> None:
    """Half of 8 apart is taken by the second; the third and fourth take what is free."""
    found = apart_offsets((8, 8, 8, 8), (1, 1, 1, 1), {}, 2)
    assert sorted(found) == [0, 2, 4, 6]
    assert found[:2] == (0, 4)


def test_offsets_that_are_given_stay() -> None:
    assert apart_offsets((8, 8), (1, 1), {1: 3}) == (7, 3)
    assert apart_offsets((8,), (1,), {}) == (0,)


def test_too_many_cases_are_no_answer() -> None:
    """Sixty sources in thirty pairs that never meet, each of which meets all others: 2^30 cliques."""
    primes = [2 * at + 1 for at in range(1, 400) if all((2 * at + 1) % d for d in range(3, at, 2))]
    pairs = [(2 * prime, offset, 1) for prime in primes[:30] for offset in (0, 2)]
    assert most_together(pairs) in (30, None)
