# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Plans every mechanism for a system and chooses the cheapest."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from horolog.analyse import distinct_instants, jobs_in
from horolog.model import (
    MECHANISMS,
    STORES,
    Alternative,
    HorologError,
    Plan,
    Planned,
    System,
)
from horolog.plan.bounds import bounds_of
from horolog.plan.costs import FREE, Prices, read_prices
from horolog.plan.exact import optimal
from horolog.plan.grouping import Grouping
from horolog.plan.mechanisms import Inadmissible, Proposal, propose
from horolog.plan.predict import forecast, predict
from horolog.plan.stores import choose_queue

__all__ = ["plan"]

_CONSIDERED = MECHANISMS[:4]  # the others have names already, for those who build them


def plan(
    system: System,
    *,
    mechanism: str | None = None,
    queue: str | None = None,
    prices: Prices | None = None,
    grouping: Grouping = optimal,
) -> Planned:
    """Choose releasers for every task of `system`, or take those of `mechanism`.

    Mechanisms are ranked by the kernel instructions per second that `prices` (default: those of the
    board's costs.toml) predict in the long run, so that the length of the window plays no part;
    ties go to fewer interrupts, then to fewer cells, then to the order of MECHANISMS. Where no
    instructions are counted, that ranks by interrupts. `queue` is the store of every releaser;
    default: for each releaser that which stores.py chooses by the prices' curves, and a sorted list
    where there are none. HorologError if `mechanism` is unknown or cannot serve the system, if none
    can, if `queue` is unknown, or if the costs cannot be read.
    """
    if mechanism is not None and mechanism not in _CONSIDERED:
        raise HorologError(
            "unknown mechanism", found=mechanism, expected="one of " + ", ".join(_CONSIDERED)
        )
    if queue is not None and queue not in STORES:
        raise HorologError("unknown queue", found=queue, expected="one of " + ", ".join(STORES))
    if not system.tasks:
        raise HorologError(f"system {system.name} has no task", expected="at least one [[task]]")
    prices = read_prices(system.board) if prices is None else prices
    plans: list[Plan] = []
    faults: dict[str, Inadmissible] = {}
    for name in _CONSIDERED:
        proposed = propose(system, name, grouping)
        if isinstance(proposed, Inadmissible):
            faults[name] = proposed
        else:
            plans.append(_priced(system, name, proposed, prices, queue))
    if mechanism in faults:
        raise _cannot(system, f"mechanism {mechanism} cannot serve it", faults[mechanism])
    if not plans:
        raise _cannot(system, "no mechanism can serve it", faults["one-shot"])
    plans.sort(key=_rank)
    choice = next((p for p in plans if p.mechanism == mechanism), plans[0])
    words = _Words(choice, plans, priced=prices.costs != FREE, forced=mechanism is not None)
    alternatives = [Alternative(p.mechanism, p, words.about(p)) for p in plans]
    alternatives += [Alternative(name, None, fault.reason) for name, fault in faults.items()]
    return Planned(
        choice=choice,
        alternatives=tuple(alternatives),
        forced=mechanism is not None,
        distinct_instants=distinct_instants(system),
        jobs=sum(jobs_in(system)),
        costs=prices.origin,
        bounds=bounds_of(system),
    )


def _priced(
    system: System, name: str, proposed: Proposal, prices: Prices, queue: str | None
) -> Plan:
    """The plan of mechanism `name`: each releaser with its queue, and what all that will cost."""
    forecasts, choices = [], []
    for releaser in proposed.releasers:
        one = forecast(system, releaser, prices.costs)
        store, choice = choose_queue(one, prices.queues, queue)
        forecasts.append(replace(one, releaser=replace(releaser, store=store)))
        choices += [] if choice is None else [choice]
    return Plan(
        name,
        tuple(one.releaser for one in forecasts),
        predict(system, forecasts, prices.queues),
        tuple(choices),
        proposed.mapping,
    )


def _rank(candidate: Plan) -> tuple[Fraction, Fraction, int, int]:
    prediction = candidate.prediction
    return (
        prediction.kernel_per_second,
        prediction.interrupts_per_second,
        len(candidate.releasers),
        MECHANISMS.index(candidate.mechanism),
    )


def _cannot(system: System, message: str, fault: Inadmissible) -> HorologError:
    place = None if fault.task is None else system.tasks[fault.task].place
    return HorologError(f"system {system.name}: {message}: {fault.reason}", place=place)


class _Words:
    """Why each plan was chosen or was not, in a line for people."""

    def __init__(self, choice: Plan, plans: list[Plan], *, priced: bool, forced: bool) -> None:
        self.choice = choice
        self.plans = plans  # cheapest first
        self.priced = priced
        self.forced = forced

    def about(self, plan: Plan) -> str:
        return self._chosen() if plan is self.choice else self._other(plan)

    def _chosen(self) -> str:
        if self.forced:
            why = "named by the user"
            if self.choice is not self.plans[0]:
                why += f"; {self.plans[0].mechanism} is predicted cheaper"
            return f"chosen: {why}"
        if len(self.plans) == 1:
            return "chosen: no other mechanism can serve this system"
        why = "lowest predicted overhead"
        if not self.priced:
            why = "fewest interrupts; no instructions are counted on this board"
        # Beside the plainest mechanism that does not come to the same.
        others = [p for p in self.plans if p is not self.choice]
        plain = min(
            [p for p in others if _price(p) != _price(self.choice)] or others,
            key=lambda p: MECHANISMS.index(p.mechanism),
        )
        return f"chosen: {why}; {self._compared(self.choice, plain)} {plain.mechanism}"

    def _other(self, plan: Plan) -> str:
        text = f"{self._compared(plan, self.choice)} {self.choice.mechanism}"
        more_cells = len(plan.releasers) > len(self.choice.releasers)
        if _price(plan) == _price(self.choice) and more_cells:
            return f"{text}, and needs more cells"
        return text

    def _compared(self, plan: Plan, other: Plan) -> str:
        """Ends in the word that the other's name follows."""
        here, there = plan.prediction, other.prediction
        parts = []
        if here.kernel_per_second > 2 * there.kernel_per_second > 0:
            ratio = here.kernel_per_second / there.kernel_per_second
            parts.append(f"{_size(ratio)} times the kernel time")
        elif here.kernel_per_second != there.kernel_per_second > 0:
            change = 100 * (here.kernel_per_second / there.kernel_per_second - 1)
            parts.append(f"{_size(change)} % {'more' if change > 0 else 'less'} kernel time")
        fewer = there.interrupts_per_second - here.interrupts_per_second
        if fewer > 0:
            parts.append(f"saves {_size(fewer)} interrupts/s")
        elif fewer < 0:
            parts.append(f"{_size(fewer)} more interrupts/s")
        if not parts:
            return "interrupts and costs the same as"
        if fewer > 0:
            return ", ".join(parts) + " over"
        return ", ".join(parts) + (" of" if parts[-1].endswith("the kernel time") else " than")


def _price(plan: Plan) -> tuple[Fraction, Fraction]:
    return plan.prediction.kernel_per_second, plan.prediction.interrupts_per_second


def _size(number: Fraction) -> str:
    """How large, to three digits but no fewer than the integer has."""
    value = abs(float(number))
    for limit, decimals in ((100, 0), (10, 1), (1, 2)):
        if value >= limit:
            return f"{value:,.{decimals}f}"
    return f"{value:.2g}"
