# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plans of a system with basic tasks and threads: each kind has cells of its own.

Every division of the cells into the first few and the others is compared; where there are many cells, some.
The basic tasks take the first, the threads the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from horolog.analyse import window_counts
from horolog.model import (
    BASIC_MECHANISMS,
    BASIC_STORES,
    GROUP_STORES,
    Plan,
    Prediction,
    Releaser,
    System,
)
from horolog.plan.basic_plans import BasicPricing, in_threads, with_interrupt
from horolog.plan.instants.coincidence import cells_of, coincident
from horolog.plan.limit import Limit
from horolog.plan.mapping.grouping import Grouping
from horolog.plan.mapping.releasers import Inadmissible
from horolog.plan.prices.costs import Prices
from horolog.plan.thread_plans import Pricing, rank

__all__ = ["BothPricing", "part_of", "predicted_together", "renumbered"]

_FEW_CELLS = 5


@dataclass(eq=False)
class BothPricing:
    """The plans and prices of both kinds. A plan's mechanism is the basic tasks'; threads have their best."""

    system: System
    prices: Prices
    queue: str | None
    grouping: Grouping
    objective: str
    limit: Limit = field(default_factory=Limit)
    mechanisms: ClassVar[tuple[str, ...]] = BASIC_MECHANISMS
    _of_threads: dict[int, Plan | Inadmissible] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._in_threads = in_threads(self.system)
        self._basic = self.system.basic
        tasks = range(len(self.system.tasks))
        self._threads = tuple(index for index in tasks if index not in {*self._basic})

    def plan_of(self, mechanism: str, *, named: bool) -> Plan | Inadmissible:
        """The plan of `mechanism`, one of BASIC_MECHANISMS, for the basic tasks."""
        if len(self.system.cells) < 2:
            return Inadmissible(
                "basic tasks and threads have cells of their own, so 2 are needed; 1 is in use",
                task=self.system.basic[0],
                remedy=f"2 cells or more ([system] cells; {self.system.board.name} has "
                f"{len(self.system.board.cells)}), or one kind for all tasks: --kind thread or --kind basic",
            )
        found: list[Plan] = []
        fault = Inadmissible("there is no division of the cells")
        for few in _numbers(len(self.system.cells)):
            if found and self.limit.over():
                break
            threads = self._plan_of_threads(few)
            if isinstance(threads, Inadmissible):
                fault = threads
                continue
            part = part_of(self.system, self._basic, self.system.cells[:few])
            store = None if self.queue in (None, "none") else self.queue
            prices = self.prices
            if self._in_threads:  # which the part, without the threads, does not show
                store = store if store in BASIC_STORES else None
                prices = replace(prices, basic={})
            pricing = BasicPricing(part, prices, store, self.grouping, self.objective, self.limit)
            pricing.in_handlers &= not self._in_threads
            basic = pricing.plan_of(mechanism, named=named)
            if isinstance(basic, Inadmissible):
                fault = basic
            else:
                found.append(self._together(basic, threads))
        return min(found, key=lambda one: rank(one, self.objective), default=fault)

    def notes(self) -> tuple[str, ...]:
        """Returns notes on costs that the board does not have."""
        both = (
            BasicPricing(self.system, self.prices, None, self.grouping, self.objective).notes()
            + Pricing(self.system, self.prices, None, self.grouping, self.objective).notes()
        )
        return tuple(dict.fromkeys(both))

    def _plan_of_threads(self, few: int) -> Plan | Inadmissible:
        if few not in self._of_threads:
            part = part_of(self.system, self._threads, self.system.cells[few:])
            part = replace(part, shares_levels_elsewhere=True)  # as beside basic tasks all do
            pricing = Pricing(part, self.prices, None, self.grouping, self.objective, self.limit)
            made = [pricing.plan_of(name, named=False) for name in pricing.mechanisms]
            plans = [
                one for one in made if isinstance(one, Plan) and one.mechanism != "chronos-const"
            ]
            fault = next((one for one in made if isinstance(one, Inadmissible)), None)
            self._of_threads[few] = min(
                plans,
                key=lambda one: rank(one, self.objective),
                default=fault or Inadmissible("no mechanism can serve the threads"),
            )
        return self._of_threads[few]

    def _together(self, basic: Plan, threads: Plan) -> Plan:
        releasers = [self._of_both(one) for one in basic.releasers]
        releasers += [renumbered(one, self._threads) for one in threads.releasers]
        return Plan(
            basic.mechanism,
            tuple(releasers),
            predicted_together(self.system, basic.prediction, threads.prediction, releasers),
            basic.queues + threads.queues,
            basic.mapping,
            basic.mixture,
        )

    def _of_both(self, releaser: Releaser) -> Releaser:
        """A releaser of the basic tasks' plan, as one of the whole system's."""
        found = with_interrupt(self.system, renumbered(releaser, self._basic))
        return replace(found, direct=found.direct and releaser.store not in GROUP_STORES)


def predicted_together(
    system: System, basic: Prediction, others: Prediction, releasers: Sequence[Releaser]
) -> Prediction:
    """What the plans of two parts of `system` cost together, with all of their `releasers`.

    `basic` is that of basic tasks, or of those of dispatcher tables beside others.
    """
    hz, end = system.board.clock.hz, window_counts(system)
    together, counted = coincident(cells_of(releasers), hz, end)
    less, more = (
        here + there
        for here, there in zip(basic.uncertain_per_second, others.uncertain_per_second, strict=True)
    )
    disturbed = [
        one.disturbances_per_second
        for one in (basic, others)
        if one.disturbances_per_second is not None
    ]
    return Prediction(
        interrupts=basic.interrupts + others.interrupts,
        interrupts_by_cell=basic.interrupts_by_cell + others.interrupts_by_cell,
        required=basic.required + others.required,
        interrupts_per_second=basic.interrupts_per_second + others.interrupts_per_second,
        kernel_instructions=basic.kernel_instructions + others.kernel_instructions,
        overhead_percent=basic.overhead_percent + others.overhead_percent,
        kernel_per_second=basic.kernel_per_second + others.kernel_per_second,
        rate_exact=counted and basic.rate_exact and others.rate_exact,
        required_per_second=basic.required_per_second + others.required_per_second,
        coincident=int(together.window),
        coincident_per_second=together.rate,
        disturbances_per_second=sum(disturbed, Fraction(0)) if disturbed else None,
        uncertain_per_second=(less, more),
    )


def _numbers(cells: int) -> list[int]:
    """How many cells the basic tasks may have."""
    if cells <= _FEW_CELLS:
        return list(range(1, cells))
    return sorted({1, 2, 4, cells // 2, cells - 4, cells - 1})


def part_of(system: System, tasks: Sequence[int], cells: Sequence[str]) -> System:
    """A system of some of the tasks on some of the cells."""
    some = tuple(system.tasks[index] for index in tasks)
    fewer = len(system.tasks) - len(some)
    schedules = tuple(one.behind(fewer) for one in system.cell_schedules)
    return replace(system, tasks=some, cells=tuple(cells), resources=(), cell_schedules=schedules)


def renumbered(releaser: Releaser, tasks: Sequence[int]) -> Releaser:
    """`releaser` of a part, with the tasks as the whole system numbers them."""
    return replace(releaser, tasks=tuple(tasks[index] for index in releaser.tasks))
