# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What no plan of threads undercuts: so much for each instant at which a core releases, and for each job.

A releaser costs what its store costs. Let r be its instants with a release, and j its jobs, 0 < r <= j. With
each store and mode the prediction (plan/prediction/predict.py, plan/prices/static_costs.py) is at least
j * f(r / j) with a concave f: a step that is taken once or more at each instant counts once, one that may be
taken from not at all to once a job counts as is cheapest. The least of all these f is concave, too, and lies
above its chord from f(0) to f(1). So all releasers of a core together cost at least f(0) for each job and
f(1) - f(0) for each instant: theirs are no fewer than the core's distinct ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from horolog.model import MASK_STORES, QUEUES, Mode, System
from horolog.plan import STEPS, Prices, QueueCosts

__all__ = ["Floor", "floor_of"]

_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class Floor:
    """In what is counted: at least so much each time."""

    instant: Fraction
    job: Fraction  # of a thread, however many tasks share it
    body: Fraction = _ZERO  # each further task of a thread's job


@dataclass(frozen=True, slots=True)
class _Line:
    """At least `none` for a job that has no instant of its own, and `one` for one that has."""

    none: Fraction
    one: Fraction


class _Unbounded(Exception):
    """Some figure is negative of something that may be taken any number of times."""


def floor_of(system: System, prices: Prices) -> Floor | None:
    """For parts of `system`, which has no basic tasks; None: nothing is known."""
    try:
        lines = list(_lines(system, prices))
    except _Unbounded:
        return None
    if not lines:
        return None
    none, one = min(line.none for line in lines), min(line.one for line in lines)
    sharing = prices.sharing
    body = _ZERO if sharing is None else min(sharing.body, sharing.body_clock)
    return Floor(max(_ZERO, one - none), max(_ZERO, min(none, one)), body)


def _lines(system: System, prices: Prices) -> Iterator[_Line]:
    cells = [system.board.cell(name) for name in system.cells]
    for mode in Mode:
        devices = {cell.device for cell in cells if mode in cell.modes}
        if not devices:
            continue
        more = min(prices.of_device(mode, device) for device in devices)
        beside = _beside(prices, mode, len(cells))
        every = [_queue(system, prices, mode, name, more) for name in prices.queues or QUEUES[:1]]
        for name, known in prices.stores.items():
            if mode in known.by_mode and mode in STEPS.get(name, {}):
                every += _steps(name, mode, prices, more)
        yield from (_Line(one.none + beside.none, one.one + beside.one) for one in every)


def _beside(prices: Prices, mode: Mode, cells: int) -> _Line:
    """What each releaser pays with any store."""
    costs, sharing = prices.costs, prices.sharing
    job = costs.per_job_switch + min(_ZERO, costs.fraction) - max(_ZERO, costs.owned(mode))
    if sharing is not None:
        _refuse_negative(sharing.body, sharing.body_clock)
        job += min(_ZERO, sharing.thread)
    instant = min(_ZERO, costs.general)
    if mode is Mode.ONE_SHOT:
        known = [one for one in (prices.cooperation, prices.cooperation_by_queue) if one]
        for one in known:
            _refuse_negative(one.visit + one.partner, one.visit + cells * one.partner, one.own)
        instant -= max((max(_ZERO, one.saved) for one in known), default=_ZERO)
    return _Line(job, job + instant)


def _steps(store: str, mode: Mode, prices: Prices, more: Fraction) -> list[_Line]:
    """Of a store that costs a sum of steps."""
    known = prices.stores[store]
    own = known.by_mode[mode]

    def each(name: str) -> Fraction:
        if name not in STEPS[store][mode]:
            return _ZERO
        charged = (name,) if name in own else known.instead[name]
        return sum((own[one] for one in charged), _ZERO)

    def least(*names: str) -> Fraction:
        return min(each(name) for name in names)

    interrupt, job = each("instant"), each("job")
    found = []
    if store == "unsorted-list":
        _refuse_negative(each("scanned"))
    elif store == "harmonic-array":
        _refuse_negative(each("chain"))
        interrupt = min(interrupt + each("chain"), least("single", "chained"))
        job = least("job", "chained_job")
        found.append(_Line(each("direct") + min(_ZERO, more), each("direct") + more))
    elif store == "period-groups":
        _refuse_negative(each("group"))
        interrupt = min(interrupt + each("group"), each("lone"))
    if store in MASK_STORES:
        job = least("job", "alone")
    costs = prices.costs
    interrupt += more + min(_ZERO, costs.step, costs.step + costs.longer)
    interrupt += min(_ZERO, costs.divider_skip)
    _refuse_negative(interrupt, costs.divider_skip)
    for name in ("part", "levels", "fraction"):
        job += min(_ZERO, each(name))
    fired, required = each("fired"), each("required") + each("row")
    found.append(_Line(job + min(_ZERO, fired), job + fired + interrupt + required))
    return found


def _queue(system: System, prices: Prices, mode: Mode, name: str, more: Fraction) -> _Line:
    """Of a delay queue."""
    costs = prices.costs
    job = costs.release + costs.wait + min(_ZERO, costs.part)
    required = _ZERO
    if mode is Mode.ONE_SHOT:
        interrupt = costs.interrupt_one_shot + more
        job += costs.wait_one_shot + min(_ZERO, costs.rearm + more)
    else:
        interrupt = costs.interrupt_periodic + more
        required = costs.required
    interrupt += min(_ZERO, costs.step, costs.step + costs.longer)
    _refuse_negative(costs.walk, costs.divider_skip)
    if name != QUEUES[0] and QUEUES[0] in prices.queues:
        own, reference = prices.queues[name], prices.queues[QUEUES[0]]
        interrupt += own.per_interrupt(mode)
        job += _beyond(own, reference, costs.walk, mode, Fraction(len(system.tasks)))
    _refuse_negative(interrupt)
    return _Line(job, job + interrupt + required)


def _beyond(
    own: QueueCosts, reference: QueueCosts, walk: Fraction, mode: Mode, most: Fraction
) -> Fraction:
    """What a job costs at least beyond that of a sorted list, with the nodes that this one passes."""
    _refuse_negative(own.slot_walk)
    calls = min(_lowest(own, shape, most) for shape in own.curves)
    passed = min(
        walk * x - reference.curves[shape].at(x)
        for shape, curve in reference.curves.items()
        for x in (_ZERO, most, *(point.x for point in curve.points))
        if x <= most
    )
    more = own.job - reference.job
    if mode is Mode.ONE_SHOT:
        more = own.job_one_shot - reference.job_one_shot
    return calls + passed + more


def _lowest(own: QueueCosts, shape: str, most: Fraction) -> Fraction:
    curve = own.curves[shape]
    return min(curve.at(x) for x in (_ZERO, most, *(point.x for point in curve.points)))


def _refuse_negative(*costs: Fraction) -> None:
    if any(cost < 0 for cost in costs):
        raise _Unbounded
