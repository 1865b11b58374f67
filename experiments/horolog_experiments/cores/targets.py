# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that are about this, unchanged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from horolog_experiments.cores.cases import (
    FREERTOS,
    GLOBAL,
    JOBS,
    MODEL,
    OURS,
    PINNED,
    PLANNED,
    Case,
)
from horolog_experiments.cores.jobs import kernel_a_job
from horolog_experiments.cores.results import Results
from horolog_experiments.harness import Found, Target, number

__all__ = ["TARGETS", "jobs", "scheduler", "turns", "wake"]

_PENDING = "not measured yet: the run was limited"


def scheduler(model: str, cores: int) -> Case:
    """One thread of each core that goes to the scheduler for ever."""
    return Case("scheduler", OURS, model, cores)


def turns(side: str, cores: int) -> Case:
    """Two threads of each core that yield to one another, on all cores at once."""
    return Case("switches", side, PINNED if side == FREERTOS else MODEL, cores, 2)


def wake(side: str, cores: int = 2) -> Case:
    """A token from core 0 to core 1, which is idle."""
    return Case("wake", side, PINNED if side == FREERTOS else MODEL, cores)


def _ratio(
    of: Fraction | None, to: Fraction | None, said: Callable[[Fraction, Fraction], str]
) -> Found:
    if of is None or to is None:
        return Found(None, _PENDING, state="pending")
    return Found(of / to, said(of, to))


def _rates(of: Fraction, to: Fraction) -> str:
    return f"{number(of)} and {number(to)} a core, in a million cycles"


def _scaling(results: Results) -> Found:
    return _ratio(results.rate(scheduler(MODEL, 8)), results.rate(scheduler(MODEL, 1)), _rates)


def _models(cores: int) -> Callable[[Results], Found]:
    return lambda results: _ratio(
        results.rate(scheduler(MODEL, cores)),
        results.rate(scheduler("unified_ns", cores)),
        _rates,
    )


def _wake(results: Results) -> Found:
    row = results.row(wake(OURS))
    if row is None:
        return Found(None, _PENDING, state="pending")
    spread = f"the worst of {row.figures['samples']}; mean {number(row.mean)}"
    return Found(row.figures["worst"], spread)


def _wake_ratio(results: Results) -> Found:
    """FreeRTOS in the form that is faster here."""
    theirs = [results.row(replace(wake(FREERTOS), form=form)) for form in (PINNED, GLOBAL)]
    means = [row.mean for row in theirs if row is not None]
    ours = results.row(wake(OURS))
    return _ratio(
        min(means, default=None),
        None if ours is None else ours.mean,
        lambda of, to: f"mean: {number(of)} and {number(to)}",
    )


def _yield_ratio(results: Results) -> Found:
    """Of cycles a turn, which is that of the rates the other way round; FreeRTOS in the faster form."""
    theirs = [results.rate(replace(turns(FREERTOS, 4), form=form)) for form in (PINNED, GLOBAL)]
    rates = [rate for rate in theirs if rate is not None]
    return _ratio(results.rate(turns(OURS, 4)), max(rates, default=None), _rates)


def _lock(results: Results) -> Found:
    row = results.row(Case("lock", OURS, MODEL, 8))
    if row is None:
        return Found(None, _PENDING, state="pending")
    measured, bound = row.figures["worst"], row.figures["wait"]
    return Found(Fraction(measured, bound), f"{measured:,} of {bound:,} cycles")


def jobs(cores: int) -> Case:
    """CHRONOS's tasks on each of so many cores, by the tool's plans."""
    return Case(JOBS, OURS, PLANNED, cores)


def _jobs(results: Results) -> Found:
    of, to = (results.row(jobs(cores)) for cores in (4, 1))
    return _ratio(
        None if of is None else kernel_a_job(of.figures),
        None if to is None else kernel_a_job(to.figures),
        lambda of, to: f"{number(of)} and {number(to)} cycles, on the core where they are most",
    )


TARGETS: Sequence[Target[Results]] = (
    Target("1+N, partitioned: switches a core at N = 8 / at N = 1", ">=", 0.97, "ratio", _scaling),
    Target(
        "1+N / unified with nanoseconds, switches, both on partitioned ready sets, N = 2",
        ">=",
        1.75,
        "ratio",
        _models(2),
    ),
    Target("the same, N = 4", ">=", 2.5, "ratio", _models(4)),
    Target("the same, N = 8", ">=", 2.5, "ratio", _models(8)),
    Target(
        "semaphore given on one core to first instruction of the thread on another, idle there",
        "<=",
        220,
        "cycles",
        _wake,
    ),
    Target("the same, FreeRTOS SMP / ours", ">=", 2, "ratio", _wake_ratio),
    Target(
        "yield between two threads of a core, all N = 4 cores at once, FreeRTOS SMP / ours",
        ">=",
        2.5,
        "ratio",
        _yield_ratio,
    ),
    Target(
        "longest wait for a lock, measured / bound in the header, N = 8", "<=", 1, "ratio", _lock
    ),
    Target("the same", ">=", 0.5, "ratio", _lock),
    Target(
        "kernel cycles a job, 100 CHRONOS tasks a core, N = 4 / N = 1", "<=", 1.05, "ratio", _jobs
    ),
)
