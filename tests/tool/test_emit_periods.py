# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Periods as generated code states them, stepped as kernel/time/period.h does, against exact fractions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_system

from horolog.emit import generate
from horolog.model import HorologError, Mode, Plan, Prediction, Releaser, System

HOP = 2**30
WRAP = 2**32
START = 25_000  # counts of t = 0 after the clock's start, at 25 MHz

_THREAD = re.compile(r"^    HRLI_PERIODIC_THREAD\((?P<fields>\d.*)\),$", re.MULTILINE)


@dataclass
class Stated:
    """One line of the generated table, and the kernel's arithmetic on it."""

    first: int
    counts: int
    hops: int
    numerator: int
    denominator: int
    accumulated: int

    def releases(self, number: int) -> list[int]:
        stamp, accumulated, found = self.first, self.accumulated, []
        for _ in range(number):
            found.append(stamp)
            for _ in range(self.hops):
                stamp += HOP
            stamp += self.counts
            if self.numerator:
                accumulated += self.numerator
                assert accumulated < WRAP, "the kernel's addition wraps"
                if accumulated >= self.denominator:
                    accumulated -= self.denominator
                    stamp += 1
        return found


def by_hand(system: System) -> Plan:
    releaser = Releaser("cell0", Mode.ONE_SHOT, "sorted-list", tuple(range(len(system.tasks))), 0)
    nothing = Prediction(0, (), 0, Fraction(0), Fraction(0), Fraction(0))
    return Plan("by hand", (releaser,), nothing)


def stated(system: System) -> list[Stated]:
    text = generate(system, by_hand(system))["hrl_gen_system.c"]
    rows = []
    for match in _THREAD.finditer(text):
        fields = [field.strip().removesuffix("u") for field in match["fields"].split(",")]
        rows.append(Stated(*map(int, fields[6:12])))
    assert len(rows) == len(system.tasks)
    return rows


periods = st.one_of(
    st.integers(250, 10**7).map(Fraction),
    st.builds(Fraction, st.integers(1000, 10**9), st.integers(1, 999)).filter(lambda f: f >= 250),
    st.integers(HOP - 2, 9 * HOP).map(Fraction),
    st.builds(lambda n, d: HOP * Fraction(n, d), st.integers(3, 20), st.integers(1, 7)),
)
offsets = st.one_of(
    st.just(Fraction(0)), st.builds(Fraction, st.integers(0, 10**6), st.integers(1, 97))
)


@given(period=periods, offset=offsets)
def test_every_release_is_the_floor_of_its_exact_instant(
    period: Fraction, offset: Fraction
) -> None:
    hz = 25_000_000
    system = make_system([period / hz], offsets=[offset / hz])
    (row,) = stated(system)
    assert 0 < row.counts <= HOP
    assert 0 <= row.numerator < row.denominator < 2**31
    assert 0 <= row.accumulated < row.denominator
    exact = [START + floor(offset + k * period) for k in range(200)]
    assert row.releases(200) == exact


def test_a_third_of_a_count_does_not_add_up_over_a_billion_periods() -> None:
    """The kernel's state after 10^9 periods, by the arithmetic of its remainder alone."""
    (row,) = stated(make_system([Fraction(1, 3000)]))  # 1/3 ms: 8333 1/3 counts
    assert (row.counts, row.hops, row.numerator, row.denominator) == (8333, 0, 1, 3)
    periods = 10**9
    carried = (row.accumulated + periods * row.numerator) // row.denominator
    assert row.first + periods * row.counts + carried == START + floor(periods * Fraction(25000, 3))


@pytest.mark.parametrize(
    ("counts", "hops", "rest"),
    [(HOP - 1, 0, HOP - 1), (HOP, 0, HOP), (HOP + 1, 1, 1), (2 * HOP, 1, HOP), (2 * HOP + 5, 2, 5)],
)
def test_hops_leave_a_step_that_is_not_empty(counts: int, hops: int, rest: int) -> None:
    (row,) = stated(make_system([Fraction(counts, 25_000_000)]))
    assert (row.hops, row.counts) == (hops, rest)


def test_a_fraction_too_fine_for_the_kernel_is_an_error_that_names_the_task() -> None:
    fine = Fraction(10**6, 2**31 + 11) / 25_000_000 * 1000
    system = make_system([fine])
    with pytest.raises(HorologError) as raised:
        generate(system, by_hand(system))
    assert 'task "t0"' in raised.value.message
    assert raised.value.place is system.tasks[0].place
    assert raised.value.expected is not None
    assert "below 2^31" in raised.value.expected


def test_another_clock_gives_other_counts() -> None:
    board = make_board(hz=1_000_000)
    (row,) = stated(make_system([Fraction(1, 300)], board=board))
    assert (row.first, row.counts, row.numerator, row.denominator) == (1000, 3333, 1, 3)
