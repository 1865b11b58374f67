# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plans of a system of basic tasks: its releasers, how each works, and what that is predicted to cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from horolog.analyse import MOST_ON_A_LINE, Dispatcher, dispatchers, levels
from horolog.model import (
    BASIC_MECHANISMS,
    BASIC_STORES,
    GROUP_STORES,
    LINEAR_STORES,
    UNBOUNDED_STORES,
    Mode,
    Plan,
    QueueChoice,
    QueueOption,
    Releaser,
    StoreMisfit,
    System,
    Task,
)
from horolog.plan.cached_analysis import static_store_misfit
from horolog.plan.instants.counts_and_rates import Amount
from horolog.plan.limit import Limit
from horolog.plan.mapping.grouping import Grouping
from horolog.plan.mapping.level_intervals import intervals, sloth
from horolog.plan.mapping.mechanisms import offset_fault, propose
from horolog.plan.mapping.offset_cells import offset_cell_fault
from horolog.plan.mapping.releasers import Inadmissible, Proposal
from horolog.plan.prediction.predict import Forecast, forecast, predict
from horolog.plan.prices.basic_costs import (
    basic_steps,
    cost_of_steps,
    costs_on,
    is_priced,
    priced_as,
    release_method,
)
from horolog.plan.prices.costs import FREE, Prices
from horolog.plan.prices.narrow_tables import counts_for_task
from horolog.plan.prices.static_costs import Work
from horolog.plan.stores.basic_tables import basic_constants, basic_ram, basic_table_misfit
from horolog.plan.stores.worth import that_pay

__all__ = ["BasicPricing", "in_threads", "with_interrupt"]


def with_interrupt(system: System, releaser: Releaser) -> Releaser:
    """`releaser` of basic tasks with its interrupt's level, and whether it runs its tasks itself."""
    on, by = levels(system), dispatchers(system)
    served = {on[i] for i in releaser.tasks if by[i] is Dispatcher.CONTROLLER}
    if not served:
        return replace(releaser, level=None, direct=False)
    one = len({on[index] for index in releaser.tasks}) == 1
    every = all(by[index] is Dispatcher.CONTROLLER for index in releaser.tasks)
    # A task that may have several jobs, or end early, needs the handler of a line.
    general = any(system.tasks[index].is_general for index in releaser.tasks)
    direct = one and every and not general and len(releaser.tasks) <= MOST_ON_A_LINE
    board = system.board
    if not board.port.cells_at_levels:  # its interrupt comes into tasks of all levels
        return replace(releaser, level=board.basic_levels or board.levels, direct=False)
    return replace(releaser, level=max(served), direct=direct)


def in_threads(system: System) -> bool:
    """Whether threads of the kernel's run some of the basic tasks; what that costs has no figure yet."""
    return Dispatcher.LINE_THREAD in dispatchers(system)


