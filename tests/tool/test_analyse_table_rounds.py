# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Rounds of dispatcher tables: by hand, and drawn ones beside a dispatcher that goes on and on."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tests.support.dispatcher import dispatched, drawn_table

from horolog.analyse import Stretch, dispatched_round, free_stretches
from horolog.model import DispatcherTable, Place, TablePoint


def table(of_round: int, *points: tuple[int, int]) -> DispatcherTable:
    """Points are (offset, task)."""
    made = tuple(TablePoint(Fraction(at), task, None) for at, task in points)
    return DispatcherTable("by hand", Fraction(of_round), made, Place("system.toml"))


def lengths(*longest: int) -> dict[int, Fraction]:
    return {task: Fraction(one) for task, one in enumerate(longest)}


def shown(stretches: tuple[Stretch, ...]) -> list[tuple[int, int, int, bool]]:
    return [(one.task, int(one.begin), int(one.end), one.runs) for one in stretches]


def free(stretches: tuple[Stretch, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((int(a), int(b)) for a, b in free_stretches(Fraction(10), stretches))


def test_a_later_point_preempts_and_what_it_preempted_goes_on() -> None:
    found = dispatched_round(table(10, (0, 0), (2, 1), (3, 2)), lengths(4, 3, 1))
    assert shown(found) == [
        (0, 0, 2, True),
        (1, 2, 3, True),
        (0, 2, 6, False),
        (1, 3, 4, False),
        (2, 3, 4, True),
        (1, 4, 6, True),
        (0, 6, 8, True),
    ]
    assert free(found) == ((8, 10),)


def test_of_equal_offsets_the_last_runs_first() -> None:
    found = dispatched_round(table(10, (1, 0), (1, 1)), lengths(2, 3))
    assert shown(found) == [(0, 1, 4, False), (1, 1, 4, True), (0, 4, 6, True)]
    assert free(found) == ((0, 1), (6, 10))


def test_a_job_goes_on_in_the_next_round() -> None:
    found = dispatched_round(table(10, (0, 0), (8, 1)), lengths(2, 4))
    assert shown(found) == [(0, 0, 2, True), (1, 0, 2, False), (1, 2, 4, True), (1, 8, 10, True)]
    assert [one.point for one in found] == [0, 1, 1, 1]
    assert free(found) == ((4, 8),)


def test_a_point_that_finds_its_job_unfinished_starts_none() -> None:
    found = dispatched_round(table(10, (0, 0), (5, 0)), lengths(6))
    assert shown(found) == [(0, 0, 6, True)]
    whole = dispatched_round(table(10, (0, 0)), lengths(10))
    assert free(whole) == ()
    assert free(()) == ((0, 10),)


@pytest.mark.parametrize("seed", range(200))
def test_it_is_a_later_round_of_a_dispatcher_that_goes_on(seed: int) -> None:
    random = Random(seed)
    of_round, rounds = Fraction(32), 12
    while True:
        drawn = drawn_table(random, random.randint(1, 6), of_round, Fraction(1))
        longest = {p.task: Fraction(random.randint(1, 20), 2) for p in drawn.points}
        starts = [(n * of_round + p.offset, p.task) for n in range(rounds) for p in drawn.points]
        steps = list(dispatched(starts, [longest.get(task, Fraction(1)) for task in range(6)]))
        open_at: dict[int, int] = {}
        skips = False  # the model starts every job; a table skips those that find one unfinished
        due = sorted(
            [(at, 1, task) for at, task in starts]
            + [(step.at, 0, step.task) for step in steps if step.kind == "E"]
        )
        for _, started, task in due:
            open_at[task] = open_at.get(task, 0) + (1 if started else -1)
            skips |= open_at[task] > 1
        if not skips:
            break
    running: list[tuple[int, Fraction, Fraction]] = []
    stack: list[int] = []
    now = Fraction(0)
    for step in steps:
        if stack and step.at > now:
            running.append((stack[-1], now, step.at))
        now = step.at
        if step.kind == "S":
            stack.append(step.task)
        else:
            assert stack.pop() == step.task
    late = (rounds - 2) * of_round
    expected: set[Fraction] = set()
    model = {task: Fraction(0) for task in longest}
    for task, begin, end in running:
        begin, end = max(begin, late) - late, min(end, late + of_round) - late
        if begin < end:
            model[task] += end - begin
            expected |= {begin, end}
    found = dispatched_round(drawn, longest)
    ours = {task: Fraction(0) for task in longest}
    for one in found:
        if one.runs:
            ours[one.task] += one.end - one.begin
            middle = late + (one.begin + one.end) / 2
            assert any(t == one.task and a <= middle < b for t, a, b in running), one
        assert 0 <= one.begin < one.end <= of_round
    assert ours == model
    left = free_stretches(of_round, found)
    assert sum(end - begin for begin, end in left) == of_round - sum(model.values())
    for begin, end in left:
        middle = late + (begin + end) / 2
        assert not any(a <= middle < b for _, a, b in running)
