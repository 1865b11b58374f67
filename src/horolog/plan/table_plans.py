# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plans of a system with dispatcher tables that the application controls.

One cell of its own has all points of the tables (kernel/table/dispatcher.h); the other tasks are planned on
the cells that are left. Predicted is the mode in which the system starts, without corrections.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from horolog.analyse import count_instant, is_basic, tabled_tasks
from horolog.model import Mode, Plan, Prediction, Releaser, System
from horolog.plan.basic_plans import BasicPricing, with_interrupt
from horolog.plan.combined_plans import BothPricing, part_of, predicted_together, renumbered
from horolog.plan.instants.counts_and_rates import NONE
from horolog.plan.limit import Limit
from horolog.plan.mapping.cell_timing import one_shot_span, one_shot_step
from horolog.plan.mapping.grouping import Grouping
from horolog.plan.mapping.releasers import Inadmissible
from horolog.plan.prediction.predict import forecast, predict
from horolog.plan.prices.costs import Prices
from horolog.plan.thread_plans import Pricing

__all__ = ["AnyPricing", "TablePricing"]

AnyPricing = Pricing | BasicPricing | BothPricing


class TablePricing:
    """The plans and prices of the tables' cell, and of the other tasks by `others`."""

    def __init__(
        self,
        system: System,
        prices: Prices,
        grouping: Grouping,
        objective: str,
        limit: Limit,
        others: Callable[[System], AnyPricing],
    ) -> None:
        self.system, self.prices = system, prices
        self.grouping, self.objective, self.limit = grouping, objective, limit
        self._tabled = tabled_tasks(system)
        self._rest = tuple(at for at in range(len(system.tasks)) if at not in {*self._tabled})
        rest = replace(part_of(system, self._rest, system.cells), tables=(), control=None)
        self._inner = others(rest) if self._rest else None
        self.mechanisms = ("one-shot",) if self._inner is None else self._inner.mechanisms

    def plan_of(self, mechanism: str, *, named: bool) -> Plan | Inadmissible:
        """The plan of `mechanism` for the other tasks, with the tables'."""
        table = self._of_table()
        if self._inner is None:
            return table
        found = self._inner.plan_of(mechanism, named=named)
        if isinstance(found, Inadmissible):
            return found
        releasers = [self._of_all(renumbered(one, self._rest)) for one in found.releasers]
        releasers += table.releasers
        return Plan(
            found.mechanism,
            tuple(releasers),
            predicted_together(self.system, found.prediction, table.prediction, releasers),
            found.queues,
            found.mapping,
            found.mixture,
        )

    def notes(self) -> tuple[str, ...]:
        """Returns notes on costs that the board does not have, and on what is not predicted."""
        inner = () if self._inner is None else self._inner.notes()
        assert self.system.control is not None
        name = self.system.tables[0].mode
        if self.system.control.by_application:
            return (*inner, "tables are in no prediction, as the application starts them")
        if len(self.system.tables) > 1:
            return (*inner, f"predicted is the mode {name}, in which the system starts")
        if self.system.control.sync is None:
            return inner
        return (
            *inner,
            "predicted are rounds without corrections, each of which takes an interrupt",
        )

    def _of_all(self, releaser: Releaser) -> Releaser:
        """A releaser of the other tasks' plan, as one of the whole system's."""
        if not is_basic(self.system, releaser):
            return releaser
        found = with_interrupt(self.system, releaser)
        return replace(found, direct=found.direct and releaser.direct)

    def _of_table(self) -> Plan:
        system = self.system
        assert system.control is not None
        cell = system.board.cell(system.control.cell)
        (table, *_) = system.tables
        first = count_instant(table.points[0].offset, system.board.clock.hz)
        bare = Releaser(
            cell=cell.name,
            mode=Mode.ONE_SHOT,
            store="mask-table",
            tasks=self._tabled,
            first=one_shot_step(first, one_shot_span(cell)),
            dispatches=True,
        )
        releaser = replace(with_interrupt(system, bare), direct=False)
        if system.control.by_application:
            return Plan("one-shot", (releaser,), _nothing(releaser))
        only = part_of(system, self._tabled, system.cells)
        own = replace(releaser, tasks=tuple(range(len(self._tabled))))
        prediction = predict(only, [forecast(only, own, self.prices)], self.prices)
        return Plan("one-shot", (releaser,), prediction)


def _nothing(releaser: Releaser) -> Prediction:
    zero = NONE.rate
    return Prediction(0, ((releaser.cell, 0),), 0, zero, zero, zero)
