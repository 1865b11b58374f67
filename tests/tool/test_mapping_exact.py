# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The exact mapping against all partitions, on small random sets, by every way that it can take."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import gcd, lcm

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.plan import Effort, NoGroups, Outcome, Problem, greedy, optimal, solve
from horolog.plan.instants.residue_classes import Residues, TooMany, candidates, holds, join
from horolog.plan.mapping import exact
from horolog.plan.mapping.lower_bound import relaxed
from horolog.plan.mapping.neighbourhoods import improved
from horolog.plan.mapping.search import Search, scale_for
from horolog.plan.mapping.solver import ConstraintSearch

USUAL = Effort()
ROW_BY_ROW = Effort(rows=2)
BY_SOLVER = Effort(rows=3, first=0, improve=0, second=0)
NO_TIME = Effort(first=0, improve=20, second=0, solver=0.0)


def problem(
    rows: list[Residues], most: int, grain: int = 1, shortest: int = 1, joined: bool = True
) -> Problem:
    """Streams (period, offset), of which those on another's instants are joined."""
    rows = sorted(set(rows))
    groups: list[list[int]] = []
    for at, row in enumerate(rows):
        home = next((g for g in groups if joined and holds(rows[g[0]], row)), None)
        if home is None:
            groups.append([at])
        else:
            home.append(at)
    periods, offsets = tuple(p for p, _ in rows), tuple(o for _, o in rows)
    return Problem(periods, offsets, tuple(map(tuple, groups)), most, grain, shortest)


def partitions(items: int, most: int) -> Iterator[list[list[int]]]:
    if items == 0:
        yield []
        return
    for rest in partitions(items - 1, most):
        for at in range(len(rest)):
            yield [*rest[:at], [*rest[at], items - 1], *rest[at + 1 :]]
        if len(rest) < most:
            yield [*rest, [items - 1]]


def cheapest(of: Problem) -> Fraction | None:
    """By trying all partitions."""
    return min(
        (
            of.rate_of(tuple(map(tuple, groups)))
            for groups in partitions(len(of.periods), of.most)
            if all(of.allows(of.period_of(group)) for group in groups)
        ),
        default=None,
    )


def check(of: Problem, effort: Effort, best: Fraction | None) -> Outcome | None:
    found = solve(of, effort)
    if isinstance(found, NoGroups):
        if found is NoGroups.IMPOSSIBLE:
            assert best is None, of
        else:
            assert effort is NO_TIME, of
        return None
    assert best is not None, of
    assert sorted(at for group in found.groups for at in group) == list(range(len(of.periods)))
    assert len(found.groups) <= of.most
    assert all(of.allows(of.period_of(group)) for group in found.groups)
    assert found.objective == of.rate_of(found.groups)
    assert found.bound <= best <= found.objective, of
    if effort is not NO_TIME:
        assert found.proved, of
        assert found.objective == best, of
    return found


def drawn(draw: random.Random, largest: int) -> Problem:
    top = draw.choice((12, 30, 60, 200))
    periods = [
        draw.randint(1, top) * draw.choice((1, 1, 2, 3, 6)) for _ in range(draw.randint(1, largest))
    ]
    apart = draw.random() < 0.5
    offsets = [draw.randrange(draw.choice((2, 5, p + 1, 3 * p))) if apart else 0 for p in periods]
    return problem(
        list(zip(periods, offsets, strict=True)),
        draw.randint(1, 5),
        draw.choice((1, 1, 1, 2, 3)),
        draw.choice((1, 1, 1, 2, 4, 9)),
    )


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_brute_force(seed: int) -> None:
    draw = random.Random(seed)
    proved = limited = 0
    for number in range(600):
        of = drawn(draw, 6)
        best = cheapest(of)
        check(of, USUAL, best)
        check(of, ROW_BY_ROW, best)
        tight = check(of, NO_TIME, best)
        if tight is not None and not tight.proved:
            limited += 1
            assert tight.how.endswith("limit reached")
            assert 0 < tight.gap < 1
        if number % 30 == 0:
            proved += check(of, BY_SOLVER, best) is not None
    assert limited > 2  # or the effort would not be tight
    assert proved > 5


_rows = st.lists(st.tuples(st.integers(1, 90), st.integers(0, 200)), min_size=1, max_size=6)


