# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Solves every case of the experiment `planner`. One process and one thread; times are kept apart."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version as version_of

from horolog.plan import Outcome, greedy, solve
from horolog_experiments.planner.families import drawn, problem_of
from horolog_experiments.planner.miqcp import (
    DEFAULT_TOLERANCE,
    Answer,
    available,
    solve_miqcp,
    version,
)

__all__ = [
    "LIMITS",
    "Case",
    "Found",
    "Measured",
    "Miqcp",
    "cases",
    "measure_planner",
    "solve_case",
]

LIMITS = {"usual": 1, "smooth": 20, "any": 30}
"""Seconds of the three targets."""

_USUAL = (
    "chronos",
    "chronos-15",
    "chronos-harmonic",
    "automotive",
    "uniform-ms",
    "uniform-us",
    "log-uniform-ms",
    "log-uniform-us",
    "planted",
)
_SIZES = (10, 30, 100, 300, 1000, 1500)
_CELLS = (1, 2, 3, 4, 6, 8, 12, 16)
_FEW_CELLS = (2, 4, 8, 16)
_SMOOTH = ("smooth-5", "smooth-7", "smooth-13")
_GREEDY_TASKS = 300  # merging pair by pair is compared up to here

_MIQCP_SIZES = ((4, 2), (6, 3), (8, 3), (8, 4), (10, 4))
_MIQCP_FAMILIES = ("chronos", "automotive", "uniform-ms")
_MIQCP_TOLERANCES = (DEFAULT_TOLERANCE, 1e-9)
_MIQCP_NODES = 20_000
_MIQCP_SECONDS = 30.0
_SAME = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class Case:
    """A task set drawn from a family, and a number of cells. `target`: a key of LIMITS."""

    target: str
    family: str
    offsets: bool
    n: int
    m: int
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a case; rates are per unit of time. `merged`: merge_cheapest's; None: not asked."""

    case: Case
    rows: int  # streams that lie on no other's instants
    objective: Fraction
    bound: Fraction
    how: str
    merged: Fraction | None
    within: bool  # the limit of the case's target
    answered: bool  # within the limit for any input

    @property
    def proved(self) -> bool:
        """Whether the answer is proved optimal."""
        return self.bound >= self.objective


@dataclass(frozen=True, slots=True)
class Miqcp:
    """A small case as a MIQCP in SCIP beside the exact answer.

    `same`: SCIP's objective is the exact one. `accepted`: when the timers' periods are fixed to those
    of the exact plan, SCIP finds that plan.
    """

    case: Case
    tolerance: float
    exact: Fraction
    objective: float | None
    optimal: bool
    same: bool
    accepted: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """All answers, and what they hold for."""

    found: tuple[Found, ...]
    miqcp: tuple[Miqcp, ...]
    ortools: str
    scip: str | None  # None: it was not installed


def cases() -> Iterator[Case]:
    """The cases of the page, in its order."""
    for family in _USUAL:
        for n in _SIZES:
            for m in _CELLS:
                yield Case("usual", family, False, n, m)
    for family in _SMOOTH:
        for m in (8, 16):
            for seed in range(3):
                yield Case("smooth", family, False, 100, m, seed)
    yield Case("any", "uniform-us", False, 5000, 8)
    for family in ("smooth-7", "smooth-13"):
        for m in (4, 8, 16):
            yield Case("any", family, False, 433, m)
    for family in (*_USUAL, "smooth-7"):
        for n in (10, 30, 100, 300):
            for m in _FEW_CELLS:
                yield Case("any", family, True, n, m)


def solve_case(case: Case) -> tuple[Found, float]:
    """The answer, and how many seconds of the processor it took."""
    tasks = drawn(case.family, case.n, case.m, case.seed, case.offsets)
    start = time.process_time()
    problem = problem_of(tasks, case.m)
    outcome = solve(problem)
    seconds = time.process_time() - start
    assert isinstance(outcome, Outcome)  # the unit itself is a period that every cell can have
    assert problem.rate_of(outcome.groups) == outcome.objective
    merged = greedy(problem) if case.n <= _GREEDY_TASKS else None
    return Found(
        case=case,
        rows=len(problem.joined),
        objective=outcome.objective,
        bound=outcome.bound,
        how=outcome.how,
        merged=merged.objective if isinstance(merged, Outcome) else None,
        within=seconds <= LIMITS[case.target],
        answered=seconds <= LIMITS["any"],
    ), seconds


def measure_planner(
    say: Callable[[str], None], of: Sequence[Case] | None = None
) -> tuple[Measured, list[tuple[Case, float]]]:
    """The answers to `of` (default: all cases), and the seconds that each took."""
    # What is imported once is no part of the first case that needs it.

    found, times = [], []
    for at, case in enumerate(cases() if of is None else of):
        if at % 50 == 0:
            say(f"case {at}: {case.family}, n = {case.n}, m = {case.m}")
        one, seconds = solve_case(case)
        found.append(one)
        times.append((case, seconds))
    miqcp: tuple[Miqcp, ...] = ()
    if of is None and available():
        say("the paper's MIQCP in SCIP")
        miqcp = tuple(_miqcp())
    return Measured(
        found=tuple(found),
        miqcp=miqcp,
        ortools=version_of("ortools"),
        scip=version() if miqcp else None,
    ), times


def _miqcp() -> Iterator[Miqcp]:
    for family in _MIQCP_FAMILIES:
        for n, m in _MIQCP_SIZES:
            case = Case("any", family, False, n, m)
            tasks = drawn(family, n, m, 0, False)
            problem = problem_of(tasks, m)
            outcome = solve(problem)
            assert isinstance(outcome, Outcome)
            assert outcome.proved
            periods = sorted({period for period, _ in tasks})
            planned = [problem.period_of(group) for group in outcome.groups]
            for tolerance in _MIQCP_TOLERANCES:
                limits = (_MIQCP_NODES, _MIQCP_SECONDS, tolerance)
                answer = solve_miqcp(periods, m, *limits)
                again = solve_miqcp(periods, m, *limits, fixed=planned)
                yield Miqcp(
                    case=case,
                    tolerance=tolerance,
                    exact=outcome.objective,
                    objective=None if answer.objective is None else round(answer.objective, 6),
                    optimal=answer.optimal,
                    same=_same(answer, outcome.objective),
                    accepted=_same(again, outcome.objective),
                )


def _same(answer: Answer, exact: Fraction) -> bool:
    """SCIP computes with floats: up to _SAME they may be from what is exact."""
    return answer.objective is not None and abs(Fraction(answer.objective) / exact - 1) <= _SAME
