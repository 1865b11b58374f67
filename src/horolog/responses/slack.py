# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The objective `slack`: of the plans that the planner lists, the one that leaves the most time to deadlines.

A plan's slack is the least, over all tasks, of (deadline - bound) / deadline, an exact fraction, and over all
chains of the same with their limits. It is a share, so that a task of a short deadline counts as much as
one of a long deadline. A task without a bound makes it the least of all. The planner knows no bounds, so each
mechanism has the plan of the least overhead; of equal slacks the one with less overhead is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor
from typing import Any

from horolog.model import Alternative, HorologError, Plan, Planned, System
from horolog.plan import Limit, plan, plan_moving, read_prices
from horolog.responses.analysis import analysis_of
from horolog.responses.chains import chains_of
from horolog.responses.telling import deadlines_of

__all__ = ["Slack", "plan_for", "slack_of", "slack_text"]


@dataclass(frozen=True, slots=True)
class Slack:
    """The least share of a deadline that a plan leaves, and of what. None: a task has no bound."""

    share: Fraction | None
    name: str


def slack_of(system: System, planned: Plan) -> Slack:
    """Of `system` with this plan. A task with a bound that a missing WCET makes longer has none."""
    found = analysis_of(system, planned, read_prices(system.board))

    def shares() -> Iterator[tuple[Fraction | None, str]]:
        for one in found.bounds:
            name = system.all_tasks[one.task].name
            known = one.slack is not None and one.task not in found.open
            yield (one.slack / one.deadline if known and one.slack is not None else None), name
        for chain in chains_of(system, planned, found):
            for _, bound, most in chain.limits:
                yield (None if bound is None else (most - bound) / most), chain.chain.name

    return Slack(*min(shares(), key=lambda one: _key(one[0])))


def _key(share: Fraction | None) -> tuple[bool, Fraction]:
    return share is not None, share or Fraction(0)


def slack_text(slack: Slack) -> str:
    """The share in words, rounded down."""
    if slack.share is None:
        return f"no bound for {slack.name}"
    return f"at least {floor(slack.share * 10_000) / 100:.2f} % of each deadline left; least: {slack.name}"


def plan_for(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    objective: str | None = None,
    limit: Limit | None = None,
) -> tuple[System, Planned]:
    """As plan_moving, and by the objective `slack` the plan of all mechanisms that leaves the most.

    What may move is moved by the overhead. A mechanism that is named stays.
    """
    named: dict[str, Any] = {"queue": queue, "objective": objective}
    moved, planned = plan_moving(
        system, mechanism=mechanism, limit=limit, holds=_deadlines_hold, **named
    )
    if planned.objective != "slack" or planned.forced:
        return moved, planned
    return moved, _most_slack(moved, planned, queue, limit)


def _deadlines_hold(system: System, planned: Planned) -> bool:
    found = analysis_of(system, planned.choice, read_prices(system.board))
    return deadlines_of(system, found, chains_of(system, planned.choice, found)).hold


def _most_slack(
    system: System, planned: Planned, queue: str | None, limit: Limit | None
) -> Planned:
    known = {
        one.mechanism: slack_of(system, one.plan)
        for one in planned.alternatives
        if one.plan is not None
    }
    free = [name for name in known if name != "chronos-const"]  # taken only if it is named
    best = max(free or known, key=lambda name: _key(known[name].share))  # the first of equal ones
    again = planned
    if best != planned.choice.mechanism:
        try:
            again = plan(
                system, mechanism=best, queue=queue, objective="slack", limit=limit, alone=True
            )
        except HorologError:  # the choice alone is held to some limits of the board
            best = planned.choice.mechanism
    return replace(
        planned,
        choice=again.choice,
        alternatives=tuple(_alternatives(planned, again.choice, best, known)),
        warnings=again.warnings,
        sharing=again.sharing,
    )


def _alternatives(
    planned: Planned, choice: Plan, best: str, known: dict[str, Slack]
) -> Iterator[Alternative]:
    """Those of `planned`, the one with the most slack first, each with its slack."""

    def order(one: Alternative) -> tuple[bool, bool, Fraction]:
        has, share = _key(None if one.plan is None else known[one.mechanism].share)
        return one.mechanism != best, not has, -share

    for one in sorted(planned.alternatives, key=order):
        if one.plan is None:
            yield one
        elif one.mechanism == best:
            reason = f"chosen: the most slack, {slack_text(known[best])}"
            yield Alternative(best, choice, reason)
        else:
            text = one.reason.removeprefix("chosen: ")
            yield replace(one, reason=f"{slack_text(known[one.mechanism])}; {text}")
