# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems, run: measured responses beside their bounds, and beside bounds without one of the terms."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import HorologError, Kind, NeverIdle, System
from horolog.plan import plan, plan_moving, read_prices
from horolog.read import read_system
from horolog.responses import Analysis, analysis_of
from horolog.run import measure_plan
from horolog.schedulability import Demand, Level, Order, response_bounds
from horolog_experiments.irregular.families import FAMILIES, example_task
from horolog_experiments.planner.families import Draw

__all__ = [
    "DROPPED",
    "Case",
    "Large",
    "Seen",
    "case_of",
    "measure_case",
    "measure_large",
    "system_of",
]

_MS, _US = Fraction(1, 10**3), Fraction(1, 10**6)
_WINDOW = Fraction(1)
_AUTOMOTIVE = (1, 2, 5, 10, 10, 10, 20, 20, 20, 50, 100, 100, 200, 1000)
_AUTOMOTIVE_MS = tuple(period * _MS for period in _AUTOMOTIVE)


@dataclass(frozen=True, slots=True)
class Case:
    """One system. `offsets`: "none" or "random"; `jitter`: releases may move; `load` in percent."""

    number: int
    board: str
    kind: str
    mechanism: str
    n: int
    offsets: str
    jitter: bool
    load: int


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a case. `state`: "measured", or why not; ratios: of the largest response to its bound."""

    case: Case
    state: str
    holds: bool = False
    misses: int = 0
    bounds: int = 0  # tasks with a bound and a response
    by_offsets: int = 0
    above: int = 0  # tasks with a response above their bound
    ratios: Fraction = Fraction(0)  # their sum
    dropped: Mapping[str, int] | None = None  # tasks above a bound without the term


@dataclass(frozen=True, slots=True)
class Large:
    """The analysis of one system of 1,500 tasks."""

    family: str
    offsets: bool
    holds: bool
    seconds: float


def case_of(number: int, board: str, seed: int = 0) -> Case:
    """The case of that number: kinds and mechanisms in turn."""
    draw = Draw(f"analysis {seed} {board} {number}")
    kind = (Kind.THREAD, Kind.BASIC)[number % 2]
    mechanisms = ("tick", "gcd", "one-shot", "chronos", "mixed")
    return Case(
        number,
        board,
        kind.value,
        mechanisms[number // 2 % len(mechanisms)],
        draw.within(5, 1 << draw.within(3, 5)),
        ("none", "random")[number % 4 // 2],
        draw.below(4) == 0,
        draw.within(30, 80),
    )


def system_of(case: Case, seed: int = 0) -> System:
    """Periods of the automotive distribution or any milliseconds; the load divided as by UUniFast."""
    example = read_system(
        data_root() / "examples" / "engine-control" / "system.toml", board=case.board
    )
    draw = Draw(f"analysis {seed} {case}")
    cuts = sorted(draw.below(10**6) for _ in range(case.n - 1))
    shares = [b - a for a, b in zip([0, *cuts], [*cuts, 10**6], strict=True)]
    automotive = draw.below(2) == 0
    tasks = []
    for at, share in enumerate(shares):
        period = draw.one_of(_AUTOMOTIVE_MS) if automotive else draw.within(2, 100) * _MS
        time_of = period * share * case.load / 10**8
        work = max(1, int(time_of / (example.board.work_ns / 10**9)))
        one = example_task(example, f"task.{at}", period, work=work)
        offset = draw.below(10) * period / 10 if case.offsets == "random" else Fraction(0)
        offset = Fraction(int(offset / (10 * _US))) * 10 * _US
        jitter = period / 20 if case.jitter and draw.below(2) else Fraction(0)
        tasks.append(replace(one, kind=Kind(case.kind), offset=offset, jitter=jitter))
    return replace(example, name=f"analysis-{case.number}", tasks=tuple(tasks), duration=_WINDOW)


def measure_case(case: Case, out: Path, seed: int = 0) -> Seen:
    """Plan, analyse and run one system below `out`."""
    system = system_of(case, seed)
    try:
        try:
            system, planned = plan_moving(system, mechanism=case.mechanism)
        except HorologError:  # not for these periods
            system, planned = plan_moving(system)
        found = analysis_of(system, planned.choice, read_prices(system.board))
        side = measure_plan(system, planned.choice, out / case.board)
    except NeverIdle:
        return Seen(case, "never idle")
    except HorologError as error:
        return Seen(case, error.message)
    largest = {
        index: response.max_ns / 10**9
        for index, task in enumerate(system.tasks)
        if (response := side.response.get(task.name)) is not None
    }
    bounds = {one.task: one.response for one in found.bounds if one.response}
    return Seen(
        case,
        "measured",
        found.holds,
        side.deadline_misses,
        len(bounds.keys() & largest.keys()),
        sum(one.by_offsets for one in found.bounds),
        _above(bounds, largest),
        sum((largest[at] / bounds[at] for at in bounds.keys() & largest.keys()), Fraction(0)),
        {name: _above(_without(found, drop), largest) for name, drop in DROPPED.items()},
    )


def _above(bounds: Mapping[int, Fraction], largest: Mapping[int, Fraction]) -> int:
    return sum(largest[at] > bounds[at] for at in bounds.keys() & largest.keys())


def _without(found: Analysis, drop: Callable[[Demand], Demand]) -> dict[int, Fraction]:
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


DROPPED: Mapping[str, Callable[[Demand], Demand]] = {
    "blocking": _drop_blocking,
    "interrupts": _drop_interrupts,
    "jitter": _drop_jitter,
    "all of the kernel": _drop_kernel,
    "others of the level": _drop_level,
}
"""Terms that are left out, to see that a run finds out."""


def measure_large(count: int, say: Callable[[str], None], seed: int = 0) -> list[Large]:
    """The processor's time for systems of 1,500 tasks with a one-shot cell, half of them with offsets."""
    example = read_system(data_root() / "examples" / "chronos" / "system.toml")
    prices, found = read_prices(example.board), []
    for number in range(count):
        family = list(FAMILIES)[number // 2 % len(FAMILIES)]
        draw = Draw(f"large {seed} {number}")
        tasks = []
        for at, period in enumerate(FAMILIES[family][1](draw, 1500)):
            longer = 20 * period
            work = max(1, int(longer / 3000 * 10**9 / example.board.work_ns))
            one = example_task(example, f"task.{at}", longer, work=work)
            offset = draw.below(1000) * _US if number % 2 else Fraction(0)
            tasks.append(replace(one, offset=offset))
        system = replace(example, name=f"large-{number}", tasks=tuple(tasks))
        chosen = plan(system, mechanism="one-shot", queue="red-black-tree").choice
        start = time.thread_time()
        analysis = analysis_of(system, chosen, prices)
        seconds = time.thread_time() - start
        say(f"1,500 tasks, {family}: {seconds:.1f} s")
        found.append(Large(family, bool(number % 2), analysis.holds, seconds))
    return found
