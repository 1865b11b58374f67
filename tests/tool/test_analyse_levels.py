# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.analyse import levels
from horolog.model import HorologError, PriorityRule


def test_equal_periods_share_a_level_and_the_shortest_is_the_most_urgent() -> None:
    assert levels(make_system([ms(10), ms(5), ms(10), ms(20)])) == (2, 3, 2, 1)


def test_deadline_monotonic_ranks_by_deadline() -> None:
    tasks = [
        make_task("a", ms(10), deadline=ms(9)),
        make_task("b", ms(20), deadline=ms(3)),
        make_task("c", ms(30), deadline=ms(9)),
    ]
    assert levels(make_system(tasks=tasks, priorities=PriorityRule.DEADLINE_MONOTONIC)) == (1, 2, 1)


def test_explicit_priorities_that_fit_are_taken_as_given() -> None:
    tasks = [make_task(str(p), ms(10), priority=p) for p in (31, 7, 7, 1)]
    assert levels(make_system(tasks=tasks, priorities=PriorityRule.EXPLICIT)) == (31, 7, 7, 1)


def test_explicit_priorities_beyond_the_board_only_rank() -> None:
    tasks = [make_task(str(p), ms(10), priority=p) for p in (500, 7, 7, 0)]
    assert levels(make_system(tasks=tasks, priorities=PriorityRule.EXPLICIT)) == (3, 2, 2, 1)


def test_explicit_without_a_priority_is_the_users_error() -> None:
    tasks = [make_task("lonely", ms(10), line=7)]
    with pytest.raises(HorologError, match=r"system\.toml:7: task lonely has no priority"):
        levels(make_system(tasks=tasks, priorities=PriorityRule.EXPLICIT))


def test_more_ranks_than_levels_share_by_ratio() -> None:
    system = make_system([ms(p) for p in range(1, 11)], board=make_board(levels=4))
    assert levels(system) == (4, 3, 3, 2, 2, 2, 1, 1, 1, 1)


@given(st.lists(st.integers(1, 200), min_size=1, max_size=120), st.integers(1, 31))
def test_levels_keep_the_order_and_use_what_there_is(periods: list[int], available: int) -> None:
    found = levels(make_system([ms(p) for p in periods], board=make_board(levels=available)))
    level_of = dict(zip(periods, found, strict=True))
    ranks = sorted(level_of)
    assert all(level_of[p] == level for p, level in zip(periods, found, strict=True))
    assert all(level_of[a] >= level_of[b] for a, b in pairwise(ranks))
    assert {*found} == {*range(1, min(available, len(ranks)) + 1)}
