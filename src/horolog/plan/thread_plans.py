# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The plan of each mechanism: its releasers, each with its store, and what all that is predicted to cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from typing import ClassVar

from horolog.figures import significant
from horolog.model import (
    ALL_MECHANISMS,
    MASK_STORES,
    MECHANISMS,
    QUEUES,
    STORES,
    HandlerBound,
    Mixture,
    Mode,
    Plan,
    QueueChoice,
    Releaser,
    System,
)
from horolog.plan.limit import Limit
from horolog.plan.mapping.grouping import Grouping
from horolog.plan.mapping.mechanisms import FORCED_STORES, offset_fault, propose
from horolog.plan.mapping.mixture import mixtures, placements
from horolog.plan.mapping.releasers import Inadmissible, Proposal
from horolog.plan.mapping.stream_moves import better_mixture
from horolog.plan.prediction.handlers import handler_bounds, longest_alone
from horolog.plan.prediction.predict import Forecast, forecast, predict
from horolog.plan.prices.costs import FREE, Prices
from horolog.plan.prices.static_costs import STEP_STORES
from horolog.plan.stores.choice import NoneServes, choose_store, misfit

__all__ = ["Pricing", "rank"]

_Part = tuple[Releaser, tuple[Releaser, ...]]
"""A releaser of a mixture, and those that serve it too."""

_MASKLESS = tuple(store for store in STORES if store not in MASK_STORES)


def _mixes(made: Plan) -> bool:
    """Whether masks release some threads and delay queues others."""
    stores = {releaser.store for releaser in made.releasers}
    return not stores.isdisjoint(MASK_STORES) and not stores.isdisjoint(QUEUES)


def rank(candidate: Plan, objective: str) -> tuple[Fraction | int, ...]:
    """The key by which plans are sorted: the best plan has the least."""
    prediction = candidate.prediction
    first, second = prediction.kernel_per_second, prediction.interrupts_per_second
    if objective == "interrupts":
        first, second = second, first
    steady: tuple[int, ...] = ()
    if objective == "jitter":  # plans with handlers that are not known come last
        steady = (0, *candidate.longest_handler) if candidate.longest_handler else (1, 0, 0)
    order = ALL_MECHANISMS.index(candidate.mechanism)
    return *steady, first, second, len(candidate.releasers), order


