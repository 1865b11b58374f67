# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog import analyse
from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    bases,
    common_divisor,
    count_instant,
    cycle_counts,
    distinct_instants,
    hyperperiod,
    jobs_in,
    release_instants,
    releases,
    streams,
    wakes,
    window_counts,
)
from horolog.analyse.releases import stream_wakes
from horolog.model import System


def brute_instants(system: System, task: int) -> list[int]:
    """The releases of one task in the window, straight from the rule."""
    hz = system.board.clock.hz
    found: list[int] = []
    seconds = system.tasks[task].offset
    while True:
        instant = (seconds * hz).__floor__()
        if instant >= (system.duration * hz).__floor__():
            return found
        found.append(instant)
        seconds += system.tasks[task].period


times = st.builds(Fraction, st.integers(7, 60), st.sampled_from([1, 1, 1, 2, 3, 7]))
shifts = st.builds(Fraction, st.integers(0, 90), st.sampled_from([1, 1, 2, 3]))


@st.composite
def small_systems(draw: st.DrawFn) -> System:
    """A clock of 1 Hz, so that seconds are counts, whole or not."""
    periods = draw(st.lists(times, min_size=1, max_size=5))
    offsets = [draw(shifts) for _ in periods]
    return make_system(
        periods,
        offsets=offsets,
        board=make_board([make_cell("cell0", hz=1)], hz=1),
        duration=Fraction(draw(st.integers(1, 900)), draw(st.sampled_from([1, 2]))),
    )


@pytest.mark.parametrize(
    ("seconds", "instant"),
    [(ms(1), 25_000), (ms("1/3"), 8_333), (ms("2/3"), 16_666), (Fraction(0), 0)],
)
def test_instants_are_rounded_down(seconds: Fraction, instant: int) -> None:
    assert count_instant(seconds, 25_000_000) == instant


@given(small_systems())
def test_jobs_and_instants_are_those_of_the_rule(system: System) -> None:
    brute = [brute_instants(system, task) for task in range(len(system.tasks))]
    assert jobs_in(system) == tuple(map(len, brute))
    union = sorted({instant for instants in brute for instant in instants})
    of, end = streams(system), window_counts(system)
    assert list(release_instants(of, 1, 0, end)) == union
    assert distinct_instants(system) == len(union)
    listed = [
        (instant, sorted(task for at in here for task in of[at].tasks))
        for instant, here in releases(of, 1, 0, end)
    ]
    assert listed == [(i, [t for t, own in enumerate(brute) if i in own]) for i in union]


@given(small_systems(), st.integers(0, 300), st.integers(0, 300))
def test_a_part_of_the_window_holds_that_part_of_the_instants(
    system: System, start: int, length: int
) -> None:
    of = streams(system)
    everything = release_instants(of, 1, 0, start + length)
    part = list(release_instants(of, 1, start, start + length))
    assert part == [at for at in everything if at >= start]


@given(small_systems())
def test_the_common_divisor_is_the_longest_that_meets_every_release(system: System) -> None:
    of = streams(system)
    divisor, first = common_divisor(of), of[0].offset
    steps = [(s.offset - first) / divisor for s in of] + [s.period / divisor for s in of]
    assert all(step.denominator == 1 for step in steps)
    for multiple in (2, 3, 5, 7):
        assert any((step / multiple).denominator != 1 for step in steps)


def test_hyperperiod_and_cycle() -> None:
    of = streams(make_system([ms(3), ms(5), ms(7), ms(11)]))
    assert hyperperiod(of) == ms(1155)
    assert cycle_counts(of, 25_000_000) == 1155 * 25_000
    thirds = streams(make_system([ms("1/3")]))
    assert hyperperiod(thirds) == ms("1/3")
    assert cycle_counts(thirds, 25_000_000) == 25_000  # three periods are a whole number of counts


def test_the_cycle_is_that_of_the_streams_that_matter() -> None:
    periods = [ms(p) for p in (3, 5, 3 * 1009, 5 * 1013, 15 * 1019)]
    system = make_system(periods, duration=Fraction(60 * 86_400))
    assert cycle_counts(streams(system), 25_000_000) == 15 * 25_000
    assert distinct_instants(system) == 60 * 86_400 * 1000 * 7 // 15
    long = [
        Stream(Fraction(1000), Fraction(0), (0,)),
        Stream(Fraction(HOP_COUNTS * 5), Fraction(0), (1,)),
    ]
    assert len(analyse.essential(long, 1)) == 2  # the hops of the second are instants of its own


def test_joined_streams_lie_on_anothers_instants() -> None:
    of = [
        Stream(ms(2), ms(0), (0,)),
        Stream(ms(4), ms(2), (1,)),
        Stream(ms(4), ms(1), (2,)),
        Stream(ms(8), ms(5), (3,)),
        Stream(ms(3), ms(0), (4,)),
    ]
    assert bases(of) == ((0, 1), (4,), (2, 3))


@pytest.mark.parametrize(
    ("period", "hops"),
    [
        (HOP_COUNTS, 0),
        (HOP_COUNTS + 1, 1),
        (2 * HOP_COUNTS, 1),
        (2 * HOP_COUNTS + 1, 2),
        (5 * HOP_COUNTS - 1, 4),
    ],
)
def test_long_periods_are_waited_for_in_hops(period: int, hops: int) -> None:
    of = [Stream(Fraction(period), Fraction(10), (0,))]
    second = 10 + period
    expected = [10 + hop * HOP_COUNTS for hop in range(hops + 1)]
    assert list(wakes(of, 1, 0, second)) == expected
    assert list(wakes(of, 1, second, second + 1)) == [second]
    assert list(wakes(of, 1, 11, second)) == expected[1:]


def test_the_hops_of_a_century_are_not_counted_one_by_one() -> None:
    century = 100 * 365 * 86_400
    of = [Stream(Fraction(century), Fraction(0), (0,))]
    hz, began = 25_000_000, time.process_time()
    low = 7 * HOP_COUNTS
    assert list(wakes(of, hz, low, low + 2 * HOP_COUNTS)) == [low, low + HOP_COUNTS]
    assert list(wakes(of, hz, century * hz, century * hz + 1)) == [century * hz]
    assert next(wakes(of, hz, 1, century * hz)) == HOP_COUNTS
    assert stream_wakes(of[0], hz, low + 1) == 8
    assert time.process_time() - began < 1


def test_a_long_window_costs_no_more_than_a_hyperperiod() -> None:
    system = make_system([ms(3), ms(5), ms(7), ms(11)], duration=Fraction(100 * 365 * 86_400))
    began = time.process_time()
    assert distinct_instants(system) == -(-100 * 365 * 86_400 * 1000 * 675 // 1155)
    assert time.process_time() - began < 1


def test_1500_tasks_for_seconds_take_well_under_a_second() -> None:
    periods = [ms(p) for p in (1, 2, 5, 10, 20, 50, 100, 200, 1000)]
    system = make_system([periods[i % 9] for i in range(1500)], duration=Fraction(10))
    began = time.process_time()
    assert distinct_instants(system) == 10_000
    assert len(jobs_in(system)) == 1500
    assert time.process_time() - began < 0.5