@settings(max_examples=200, deadline=None)
@given(_rows, st.integers(1, 4), st.sampled_from((1, 2, 5)), st.booleans())
def test_it_agrees_with_brute_force_wherever_hypothesis_looks(
    rows: list[Residues], most: int, shortest: int, joined: bool
) -> None:
    of = problem(rows, most, 1, shortest, joined)
    best = cheapest(of)
    for effort in (USUAL, ROW_BY_ROW):
        check(of, effort, best)


def test_a_bound_that_meets_the_optimum_does_not_mislead_the_solver() -> None:
    # With that bound as a condition of its own, CP-SAT called 37/60 optimal.
    rows = [(15, 5), (20, 35), (28, 30), (30, 0), (54, 48), (132, 4)]
    found = check(problem(rows, 4), BY_SOLVER, Fraction(5443, 20790))
    assert isinstance(found, Outcome)
    assert "CP-SAT" in found.how


def test_the_paper_set_by_cells() -> None:
    periods: list[Residues] = [(t, 0) for t in (3, 5, 7, 11, 6, 9, 55, 77, 30, 110)]
    per_second = []
    for most in range(1, 9):
        found = solve(problem(periods, most))
        assert isinstance(found, Outcome)
        assert found.proved
        per_second.append(round(float(1000 * found.objective), 1))
    assert per_second == [1000, 1000, 1000, 767.1, 767.1, 767.1, 767.1, 767.1]


def test_no_groups_are_allowed() -> None:
    impossible = NoGroups.IMPOSSIBLE
    assert solve(problem([(3, 0), (5, 0)], 0)) is impossible
    assert solve(problem([(30, 0), (31, 0)], 1, shortest=2)) is impossible
    assert solve(problem([(30, 0), (31, 0)], 2, shortest=31)) is impossible
    three: list[Residues] = [(30, 0), (42, 0), (70, 0)]
    found = solve(problem(three, 2, shortest=10))  # 10, 14 and 6 are the pairs'
    assert isinstance(found, Outcome)
    assert found.objective == Fraction(1, 30) + Fraction(1, 14)


def test_it_is_never_worse_than_merging_pairs_and_can_be_better() -> None:
    rows: list[Residues] = [(t, 0) for t in (15, 24, 27, 30, 35, 50, 56, 77)]
    of = problem(rows, 4)
    merged, best = greedy(of), optimal(of)
    assert isinstance(merged, Outcome)
    assert isinstance(best, Outcome)
    assert not merged.proved
    assert best.objective == Fraction(31187, 83160) < merged.objective
    assert sorted(of.period_of(group) for group in best.groups) == [5, 8, 27, 77]


def test_a_thousand_tasks_and_the_same_answer_twice() -> None:
    draw = random.Random(7)
    hidden = [draw.randint(1000, 20_000) for _ in range(12)]
    rows: list[Residues] = [(draw.choice(hidden) * draw.randint(2, 50), 0) for _ in range(1000)]
    first, second = (solve(problem(rows, 12)) for _ in range(2))
    assert isinstance(first, Outcome)
    assert first == second
    assert first.proved


def smooth(count: int, seed: int) -> list[Residues]:
    exponents = product(range(21), range(13), range(9), range(8))
    numbers = (2**a * 3**b * 5**c * 7**d for a, b, c, d in exponents)
    pool = sorted(t for t in numbers if 500_000 <= t <= 2_000_000)
    return [(t, 0) for t in random.Random(seed).sample(pool, count)]


def test_smooth_periods_are_finished_by_the_solver() -> None:
    found = solve(problem(smooth(60, 1), 8))
    assert isinstance(found, Outcome)
    assert found.proved
    assert found.how == "branch and bound, CP-SAT"


def test_without_time_there_is_an_answer_with_a_gap() -> None:
    of = problem(smooth(100, 1), 8)
    short = solve(of, Effort(solver=0.01))
    assert isinstance(short, Outcome)
    assert 0 < short.gap < 1
    assert not short.proved
    assert short == solve(of, Effort(solver=0.01))


def test_without_the_solver_there_is_an_answer_with_a_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "ortools_installed", lambda: False)
    short = solve(problem(smooth(100, 1), 8))
    assert isinstance(short, Outcome)
    assert 0 < short.gap < 1
    assert 'CP-SAT is not installed (python -m pip install "ortools>=9.12")' in short.how


