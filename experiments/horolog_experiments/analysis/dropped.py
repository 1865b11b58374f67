# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds from which one term is left out, to see that a run finds out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction

from horolog.responses import Analysis
from horolog.schedulability import Demand, Level, Order, response_bounds

__all__ = ["DROPPED", "bounds_without"]


def bounds_without(found: Analysis, drop: Callable[[Demand], Demand]) -> dict[int, Fraction]:
    """Bounds of a demand that lacks something; releases count from where they have been moved to."""
    demanded = found.demanded
    moved = {one.task: one.parts.get("jitter", Fraction(0)) for one in found.bounds}
    keeps = drop is not _drop_jitter
    return {
        one.task: Fraction(one.response, demanded.unit) + (moved[one.task] if keeps else 0)
        for one in response_bounds(drop(demanded.demand))
        if one.response
    }


def _drop_blocking(demand: Demand) -> Demand:
    """Nothing less urgent holds a job off, nor does a job of a lower rank that has begun."""
    ranked = {at for at, one in demand.levels.items() if one.order is Order.RANK}
    ranks = 1 + max(one.rank for one in demand.sources)
    sources = [
        replace(one, level=one.level * ranks + (ranks - one.rank if one.level in ranked else 0))
        for one in demand.sources
    ]
    levels = {at * ranks: Level(one.order) for at, one in demand.levels.items()}
    return Demand(tuple(sources), levels)


def _drop_interrupts(demand: Demand) -> Demand:
    return demand.replaced([one for one in demand.sources if one.ends])


def _drop_kernel(demand: Demand) -> Demand:
    """Interrupts, blocking and each job's kernel work."""
    bodies = [
        replace(
            one,
            cost=one.cost - one.kernel,
            kernel=0,
            ends=tuple(replace(end, work=end.work - end.kernel, kernel=0) for end in one.ends),
        )
        for one in demand.sources
        if one.ends
    ]
    return _drop_blocking(demand.replaced(bodies))


def _drop_jitter(demand: Demand) -> Demand:
    return demand.replaced([replace(one, early=0, late=0) for one in demand.sources])


def _drop_level(demand: Demand) -> Demand:
    """A job of a level goes before the others of that level."""
    ranks = 1 + max(one.rank for one in demand.sources)
    sources = [replace(one, level=one.level * ranks + one.rank) for one in demand.sources]
    return demand.replaced(sources)


def _drop_one_interrupt(demand: Demand) -> Demand:
    """The interrupt that takes most."""
    interrupts = [at for at, one in enumerate(demand.sources) if one.is_interrupt]
    if not interrupts:
        return demand
    most = max(interrupts, key=lambda at: demand.sources[at].share(10**9))
    return demand.replaced([one for at, one in enumerate(demand.sources) if at != most])


DROPPED: Mapping[str, Callable[[Demand], Demand]] = {
    "blocking": _drop_blocking,
    "one interrupt": _drop_one_interrupt,
    "interrupts": _drop_interrupts,
    "jitter": _drop_jitter,
    "all of the kernel": _drop_kernel,
    "others of the level": _drop_level,
}
"""Terms that are left out, to see that a run finds out."""
