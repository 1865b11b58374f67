# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bounds of a system on several cores: those of its parts, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.figures import plural
from horolog.model import (
    CorePlan,
    Deadlines,
    HorologError,
    System,
)
from horolog.plan import read_prices
from horolog.responses.analysis import Analysis, analysis_of
from horolog.responses.chains import ChainBound, TaskAnalysed, chain_bound
from horolog.responses.global_bounds import analysed_together
from horolog.responses.telling import chain_text, deadlines_of, refuse_misses
from horolog.schedulability import MOST_STEPS

__all__ = [
    "CoreBounds",
    "bounds_of_cores",
    "chains_of_cores",
    "deadlines_of_cores",
    "on_core",
    "overhead_of_cores",
    "refuse_core_misses",
]


@dataclass(frozen=True, slots=True)
class CoreBounds:
    """What the analysis says of one core's plan."""

    core: int
    analysis: Analysis | None  # None: the core has no tasks
    deadlines: Deadlines | None
    system: System  # of which that is: the core's, but for tasks that several may run (global_bounds.py)


def on_core(error: HorologError, core: int) -> HorologError:
    """Returns the `error` about one core's part as one about the system."""
    return HorologError(
        f"core {core}: {error.message}",
        place=error.place,
        found=error.found,
        expected=error.expected,
        exit=error.exit,
    )


def bounds_of_cores(plans: Sequence[CorePlan], most: int = MOST_STEPS) -> tuple[CoreBounds, ...]:
    """Returns what the analysis says of each core, as analysis_of; without a plan, the kernel takes no time.

    `most`: how many releases are gone through to use offsets.
    """
    found = []
    if any(one.part.wide for one in plans):
        together = analysed_together(plans)
        for one in plans:
            if one.core not in together:
                found.append(CoreBounds(one.core, None, None, one.system))
                continue
            system, analysis = together[one.core]
            found.append(CoreBounds(one.core, analysis, deadlines_of(system, analysis), system))
        return tuple(found)
    for one in plans:
        system = one.system
        if not one.part.tasks:
            found.append(CoreBounds(one.core, None, None, system))
            continue
        if one.planned is None:
            analysis = analysis_of(system, None, most=most)
        else:
            analysis = analysis_of(system, one.planned.choice, read_prices(system.board), most)
        found.append(CoreBounds(one.core, analysis, deadlines_of(system, analysis), system))
    return tuple(found)


def chains_of_cores(
    system: System, plans: Sequence[CorePlan], bounds: Sequence[CoreBounds]
) -> tuple[ChainBound, ...]:
    """Returns a bound for each chain of `system`, whose tasks may be on several cores: of these all the same.

    What a chain adds up is no different where data goes from core to core, as all have one clock.
    """
    where: dict[int, TaskAnalysed] = {}
    for one, found in zip(plans, bounds, strict=True):
        if found.analysis is None:
            continue
        plan = None if one.planned is None else one.planned.choice
        for own, task in enumerate(one.part.tasks):
            where[task] = TaskAnalysed(one.system, plan, found.analysis, own)
    return tuple(
        chain_bound(chain, [where[task] for task in chain.tasks]) for chain in system.chains
    )


def deadlines_of_cores(
    bounds: Sequence[CoreBounds], chains: Sequence[ChainBound] = ()
) -> Deadlines:
    """Returns what holds for all cores: the words of one that fails, or of that with the least slack.

    Where the deadlines of all cores hold, those of the first of `chains` that does not.
    """
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
    failing = next((one for one in chains if not one.holds), None)
    if worst.hold:
        count = f" and {plural(len(chains), 'chain')}" if chains else ""
        text = f"all deadlines of {plural(len(known), 'core')}{count} hold; {text}"
        text = text if failing is None else chain_text(failing)
    return replace(
        worst,
        hold=worst.hold and failing is None,
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
            refuse_misses(found.system, found.analysis)
        except HorologError as error:
            raise on_core(error, one.core) from None


def overhead_of_cores(plans: Sequence[CorePlan]) -> Fraction:
    """Returns the kernel's predicted share of what the cores with tasks can execute, in percent."""
    each = [one.planned.choice.prediction for one in plans if one.planned is not None]
    return sum((one.overhead_percent for one in each), Fraction(0)) / len(each)
