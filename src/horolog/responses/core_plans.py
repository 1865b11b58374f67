# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plans and bounds of a system on several cores: those of its parts, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import of_threads, own_levels
from horolog.model import (
    CorePlan,
    Deadlines,
    HorologError,
    Part,
    System,
    on_cores,
    parts_of,
    undivided,
)
from horolog.plan import Limit, read_prices
from horolog.responses.analysis import Analysis, analysis_of
from horolog.responses.slack import plan_for
from horolog.responses.telling import deadlines_of, refuse_misses
from horolog.schedulability import MOST_STEPS

__all__ = [
    "CoreBounds",
    "bounds_of_cores",
    "deadlines_of_cores",
    "divided",
    "on_core",
    "overhead_of_cores",
    "plans_for_cores",
    "refuse_core_misses",
]


@dataclass(frozen=True, slots=True)
class CoreBounds:
    """What the analysis says of one core's plan."""

    core: int
    analysis: Analysis | None  # None: the core has no tasks
    deadlines: Deadlines | None


def divided(system: System) -> System:
    """Returns `system` with a core for each task: where none is given, the one with the least to do so far.

    Tasks with the largest utilisation go first (worst-fit by decreasing utilisation).
    """
    left = undivided(system)
    if not left:
        return system
    load = [(Fraction(0), 0)] * system.cores
    cores = [task.core or 0 for task in system.tasks]

    def share(task: int) -> Fraction:
        one = system.tasks[task]
        return Fraction(0) if one.wcet is None else one.wcet * one.rate

    def put(task: int, core: int) -> None:
        cores[task] = core
        load[core] = (load[core][0] + share(task), load[core][1] + 1)

    for task in range(len(system.tasks)):
        if task not in left:
            put(task, cores[task])
    for task in sorted(left, key=lambda task: (-share(task), task)):
        put(task, min(range(system.cores), key=load.__getitem__))
    return on_cores(system, cores)


def plans_for_cores(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
) -> tuple[System, tuple[CorePlan, ...]]:
    """Returns `system` with a core for each task, and the plan of each core, as plan_for makes it.

    HorologError as plan_for has it, with the core of which it says that.
    """
    whole = divided(system)
    parts = _of_one_kernel(parts_of(whole))
    plans = []
    for part in parts:
        if not part.tasks:
            plans.append(CorePlan(part, None))
            continue
        share = None if limit is None else limit.part(Fraction(1, system.cores - part.core))
        try:
            moved, planned = plan_for(
                part.system, mechanism=mechanism, queue=queue, objective=objective, limit=share
            )
        except HorologError as error:
            raise on_core(error, part.core) from None
        plans.append(CorePlan(replace(part, system=moved), planned))
    return whole, tuple(plans)


def on_core(error: HorologError, core: int) -> HorologError:
    """Returns the `error` about one core's part as one about the system."""
    return HorologError(
        f"core {core}: {error.message}",
        place=error.place,
        found=error.found,
        expected=error.expected,
        exit=error.exit,
    )


def _of_one_kernel(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Returns `parts`, which know whether all threads of all cores have levels of their own."""
    busy = [part for part in parts if part.tasks]
    if all(own_levels(of_threads(part.system)) for part in busy):
        return tuple(parts)
    return tuple(
        replace(part, system=replace(part.system, shares_levels_elsewhere=True)) for part in parts
    )


def bounds_of_cores(plans: Sequence[CorePlan], most: int = MOST_STEPS) -> tuple[CoreBounds, ...]:
    """Returns what the analysis says of each core, as analysis_of; without a plan, the kernel takes no time.

    `most`: how many releases are gone through to use offsets.
    """
    found = []
    for one in plans:
        system = one.system
        if not one.part.tasks:
            found.append(CoreBounds(one.core, None, None))
            continue
        if one.planned is None:
            analysis = analysis_of(system, None, most=most)
        else:
            analysis = analysis_of(system, one.planned.choice, read_prices(system.board), most)
        found.append(CoreBounds(one.core, analysis, deadlines_of(system, analysis)))
    return tuple(found)


def deadlines_of_cores(bounds: Sequence[CoreBounds]) -> Deadlines:
    """Returns what holds for all cores: the words of one that fails, or of that with the least slack."""
    known = [(one.core, one.deadlines) for one in bounds if one.deadlines is not None]
    core, worst = min(
        known,
        key=lambda one: (
            not one[1].missed,
            one[1].hold,
            one[1].slack is not None,
            one[1].slack or Fraction(0),
        ),
    )
    text = f"core {core}: {worst.text}"
    if worst.hold:
        text = f"all deadlines of {len(known)} cores hold; {text}"
    return replace(
        worst,
        text=text,
        not_covered=tuple(name for _, one in known for name in one.not_covered),
        unproved=tuple(pair for _, one in known for pair in one.unproved),
    )


def refuse_core_misses(plans: Sequence[CorePlan], bounds: Sequence[CoreBounds]) -> None:
    """HorologError (1), as refuse_misses has it, about the first core with a deadline that is not proved."""
    for one, found in zip(plans, bounds, strict=True):
        if found.analysis is None:
            continue
        try:
            refuse_misses(one.system, found.analysis)
        except HorologError as error:
            raise on_core(error, one.core) from None


def overhead_of_cores(system: System, plans: Sequence[CorePlan]) -> Fraction:
    """Returns the kernel's predicted share of what all cores can execute, in percent."""
    of_each = (one.planned.choice.prediction for one in plans if one.planned is not None)
    return sum((one.overhead_percent for one in of_each), Fraction(0)) / system.cores
