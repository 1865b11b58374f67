# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedules of a demand, step by step and without any formula of the analysis, to compare bounds with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from horolog.schedulability import Demand, End, Level, Order, Source

__all__ = ["Drawn", "demands", "longest_responses", "without_phases"]


@dataclass(frozen=True)
class Drawn:
    """A demand with fixed offsets, and the seed of what else happens to it."""

    demand: Demand
    seed: int
    length: int


@st.composite
def demands(
    draw: st.DrawFn, *, known: bool = False, floating: bool = False, light: bool = False
) -> Drawn:
    """Threads, some shared by two bodies, and interrupts; several on a level; with jitter and blocking.

    `known`: releases are never late, and periods have a short hyperperiod; but for some sources with
    `floating`. `light`: the processor is often idle, so that levels have short busy windows.
    """
    short = st.sampled_from((4, 6, 8, 12, 24) if known else (4, 5, 7, 9, 12, 20, 31))
    if light:
        short = st.sampled_from((12, 24, 30, 36, 60))
    shared, shared_early = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    any_period = st.sampled_from((4, 5, 7, 9, 10, 13, 17, 31))
    sources: list[Source] = []
    for at in range(draw(st.integers(1, 5))):
        floats = floating and draw(st.integers(0, 2)) == 0
        period = draw(any_period if floats else short)
        work = draw(st.integers(1, max(1, period // (6 if light else 2))))
        kernel = draw(st.integers(0, 2))
        first = draw(st.integers(1, work))
        is_interrupt = draw(st.integers(0, 3)) == 0
        ends = () if is_interrupt else (End(2 * at, first, period), End(2 * at + 1, work, period))
        curve: tuple[tuple[int, int], ...] = ()
        if floats and is_interrupt and draw(st.booleans()):
            count = draw(st.integers(1, 3))
            curve = ((count, count * period + draw(st.integers(1, 30))),)
        cell = light and is_interrupt and not floats and draw(st.booleans())
        releaser = draw(st.sampled_from((None, 0))) if light and ends else None
        sources.append(
            Source(
                f"s{at}",
                9 if is_interrupt else draw(st.integers(1, 3)),
                period,
                work + shared * cell if is_interrupt else work + kernel,
                early=0 if curve else shared_early if cell else draw(st.integers(0, 2)),
                late=0 if curve or (known and not floats) else draw(st.integers(0, 3)),
                offset=draw(st.sampled_from((0, 1, 2, 6)) if light else st.integers(0, 2 * period)),
                rank=at,
                ends=ends,
                curve=curve,
                releaser=1 if cell else releaser,
                shared=shared * cell,
            )
        )
    orders = st.sampled_from(list(Order))
    levels = {level: Level(draw(orders), draw(st.integers(0, 3))) for level in (1, 2, 3)}
    return Drawn(Demand(tuple(sources), levels), draw(st.integers(0, 10**6)), 300)


def without_phases(drawn: Drawn) -> Demand:
    """The demand as an analysis may know it: sources of odd periods, or that are late, have no offset."""
    return drawn.demand.replaced(
        [
            replace(one, offset=None) if one.late or one.curve or 24 % one.period else one
            for one in drawn.demand.sources
        ]
    )


@dataclass
class _Job:
    source: int
    nominal: int
    release: int
    left: int
    number: int
    began: bool = False


def longest_responses(drawn: Drawn) -> list[int]:
    """The longest response to each End that was seen in one schedule of drawn.length steps.

    Jobs take any time up to their longest, but most take that. Now and then less urgent code holds off a
    level.
    """
    random, demand = Random(drawn.seed), drawn.demand
    jobs = _released(drawn, random)
    seen = {(at, k): 0 for at, one in enumerate(demand.sources) for k in range(len(one.ends))}
    ready: list[_Job] = []
    held, holds = (
        0,
        0,
    )  # steps that less urgent code goes on, and the level up to which it holds off
    for now in range(drawn.length):
        while jobs and jobs[0].release <= now:
            ready.append(jobs.pop(0))
        top = max((demand.sources[job.source].level for job in ready), default=0)
        if held and top <= holds:
            held -= 1
            continue
        held = 0
        if ready:
            job = _next(demand, ready, random)
            job.began = True
            job.left -= 1
            source = demand.sources[job.source]
            for k, end in enumerate(source.ends):
                if source.cost - job.left == end.work:
                    seen[job.source, k] = max(seen[job.source, k], now + 1 - job.nominal)
            if job.left == 0:
                ready.remove(job)
        if random.random() < 0.3:
            below = min((demand.sources[job.source].level for job in ready), default=9)
            level = random.choice((1, 2, 3))
            # Code below all that is ready, which is nothing: it began before the next release.
            if below > level and not ready:
                held = min(demand.level(at).blocking for at in range(1, level + 1))
                holds = level
    return [seen[key] for key in sorted(seen)]


def _released(drawn: Drawn, random: Random) -> list[_Job]:
    jobs, lazy = [], random.random() < 0.5
    together, served = _of_releasers(drawn, random), set()
    for at, one in enumerate(drawn.demand.sources):
        assert one.offset is not None
        last = 0
        for number, nominal in enumerate(_nominal(one, drawn.length, random)):
            release = max(last, nominal + random.choice((-one.early, 0, one.late)))
            if one.releaser is not None:
                release = together[one.releaser, nominal]
            last = release
            left = one.cost
            if one.shared and (one.releaser, nominal) in served:
                left -= one.shared
            served.add((one.releaser, nominal))
            if lazy and not one.ends and random.random() < 0.5:
                left = random.randint(1, left)
            jobs.append(_Job(at, nominal, release, left, number))
    jobs.sort(key=lambda job: (job.release, random.random()))
    return jobs


def _of_releasers(drawn: Drawn, random: Random) -> dict[tuple[int, int], int]:
    """When the sources of each releaser are released, by their nominal instants."""
    found: dict[tuple[int, int], int] = {}
    for number in (0, 1):
        of = [one for one in drawn.demand.sources if one.releaser == number]
        early, last = min((one.early for one in of), default=0), 0
        for at in sorted({at for one in of for at in _nominal(one, drawn.length, random)}):
            last = found[number, at] = max(last, at - random.choice((0, early)))
    return found


def _nominal(one: Source, length: int, random: Random) -> list[int]:
    """The nominal releases before `length`; with an arrival curve mostly as early as that allows."""
    if not one.curve:
        return list(range(one.offset or 0, length, one.period))
    found = [one.offset or 0]
    while found[-1] < length:
        at = found[-1] + one.period
        for count, within in one.curve:
            if len(found) >= count:
                at = max(at, found[-count] + within)
        found.append(at + (random.randint(1, 20) if random.random() < 0.1 else 0))
    return found[:-1]


def _next(demand: Demand, ready: list[_Job], random: Random) -> _Job:
    top = max(demand.sources[job.source].level for job in ready)
    level = [job for job in ready if demand.sources[job.source].level == top]
    first = [  # of each source its jobs are in order
        job
        for job in level
        if not any(other.source == job.source and other.number < job.number for other in level)
    ]
    begun = [job for job in first if job.began]
    order = demand.level(top).order
    if order is Order.RANK:
        return begun[0] if begun else min(first, key=lambda job: demand.sources[job.source].rank)
    if begun:
        return begun[0]
    if order is Order.FIFO:
        return min(first, key=lambda job: job.release)
    return random.choice(first)