@dataclass(eq=False)
class Pricing:
    """The plans of one system under given prices. `queue`: the store that the user named."""

    system: System
    prices: Prices
    queue: str | None
    grouping: Grouping
    objective: str
    limit: Limit = field(default_factory=Limit)
    mechanisms: ClassVar[tuple[str, ...]] = MECHANISMS
    _rates: dict[_Part, tuple[Fraction, Fraction]] = field(default_factory=dict, init=False)
    _forecasts: dict[_Part, Forecast] = field(default_factory=dict, init=False)
    _chronos: Proposal | Inadmissible | None = field(default=None, init=False)

    def plan_of(self, mechanism: str, *, named: bool) -> Plan | Inadmissible:
        """The plan of `mechanism`; `named` by the user, it is made without figures of its store too."""
        own = FORCED_STORES.get(mechanism)
        if own is not None:
            if self.queue not in (None, own):
                return Inadmissible(f"its store is {own}, not {self.queue}")
            if not named and self.prices.costs != FREE and own not in self.prices.stores:
                return Inadmissible(f"the board's costs.toml does not say what {own} costs")
        proposed = self._mixture() if mechanism == "mixed" else self._proposed(mechanism)
        if isinstance(proposed, Inadmissible):
            return proposed
        return self._cheapest(mechanism, proposed, self.queue if own is None else own)

    def alike(self, other: Plan) -> Plan | Inadmissible:
        """Returns the plan with the cells of `other`, a plan of the same tasks, and their best stores."""
        return self._cheapest(other.mechanism, Proposal(other.releasers), self.queue)

    def _cheapest(
        self, mechanism: str, proposed: Proposal, store: str | None
    ) -> Plan | Inadmissible:
        """With the stores that cost least together, if `store` is not named."""
        made = self._priced(mechanism, proposed, store)
        if isinstance(made, Inadmissible) or store is not None or not _mixes(made):
            return made
        # Each cell has its cheapest store, but masks beside delay queues cost both something.
        plans = [made]
        for among in (_MASKLESS, MASK_STORES):
            try:
                other = self._priced(mechanism, proposed, None, among)
            except NoneServes:
                continue
            if isinstance(other, Plan):
                plans.append(other)
        return min(plans, key=lambda one: rank(one, self.objective))

    def _proposed(self, mechanism: str) -> Proposal | Inadmissible:
        if mechanism != "chronos" and mechanism not in FORCED_STORES:
            return propose(self.system, mechanism, self.grouping, self.limit)
        if self._chronos is None:  # these divide the tasks alike
            self._chronos = propose(self.system, mechanism, self.grouping, self.limit)
        return self._chronos

    def notes(self) -> tuple[str, ...]:
        """Returns notes on what was not considered because the board has no costs for it."""
        if self.prices.costs == FREE:
            return ()
        found = []
        missing = [store for store in STEP_STORES if store not in self.prices.stores]
        if missing:
            found.append(f"{', '.join(missing)}: not considered, the costs do not hold them")
        if self.prices.cooperation is None:
            found.append("mixed: not considered, the costs do not hold cooperation")
        if self.prices.sharing is None and any(task.bodies > 1 for task in self.system.tasks):
            found.append(
                "the calls of a shared thread's bodies: not predicted, the costs do not hold them"
            )
        if found:
            found.append(f"horolog calibrate {self.system.board.name} measures what is missing")
        return tuple(found)

    def _priced(
        self,
        name: str,
        proposed: Proposal,
        store: str | None,
        among: Collection[str] | None = None,
    ) -> Plan | Inadmissible:
        """The plan of mechanism `name`: each releaser with its store, and what all that will cost.

        NoneServes if none of the stores `among` can serve a releaser.
        """
        forecasts: list[Forecast] = []
        choices: list[QueueChoice] = []
        left = self.system.table_bytes
        for releaser in proposed.releasers:
            part = _part(releaser, proposed.releasers)
            if part not in self._forecasts:
                self._forecasts[part] = self._forecast(*part)
            one = self._forecasts[part]
            if store is not None:
                why = misfit(self.system, one, store, left)
                if why is not None:
                    return Inadmissible(f"{store} cannot serve cell {releaser.cell}: {why}")
            prefer = self._steady(releaser) if self.objective == "jitter" else None
            taken, choice = choose_store(
                self.system,
                one,
                self.prices,
                store,
                left,
                among,
                prefer,
                masked=any(one.releaser.store in MASK_STORES for one in forecasts),
            )
            forecasts.append(replace(one, releaser=replace(releaser, store=taken)))
            if choice is not None:
                choices.append(choice)
                left -= sum(o.constants for o in choice.options if o.store == taken == "mask-table")
        releasers = tuple(one.releaser for one in forecasts)
        return Plan(
            name,
            releasers,
            predict(self.system, forecasts, self.prices),
            tuple(choices),
            proposed.mapping,
            proposed.mixture,
            self.handlers(releasers) if self.objective == "jitter" else (),
        )

    def handlers(self, releasers: Sequence[Releaser]) -> tuple[HandlerBound, ...]:
        """How long the handlers of a plan's cells are."""
        return handler_bounds(self.system, releasers, self.prices)

    def _steady(self, releaser: Releaser) -> Callable[[str], tuple[Fraction, Fraction] | None]:
        """By a store, the longest handler of `releaser`, and by how much it varies."""
        return lambda store: longest_alone(self.system, releaser, store, self.prices)

    def _forecast(
        self, releaser: Releaser, partners: Sequence[Releaser], end: int | None = None
    ) -> Forecast:
        return forecast(self.system, releaser, self.prices, partners, end)

    def _mixture(self) -> Proposal | Inadmissible:
        """The best of the mixtures that there are to compare."""
        if self.prices.cooperation is None:
            return Inadmissible("the board's costs.toml does not say what cooperation costs")
        fault = offset_fault(self.system)
        if fault is not None:
            return fault
        found = mixtures(self.system, self.grouping, self.limit)
        if isinstance(found, Inadmissible):
            return found
        best: tuple[tuple[Fraction, Fraction, int], tuple[Releaser, ...]] | None = None
        compared, every = 0, len(found.candidates)
        for one in found.candidates:
            if best is not None and self.limit.over(
                words=partial("{} of {} mixtures compared".format, compared, every)
            ):
                break
            key = (*self._rate(one), len(one))
            compared += 1
            if best is None or key < best[0]:
                best = key, one
        moved = better_mixture(
            self.system,
            None if best is None else best[1],
            found.divisions,
            self._rate,
            partial(self.limit.over, words=lambda: "tasks moved between cells"),
            several=self.objective != "interrupts" and self.prices.costs != FREE,
        )
        chosen = moved.releasers
        if chosen is None:
            assert found.fault is not None
            return Inadmissible(found.fault)
        if best is None:
            saved = Fraction(0)
            gained = f"tasks moved from their cells, {moved.priced} mixtures priced; "
        else:
            saved = 1 - self._rate(chosen)[0] / best[0][0] if best[0][0] else Fraction(0)
            gained = f"tasks moved between cells save {significant(100 * saved)} %, {moved.priced} priced; "
        if any(self.prices.cells.values()):  # what a cell costs depends on its device
            chosen = min(placements(self.system, chosen), key=self._rate)
        cut = "" if compared == every else f" of {every}"
        words = f"{found.how}, {compared}{cut} mixture{'s' * (compared != 1)} compared; "
        if saved > 0 or best is None:
            words += gained
        return Proposal(
            chosen,
            mixture=Mixture(compared, words + "not proved the best", moved.priced, saved),
        )

    def _rate(self, releasers: tuple[Releaser, ...]) -> tuple[Fraction, Fraction]:
        """What the objective is about, and the other, of a mixture."""
        parts = []
        for releaser in releasers:
            part = _part(releaser, releasers)
            rate = self._rates.get(part)
            if rate is None:
                rate = self._rates[part] = self._rate_of(*part)
            parts.append(rate)
        kernel = sum((part[0] for part in parts), Fraction(0))
        interrupts = sum((part[1] for part in parts), Fraction(0))
        return (interrupts, kernel) if self.objective == "interrupts" else (kernel, interrupts)

    def _rate_of(
        self, releaser: Releaser, partners: tuple[Releaser, ...]
    ) -> tuple[Fraction, Fraction]:
        one = self._forecast(releaser, partners, end=0)
        store = self.queue
        if store is None:
            store, _ = choose_store(self.system, one, self.prices, None, self.system.table_bytes)
        return one.cost(self.system, store, self.prices).rate, one.interrupts.rate


def _part(releaser: Releaser, all_of: Sequence[Releaser]) -> _Part:
    if not releaser.cooperates:
        return releaser, ()
    return releaser, tuple(one for one in all_of if one.mode is Mode.PERIODIC)
