# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The mapping as CHRONOS, section VI-B, writes it: a non-convex MIQCP, (VI.1) to (VI.9), for SCIP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

__all__ = ["DEFAULT_TOLERANCE", "Answer", "available", "solve_miqcp", "version"]

DEFAULT_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Answer:
    """What SCIP came to within its limits. Floats: SCIP computes with them, within tolerances."""

    objective: float | None
    bound: float
    optimal: bool
    nodes: int


def available() -> bool:
    """Whether PySCIPOpt is installed."""
    return find_spec("pyscipopt") is not None


def version() -> str:
    """SCIP's own."""
    from pyscipopt import Model

    return f"SCIP {Model().version():g}"


def solve_miqcp(
    periods: Sequence[int],
    m: int,
    nodes: int,
    seconds: float,
    tolerance: float = DEFAULT_TOLERANCE,
    fixed: Sequence[int] = (),
) -> Answer:
    """Solve the model of the paper for `periods` and `m` timers.

    `tolerance` is by how much SCIP may violate a condition (numerics/feastol); `fixed` are periods that
    the first timers are to have.

    The trilinear term of (VI.4) is written with products of two, as the paper says it is to be; a
    product with a binary stays a product, for SCIP to treat as it does.
    """
    from pyscipopt import Model, quicksum

    longest = max(periods)
    model = Model()
    model.hideOutput()
    model.setParam("limits/time", seconds)
    model.setParam("limits/nodes", nodes)
    if tolerance != DEFAULT_TOLERANCE:
        model.setParam("numerics/feastol", tolerance)
    period = [model.addVar(vtype="I", lb=1, ub=longest) for _ in range(m)]  # (VI.7)
    rate = [model.addVar(lb=1 / longest, ub=1) for _ in range(m)]  # (VI.8)
    used = [model.addVar(vtype="B") for _ in range(m)]  # (VI.9)
    cost = [model.addVar(lb=0, ub=1) for _ in range(m)]
    for j in range(m):
        model.addCons(rate[j] * period[j] == 1)  # (VI.2)
        model.addCons(cost[j] == rate[j] * used[j])
    for time in periods:
        mine = [model.addVar(vtype="B") for _ in range(m)]  # (VI.9)
        model.addCons(quicksum(mine) == 1)  # (VI.3)
        times = model.addVar(vtype="I", lb=1, ub=time)  # (VI.6)
        served = model.addVar(lb=1, ub=longest)
        model.addCons(served == quicksum(period[j] * mine[j] for j in range(m)))
        model.addCons(times * served == time)  # (VI.4)
        for j in range(m):
            model.addCons(
                mine[j] <= used[j]
            )  # (VI.5): a cell is used when any task is on it; minimising does the rest
    for variable, value in zip(period, fixed, strict=False):
        model.addCons(variable == value)
    model.setObjective(quicksum(cost), "minimize")  # (VI.1)
    model.optimize()
    found = model.getObjVal() if model.getNSols() > 0 else None
    return Answer(found, model.getDualbound(), model.getStatus() == "optimal", model.getNNodes())