class BasicPricing:
    """The plans and prices that Pricing makes, for a system of basic tasks only."""

    def __init__(
        self,
        system: System,
        prices: Prices,
        store: str | None,
        grouping: Grouping,
        objective: str,
        limit: Limit | None = None,
    ) -> None:
        self.system = system
        self.prices = replace(prices, basic={}) if in_threads(system) else prices
        self.store = store
        self.grouping = grouping
        self.objective = objective
        self.limit = limit or Limit()
        self.mechanisms = BASIC_MECHANISMS
        # A cell's handler may run its tasks itself.
        self.in_handlers = system.board.port.cells_at_levels

    def plan_of(self, mechanism: str, *, named: bool) -> Plan | Inadmissible:
        """The plan of `mechanism`, one of BASIC_MECHANISMS."""
        if self.store not in (None, *BASIC_STORES):
            return Inadmissible(f"basic tasks cannot have the store {self.store}")
        fault = offset_fault(self.system)
        if fault is not None:
            return fault
        proposed = self._proposed(mechanism)
        if isinstance(proposed, Inadmissible):
            return proposed
        return _torn(self.system, proposed) or self._priced(mechanism, proposed)

    def notes(self) -> tuple[str, ...]:
        """Returns notes on costs that the board does not have."""
        if self.prices.costs == FREE or self.prices.basic:
            return ()
        if in_threads(self.system):
            return (
                "what basic tasks cost that threads of the kernel's run has not been measured: it is in no "
                "prediction, and mechanisms are ranked by their interrupts",
            )
        return (
            "what basic tasks cost is not known, so mechanisms are ranked by their interrupts; "
            f"horolog calibrate {self.system.board.name} measures it",
        )

    def _proposed(self, mechanism: str) -> Proposal | Inadmissible:
        if mechanism == "sloth":
            return sloth(self.system)
        if mechanism == "mixed":
            return intervals(self.system, self._price, self.limit)
        return propose(self.system, mechanism, self.grouping, self.limit)

    def _price(self, releaser: Releaser) -> Fraction | None:
        """Returns the figure of one releaser that the objective minimises."""
        one = self._forecast(releaser, self.system.table_bytes, end=0)
        if isinstance(one, Inadmissible):
            return None
        interrupts = one[0].interrupts.rate
        kernel = one[0].cost(self.system, one[0].releaser.store, self.prices).rate
        if self.objective == "interrupts" or not self.prices.basic:
            return interrupts
        return kernel

    def _priced(self, name: str, proposed: Proposal) -> Plan | Inadmissible:
        forecasts: list[Forecast] = []
        choices: list[QueueChoice] = []
        left = self.system.table_bytes
        for releaser in proposed.releasers:
            made = self._forecast(releaser, left)
            if isinstance(made, Inadmissible):
                return made
            one, choice = made
            forecasts.append(one)
            left -= basic_constants(self.system, one.releaser)
            if choice is not None:
                choices.append(choice)
        return Plan(
            name,
            tuple(one.releaser for one in forecasts),
            predict(self.system, forecasts, self.prices),
            tuple(choices),
            proposed.mapping,
            proposed.mixture,
        )

    def _forecast(
        self, releaser: Releaser, table_bytes: int, end: int | None = None
    ) -> tuple[Forecast, QueueChoice | None] | Inadmissible:
        """The cheapest release method and store that `releaser` can have, and why."""
        releaser = with_interrupt(self.system, releaser)
        releaser = replace(releaser, direct=releaser.direct and self.in_handlers)
        candidates, misfits = self._candidates(releaser, table_bytes)
        if not candidates:
            reasons = "; ".join(f"{one.store}: {one.reason}" for one in misfits)
            return Inadmissible(
                f"no store can serve cell {releaser.cell}: {reasons}",
                remedy="another store, or none named",
            )
        one = forecast(self.system, candidates[0], self.prices, (), end)
        candidates = self._known(candidates)
        if not self.prices.basic:
            return _by(one, candidates[0]), None
        taken, cost = self._costs(one.work, candidates)
        paying = that_pay(
            self.system.board,
            candidates,
            lambda candidate: basic_constants(self.system, candidate),
            cost.__getitem__,
        )
        best = min(paying, key=cost.__getitem__)
        if end == 0:  # a rate is all that is asked for
            return _by(one, best), None
        return _by(one, best), QueueChoice(
            cell=best.cell,
            store=_label(best),
            reason=_reason(best, candidates, cost) if self.store is None else "named by the user",
            shape=one.load.shape,
            tasks=one.load.tasks,
            passed=one.load.passed,
            options=tuple(
                self._option(one, candidate, cost[candidate], taken[candidate])
                for candidate in sorted(candidates, key=cost.__getitem__)
            ),
            misfits=tuple(misfits),
        )

    def _costs(
        self, work: Work, candidates: list[Releaser]
    ) -> tuple[dict[Releaser, dict[str, Amount]], dict[Releaser, Fraction]]:
        """The steps that each of `candidates` takes, and what these cost a second."""
        known, queues = self.prices.basic, self.prices.line_queues
        of_method: dict[
            tuple[str, bool], dict[str, Amount]
        ] = {}  # delay queues take the same steps
        taken, cost = {}, {}
        for candidate in candidates:
            of = priced_as(candidate, known, queues)
            key = release_method(of), of.words
            if key not in of_method:
                of_method[key] = basic_steps(self.system, work, of)
            taken[candidate] = of_method[key]
            cost[candidate] = cost_of_steps(
                self.system, work, of, taken[candidate], known, queues
            ).rate
        return taken, cost

    def _candidates(
        self, releaser: Releaser, table_bytes: int
    ) -> tuple[list[Releaser], list[StoreMisfit]]:
        """Returns `releaser` by each method and store, plainest first, and the stores that it cannot have."""
        candidates: list[Releaser] = []
        misfits: list[StoreMisfit] = []
        for store in ("none", "mask-table", *GROUP_STORES):
            if self.store not in (None, store):
                continue
            why = self._misfit(releaser, store, table_bytes)
            if why is not None:
                misfits.append(StoreMisfit(store, why))
                continue
            if store not in GROUP_STORES:
                candidates.append(replace(releaser, store=store))
            if store == "mask-table":
                # Raising lines may be cheaper, and asking words than asking the controller.
                lines = replace(releaser, store=store, direct=False)
                candidates += [
                    candidate
                    for candidate in (lines, replace(lines, words=True))
                    if candidate not in candidates
                ]
            elif store in GROUP_STORES:
                candidates.append(replace(releaser, store=store, direct=False))
        return candidates, misfits

    def _misfit(self, releaser: Releaser, store: str, table_bytes: int) -> str | None:
        """Why `releaser` cannot have `store`; None if it can."""
        if store == "none":
            return self._none_misfit(releaser)
        if store == "mask-table":
            return basic_table_misfit(self.system, releaser, table_bytes)
        if store == "harmonic-array":
            if releaser.part:
                return "its cell's period is no whole number of counts"
            return static_store_misfit(self.system, store, releaser.tasks, releaser.mode)
        if store in UNBOUNDED_STORES and self.store != store:
            return "only if named, as its insertion and removal are O(n) at worst"
        return None

    def _known(self, candidates: list[Releaser]) -> list[Releaser]:
        """Returns those of `candidates` with a known price, if any has one."""
        if not self.prices.basic:
            return candidates
        known = [
            candidate
            for candidate in candidates
            if is_priced(candidate, self.prices.basic, self.prices.line_queues)
        ]
        return known or candidates

    def _none_misfit(self, releaser: Releaser) -> str | None:
        """Why the interrupt of `releaser` cannot be its task."""
        if not releaser.direct and not counts_for_task(self.system, releaser):
            return "its tasks have several levels, or nothing that interrupts at theirs"
        if len(releaser.tasks) > 1:
            return "it releases several tasks"
        task = self.system.tasks[releaser.tasks[0]]
        counts = task.least_gap * self.system.board.clock.hz
        if not task.is_even:
            return self._offset_misfit(releaser, task)
        if (
            releaser.mode is not Mode.PERIODIC
            or (releaser.cell_period or 0) + releaser.part != counts
        ):
            return "its cell does not interrupt once a period"
        return None

    def _offset_misfit(self, releaser: Releaser, task: Task) -> str | None:
        if releaser.mode is not Mode.ONE_SHOT:
            return "the points of its task are not evenly spaced"
        board = self.system.board
        return offset_cell_fault(board, board.cell(releaser.cell), task)

    def _option(
        self, one: Forecast, candidate: Releaser, rate: Fraction, taken: dict[str, Amount]
    ) -> QueueOption:
        of = priced_as(candidate, self.prices.basic, self.prices.line_queues)
        known = costs_on(self.system, of, self.prices.basic)
        return QueueOption(
            store=_label(candidate),
            per_job=known.by_mode[candidate.mode]["job"],
            per_second=rate,
            ram=basic_ram(self.system, candidate),
            over="steps",
            x=Fraction(one.load.tasks),
            points=(),
            admissible=True,
            linear=candidate.store in LINEAR_STORES,
            constants=basic_constants(self.system, candidate),
            steps=known.detail(taken, candidate.mode),
        )


def _torn(system: System, proposed: Proposal) -> Inadmissible | None:
    """Refuses cells of which several release one task, at some of its points each."""
    seen: set[int] = set()
    for releaser in proposed.releasers:
        for task in releaser.tasks:
            if task in seen:
                name = system.tasks[task].name
                return Inadmissible(f"task {name}: its points would be on several cells", task)
            seen.add(task)
    return None


def _by(one: Forecast, releaser: Releaser) -> Forecast:
    """`one` of the same cell, which works as `releaser`."""
    return replace(one, releaser=releaser, work=replace(one.work, releaser=releaser))


def _reason(
    best: Releaser, candidates: Sequence[Releaser], cost: Mapping[Releaser, Fraction]
) -> str:
    cheapest = min(candidates, key=cost.__getitem__)
    if cheapest == best:
        return "the least predicted cost"
    return f"the least predicted cost but for tables that do not pay ({_label(cheapest)})"


def _label(releaser: Releaser) -> str:
    if release_method(releaser) == "direct":
        return "mask-table, direct"
    return "mask-table, words for all" if releaser.words else releaser.store
