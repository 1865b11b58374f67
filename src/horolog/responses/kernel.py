# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel takes at most for one releaser: its cell's interrupts, and each job that it releases.

In steps, the instructions or cycles that the board counts. Interrupt handlers are charged as the sum of
what an interrupt without a release takes and of what each stream adds that is due; a handler that serves
several takes no more. Where costs.toml says at most so much (its tables [handler...]) that is charged, with
MARGIN on top. Else it is what calibration has found on average, with MARGIN, and `means` says so. What a
queue that is no list takes for an insertion is charged TREE times, as one insertion may take more than the
average.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from horolog.analyse import Stream, is_basic, lines, streams
from horolog.model import QUEUES, Mode, Releaser, System
from horolog.plan.prediction.handlers import MARGIN
from horolog.plan.prices.basic_costs import costs_on, is_priced, priced_as
from horolog.plan.prices.budget_costs import GUARD_ARM, GUARD_DISARM
from horolog.plan.prices.costs import Prices
from horolog.plan.prices.handler_costs import HANDLER_STEPS, handler_steps
from horolog.responses.budgets import job_steps, pause_of_cell, pause_of_task

__all__ = [
    "BODY_STEPS",
    "MASKED_STEPS",
    "JobCost",
    "Releasing",
    "lock_wait_steps",
    "releasing",
    "section_steps",
    "switch_steps",
]

MASKED_STEPS = 200
"""No section with interrupts off is longer (docs/evidence/masked.md, plan/prediction/handlers.py)."""
BODY_STEPS = 16
"""What a body executes beside its turns or its function, at most: the call and its return."""
TREE = 2
_DISPATCHED = 120
"""Steps of a point of controlled dispatcher tables more, on a board without a price."""
_LISTS = ("sorted-list", "delta-list")
_ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class JobCost:
    """The kernel's steps for a job: until its body begins, and from its end on."""

    before: int
    after: int
    body: int = 0  # in front of each body behind the first, in a thread that several tasks share


@dataclass(frozen=True, slots=True)
class Releasing:
    """The kernel's steps for a releaser: of each `interrupt`, and what a stream that is `due` adds."""

    interrupt: int
    due: tuple[int, ...]  # in the order of streams(system, releaser.tasks)
    job: JobCost
    means: bool  # not all of it is known at most


def section_steps(system: System) -> int:
    """Of a section with interrupts off, at most; where cores use services it begins with that wait."""
    return MASKED_STEPS + lock_wait_steps(system)


def lock_wait_steps(system: System) -> int:
    """Of the wait for the lock of services, where cores use these at the same time.

    Each other core may have it once before, for a section with interrupts off, and then passes it on.
    """
    return system.sharing_services * (MASKED_STEPS + system.board.port.spinlock_steps)


def releasing(system: System, releaser: Releaser, visit: Fraction, prices: Prices) -> Releasing:
    """What `releaser` takes; nothing on a board that counts no steps. `system` is one of threads.

    `visit`: what looking at cooperative cells takes at each interrupt.
    """
    of = streams(system, releaser.tasks)
    if system.board.runner.ns_per_step is None:
        return Releasing(0, (0,) * len(of), JobCost(0, 0), means=False)
    if is_basic(system, releaser):
        return _basic(system, releaser, of, prices)
    return _threads(system, releaser, of, visit, prices)


def _up(steps: Fraction | int) -> int:
    return max(0, ceil(steps * (1 + MARGIN)))


def _threads(
    system: System, releaser: Releaser, of: Sequence[Stream], visit: Fraction, prices: Prices
) -> Releasing:
    device = prices.of_device(releaser.mode, system.board.cell(releaser.cell).device)
    more = visit + max(_ZERO, device)
    pause = pause_of_cell(system, releaser, prices)
    costs = prices.handlers.get((releaser.store, releaser.mode))
    job = JobCost(
        switch_steps(prices), switch_steps(prices) + _wait(releaser, of, prices), _body(prices)
    )
    if costs is not None and set(costs.steps) >= set(HANDLER_STEPS[releaser.store]):
        empty = costs.most(handler_steps(system, releaser, releaser.store, of, ()))
        due = (
            costs.most(handler_steps(system, releaser, releaser.store, of, (at,))) - empty
            for at in range(len(of))
        )
        interrupt = _up(empty + more) + pause
        return Releasing(interrupt, tuple(_up(one) for one in due), job, means=False)
    known = prices.costs
    one_shot = releaser.mode is Mode.ONE_SHOT
    empty = known.interrupt_one_shot if one_shot else known.interrupt_periodic
    tasks = len(releaser.tasks)
    scan = _store(prices, releaser, ("scanned",)) * tasks
    scan += _store(prices, releaser, ("chain", "group")) * len(of)
    each = _store(prices, releaser, ("required", "row", "fired", "levels", "fraction"))
    per_job = known.release + known.part + _store(prices, releaser, ("part",))
    return Releasing(
        _up(empty + more + scan + _store(prices, releaser, ("instant", "lone", "chained"))) + pause,
        tuple(_up(known.required + scan + each + per_job * len(one.tasks)) for one in of),
        job,
        means=True,
    )


