# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long the interrupt handlers of a plan's cells are, at least and at most.

A handler releases all tasks that are due when it runs. These are the tasks of one instant; or of several, if
these lie so near that the handler of the first is still to come, or still runs, when the next one passes. It
comes late by no more than the handlers of all cells take together, and one section with interrupts off. So
what is looked for is the dearest stretch of instants of that length, over the hyperperiod. Where that is too
long, all tasks of the cell are taken to be due at once.

A handler is compiled with its system, so that another system's may take some instructions more than those
that were measured: MARGIN is added, and taken off the shortest.

Not in it: the clock's wrap, where a cell's handler serves it, too; and time-outs of the application's.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    hyperperiod,
    is_basic,
    releases,
    settled_counts,
    streams,
)
from horolog.analyse.memo import remembered
from horolog.model import HandlerBound, Mode, Releaser, System
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.prices.costs import Prices
from horolog.plan.prices.handler_costs import HandlerCosts, handler_steps

__all__ = ["MARGIN", "dues_of", "handler_bounds", "longest_alone"]

_MOST_INSTANTS = 1 << 13
_MASKED = 200
"""Instructions: no section with interrupts off is longer (docs/evidence/masked.md)."""
_ROUNDS = 8

_NONE = Fraction(0)
MARGIN = Fraction(1, 10)
"""The share by which a handler may be longer or shorter than the board's costs say."""
_Due = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Instants:
    """When a releaser's tasks are due, until they have repeated once; empty: at too many instants."""

    at: tuple[int, ...]  # counts, ascending
    due: tuple[_Due, ...]  # positions of streams
    cycle: int  # counts after which they repeat
    settled: int  # from here on

    @property
    def last_cycle(self) -> range:
        """The instants of the last cycle, which are all that a cycle has."""
        return range(bisect_left(self.at, self.settled + self.cycle), len(self.at))


def handler_bounds(
    system: System, releasers: Sequence[Releaser], prices: Prices
) -> tuple[HandlerBound, ...]:
    """For each of `releasers`, with its store, its handler's least and most instructions.

    `system` is one of threads.
    """
    faults = [_fault(system, one, prices) for one in releasers]
    if any(faults):
        why = next(fault for fault in faults if fault)
        return tuple(
            HandlerBound(one.cell, None, None, fault or f"as that of another cell: {why}")
            for one, fault in zip(releasers, faults, strict=True)
        )
    lengths = _Lengths(system, releasers, prices)
    late = Fraction(_MASKED)
    most = [lengths.most(at, late) for at in range(len(releasers))]
    for _ in range(_ROUNDS):
        late = sum(most, Fraction(_MASKED))
        again = [lengths.most(at, late) for at in range(len(releasers))]
        if again == most:
            break
        most = again
    else:
        why = "more instants pass while it runs than it can serve"
        return tuple(HandlerBound(one.cell, None, None, why) for one in releasers)
    handlers = [system.board.cell(one.cell).handler for one in releasers]
    return tuple(
        HandlerBound(
            one.cell,
            ceil(sum(most[i] for i, handler in enumerate(handlers) if handler == handlers[at])),
            floor(lengths.least(at) * (1 - MARGIN)),
        )
        for at, one in enumerate(releasers)
    )


def longest_alone(
    system: System, releaser: Releaser, store: str, prices: Prices
) -> tuple[Fraction, Fraction] | None:
    """The most instructions of the handler with `store`, at one instant, and by how much it varies."""
    costs = prices.handlers.get((store, releaser.mode))
    if costs is None:
        return None
    steps = _steps(system, releaser, store)
    most = max(costs.most(one) for one in steps.values())
    return most, most - min(costs.least(one) for one in steps.values())


def dues_of(system: System, releaser: Releaser) -> tuple[_Due, ...]:
    """The sets of streams that are due at the instants of `releaser`, each once; () where none is.

    Of too many instants: all streams, and each alone.
    """
    found = dict.fromkeys(_instants(system, releaser.tasks).due)
    if not found:
        every = range(len(streams(system, releaser.tasks)))
        found[tuple(every)] = None
        found |= dict.fromkeys((at,) for at in every)
    if _has_empty(system, releaser):
        found[()] = None
    return tuple(found)


def _fault(system: System, releaser: Releaser, prices: Prices) -> str | None:
    """Why nothing is known of the handler of `releaser`."""
    if is_basic(system, releaser):
        return "it releases basic tasks"
    if system.uses_services:
        return "the application's calls and time-outs are its work, too"
    if not prices.handlers:
        return "the board's costs do not hold it"
    costs = prices.handlers.get((releaser.store, releaser.mode))
    if costs is None:
        return f"the board's costs do not hold it for {releaser.store}"
    if any(
        name not in costs.steps
        for one in _steps(system, releaser, releaser.store).values()
        for name in one
    ):
        return f"the board's costs do not hold all steps of {releaser.store}"
    return None


