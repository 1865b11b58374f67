# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Levels, dispatchers and lines of basic tasks, and the ceilings of what they share."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_system, make_task, ms

from horolog.analyse import (
    MOST_ON_A_LINE,
    Dispatcher,
    ceiling,
    common_levels,
    dispatchers,
    levels,
    line_of,
    lines,
    numbered,
    unordered,
)
from horolog.model import Kind, Place, PriorityRule, Resource, System
from horolog.plan import NOTHING, plan

NVIC = make_board(basic_levels=8, lines=29)
PLAIN = make_board(basic_levels=8)
B, T = Kind.BASIC, Kind.THREAD


def explicit(*given: tuple[Kind, int], lines: int = 29) -> System:
    tasks = [
        make_task(f"{kind.value}{priority}", ms(10), priority=priority, kind=kind)
        for kind, priority in given
    ]
    board = make_board(basic_levels=8, lines=lines)
    return make_system(tasks=tasks, board=board, priorities=PriorityRule.EXPLICIT)


def test_the_controller_has_levels_of_its_own() -> None:
    periods = [ms(p) for p in (1, 2, 5, 10, 20, 50, 100, 200, 1000)]
    system = make_system(periods, board=NVIC, kind=B)
    assert levels(system) == (8, 7, 6, 5, 4, 3, 2, 2, 1)
    assert common_levels(system) == (9, 8, 7, 6, 5, 4, 3, 2, 1)
    assert set(dispatchers(system)) == {Dispatcher.CONTROLLER}


def test_basic_tasks_go_before_threads() -> None:
    tasks = [make_task("t", ms(1)), make_task("b", ms(100), kind=B), make_task("u", ms(2))]
    hardware = make_system(tasks=tasks, board=NVIC)
    assert levels(hardware) == (2, 1, 1)
    assert common_levels(hardware) == (2, 3, 1)
    software = make_system(tasks=tasks, board=PLAIN)
    assert levels(software) == (2, 3, 1)
    assert dispatchers(software)[1] is Dispatcher.LINE_THREAD


def test_threads_leave_room_for_the_threads_of_lines() -> None:
    board = make_board(levels=6, basic_levels=4)
    tasks = [make_task(f"t{p}", ms(p)) for p in range(1, 9)]
    tasks += [make_task(f"b{p}", ms(p), kind=B) for p in range(1, 9)]
    found = levels(make_system(tasks=tasks, board=board))
    assert found[:8] == (2, 2, 1, 1, 1, 1, 1, 1)
    assert found[8:] == (6, 5, 5, 4, 4, 3, 3, 3)


def test_what_is_below_a_thread_runs_in_one() -> None:
    system = explicit((B, 20), (T, 10), (B, 10), (B, 5), (B, 30))
    by = dispatchers(system)
    assert [one.value for one in by] == [
        "controller",
        "kernel",
        "line thread",
        "line thread",
        "controller",
    ]
    assert levels(system) == (1, 10, 10, 5, 2)
    made = [(line.level, line.by.value, line.tasks) for line in lines(system)]
    assert made == [
        (2, "controller", (4,)),
        (1, "controller", (0,)),
        (10, "line thread", (2,)),
        (5, "line thread", (3,)),
    ]


def test_a_level_with_many_tasks_has_several_lines() -> None:
    system = make_system([ms(10)] * 70 + [ms(5)], board=NVIC, kind=B)
    assert [(line.level, len(line.tasks)) for line in lines(system)] == [
        (2, 1),
        (1, 32),
        (1, 32),
        (1, 6),
    ]
    assert lines(system)[1].bit(0) == 31
    assert lines(system)[1].bit(31) == 0
    assert lines(system)[0].bit(70) == 31
    assert line_of(system, 64) == 3


def test_the_ceiling_is_the_most_urgent_users() -> None:
    system = make_system([ms(5), ms(10), ms(20)], board=NVIC, kind=B)
    assert ceiling(system, Resource("r", (1, 2), Place("f"))) == 2
    assert ceiling(system, Resource("r", (0, 2), Place("f"))) == 3


