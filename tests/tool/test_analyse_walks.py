# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Walks of threads into a sorted list: what is computed is what a simulation passes, on average."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction

import pytest

from horolog.analyse import Stream, walks_of

PERIODS_US = (701, 1009, 2503, 4001, 7919, 15013, 30011)


def streams_of(periods_us: tuple[int, ...]) -> list[Stream]:
    return [
        Stream(Fraction(period, 10**6), Fraction(37 * at, 10**6), (at,))
        for at, period in enumerate(periods_us)
    ]


def simulated(of: list[Stream]) -> list[tuple[float, float]]:
    """Nodes passed from the head and from the end; each thread is put back when it is released."""
    waiting = sorted((int(s.offset * 10**6), at) for at, s in enumerate(of))
    heads, ends, jobs = [0] * len(of), [0] * len(of), [0] * len(of)
    for _ in range(60000):
        due, which = waiting.pop(0)
        entry = (due + int(of[which].period * 10**6), which)
        at = bisect_right(waiting, entry)
        heads[which] += at
        ends[which] += len(waiting) - at
        jobs[which] += 1
        waiting.insert(at, entry)
    return [(h / n, e / n) for h, e, n in zip(heads, ends, jobs, strict=True)]


def test_walks_are_those_of_a_simulation() -> None:
    of = streams_of(PERIODS_US)
    for walk, (head, end) in zip(walks_of(of), simulated(of), strict=True):
        assert float(walk.from_head) == pytest.approx(head, abs=0.05)
        assert float(walk.from_end) == pytest.approx(end, abs=0.05)


def test_long_periods_are_put_in_from_the_end() -> None:
    chosen = [walk.is_from_end for walk in walks_of(streams_of(PERIODS_US))]
    assert chosen == sorted(chosen)
    assert chosen[0] is False
    assert chosen[-1] is True


def test_a_short_list_is_passed_from_its_head() -> None:
    of = streams_of((1000, 1000))
    assert [walk.from_head for walk in walks_of(of)] == [1, 1]
    assert not any(walk.is_from_end for walk in walks_of(of))


def test_what_is_spared_counts_the_longer_step_from_the_end() -> None:
    for walk in walks_of(streams_of(PERIODS_US)):
        assert walk.spared == walk.from_head - Fraction(4, 3) * walk.from_end - 1
        assert walk.is_from_end == (walk.spared > 0)


def test_numbers_stay_short_with_many_periods() -> None:
    of = [Stream(Fraction(10**6 + 7 * n, 10**9), Fraction(0), (n,)) for n in range(300)]
    assert all(walk.from_head.denominator < 2**80 for walk in walks_of(of))
