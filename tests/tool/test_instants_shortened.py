# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Periods shortened within their bounds, onto others' instants or onto a grid."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_system, make_task, ms

from horolog.model import System
from horolog.plan.instants.shortened import shortened, with_periods

_Row = tuple[Fraction | int, Fraction | int | None, Fraction | int]


def system_of(*rows: _Row) -> System:
    """A task for each longest and shortest period (None: it is fixed), and WCET, in ms."""
    tasks = [
        replace(
            make_task(f"t{at}", ms(1) * longest, wcet=ms(1) * wcet),
            least_period=None if shortest is None else ms(1) * shortest,
        )
        for at, (longest, shortest, wcet) in enumerate(rows)
    ]
    return make_system(tasks=tasks)


def periods(system: System) -> list[Fraction]:
    return [task.period * 1000 for task in system.tasks]


def test_fixed_periods_stay() -> None:
    assert shortened(system_of((10, None, 1), (61, None, 1))) == ()


def test_a_period_becomes_a_multiple_of_another() -> None:
    (moved,) = shortened(system_of((10, None, 1), (61, 50, 1)))
    assert periods(moved) == [10, 60]
    assert moved.tasks[1].deadline == ms(60)


def test_or_a_part_of_another() -> None:
    assert periods(shortened(system_of((100, None, 1), (52, 40, 1)))[0]) == [100, 50]


def test_not_below_its_bound() -> None:
    """50 ms it may not be, so that a cell of 5 ms is needed."""
    (moved,) = shortened(system_of((10, None, 1), (59, 51, 1)))
    assert periods(moved) == [10, 55]


def test_a_group_moves_together() -> None:
    assert periods(shortened(system_of((7, None, 1), (60, 50, 1), (60, 50, 1)))[0]) == [7, 56, 56]


def test_two_that_may_move_meet() -> None:
    assert periods(shortened(system_of((60, 50, 1), (61, 58, 1)))[0]) == [60, 60]


def test_a_grid_of_periods_without_a_multiple() -> None:
    """Of 20 and 30 ms a cell of 10 ms serves 50 ms, too, though most of its instants are their own."""
    found = shortened(system_of((20, None, 1), (30, None, 1), (59, 45, 1)))
    assert [20, 30, 50] in [periods(one) for one in found]


def test_the_processor_is_not_overloaded() -> None:
    assert shortened(system_of((10, None, 5), (61, 50, 30))) == ()


def test_a_deadline_that_was_given_stays() -> None:
    system = system_of((10, None, 1), (61, 50, 1))
    task = replace(system.tasks[1], deadline=ms(40))
    moved = with_periods(replace(system, tasks=(system.tasks[0], task)), [ms(10), ms(60)])
    assert moved.tasks[1].deadline == ms(40)


@st.composite
def systems(draw: st.DrawFn) -> System:
    rows: list[_Row] = []
    for _ in range(draw(st.integers(1, 8))):
        longest = draw(st.integers(2_000, 100_000)) * Fraction(1, 1000)
        part = draw(st.none() | st.integers(50, 100))
        rows.append((longest, None if part is None else longest * part / 100, longest / 12))
    return system_of(*rows)


@given(systems())
def test_periods_are_within_their_bounds(system: System) -> None:
    for moved in shortened(system):
        assert moved.utilisation < 1
        assert moved != system
        for before, after in zip(system.tasks, moved.tasks, strict=True):
            least = before.period if before.least_period is None else before.least_period
            assert least <= after.period <= before.period
            assert after == replace(before, period=after.period, deadline=after.period)
