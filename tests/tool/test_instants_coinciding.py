# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Offsets moved within the jitter: how far, that nothing drifts, and that points are as few as can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import gcd, lcm

from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_system, make_task, ms

from horolog.analyse import distinct_instants, streams
from horolog.model import System
from horolog.plan.instants.coinciding import coinciding, delayed, fewest_points


def system_of(*rows: tuple[Fraction | int, Fraction | int, Fraction | int]) -> System:
    """A task for each period, offset and jitter, in ms."""
    tasks = [
        replace(make_task(f"t{at}", ms(1) * period, offset=ms(1) * offset), jitter=ms(1) * jitter)
        for at, (period, offset, jitter) in enumerate(rows)
    ]
    return make_system(tasks=tasks)


def delays(system: System) -> list[Fraction]:
    return [task.delay * 1000 for task in system.tasks]


def test_nothing_is_moved_without_a_jitter() -> None:
    assert coinciding(system_of((10, 0, 0), (10, 1, 0))) == ()


def test_nothing_is_moved_that_would_gain_nothing() -> None:
    assert coinciding(system_of((10, 0, 2), (10, 5, 2))) == ()


def test_equal_periods_meet_at_the_last_nominal_instant() -> None:
    (moved,) = coinciding(system_of((10, 0, 3), (10, 1, 3), (10, 3, 0)))
    assert delays(moved) == [3, 2, 0]
    assert len(streams(moved)) == 1


def test_never_earlier_than_nominal() -> None:
    """The second could only come earlier; so it goes around, which is further than it may."""
    assert coinciding(system_of((10, 0, 0), (10, 1, 8))) == ()
    (moved,) = coinciding(system_of((10, 0, 0), (10, 1, 9)))
    assert delays(moved) == [0, 9]


def test_a_multiple_rides_on_a_shorter_period() -> None:
    (moved,) = coinciding(system_of((5, 1, 0), (20, Fraction("5.5"), 1)))
    assert delays(moved) == [0, Fraction(1, 2)]
    assert distinct_instants(moved) == distinct_instants(moved, [0])


def test_a_short_period_goes_where_longer_ones_are() -> None:
    moved = coinciding(system_of((10, 0, 1), (20, Fraction(1, 2), 0), (40, Fraction(1, 2), 0)))[0]
    assert delays(moved) == [Fraction(1, 2), 0, 0]


def test_periods_without_a_multiple_meet_on_their_grid() -> None:
    """10 and 15 ms meet once in 30 ms, if at all, and then a cell of 5 ms serves both."""
    found = coinciding(system_of((10, 0, 0), (15, 3, 2)))
    assert [delays(moved) for moved in found] == [[0, 2]]


def test_what_has_been_moved_is_moved_from_its_nominal_offset() -> None:
    system = system_of((10, 0, 3), (10, 3, 0))
    (moved,) = coinciding(system)
    assert coinciding(moved) == (moved,)
    assert delayed(moved, [Fraction(0), Fraction(0)]) == system


def needed(arcs: Sequence[tuple[int, int]], period: int) -> int:
    """The fewest points, by trying all sets of starts."""
    starts = sorted({start % period for start, _ in arcs})
    for many in range(1, len(starts) + 1):
        for points in combinations(starts, many):
            if meets(points, arcs, period):
                return many
    return 0


def meets(points: Sequence[int], arcs: Sequence[tuple[int, int]], period: int) -> bool:
    return all(any((at - start) % period <= length for at in points) for start, length in arcs)


@given(
    st.integers(2, 30).flatmap(
        lambda period: st.tuples(
            st.just(period),
            st.lists(st.tuples(st.integers(0, 60), st.integers(0, period + 3)), max_size=7),
        )
    )
)
def test_points_are_as_few_as_can_be(case: tuple[int, list[tuple[int, int]]]) -> None:
    period, arcs = case
    points = fewest_points(arcs, period)
    assert meets(points, arcs, period)
    assert len(points) == needed(arcs, period)


@st.composite
def systems(draw: st.DrawFn) -> System:
    rows = []
    for _ in range(draw(st.integers(1, 8))):
        period = draw(
            st.sampled_from([Fraction(one) for one in (2, 3, 4, 5, 6, 10, 12, 20, 59, "10/3")])
        )
        offset = draw(st.integers(0, 3000)) * Fraction(1, 100)
        jitter = draw(st.integers(0, 150)) * Fraction(1, 100)
        rows.append((period, offset, jitter))
    return system_of(*rows)


@given(systems())
def test_delays_are_within_the_jitter_and_all_releases_have_the_same(system: System) -> None:
    for moved in coinciding(system):
        assert moved != system
        for before, after in zip(system.tasks, moved.tasks, strict=True):
            assert 0 <= after.delay <= before.jitter
            assert after == replace(before, offset=before.offset + after.delay, delay=after.delay)


def finest(system: System) -> Fraction:
    """The longest tick that expresses all periods and offsets."""
    times = [time for task in system.tasks for time in (task.period, task.offset)]
    unit = lcm(*(time.denominator for time in times))
    return Fraction(gcd(*(int(time * unit) for time in times)), unit)


@given(systems())
def test_no_finer_tick_is_needed(system: System) -> None:
    """Each point is a nominal offset and whole periods, so what other kernels can express stays."""
    for moved in coinciding(system):
        assert (finest(moved) / finest(system)).denominator == 1


@given(st.lists(st.tuples(st.integers(0, 99), st.integers(0, 40)), min_size=1, max_size=6))
def test_equal_periods_have_as_few_instants_as_can_be(rows: list[tuple[int, int]]) -> None:
    system = system_of(*((100, offset, jitter) for offset, jitter in rows))
    ways = (system, *coinciding(system))
    fewest = min(len({task.offset % ms(100) for task in one.tasks}) for one in ways)
    assert fewest == needed(rows, 100)
