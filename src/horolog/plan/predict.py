# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a set of releasers will cost: interrupts exactly, instructions by the board's costs.

Instructions = per interrupt its handler, per job release + wait + switch, per node walked `walk`,
per insertion at a one-shot list's head `rearm`. That is over a sorted list. Another queue costs beyond
that, per job, what its own curve says less what the list's says, and a little per interrupt.

**The walk.** A job of task i that ends at its release r (jobs are short beside periods) inserts the
due r + T_i and walks past every other task j of the releaser that waits with due_j <= r + T_i (ties
too: first in, first out). A waiting j has one due pending. In the long run that is

- T_j > T_i: each due of j falls into exactly one interval (r, r + T_i] of i, so one in T_j / T_i
  jobs of i passes it: T_i / T_j;
- T_j < T_i: j's next due is within T_j, so always: 1;
- T_j = T_i: at another phase always: 1. At the same phase whoever runs second passes the first,
  who finds the second still out of the list: 1/2 each.

This is exact where of two tasks released together the one with the shorter period is more urgent;
otherwise, and under long execution times, it is an estimate.

**The head.** Only a task of the shortest period T inserts at the head, the first of its phase to
run, and only if no longer task is due within T: probability the product of 1 - T / T_j over the
other streams, those left out whose instants are another's too. Exact for independent phases.

A thread with a period beyond HOP_COUNTS also waits at each hop; that is charged as a job's wait is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    bases,
    count_instant,
    count_releases,
    distinct_instants,
    streams,
    window_counts,
)
from horolog.model import QUEUES, Mode, Prediction, Releaser, System
from horolog.plan.cells import one_shot_span
from horolog.plan.costs import Costs
from horolog.plan.curves import Load, QueueCosts, shape_of
from horolog.plan.interrupts import one_shot_interrupts, one_shot_rate, periodic_interrupts

__all__ = ["Amount", "Forecast", "forecast", "head_probability", "mean_walks", "predict"]


@dataclass(frozen=True, slots=True)
class Amount:
    """Something counted in the window, and per second in the long run."""

    window: Fraction
    rate: Fraction

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.window + other.window, self.rate + other.rate)

    def __mul__(self, factor: Fraction) -> Amount:
        return Amount(self.window * factor, self.rate * factor)