def test_a_threads_level_is_no_ceiling() -> None:
    system = explicit((B, 20), (T, 10), (B, 15))
    assert ceiling(system, Resource("r", (1, 2), Place("f"))) == 1
    assert unordered(system, (1, 2)) is None
    assert unordered(system, (1,)) is None
    below = explicit((B, 5), (T, 10), (T, 4), (B, 5))
    assert unordered(below, (0, 1)) == (1, 0)
    assert unordered(below, (0, 2)) is None
    assert unordered(below, (0, 2, 1)) == (1, 0)


def test_no_ceiling_orders_tasks_of_different_dispatchers() -> None:
    system = explicit((B, 20), (T, 10), (B, 9), (B, 5))
    assert unordered(system, (2, 3)) is None
    assert unordered(system, (0, 3)) == (0, 3)


@given(
    st.lists(st.tuples(st.sampled_from((B, T)), st.integers(1, 60)), min_size=1, max_size=90),
    st.integers(1, 8),
    st.booleans(),
)
def test_lines_keep_the_order(tasks: list[tuple[Kind, int]], have: int, hardware: bool) -> None:
    board = make_board(levels=31, basic_levels=have, lines=29 if hardware else 0)
    made = [make_task(f"t{at}", ms(p), kind=kind) for at, (kind, p) in enumerate(tasks)]
    system = make_system(tasks=made, board=board)
    found, on = lines(system), levels(system)
    order = [index for line in found for index in line.tasks]
    assert sorted(order) == list(system.basic)
    assert all(made[a].period <= made[b].period for a, b in pairwise(order))
    assert all(on[index] == line.level for line in found for index in line.tasks)
    assert all(len(line.tasks) <= MOST_ON_A_LINE for line in found)
    assert len({line.level for line in found}) <= have
    threads = [on[i] for i, task in enumerate(made) if task.kind is T]
    assert all(1 <= level <= 31 for level in on)
    if not hardware and threads and found:
        assert min(line.level for line in found) > max(threads)
    same = replace(system, tasks=tuple(replace(task, kind=T) for task in made))
    assert common_levels(same) == levels(same)


def test_where_lines_ascend_each_task_has_a_greater_line_than_the_less_urgent() -> None:
    tasks = [make_task(f"t{p}", ms(p), kind=B) for p in (4, 2, 1, 3)]
    usual = make_system(tasks=tasks, board=make_board(basic_levels=2, lines=16))
    port = replace(usual.board.port, lines_ascend=True)
    system = replace(usual, board=replace(usual.board, port=port))
    found = numbered(system, plan(system, mechanism="gcd", prices=NOTHING).choice)
    assert all(len(line.tasks) == 1 for line, _ in found)
    numbers = [number.number for _, number in found if number is not None]
    assert len(numbers) == len(tasks)
    assert numbers == sorted(numbers, reverse=True)
    order = [line.level for line, _ in found]
    assert order == sorted(order, reverse=True)
    assert lines(system) == tuple(line for line, _ in found), "the same, whatever the plan"
    shared = numbered(usual, plan(usual, mechanism="gcd", prices=NOTHING).choice)
    assert len(shared) == 2, "elsewhere the tasks of a level share a line"
    assert len(lines(usual)) == 2


def test_where_lines_ascend_the_tasks_released_least_share_if_lines_are_few() -> None:
    tasks = [make_task(f"t{p}", ms(p), kind=B) for p in (4, 2, 1, 3, 5)]
    usual = make_system(tasks=tasks, board=make_board(basic_levels=1, lines=3))
    port = replace(usual.board.port, lines_ascend=True)
    system = replace(usual, board=replace(usual.board, port=port))
    assert {line.tasks for line in lines(system)} == {(2,), (1,), (3, 0, 4)}
