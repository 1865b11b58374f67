# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems without overheads, by our analysis and by `response-time-analysis`."""

from __future__ import annotations

from horolog.schedulability import Demand, End, Source, window_bounds
from horolog_experiments.planner.families import Draw

__all__ = ["differs", "drawn", "theirs"]

_HORIZON = 10**6


def drawn(number: int, seed: int = 0) -> tuple[Source, ...]:
    """A system of 2 to 12 tasks, some on one level, with the processor busy for 30 to 95 %."""
    draw = Draw(f"oracle {seed} {number}")
    n = draw.within(2, 12)
    load = draw.within(30, 95)
    cuts = sorted(draw.below(10_000) for _ in range(n - 1))
    shares = [b - a for a, b in zip([0, *cuts], [*cuts, 10_000], strict=True)]
    sources = []
    for at, share in enumerate(shares):
        period = draw.within(10, 400)
        cost = period * share * load // 10**6
        if cost:
            level = draw.within(1, n)
            sources.append(Source(f"t{at}", level, period, cost, ends=(End(at, cost, period),)))
    return tuple(sources) or drawn(number, seed + 1)


def theirs(sources: tuple[Source, ...]) -> list[int | None]:
    """The bounds of `response-time-analysis`. ImportError if it is not installed."""
    from response_time_analysis import fp
    from response_time_analysis.model import (
        WCET,
        Deadline,
        FullyPreemptive,
        IdealProcessor,
        Periodic,
        Priority,
        Task,
        taskset,
    )

    tasks = [
        Task(
            Periodic(one.period),
            FullyPreemptive(WCET(one.cost)),
            Deadline(10**6 + at),  # equal tasks would be taken for one
            Priority(one.level),
        )
        for at, one in enumerate(sources)
    ]
    every = taskset(*tasks)
    found = [fp.rta(every, task, IdealProcessor(), horizon=_HORIZON) for task in tasks]
    return [one.response_time_bound for one in found]


def differs(number: int, seed: int = 0) -> bool:
    """Whether the two differ for the system of that number."""
    sources = drawn(number, seed)
    ours = [one.response for one in window_bounds(Demand(sources, {}))]
    return ours != theirs(sources)