NONE = Amount(Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class Forecast:
    """One releaser: what it will do, and what that costs over a sorted list."""

    releaser: Releaser
    load: Load
    interrupts: Amount
    instants: Amount  # interrupts at which the queue is asked who is due
    waits: Amount  # insertions: jobs, and the hops of long periods
    kernel: Amount  # instructions, over a sorted list
    required: int
    exact: bool  # False: rates come from a stretch of the hyperperiod

    def beyond_list(self, store: str, queues: Mapping[str, QueueCosts]) -> Amount:
        """Instructions beyond those over a sorted list; none where there is no curve for `store`."""
        reference, queue = queues.get(QUEUES[0]), queues.get(store)
        if reference is None or queue is None or store == QUEUES[0]:
            return NONE
        job = queue.per_job(self.load) - reference.per_job(self.load)
        return self.waits * job + self.instants * queue.per_interrupt(self.releaser.mode)


def forecast(system: System, releaser: Releaser, costs: Costs) -> Forecast:
    """What `releaser` will do for `system`. Its store plays no part."""
    of = streams(system, releaser.tasks)
    if releaser.mode is Mode.ONE_SHOT:
        taken, cost, exact = _one_shot(system, releaser, of, costs)
        instants = taken
    else:
        taken, instants, cost = _periodic(system, releaser, costs)
        exact = True
    walks = mean_walks(of)
    waits = [_waits(system, stream) for stream in of]
    total = sum(waits, NONE)
    walked = sum((w * walk for w, walk in zip(waits, walks, strict=True)), NONE)
    each = costs.release + costs.wait + costs.switch
    return Forecast(
        releaser=releaser,
        load=Load(len(releaser.tasks), walked.rate / total.rate, shape_of(of)),
        interrupts=taken,
        instants=instants,
        waits=total,
        kernel=cost + total * each + walked * costs.walk,
        required=distinct_instants(system, releaser.tasks),
        exact=exact,
    )


def predict(
    system: System, forecasts: Sequence[Forecast], queues: Mapping[str, QueueCosts]
) -> Prediction:
    """The interrupts and the instructions of all releasers of `system`, each with its own store."""
    interrupts = sum((one.interrupts for one in forecasts), NONE)
    kernel = sum(
        (one.kernel + one.beyond_list(one.releaser.store, queues) for one in forecasts), NONE
    )
    ns = system.board.runner.ns_per_instruction
    percent = Fraction(0) if ns is None else 100 * kernel.window * ns / (system.duration * 10**9)
    return Prediction(
        interrupts=int(interrupts.window),
        interrupts_by_cell=tuple(
            (one.releaser.cell, int(one.interrupts.window)) for one in forecasts
        ),
        required=sum(one.required for one in forecasts),
        interrupts_per_second=interrupts.rate,
        kernel_instructions=kernel.window,
        overhead_percent=percent,
        kernel_per_second=kernel.rate,
        rate_exact=all(one.exact for one in forecasts),
    )


def _periodic(system: System, releaser: Releaser, costs: Costs) -> tuple[Amount, Amount, Amount]:
    """Interrupts of a periodic releaser, its instants, and what its handler costs."""
    assert releaser.cell_period is not None
    hz, end = system.board.clock.hz, window_counts(system)
    period = releaser.cell_period
    taken = Amount(Fraction(periodic_interrupts(releaser.first, period, end)), Fraction(hz, period))
    period *= releaser.divider
    instants = Amount(
        Fraction(periodic_interrupts(releaser.first, period, end)), Fraction(hz, period)
    )
    skipped = taken + instants * Fraction(-1)
    return taken, instants, instants * costs.interrupt_periodic + skipped * costs.divider_skip


def _one_shot(
    system: System, releaser: Releaser, of: Sequence[Stream], costs: Costs
) -> tuple[Amount, Amount, bool]:
    """Interrupts of a one-shot releaser, what they and rearming cost, whether rates are exact."""
    hz, end = system.board.clock.hz, window_counts(system)
    span = one_shot_span(system.board.cell(releaser.cell))
    rate, exact = one_shot_rate(of, hz, span)
    taken = Amount(Fraction(one_shot_interrupts(of, hz, span, end)), rate)
    period = of[0].period
    heads = Amount(
        Fraction(count_releases(period, of[0].offset, hz, end)), 1 / period
    ) * head_probability(of)
    return taken, taken * costs.interrupt_one_shot + heads * costs.rearm, exact


def _waits(system: System, stream: Stream) -> Amount:
    """How often the tasks of `stream` wait: once a job, and at each hop of a long period."""
    hz, end = system.board.clock.hz, window_counts(system)
    jobs = Amount(
        Fraction(count_releases(stream.period, stream.offset, hz, end)), 1 / stream.period
    )
    hops = (count_instant(stream.period, hz) - 1) // HOP_COUNTS
    return jobs * Fraction(len(stream.tasks) * (1 + hops))


def mean_walks(of: Sequence[Stream]) -> tuple[Fraction, ...]:
    """For each stream of one releaser, the nodes that a job's insertion passes, on average."""
    tasks_at: dict[Fraction, int] = defaultdict(int)
    tasks_at_phase: dict[tuple[Fraction, Fraction], int] = defaultdict(int)
    for stream in of:
        tasks_at[stream.period] += len(stream.tasks)
        tasks_at_phase[stream.period, stream.offset % stream.period] += len(stream.tasks)
    shorter: dict[Fraction, int] = {}
    total = 0
    for period in sorted(tasks_at):
        shorter[period] = total
        total += tasks_at[period]
    longer: dict[Fraction, Fraction] = {}  # sum of 1 / T_j over the tasks with longer periods
    rate = Fraction(0)
    for period in sorted(tasks_at, reverse=True):
        longer[period] = rate
        rate += tasks_at[period] / period
    walks = []
    for stream in of:
        together = tasks_at_phase[stream.period, stream.offset % stream.period]
        equal = tasks_at[stream.period] - together + Fraction(together - 1, 2)
        walks.append(shorter[stream.period] + equal + stream.period * longer[stream.period])
    return tuple(walks)


def head_probability(of: Sequence[Stream]) -> Fraction:
    """How often per shortest period a job inserts at the head of the list; `of` is by period."""
    shortest = of[0].period
    if len({stream.offset % shortest for stream in of if stream.period == shortest}) > 1:
        return Fraction(0)
    others = [stream for stream in of if stream.period > shortest]
    chance = Fraction(1)
    for group in bases(others) if others else ():
        chance *= 1 - shortest / others[group[0]].period
    return chance