class _Lengths:
    """What the handlers of a plan come to."""

    def __init__(self, system: System, releasers: Sequence[Releaser], prices: Prices) -> None:
        self._system = system
        self._releasers = releasers
        self._prices = prices
        self._costs = [self._of(at) for at in range(len(releasers))]

    def _of(self, at: int) -> dict[_Due, tuple[Fraction, Fraction]]:
        one = self._releasers[at]
        costs: HandlerCosts = self._prices.handlers[one.store, one.mode]
        device = self._system.board.cell(one.cell).device
        more = self._prices.of_device(one.mode, device)
        more += self._prices.costs.stepped(Fraction(1), basic=False) if one.part else 0
        visit = self._visit()
        return {
            due: (
                costs.least(steps) + min(more, _NONE),
                (costs.most(steps) + max(more, _NONE) + visit) * (1 + MARGIN),
            )
            for due, steps in _steps(self._system, one, one.store).items()
        }

    def _visit(self) -> Fraction:
        """Returns the cost of looking at partners, in a mixture."""
        partners = sum(one.mode is Mode.PERIODIC for one in self._releasers)
        costs = self._prices.cooperation_by_queue or self._prices.cooperation
        if costs is None or not any(one.cooperates for one in self._releasers):
            return Fraction(0)
        return costs.visit + partners * costs.partner

    def most(self, at: int, late: Fraction) -> Fraction:
        """The longest handler, if it comes later than its instant by up to `late` instructions."""
        own = self._stretch(at, late)
        if self._releasers[at].mode is Mode.ONE_SHOT:
            return own
        served = [i for i, one in enumerate(self._releasers) if one.cooperates]
        return own + sum((self._stretch(i, late) for i in served), Fraction(0))

    def least(self, at: int) -> Fraction:
        """The shortest handler that finds its store free."""
        return min(least for least, _ in self._costs[at].values())

    def _stretch(self, at: int, late: Fraction) -> Fraction:
        """The dearest instants within `late` instructions after one another."""
        costs = self._costs[at]
        found = _instants(self._system, self._releasers[at].tasks)
        if not found.at:
            return max(most for _, most in costs.values())
        cycles, window = divmod(self._counts(late), found.cycle)
        prices = [costs[due][1] for due in found.due]
        best = total = Fraction(0)
        first = 0
        for last, count in enumerate(found.at):
            total += prices[last]
            while count - found.at[first] > window:
                total -= prices[first]
                first += 1
            best = max(best, total)
        best += cycles * sum(prices[at] for at in found.last_cycle)
        return max(best, *(most for _, most in costs.values()))

    def _counts(self, instructions: Fraction) -> int:
        board = self._system.board
        ns = board.runner.ns_per_step or 0
        return ceil(instructions * ns * board.clock.hz / 10**9)


def _steps(system: System, releaser: Releaser, store: str) -> Mapping[_Due, Mapping[str, int]]:
    of = streams(system, releaser.tasks)
    return {
        due: handler_steps(system, releaser, store, of, due) for due in dues_of(system, releaser)
    }


def _has_empty(system: System, releaser: Releaser) -> bool:
    """Whether the cell interrupts at instants at which no task is due."""
    if releaser.mode is Mode.ONE_SHOT:
        return False
    if releaser.divider > 1:
        return True
    of, hz = streams(system, releaser.tasks), system.board.clock.hz
    instants, exact = instants_of(of, hz, 0)
    return not exact or instants.rate < hz / Fraction(releaser.counts)


@remembered
def _instants(system: System, tasks: tuple[int, ...]) -> _Instants:
    of, hz = streams(system, tasks), system.board.clock.hz
    cycle, settled = _whole_cycle(of, hz), settled_counts(of, hz)
    per_count = sum((1 / (stream.period * hz) for stream in of), Fraction(0))
    long = any(stream.period * hz > HOP_COUNTS for stream in of)
    if long or (settled + cycle) * per_count > _MOST_INSTANTS:
        return _Instants((), (), cycle, settled)
    rows = list(releases(of, hz, 0, settled + 2 * cycle))
    return _Instants(tuple(at for at, _ in rows), tuple(due for _, due in rows), cycle, settled)


def _whole_cycle(of: Sequence[Stream], hz: int) -> int:
    """Returns the number of counts after which the tasks that are due repeat."""
    return (hyperperiod(of) * hz).numerator
