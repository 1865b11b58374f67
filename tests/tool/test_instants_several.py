# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The share of a one-shot cell's instants that leave the straight path."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.tool.factory import make_system, ms

from horolog.analyse import streams
from horolog.plan import NOTHING, plan
from horolog.plan.instants.several import share_of_general
from horolog.plan.prediction.predict import forecast


def share(*periods: int) -> Fraction:
    system = make_system([ms(period) for period in periods])
    return share_of_general(streams(system), system.board.clock.hz)


def test_two_tasks_of_one_instant_are_general() -> None:
    assert share(10, 10) == 1


def test_the_only_task_leaves_its_store_empty() -> None:
    assert share(10) == 1


def test_a_slow_task_meets_a_fast_one_now_and_then() -> None:
    assert abs(share(5, 20) - Fraction(1, 4)) < Fraction(1, 100)


def test_primes_meet_seldom() -> None:
    assert share(7, 11) < Fraction(1, 10)


def test_they_are_charged_over_delay_queues_only() -> None:
    system = make_system([ms(10), ms(10)])
    (releaser,) = plan(system, mechanism="one-shot", prices=NOTHING).choice.releasers
    prices = replace(NOTHING, costs=replace(NOTHING.costs, general=Fraction(40)))
    found = forecast(system, releaser, prices)
    assert found.general == found.instants
    free = forecast(system, releaser, NOTHING)
    queue = found.cost(system, "sorted-list", prices) - free.cost(system, "sorted-list", NOTHING)
    assert queue.rate == 40 * found.instants.rate
    other = found.cost(system, "mask-table", prices) - free.cost(system, "mask-table", NOTHING)
    assert other.rate == 0
