# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How groups of basic tasks wait in a sorted list, against lists by hand and a plain simulation."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_system, ms

from horolog.analyse import group_walks
from horolog.model import Kind, System


def grouped(periods: list[Fraction], offsets: list[Fraction] | None = None) -> System:
    return make_system(periods, offsets=offsets or [], kind=Kind.BASIC)


def walks(of: System) -> tuple[tuple[bool, ...], Fraction, Fraction]:
    found = group_walks(of, tuple(range(len(of.tasks))))
    return found.from_end, found.passed, found.from_head


def test_one_group_passes_none() -> None:
    of = grouped([ms(7)])
    assert walks(of) == ((False,), Fraction(0), Fraction(0))
    assert group_walks(of, (0,)).moved == 0


def test_two_of_one_period_pass_each_other() -> None:
    """Each finds the other before it, and none behind: it goes in from the end."""
    of = grouped([ms(10), ms(10)], [ms(0), ms(5)])
    assert walks(of) == ((True, True), Fraction(0), Fraction(1))
    assert group_walks(of, (0, 1)).moved == 1


def test_of_two_periods_the_longer_goes_in_from_the_end() -> None:
    of = grouped([ms(1), ms(100)], [ms(0), Fraction(1, 10**4)])
    ends, passed, from_head = walks(of)
    assert ends == (False, True)
    assert 0 < passed < Fraction(1, 50)
    assert passed < from_head < Fraction(1, 25)


@given(
    st.lists(st.integers(300, 9000), min_size=2, max_size=6, unique=True),
)
@settings(max_examples=20)
def test_walks_are_those_of_a_list(periods: list[int]) -> None:
    """With a plain list: FIFO among equal keys, from the head up to the first that is later."""
    of = grouped([Fraction(one, 10**6) for one in sorted(periods)])
    steps = [one * 25 for one in sorted(periods)]
    waiting = [(0, which) for which in range(len(steps))]
    passed = 0
    for _ in range(4096):
        due, which = waiting.pop(0)
        key = due + steps[which]
        at = 0
        while at < len(waiting) and waiting[at][0] <= key:
            at += 1
        waiting.insert(at, (key, which))
        passed += at
    assert walks(of)[2] == Fraction(passed, 4096)
