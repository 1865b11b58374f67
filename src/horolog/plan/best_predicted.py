# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The best predicted plans of a system: those worth measuring before one is taken.

The plans of all mechanisms, and that of the choice's mechanism with other stores. Plans with the same
releasers are one. What the user has named stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from horolog.model import STORES, HorologError, Plan, Planned, System
from horolog.plan.mapping.mechanisms import FORCED_STORES
from horolog.plan.prices.costs import WORTH
from horolog.plan.thread_plans import rank

__all__ = ["best_predicted"]

_ONLY_IF_NAMED = ("chronos-const",)


def best_predicted(
    system: System,
    planned: Planned,
    count: int,
    with_store: Callable[[str, str], Planned] | None,
) -> tuple[Plan, ...]:
    """The choice of `planned`; then the best of the other plans by prediction, up to `count` in all.

    `with_store` plans a mechanism with a store; None: the user has named a store. A plan that the prices call
    cheaper by less than WORTH, and that was passed over as it needs more memory, is not among them.
    """
    choice, objective = planned.choice, planned.objective
    others = [] if planned.forced else [one.plan for one in planned.alternatives]
    found = [one for one in others if one and one.mechanism not in _ONLY_IF_NAMED]
    if with_store is not None and choice.mechanism not in FORCED_STORES:
        for store in _promising(system, choice, count - 1):
            try:
                found.append(with_store(choice.mechanism, store).choice)
            except HorologError:  # one releaser of several cannot have it
                continue
    found.sort(key=lambda one: rank(one, objective))
    best = [choice]
    for one in found:
        known = any({*one.releasers} == {*other.releasers} for other in best)
        if not known and not _passed_over(one, choice):
            best.append(one)
    return tuple(best[:count])


def _passed_over(one: Plan, choice: Plan) -> bool:
    here, there = one.prediction.kernel_per_second, choice.prediction.kernel_per_second
    return one.mechanism == choice.mechanism and there * (1 - WORTH) <= here < there


def _promising(system: System, choice: Plan, count: int) -> Iterator[str]:
    """The stores with which all releasers would cost least, but for those that they have."""
    basic = {*system.basic}
    of_both = basic and len(basic) < len(system.tasks)
    cells = {
        one.cell for one in choice.releasers if not of_both or basic.issuperset(one.tasks)
    }  # of the tasks for which a store may be named
    queues = [one for one in choice.queues if one.cell in cells]
    costs: dict[str, list[Fraction]] = {}
    for queue in queues:
        own: dict[str, Fraction] = {}
        for option in queue.options:
            name = option.store.partition(",")[0]
            if option.admissible:
                own[name] = min(option.per_second, own.get(name, option.per_second))
        for name, cost in own.items():
            costs.setdefault(name, []).append(cost)
    served = {one.store for one in choice.releasers if one.cell in cells}
    able = [
        name
        for name, each in costs.items()
        if len(each) == len(queues) and {name} != served and name in STORES
    ]
    yield from sorted(able, key=lambda name: (sum(costs[name]), STORES.index(name)))[:count]
