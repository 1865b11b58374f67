# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The chains of a planned system: their bounds, and the first that is longer than allowed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Any

from horolog.model import Chain, Exit, HorologError, Plan, System
from horolog.responses.analysis import Analysis
from horolog.responses.telling import ms_text
from horolog.schedulability import Link, age_bound, reaction_bound

__all__ = ["ChainBound", "chain_data", "chains_of", "refuse_chains"]


@dataclass(frozen=True, slots=True)
class ChainBound:
    """The longest reaction time and data age of a chain; None: a task of it has no bound."""

    chain: Chain
    reaction: Fraction | None
    age: Fraction | None

    @property
    def limits(self) -> tuple[tuple[str, Fraction | None, Fraction], ...]:
        """What is limited: its name, its bound, and the limit."""
        both = (
            ("reaction time", self.reaction, self.chain.deadline),
            ("data age", self.age, self.chain.max_age),
        )
        return tuple((name, bound, most) for name, bound, most in both if most is not None)

    @property
    def slack(self) -> Fraction | None:
        """The least that is left to a limit."""
        left = [None if bound is None else most - bound for _, bound, most in self.limits]
        return None if None in left else min(one for one in left if one is not None)

    @property
    def holds(self) -> bool:
        """Whether it is within its limits for certain."""
        return self.slack is not None and self.slack >= 0


def chains_of(system: System, plan: Plan | None, analysis: Analysis) -> tuple[ChainBound, ...]:
    """A bound for each chain of `system`, with the bounds of its tasks."""
    return tuple(_bound(system, plan, analysis, chain) for chain in system.chains)


def _bound(system: System, plan: Plan | None, analysis: Analysis, chain: Chain) -> ChainBound:
    unit = analysis.demanded.unit
    of = {end.task: one for one in analysis.demanded.demand.sources for end in one.ends}
    links = []
    for at, task in enumerate(chain.tasks):
        response, source = _response(system, analysis, task), of[task]
        if response is None or task in analysis.open:
            return ChainBound(chain, None, None)
        after = chain.tasks[at + 1] if at + 1 < len(chain.tasks) else None
        activates = after is not None and after in chain.activated
        ahead = after is not None and not activates and source.level > of[after].level
        links.append(
            Link(
                ceil(system.root(task).period * unit),
                ceil(response * unit),
                source.early,
                ahead and after is not None and _in_order(system, plan, task, after),
                activates,
                by_event=task >= len(system.tasks) and task not in chain.activated,
            )
        )
    reaction, age = reaction_bound(links), age_bound(links)
    return ChainBound(
        chain,
        None if reaction is None else Fraction(reaction, unit),
        None if age is None else Fraction(age, unit),
    )


def _response(system: System, analysis: Analysis, task: int) -> Fraction | None:
    """The longest response of any job; of a task with points their longest deadline, if all hold."""
    bound, points = analysis.bounds[task], system.all_tasks[task].points
    if not points or bound.response is None:
        return bound.response
    return max(point.deadline for point in points) if bound.holds else None


def _in_order(system: System, plan: Plan | None, task: int, after: int) -> bool:
    """Whether a job of `task` is ready no later than one of `after` with that release, and never waits.

    One cell's interrupt releases all tasks of an instant before any of them runs.
    """
    if task >= len(system.tasks):
        return False
    one, other = system.tasks[task], system.tasks[after]
    if one.may_wait or one.delay != other.delay or one.jitter or other.jitter:
        return False
    return plan is None or any({task, after} <= {*releaser.tasks} for releaser in plan.releasers)


def chain_data(found: ChainBound) -> dict[str, Any]:
    """For --json. Times are nanoseconds, rounded to the safe side."""

    def up(seconds: Fraction | None) -> int | None:
        return None if seconds is None else ceil(seconds * 10**9)

    def down(seconds: Fraction | None) -> int | None:
        return None if seconds is None else floor(seconds * 10**9)

    return {
        "name": found.chain.name,
        "reaction_ns": up(found.reaction),
        "deadline_ns": down(found.chain.deadline),
        "age_ns": up(found.age),
        "max_age_ns": down(found.chain.max_age),
        "slack_ns": down(found.slack),
        "holds": found.holds,
    }


def refuse_chains(system: System, found: tuple[ChainBound, ...], way: str | None = None) -> None:
    """HorologError (1), at the first chain without a proof. `way`: a way out, in a sentence."""
    for one in found:
        for name, bound, most in one.limits:
            if bound is not None and bound <= most:
                continue
            said = "has no bound" if bound is None else f"may be {ms_text(bound)} ms"
            raise HorologError(
                f'system {system.name}: the {name} of the chain "{one.chain.name}" {said}',
                place=one.chain.place,
                found=" -> ".join(system.all_tasks[task].name for task in one.chain.tasks),
                expected=f"at most {ms_text(most, up=False)} ms; shorter periods of its tasks, or higher "
                "priorities towards its begin, shorten it" + (f"; way out: {way}" if way else ""),
                exit=Exit.DOES_NOT_HOLD,
            )
