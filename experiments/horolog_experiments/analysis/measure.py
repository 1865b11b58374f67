# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems, run: measured responses beside their bounds, and beside bounds without one of the terms."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import HorologError, NeverIdle
from horolog.plan import plan, plan_moving, read_prices
from horolog.read import read_system
from horolog.responses import Analysis, ChainBound, analysis_of, factor_of
from horolog.schedulability import window_bounds
from horolog.trace import Job
from horolog_experiments.analysis.draws import DEEP, Case, factor_case, system_of
from horolog_experiments.analysis.dropped import DROPPED, bounds_without
from horolog_experiments.analysis.elsewhere import Elsewhere, Planned, above, search_phases
from horolog_experiments.analysis.paths import longest_age, longest_reaction
from horolog_experiments.analysis.runs import Longest, factor_found
from horolog_experiments.analysis.search import search
from horolog_experiments.irregular.families import FAMILIES, example_task
from horolog_experiments.planner.families import Draw

__all__ = [
    "Factor",
    "Large",
    "Seen",
    "measure_case",
    "measure_factor",
    "measure_large",
]

_US = Fraction(1, 10**6)
_RUNS, _DEEP_RUNS = 4, 24
_PHASINGS, _DEEP_PHASINGS = 3, 12
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
    phasings: int = (
        0  # other release phases at which it was run, so many times, with so many misses
    )
    phased_runs: int = 0
    phased_misses: int = 0
    ratios_as_drawn: tuple[Fraction, ...] = ()  # without the runs at other phases
    sporadic_ratios: tuple[Fraction, ...] = ()  # those of `ratios` of sporadic tasks
    aperiodic_ratios: tuple[Fraction, ...] = ()  # and of tasks that servers serve


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


def _planned(case: Case, folder: Path, seed: int) -> Planned:
    """The system as planned, by the case's mechanism if that can serve it."""
    system = system_of(case, seed, folder / "drawn_bodies.c")
    try:
        system, planned = plan_moving(system, mechanism=case.mechanism)
    except HorologError:  # not for these periods
        system, planned = plan_moving(system)
    return Planned(case, system, planned.choice)


def measure_case(case: Case, out: Path, seed: int = 0) -> Seen:
    """Plan, analyse and run one system below `out`, in a folder for its board and kind.

    So the kernel is compiled once for each.
    """
    folder = (
        out
        / f"{case.board}-{case.kind}{'-services' if case.resources or case.interrupts else ''}"
        / ("untimed" if case.untimed else "timed")
    )
    other = Elsewhere()
    try:
        drawn = _planned(case, folder, seed)
        found, runner = drawn.analysis, drawn.runner(folder)
        if case.board == "host":
            deep = case.number % DEEP == 0
            below = Draw(f"search {seed} {case.number}").below
            longest, seen = search(
                runner, drawn.system, drawn.bounds, _DEEP_RUNS if deep else _RUNS, below
            )
            below = Draw(f"phases {seed} {case.number}").below
            phasings = _DEEP_PHASINGS if deep else _PHASINGS
            other = search_phases(drawn, longest, seen, folder, phasings, below, _late_chains)
        else:
            longest = Longest()
            seen = [runner.into(longest)]
    except NeverIdle:
        return Seen(case, "never idle")
    except HorologError as error:
        return Seen(case, error.message)
    bounds = drawn.bounds
    both = sorted(bounds.keys() & longest.responses.keys())
    ratios = {at: _rounded(_most(at, longest, other.longest) / bounds[at]) for at in both}
    sporadic = [at for at in both if at >= len(drawn.system.tasks)]
    served = {*drawn.system.served.values()}
    went, late = _chains(drawn.chains(), seen)
    return Seen(
        case,
        "measured",
        found.holds,
        longest.misses,
        len(both),
        _by_offsets(found),
        len(above(bounds, longest.responses) | other.above),
        tuple(ratios.values()),
        longest.runs,
        went,
        late + other.late_chains,
        None
        if case.number % _WRONG
        else {
            name: len(above(bounds_without(found, drop), longest.responses))
            for name, drop in DROPPED.items()
        },
        other.phasings,
        other.runs,
        other.misses,
        tuple(_rounded(longest.responses[at] / bounds[at]) for at in both),
        tuple(ratios[at] for at in sporadic if at not in served),
        tuple(ratios[at] for at in sporadic if at in served),
    )


def _most(task: int, *found: Longest) -> Fraction:
    return max(one.responses[task] for one in found if task in one.responses)


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


def _late_chains(known: Sequence[ChainBound], seen: Sequence[tuple[Job, ...]]) -> int:
    return _chains(known, seen)[1]


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
        drawn = _planned(case, folder, seed)
        if not drawn.analysis.holds:
            return Factor(case, "not proved")
        found = factor_found(drawn.runner(folder), drawn.system)
        return Factor(case, "measured", factor_of(drawn.analysis), found)
    except HorologError as error:
        return Factor(case, error.message)


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
