# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which instants are inside the window, and from when on an entry may be for one outside."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.analyse import jobs_in
from horolog.measure.interrupts import clock_wraps
from horolog.measure.window import (
    one_shot_instants,
    one_shot_window,
    tick_window,
    ticks_in,
    window_of,
)
from horolog.model import Clock, Mode, Overrun, Plan, Prediction, Releaser
from horolog.trace import Trace, jobs

HZ = 25_000_000
COUNT = Fraction(1, HZ)
NOTHING = Prediction(0, (), 0, Fraction(0), Fraction(0), Fraction(0))
END = 500_000  # counts: 20 ms


def plan_of(*releasers: Releaser) -> Plan:
    return Plan("made", releasers, NOTHING)


def periodic(cell: str, period: int, first: int = 0) -> Releaser:
    return Releaser(cell, Mode.PERIODIC, "sorted-list", (0,), first, period)


def one_shot(cell: str, *tasks: int) -> Releaser:
    return Releaser(cell, Mode.ONE_SHOT, "sorted-list", tasks, 0)


def test_each_handler_has_its_own_first_instant_outside() -> None:
    system = make_system([ms(5), ms(7)], duration=ms(20))
    window = window_of(
        system,
        plan_of(periodic("cell0", 125_000), one_shot("cell1", 1), periodic("cell2", 3, first=2)),
        near=100,
    )
    assert window.end == END
    assert window.outside == {0: END, 1: 7 * 3 * 25_000, 2: END}
    assert window.following == END
    assert window.near == END - 3  # the next one of 2 + 3 * k is at the end


@pytest.mark.parametrize(
    ("before", "near"), [(1, END - 1), (3, END - 3), (100, END - 100), (101, None), (0, None)]
)
@pytest.mark.parametrize("mode", [Mode.PERIODIC, Mode.ONE_SHOT])
def test_what_is_near_the_end(before: int, near: int | None, mode: Mode) -> None:
    offset = (ms(20) - before * COUNT) % ms(20)
    system = make_system([ms(20)], offsets=[offset], duration=ms(20))
    releaser = (
        periodic("cell0", END, first=int(offset * HZ))
        if mode is Mode.PERIODIC
        else one_shot("cell0", 0)
    )
    window = window_of(system, plan_of(releaser), near=100)
    assert window.near == near
    assert window.following == END + int(offset * HZ)


def test_cells_that_share_a_handler_and_the_clock_that_wraps_on_it() -> None:
    cells = [make_cell("cell0"), replace(make_cell("cell1"), handler="cell0_handler")]
    board = replace(make_board(cells), clock=Clock("fake", HZ, 32, 1, "cell0_handler"))
    system = make_system([ms(5)], board=board, duration=ms(20))
    both = plan_of(periodic("cell0", 400_000), periodic("cell1", 300_000))
    assert window_of(system, both, near=9).outside == {0: 600_000}
    wrap = 2**32 - board.start_counts
    late = replace(system, duration=(wrap - 5) * COUNT)
    assert window_of(late, plan_of(periodic("cell1", 2**30)), near=9).outside == {0: wrap}
    # The wrap at the end is outside, and one a count before it inside.
    assert clock_wraps(replace(system, duration=wrap * COUNT)) == 0
    assert clock_wraps(replace(system, duration=(wrap + 1) * COUNT)) == 1


@pytest.mark.parametrize(
    ("over", "ticks", "near"), [(0, 20, None), (1, 21, END), (3, 21, END), (300, 21, None)]
)
def test_the_window_of_another_kernels_ticks(over: int, ticks: int, near: int | None) -> None:
    system = make_system([ms(5)], duration=ms(20) + over * COUNT)
    assert ticks_in(system, 1000) == ticks
    window = tick_window(system, 1000, 2, near=100)
    assert window.near == near
    assert window.following == ticks * 25_000
    assert window.outside == {2: ticks * 25_000}


_times = st.fractions(Fraction(1, 1000), Fraction(1, 10), max_denominator=30_000_000)


@given(
    _times,
    st.fractions(0, Fraction(1, 10), max_denominator=30_000_000),
    st.integers(0, 20),
    st.fractions(-2, 2, max_denominator=1000),
)
def test_jobs_are_counted_in_the_same_window_as_interrupts(
    period: Fraction, offset: Fraction, release: int, counts: Fraction
) -> None:
    """Also where the duration is no whole number of counts: the window ends with the last whole one."""
    duration = max(offset + release * period + counts * COUNT, COUNT)
    task = replace(make_task("t", period, offset=offset), overrun=Overrun.QUEUE)
    system = make_system(tasks=[task], duration=duration)
    end = Fraction(duration.numerator * HZ // duration.denominator, HZ)
    due = [offset + k * period for k in range(102) if offset + k * period < end]
    assert len(jobs(Trace.of([]), system)) == sum(jobs_in(system)) == len(due)


@pytest.mark.parametrize(
    ("offsets", "instants"),
    [
        ((0, 0), [0, 5, 7, 10, 14, 15]),
        ((0, 3), [0, 3, 5, 10, 15, 17]),
        ((1, 3), [0, 1, 3, 6, 10, 11, 16, 17]),  # and t = 0, where nothing is due
    ],
)
def test_a_kernel_that_interrupts_at_releases_does_so_at_the_start_too(
    offsets: tuple[int, int], instants: list[int]
) -> None:
    system = make_system([ms(5), ms(7)], offsets=[ms(o) for o in offsets], duration=ms(20))
    assert one_shot_instants(system) == len(instants)
    window = one_shot_window(system, 2, near=100)
    first_outside = min(
        offset + k * period
        for offset, period in zip(offsets, (5, 7), strict=True)
        for k in range(6)
        if offset + k * period >= 20
    )
    assert window.end == END
    assert window.following == first_outside * 25_000
    assert window.outside == {2: first_outside * 25_000}
    assert window.near is None


def test_a_release_just_before_the_end_is_near_it() -> None:
    system = make_system([ms(20), ms(5)], offsets=[ms(20) - 3 * COUNT, ms(0)], duration=ms(20))
    assert one_shot_window(system, 0, near=100).near == END - 3
    assert one_shot_window(system, 0, near=2).near is None
