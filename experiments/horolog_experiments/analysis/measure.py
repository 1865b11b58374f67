# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems, run: measured responses beside their bounds, and beside bounds without one of the terms."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import HorologError, NeverIdle, Plan, System
from horolog.plan import plan, plan_moving, read_prices
from horolog.read import read_system
from horolog.responses import Analysis, ChainBound, analysis_of, chains_of, factor_of
from horolog.schedulability import Demand, Level, Order, response_bounds, window_bounds
from horolog.trace import Job
from horolog_experiments.analysis.draws import DEEP, Case, factor_case, system_of
from horolog_experiments.analysis.paths import longest_age, longest_reaction
from horolog_experiments.analysis.runs import (
    Longest,
    Runner,
    counted,
    factor_found,
    host_prices,
    search,
)
from horolog_experiments.irregular.families import FAMILIES, example_task
from horolog_experiments.planner.families import Draw

__all__ = [
    "DROPPED",
    "Factor",
    "Large",
    "Seen",
    "measure_case",
    "measure_factor",
    "measure_large",
]

_US = Fraction(1, 10**6)
_RUNS, _DEEP_RUNS = 4, 24
_WRONG = 5  # bounds without a term are made of one system in so many


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a case. `state`: "measured", or why not; ratios: of the largest response to its bound."""

    case: Case
    state: str
    holds: bool = False
    misses: int = 0
    bounds: int = 0  # tasks with a bound and a response
    by_offsets: int = 0  # for which every job of a hyperperiod was looked at
    above: int = 0  # tasks with a response above their bound
    ratios: tuple[Fraction, ...] = ()  # of each task, to a thousandth
    runs: int = 0
    chains: int = 0  # with a bound, and data that went along them
    late_chains: int = 0  # reaction times and data ages above their bounds
    dropped: Mapping[str, int] | None = (
        None  # tasks above a bound without the term; None: not asked
    )


@dataclass(frozen=True, slots=True)
class Factor:
    """The breakdown factor of a case. `state`: "measured", or why not."""

    case: Case
    state: str
    predicted: Fraction = Fraction(0)
    found: Fraction = Fraction(0)

    @property
    def off(self) -> Fraction:
        """How far the prediction is from what was found, as a share of that."""
        return abs(self.predicted - self.found) / self.found


@dataclass(frozen=True, slots=True)
class Large:
    """The analysis of one system of 1,500 tasks."""

    family: str
    offsets: bool
    holds: bool
    seconds: float


def _planned(case: Case, folder: Path, seed: int) -> tuple[System, Plan, Analysis]:
    """The system as planned, by the case's mechanism if that can serve it, and its bounds."""
    system = system_of(case, seed, folder / "drawn_bodies.c")
    try:
        system, planned = plan_moving(system, mechanism=case.mechanism)
    except HorologError:  # not for these periods
        system, planned = plan_moving(system)
    if case.board == "host":
        asked, prices = counted(system), host_prices(case)
    else:
        asked, prices = system, read_prices(system.board)
    return system, planned.choice, analysis_of(asked, planned.choice, prices)


def measure_case(case: Case, out: Path, seed: int = 0) -> Seen:
    """Plan, analyse and run one system below `out`, in a folder for its board and kind.

    So the kernel is compiled once for each.
    """
    folder = (
        out / f"{case.board}-{case.kind}{'-services' if case.resources or case.interrupts else ''}"
    )
    try:
        system, chosen, found = _planned(case, folder, seed)
        bounds = {one.task: one.response for one in found.bounds if one.response}
        runner = Runner(case, system, chosen, found.demanded, folder)
        if case.board == "host":
            runs = _RUNS if case.number % DEEP else _DEEP_RUNS
            below = Draw(f"search {seed} {case.number}").below
            longest, seen = search(runner, system, bounds, runs, below)
        else:
            longest = Longest()
            seen = [runner.into(longest)]
    except NeverIdle:
        return Seen(case, "never idle")
    except HorologError as error:
        return Seen(case, error.message)
    both = sorted(bounds.keys() & longest.responses.keys())
    asked = counted(system) if case.board == "host" else system
    went, late = _chains(chains_of(asked, chosen, found), seen)
    return Seen(
        case,
        "measured",
        found.holds,
        longest.misses,
        len(both),
        _by_offsets(found),
        _above(bounds, longest.responses),
        tuple(_rounded(longest.responses[at] / bounds[at]) for at in both),
        longest.runs,
        went,
        late,
        None
        if case.number % _WRONG
        else {
            name: _above(_without(found, drop), longest.responses) for name, drop in DROPPED.items()
        },
    )


def _by_offsets(found: Analysis) -> int:
    """How many bounds are less than those of windows, which use no more of offsets than distances."""
    demanded = found.demanded
    windows = {
        one.task: Fraction(one.response, demanded.unit)
        for one in window_bounds(demanded.demand, phases=True)
        if one.response is not None
    }
    return sum(
        one.by_offsets
        and one.response is not None
        and (one.task not in windows or one.response - one.parts["jitter"] < windows[one.task])
        for one in found.bounds
    )


def _rounded(ratio: Fraction) -> Fraction:
    return Fraction(round(ratio * 1000), 1000)


def _chains(known: Sequence[ChainBound], seen: Sequence[tuple[Job, ...]]) -> tuple[int, int]:
    """How many chains have bounds and were seen; how many reaction times and ages are above them."""
    went = late = 0
    for one in known:
        if one.reaction is None or one.age is None:
            continue
        tasks = one.chain.tasks
        reactions = [found for due in seen if (found := longest_reaction(due, tasks)) is not None]
        ages = [found for due in seen if (found := longest_age(due, tasks)) is not None]
        went += bool(reactions or ages)
        late += any(found > one.reaction for found in reactions)
        late += any(found > one.age for found in ages)
    return went, late


def measure_factor(number: int, out: Path, seed: int = 0) -> Factor:
    """The breakdown factor of a system, predicted, and found by bisection on the host port."""
    case = factor_case(number, seed)
    folder = out / f"host-{case.kind}"
    try:
        system, chosen, found = _planned(case, folder, seed)
        if not found.holds:
            return Factor(case, "not proved")
        return Factor(
            case,
            "measured",
            factor_of(found),
            factor_found(Runner(case, system, chosen, found.demanded, folder), system),
        )
    except HorologError as error:
        return Factor(case, error.message)


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


def measure_large(number: int, seed: int = 0) -> Large:
    """The processor's time for a system of 1,500 tasks with a one-shot cell; odd numbers have offsets."""
    example = read_system(data_root() / "examples" / "chronos" / "system.toml")
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
    prices, start = read_prices(system.board), time.thread_time()
    analysis = analysis_of(system, chosen, prices)
    return Large(family, bool(number % 2), analysis.holds, time.thread_time() - start)