def test_too_many_candidates_take_fewer_rows() -> None:
    of = problem(smooth(100, 2), 8)
    short = solve(of, Effort(classes=60, solver=0.5))
    assert isinstance(short, Outcome)
    assert 0 < short.bound <= short.objective


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), min_size=1, max_size=6))
def test_candidates_are_the_joins_of_all_sets(rows: list[Residues]) -> None:
    rows = [(period, offset % period) for period, offset in rows]
    joins: dict[Residues, int] = {}
    for size in range(1, len(rows) + 1):
        for some in combinations(rows, size):
            whole = some[0]
            for row in some:
                whole = join(whole, row)
            if whole[0] >= 3 and whole[0] % 3 == 0:
                joins[whole] = sum(1 << at for at, row in enumerate(rows) if holds(whole, row))
    allowed = all(period >= 3 and period % 3 == 0 for period, _ in rows)
    made = candidates(rows, 3, 3, 10_000)
    if allowed:  # those that are not are never asked for
        assert dict(zip(made.classes, made.covers, strict=True)) == joins
        with pytest.raises(TooMany):
            candidates(rows, 3, 3, len(joins) - 1)


def test_costs_are_exact_where_the_common_multiple_is_short() -> None:
    assert scale_for([4, 6, 10], Fraction(1)) == 60
    primes = [p for p in range(2, 600) if all(gcd(p, q) == 1 for q in range(2, p))]
    rounded = scale_for(primes, Fraction(1, 1000))
    assert rounded & (rounded - 1) == 0
    assert rounded >= 1000 << 90


def test_prices_that_are_far_too_high_leave_the_bound_without_prices() -> None:
    # 100 + 3 * (5 - 100) < 0, and one step is not enough to get down from there.
    found = relaxed([0], [5, 5, 7], [[0], [0], [0]], 3, {0: 100}, 6, 1)
    assert found.bound == 0
    assert found.reduced == [5, 5, 7]
    enough = relaxed([0], [5, 5, 7], [[0], [0], [0]], 3, {0: 100}, 6, 100)
    assert 0 < enough.bound <= 5
    assert len(enough.reduced) == 3


def test_each_part_keeps_its_promise() -> None:
    rows = [(t, o) for t, o in smooth(40, 3)]
    made = candidates(rows, 1, 1, 10_000)
    search = Search(made, 12, Fraction(1))
    assert not search.run(0)
    assert search.cover is not None
    better = improved(made, search.costs, 12, search.cover, 100_000)
    cost = sum((Fraction(1, made.classes[at][0]) for at in better), Fraction(0))
    assert cost < search.under
    covered = 0
    for at in better:
        covered |= made.covers[at]
    assert covered == made.everything
    assert len(better) <= 12
    further = ConstraintSearch(made, range(len(made.classes)), 12, cost, search.bound)
    assert further.run(20.0)
    assert search.bound <= further.bound <= cost
    near = ConstraintSearch(
        made, range(len(made.classes)), 12, further.under * Fraction(21, 20), Fraction(0)
    )
    assert near.run(20.0)
    assert near.under == further.under
    none = ConstraintSearch(made, range(len(made.classes)), 12, further.under, Fraction(0))
    assert none.run(20.0)
    assert none.cover is None


def test_the_solver_is_loaded_only_where_it_is_needed() -> None:
    script = (
        "import sys; from horolog.plan import Problem, solve;"
        "solve(Problem((3, 5, 7, 11), (0,) * 4, ((0,), (1,), (2,), (3,)), 4, 1, 1));"
        "print([name for name in ('ortools', 'numpy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_cover_that_only_seems_cheaper_by_rounding_is_found_once() -> None:
    # With a common multiple of more than 320 bits costs are rounded down, so that the best cover known
    # passes "strictly cheaper than itself"; the same one came back until the effort was used up.
    primes = [p for p in range(11, 280) if all(p % d for d in range(2, p))]
    rows = [(hidden * p, 0) for p, hidden in zip(primes, (101, 103, 107) * 20, strict=False)]
    made = candidates(rows, 1, 1, 10_000)
    periods = [period for period, _ in made.classes]
    assert scale_for(periods, Fraction(1)).bit_length() < lcm(*periods).bit_length()
    best = Fraction(1, 101) + Fraction(1, 103) + Fraction(1, 107)

    class Counted(ConstraintSearch):
        asked = 0

        def _once(self, effort: float) -> tuple[bool, list[int] | None]:
            self.asked += 1
            assert self.asked < 10, "the same cover, again and again"
            return super()._once(effort)

    again = Counted(made, range(len(made.classes)), 3, best, Fraction(0))
    assert again.run(20.0)
    assert again.cover is None
    assert again.bound == again.under == best
    worse = Counted(made, range(len(made.classes)), 3, best + Fraction(1, 10**6), Fraction(0))
    assert worse.run(20.0)
    assert worse.under == worse.bound == best