def _store(prices: Prices, releaser: Releaser, names: Sequence[str]) -> Fraction:
    """The sum of steps of a static store, as far as they have a price."""
    known = prices.stores.get(releaser.store)
    by_step = {} if known is None else known.by_mode.get(releaser.mode, {})
    return sum((max(_ZERO, by_step.get(name, _ZERO)) for name in names), _ZERO)


def switch_steps(prices: Prices) -> int:
    """Of a switch from one thread to another, at most."""
    return _up(max(prices.costs.dispatch, prices.costs.switch))


def _body(prices: Prices) -> int:
    """In front of a further body of a shared thread; nothing is known of it on boards without prices."""
    shared = prices.sharing
    return 0 if shared is None else _up(max(shared.body, shared.body_clock))


def _wait(releaser: Releaser, of: Sequence[Stream], prices: Prices) -> int:
    """The end of a job: its thread waits for the next release."""
    costs, tasks = prices.costs, len(releaser.tasks)
    found = costs.masks + costs.fraction
    if prices.sharing is not None:
        found += prices.sharing.thread
    if releaser.store not in QUEUES:
        alike = _store(prices, releaser, ("job", "alone", "part"))
        return _up(found + max(alike, costs.wait))
    found += costs.wait
    if releaser.mode is Mode.ONE_SHOT:
        found += costs.wait_one_shot + costs.rearm
        found += max(_ZERO, max(prices.cells.get(Mode.ONE_SHOT, {}).values(), default=_ZERO))
    if releaser.store in _LISTS:
        return _up(found + costs.walk * tasks)
    queue = prices.queues.get(releaser.store)
    if queue is None:
        return _up(found + costs.walk * tasks)
    x = Fraction(tasks)
    curves = max(curve.at(x) for curve in queue.curves.values())
    return _up(found + TREE * (curves + max(_ZERO, queue.job, queue.job_one_shot)))


def _last_rank(system: System, releaser: Releaser) -> int:
    """The greatest rank that one of its tasks has on its line."""
    own = {*releaser.tasks}
    ranks = (line.rank(task) for line in lines(system) for task in own & {*line.tasks})
    return max(ranks, default=0)


def _basic(system: System, releaser: Releaser, of: Sequence[Stream], prices: Prices) -> Releasing:
    priced = priced_as(releaser, prices.basic, prices.line_queues)
    if not is_priced(priced, prices.basic, prices.line_queues):
        # As a thread's releaser: each of its steps takes more than those of basic tasks.
        return _threads(system, releaser, of, _ZERO, prices)
    by_step: Mapping[str, Fraction] = costs_on(system, priced, prices.basic).by_mode[priced.mode]

    def steps(*names: str) -> Fraction:
        return sum((max(_ZERO, by_step.get(name, _ZERO)) for name in names), _ZERO)

    def dearest(*names: str) -> Fraction:
        return max(_ZERO, *(by_step.get(name, _ZERO) for name in names))

    groups = len(of)
    on_lines = sum(bool({*line.tasks} & {*releaser.tasks}) for line in lines(system))
    row = dearest("row", "row_alone", "row_both") + steps("cycle")
    row += dearest("release", "release_alone", "release_both") + steps("moved", "fraction")
    row += steps("walk", "group") * groups
    if priced.store in QUEUES[1:]:
        curve = prices.line_queues[priced.store].curve
        row += TREE * max(_ZERO, *(point.job for point in curve.points), curve.at(Fraction(groups)))
        row += max(_ZERO, prices.line_queues[priced.store].interrupt)
    empty = steps("interrupt", "far") + steps("chain") * groups
    parts = [min(len(one.tasks), on_lines) for one in of]
    line = steps("part", "line") if "part" in by_step or "line" in by_step else _ZERO
    job = dearest("job", "alone", "counted") + steps("general", "ending")
    job += steps("rank") * _last_rank(system, releaser)
    monitored = (
        _ZERO
        if system.monitored_tasks.isdisjoint(releaser.tasks)
        else prices.monitored(system, releaser.store)
    )
    dispatched = prices.dispatches(system, releaser)
    empty += max(_ZERO, Fraction(_DISPATCHED) if dispatched is None else dispatched)
    if releaser.dispatches and system.shares_guards:  # one mode ends, and another begins
        empty += GUARD_DISARM + GUARD_ARM
    before, after = job_steps(system, releaser, prices)
    before += max(pause_of_task(system, task, prices) for task in releaser.tasks)
    return Releasing(
        _up(empty) + pause_of_cell(system, releaser, prices),
        tuple(_up(row + line * part) for part in parts),
        JobCost(_up(job) + before, _up(monitored) + after),
        means=True,
    )
