# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A limit on planning: the best plan until then, with its gap. The clock counts how often it is asked."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_system
from tests.tool.test_mapping_exact import smooth

from horolog.cp_sat import ortools_installed
from horolog.model import Kind, SearchEnd, System
from horolog.plan import (
    Effort,
    Limit,
    Outcome,
    Problem,
    hypothetical,
    optimal,
    plan,
    solve,
    to_data,
)
from horolog.plan.instants.residue_classes import candidates
from horolog.plan.mapping.solver import ConstraintSearch
from horolog.read import read_board


class Steps:
    """A clock that is a second later each time that it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return float(self.asked)


def after(steps: int) -> Limit:
    """A limit that is over when it has been asked so often."""
    return Limit(Fraction(steps), clock=Steps())


def uneven(count: int, seed: int = 1, cells: int = 6) -> System:
    """Periods of many microseconds on alike cells."""
    draw = random.Random(seed)
    hidden = [draw.randint(1_000, 5_000) for _ in range(cells)]
    periods = [Fraction(draw.choice(hidden) * draw.randint(2, 30), 10**6) for _ in range(count)]
    return hypothetical(make_system(periods, board=read_board("mps2-an385")), cells)


def rows(count: int, seed: int) -> Problem:
    """Periods that are multiples of six hidden ones."""
    draw = random.Random(seed)
    hidden = [draw.randint(1_000, 5_000) for _ in range(6)]
    periods = sorted({draw.choice(hidden) * draw.randint(2, 99) for _ in range(count)})
    zeros = (0,) * len(periods)
    return Problem(tuple(periods), zeros, tuple((at,) for at in range(len(periods))), 6, 1, 1)


def test_without_a_limit_nothing_asks_the_clock() -> None:
    clock = Steps()
    limit = Limit(clock=clock)
    assert plan(uneven(12), limit=limit).search.end is SearchEnd.BY_ITSELF
    assert clock.asked == 1  # when it began


def test_a_limit_that_is_not_reached_changes_nothing() -> None:
    system = uneven(20)
    free, limited = plan(system), plan(system, limit=after(10**9))
    assert limited.search.end is SearchEnd.BY_ITSELF
    assert limited.search.limit_s == 10**9
    assert replace(limited, search=free.search) == free


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("steps", [0, 3, 40])
def test_whatever_the_limit_there_is_a_plan_and_its_gap(steps: int, kind: Kind) -> None:
    system = uneven(15)
    system = replace(system, tasks=tuple(replace(task, kind=kind) for task in system.tasks))
    best = plan(system)
    cut = plan(system, limit=after(steps))
    released = [task for releaser in cut.choice.releasers for task in releaser.tasks]
    assert sorted(released) == list(range(len(system.tasks)))
    assert cut == plan(system, limit=after(steps))  # by this clock it is the same again
    assert cut.search.end is SearchEnd.AT_LIMIT
    assert 0 <= cut.search.gap < 1
    for one in (best, cut):
        assert cut.search.bound_per_second <= one.choice.prediction.interrupts_per_second
    data = to_data(system, cut)["search"]
    assert data["end"] == "at the limit"
    assert data["limit_s"] == steps
    assert data["gap"] == float(cut.search.gap)


def test_more_time_finds_no_worse_a_division_and_the_bound_holds() -> None:
    of = rows(200, 3)
    assert len(of.periods) > 128  # so that no merging by pairs comes first
    best = optimal(of)
    assert isinstance(best, Outcome)
    assert best.proved
    limits = [1, 5, 20, 80, 1000, 10**6]
    found = [solve(of, limit=after(steps)) for steps in limits]
    objectives = []
    for one in found:
        assert isinstance(one, Outcome)
        assert one.bound <= best.objective <= one.objective
        objectives.append(one.objective)
    assert objectives == sorted(objectives, reverse=True)
    assert objectives[0] > best.objective  # or nothing was cut
    assert found[-1] == best


def test_an_interrupt_keeps_what_was_found() -> None:
    said: list[str] = []

    def say(words: str) -> None:
        said.append(words)
        limit.interrupt()

    limit = Limit(Fraction(10**9), clock=Steps(), say=say)
    cut = plan(uneven(30), limit=limit)
    assert cut.search.end is SearchEnd.INTERRUPTED
    assert said  # how far it has come, before it was interrupted
    assert to_data(uneven(30), cut)["search"]["end"] == "interrupted"


def test_an_interrupt_that_comes_too_late_cuts_nothing() -> None:
    system = uneven(12)
    limit = Limit(Fraction(10**9), clock=Steps())
    found = plan(system, limit=limit)
    limit.interrupt()
    assert limit.interrupted
    assert found.search.end is limit.end is SearchEnd.BY_ITSELF


@pytest.mark.skipif(not ortools_installed(), reason="OR-Tools is not installed")
def test_the_solver_in_its_thread_says_the_same() -> None:
    only_solver = Effort(first=0, improve=0, second=0)
    limit = Limit(Fraction(10**9), clock=Steps())
    free = solve(rows(40, 5), only_solver)
    assert isinstance(free, Outcome)
    assert "CP-SAT" in free.how
    assert solve(rows(40, 5), only_solver, limit) == free
    assert limit.end is SearchEnd.BY_ITSELF


@pytest.mark.skipif(not ortools_installed(), reason="OR-Tools is not installed")
def test_the_solver_heeds_the_limit_and_an_interrupt() -> None:
    made = candidates(smooth(100, 1), 1, 1, 10_000)  # which takes it some seconds
    for limit in (Limit(Fraction(1, 1000)), Limit(Fraction(10**9))):
        if limit.seconds == 10**9:
            limit.interrupt()
        search = ConstraintSearch(made, range(len(made.classes)), 8, Fraction(1), Fraction(0))
        assert not search.run(1000.0, limit)
        assert limit.end is not SearchEnd.BY_ITSELF
        assert search.bound < search.under


def test_a_division_is_merged_from_pairs_where_nothing_else_was_found() -> None:
    of = replace(rows(200, 3), shortest=500)  # so that one cell for all is not allowed
    found = solve(of, limit=after(0))
    assert isinstance(found, Outcome)
    assert not found.proved
    assert all(of.allows(of.period_of(group)) for group in found.groups)
