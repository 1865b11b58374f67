# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Results of the bench `chronos` made by hand: what follows from them can be worked out beside them."""

from __future__ import annotations

from fractions import Fraction

from horolog_experiments.chronos import Breakdown, Ideals, Point, Results, Row, Variant
from horolog_experiments.chronos.sets import methods_of, scenario

__all__ = ["FACTORS", "made_results", "made_row"]

FACTORS = (1, 2, 3)
_JOBS = 100
_BODY = 2005
_COST = {
    "freertos": 600,
    "tickless": 500,
    "gcd-tick": 400,
    "rate-group": 300,
    "rate-group-gcd": 200,
    "tick": 300,
    "one-shot": 300,
    "chronos": 200,
    "const": 150,
    "harmonic": 120,
    "planner": 100,
    "shared": 50,
    "basic": 20,
}
"""Kernel instructions a job; half of them in ticks and delays."""


def made_row(point: Point, *, misses: int = 0, cost: int | None = None) -> Row:
    """A row of 100 jobs that is predicted exactly."""
    each = _COST[point.method] if cost is None else cost
    kernel = _JOBS * each
    return Row(
        point=point,
        state="measured",
        plan=f"{point.method}: made by hand",
        jobs=_JOBS,
        misses=misses,
        predicted=50,
        taken=48,
        coalesced=2,
        total=1_000_000,
        bodies=_JOBS * _BODY,
        kernel=kernel,
        tick_and_delay=kernel // 2,
        predicted_kernel=Fraction(kernel),
        rate=Fraction(25),
    )


def made_results(scenarios: tuple[str, ...] = ("low", "single", "harmonic-low")) -> Results:
    """At factor 1 FreeRTOS is late; in harmonic-low at factor 2 all but chronos-harmonic and what is planned.

    Breakdown, 100 tasks: FreeRTOS 100 turns, the planner's 180, zero cost 200; 400 tasks: FreeRTOS none.
    """
    rows = []
    for name in scenarios:
        for variant in Variant:
            for factor in FACTORS:
                for how in methods_of(scenario(name)):
                    late = how.freertos and factor == 1
                    if name == "harmonic-low" and factor == 2:
                        late = how.name not in ("harmonic", "planner", "shared", "basic")
                    rows.append(made_row(Point(name, factor, variant, how.name), misses=int(late)))
    case = Point("low", 1, Variant.CONTINUOUS, "", 100)
    found = [("ideal", 200), ("freertos", 100), ("planner", 180)]
    more = Point("low", 5, Variant.CONTINUOUS, "", 400)
    return Results(
        rows=tuple(rows),
        ideals={
            (name, factor, variant): Ideals(feasible=True, feasible_with_more=factor > 1)
            for name in scenarios
            for factor in FACTORS
            for variant in Variant
        },
        breakdowns=(
            *(
                Breakdown(_with(case, method, work), work, Fraction(method != "ideal"))
                for method, work in found
            ),
            Breakdown(_with(more, "ideal", None), 200),
            Breakdown(_with(more, "freertos", None), None),
            Breakdown(_with(more, "planner", 60), 60, Fraction(1)),
        ),
        freertos="V11.2.0",
        platform="a board, QEMU 0",
        toolchain="a compiler",
    )


def _with(case: Point, method: str, work: int | None) -> Point:
    return Point(case.scenario, case.factor, case.variant, method, case.tasks, work)
