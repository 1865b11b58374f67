# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The chains of a planned system: their bounds, and the first that is longer than allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm
from typing import Any

from horolog.model import Chain, Exit, HorologError, Plan, System
from horolog.responses.analysis import Analysis
from horolog.responses.telling import ms_text
from horolog.schedulability import Link, Source, age_bound, reaction_bound

__all__ = [
    "ChainBound",
    "TaskAnalysed",
    "chain_bound",
    "chain_data",
    "chains_of",
    "refuse_chains",
]


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


@dataclass(frozen=True, slots=True)
class TaskAnalysed:
    """A task with the system of its core, that system's plan and bounds, and the task's number there."""

    system: System
    plan: Plan | None
    analysis: Analysis
    task: int


def chains_of(system: System, plan: Plan | None, analysis: Analysis) -> tuple[ChainBound, ...]:
    """A bound for each chain of `system`, with the bounds of its tasks."""
    return tuple(
        chain_bound(chain, [TaskAnalysed(system, plan, analysis, task) for task in chain.tasks])
        for chain in system.chains
    )


def chain_bound(chain: Chain, tasks: Sequence[TaskAnalysed]) -> ChainBound:
    """The bound of `chain`; `tasks` are its own in their order, of one core or of several."""
    unit = lcm(*(one.analysis.demanded.unit for one in tasks))
    links = []
    for at, one in enumerate(tasks):
        response, source = _response(one), _source(one)
        after = tasks[at + 1] if at + 1 < len(tasks) else None
        activates = after is not None and chain.tasks[at + 1] in chain.activated
        together = after is not None and after.analysis is one.analysis
        if response is None or one.task in one.analysis.open or (activates and not together):
            return ChainBound(chain, None, None)
        ahead = after is not None and together and not activates
        links.append(
            Link(
                ceil(one.system.root(one.task).period * unit),
                ceil(response * unit),
                source.early * (unit // one.analysis.demanded.unit),
                ahead and after is not None and _is_ahead(one, after),
                activates,
                by_event=one.task >= len(one.system.tasks)
                and chain.tasks[at] not in chain.activated,
            )
        )
    reaction, age = reaction_bound(links), age_bound(links)
    return ChainBound(
        chain,
        None if reaction is None else Fraction(reaction, unit),
        None if age is None else Fraction(age, unit),
    )


def _source(of: TaskAnalysed) -> Source:
    """The last source in which the task has an end."""
    found = (
        one
        for one in reversed(of.analysis.demanded.demand.sources)
        if any(end.task == of.task for end in one.ends)
    )
    return next(found)


def _is_ahead(one: TaskAnalysed, after: TaskAnalysed) -> bool:
    """Whether a job of `one` ends before any of `after`, of its core, that has its release or a later one."""
    higher = _source(one).level > _source(after).level
    return higher and _in_order(one.system, one.plan, one.task, after.task)


def _response(of: TaskAnalysed) -> Fraction | None:
    """The longest response of any job; of a task with points their longest deadline, if all hold."""
    bound, points = of.analysis.bounds[of.task], of.system.all_tasks[of.task].points
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
