# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a set of releasers will cost: interrupts exactly, instructions by the board's costs.

Over a delay queue, instructions = per interrupt its handler, per job release + wait, per node passed
`walk`, per insertion at a one-shot list's head `rearm`, per job of a period that is no whole number of
counts `fraction`, per priority level that an instant releases to `part` (a ring that fills and empties).
That is over a sorted list; another queue costs beyond that, per job, what its own curve says less what the
list's says, and a little per interrupt. Over another store they are a sum of steps
(prices/static_costs.py). Switches come on top (switches.py), and the visits that a cooperative one-shot
cell gets from periodic ones.

**The walk.** A job of task i that ends at its release r (jobs are short beside periods) inserts the
due r + T_i and walks past every other task j of the releaser that waits with due_j <= r + T_i (ties
too: first in, first out). A waiting j has one due pending. In the long run that is

- T_j > T_i: each due of j falls into exactly one interval (r, r + T_i] of i, so one in T_j / T_i
  jobs of i passes it: T_i / T_j;
- T_j < T_i: j's next due is within T_j, so always: 1;
- T_j = T_i: at another phase always: 1. At the same phase the job that runs second passes the first;
  the first finds the second not yet in the list: 1/2 each.

This is exact where of two tasks released together the one with the shorter period is more urgent;
otherwise, and under long execution times, it is an estimate.

**The head.** Only a task of the shortest period T inserts at the head, the first of its phase to
run, and only if no longer task is due within T: its probability is the product of 1 - T / T_j over the
other streams, without streams with instants that all lie on another's. Exact for independent phases.

A thread with a period beyond HOP_COUNTS also waits at each hop; that is charged as a job's wait is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import (
    HOP_COUNTS,
    Stream,
    bases,
    count_instant,
    count_releases,
    is_basic,
    known_walks,
    of_threads,
    own_levels,
    streams,
    walks_of,
    window_counts,
)
from horolog.model import MASK_STORES, QUEUES, Mode, Prediction, Releaser, System
from horolog.plan.instants.coincidence import PeriodicCell, apart, cells_of, coincident
from horolog.plan.instants.counts_and_rates import NONE, Amount, added
from horolog.plan.instants.interrupts import (
    instants_of,
    one_shot_interrupts,
    one_shot_rate,
    periodic_interrupts,
)
from horolog.plan.instants.several import share_of_general
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.plan.prediction.switches import switches_of
from horolog.plan.prices.basic_costs import basic_cost, disturbances
from horolog.plan.prices.costs import Cooperation, Prices
from horolog.plan.prices.curves import Load, QueueCosts, shape_of
from horolog.plan.prices.group_costs import queue_uncertain
from horolog.plan.prices.static_costs import STEP_STORES, Work, parts_of, steps_taken

__all__ = [
    "Amount",
    "Forecast",
    "forecast",
    "head_probability",
    "jobs_of",
    "mean_walks",
    "predict",
]


@dataclass(frozen=True, slots=True)
class Forecast:
    """One releaser: what it will do, and what that costs over a sorted list."""

    releaser: Releaser
    load: Load
    work: Work
    interrupts: Amount
    instants: Amount  # interrupts at which the store looks for due tasks
    waits: Amount  # insertions: jobs, and the hops of long periods
    kernel: Amount  # instructions, over a sorted list
    always: Amount  # the part of them that any store has: switches, counting in software, visits
    steps: Amount  # instructions of a cell that steps, of threads and of basic tasks
    owned: Amount  # of `kernel`, what it spares that each thread has a level of its own
    spared: Amount  # of `kernel`, what a sorted list spares with walks from the nearer end
    general: Amount  # instants of a one-shot cell that take the general path of its handler
    exact: bool  # False: rates come from a stretch of the hyperperiod

    def cost(self, system: System, store: str, prices: Prices) -> Amount:
        """Instructions with `store`; over a sorted list where there is no figure for it."""
        if is_basic(system, self.releaser):
            chosen = replace(self.releaser, store=store)
            steps_cost = basic_cost(system, self.work, chosen, prices.basic, prices.line_queues)
            return steps_cost + self.steps
        shared = self.sharing(store, prices)
        if store == QUEUES[0]:
            shared -= self.spared
        if store not in MASK_STORES:
            shared -= self.owned
        if store in QUEUES:
            shared += self.general * prices.costs.general
        if store in STEP_STORES:
            mode = self.releaser.mode
            known = prices.stores.get(store)
            if known is None or mode not in known.by_mode:
                return self.kernel + shared
            return self.always + shared + known.cost(steps_taken(system, self.work, store), mode)
        return self.kernel + shared + self._beyond_list(store, prices.queues)

    def sharing(self, store: str, prices: Prices) -> Amount:
        """Instructions of threads that several tasks share, beyond those of as many threads of one."""
        if prices.sharing is None:
            return NONE
        clock = self.releaser.mode is Mode.ONE_SHOT and store in QUEUES
        body = prices.sharing.body_clock if clock else prices.sharing.body
        return self.work.shared * prices.sharing.thread + self.work.bodies * body

    def uncertain(self, system: System, prices: Prices) -> tuple[Fraction, Fraction]:
        """How much less and more a second the own store may cost; 0 where no curve says what it costs."""
        store, none = self.releaser.store, (Fraction(0), Fraction(0))
        if store not in QUEUES[1:]:  # of a list the nodes that are passed are counted
            return none
        if is_basic(system, self.releaser):
            line_queue = prices.line_queues.get(store)
            if line_queue is None:
                return none
            return queue_uncertain(system, self.work, self.releaser, line_queue)
        queue = prices.queues.get(store)
        if queue is None or QUEUES[0] not in prices.queues:
            return none
        less, more = queue.curves[self.load.shape].uncertain(queue.x(self.load))
        return self.waits.rate * less, self.waits.rate * more

    def _beyond_list(self, store: str, queues: Mapping[str, QueueCosts]) -> Amount:
        reference, queue = queues.get(QUEUES[0]), queues.get(store)
        if reference is None or queue is None or store == QUEUES[0]:
            return NONE
        mode = self.releaser.mode
        job = queue.per_job(self.load, mode) - reference.per_job(self.load, mode)
        return self.waits * job + self.instants * queue.per_interrupt(mode)


def forecast(
    system: System,
    releaser: Releaser,
    prices: Prices,
    partners: Sequence[Releaser] = (),
    end: int | None = None,
) -> Forecast:
    """What `releaser` will do for `system`. Its store plays no part.

    `partners`: the periodic releasers that serve it too, if it cooperates. `end`: of the window, in
    counts, the system's by default; with 0 only rates are found, which takes less time.
    """
    end = window_counts(system) if end is None else end
    of, costs, hz = streams(system, releaser.tasks), prices.costs, system.board.clock.hz
    waits = [_waits(stream, hz, end) for stream in of]
    waited = added(waits)
    passed = _passed(of, waits)
    releases = [_releases(stream, hz, end) for stream in of]
    taken = _taken(system, releaser, of, partners, end)
    required, exact = instants_of(of, hz, end)
    each = costs.release + costs.wait
    more = prices.of_device(releaser.mode, system.board.cell(releaser.cell).device)
    beside = taken.skipped * costs.divider_skip + waited * costs.per_job_switch
    beside += taken.interrupts * more + _in_parts(of, waits, hz) * costs.fraction
    steps = NONE
    if releaser.part:
        step = costs.stepped(_longer(system, releaser), basic=is_basic(system, releaser))
        steps = taken.interrupts * step
    beside += steps
    if releaser.mode is Mode.ONE_SHOT:
        heads = releases[0] * head_probability(of)
        handler = taken.instants * costs.interrupt_one_shot + heads * (costs.rearm + more)
        each += costs.wait_one_shot
    else:
        handler = taken.instants * costs.interrupt_periodic + required * costs.required
    together = by_queue = NONE
    if releaser.cooperates:
        visited = cells_of(partners)
        known = prices.cooperation, prices.cooperation_by_queue or prices.cooperation
        together, by_queue = (_together(one, visited, taken, hz, end) for one in known)
    jobs = added(r * len(s.tasks) for r, s in zip(releases, of, strict=True))
    bodies = [sum(system.tasks[task].bodies - 1 for task in stream.tasks) for stream in of]
    shared = [sum(system.tasks[task].bodies > 1 for task in stream.tasks) for stream in of]
    work = Work(
        releaser,
        end,
        of,
        releases,
        taken.instants,
        required,
        jobs,
        shared=added(r * n for r, n in zip(releases, shared, strict=True)),
        bodies=added(r * n for r, n in zip(releases, bodies, strict=True)),
    )
    kernel = handler + beside + by_queue + waited * each + passed * costs.walk
    if costs.part and not is_basic(system, releaser):
        kernel += parts_of(system, work) * costs.part
    return Forecast(
        releaser=releaser,
        load=Load(
            len(releaser.tasks),
            passed.rate / waited.rate,
            shape_of(of, required.rate),
            jobs.rate / required.rate,
            tuple(of),
            hz,
            end or hz,
        ),
        work=work,
        interrupts=taken.interrupts,
        instants=taken.instants,
        waits=waited,
        kernel=kernel,
        always=beside + together,
        steps=steps,
        owned=waited * costs.owned(releaser.mode) if _has_own_levels(system) else NONE,
        spared=_spared(of, waits) * costs.walk if releaser.mode is Mode.ONE_SHOT else NONE,
        general=_general(system, releaser, taken, of) if costs.general else NONE,
        exact=exact and taken.exact,
    )


def predict(system: System, forecasts: Sequence[Forecast], prices: Prices) -> Prediction:
    """The interrupts and the instructions of all releasers of `system`, each with its own store."""
    hz, end = system.board.clock.hz, window_counts(system)
    interrupts = sum((one.interrupts for one in forecasts), NONE)
    kernel = sum((one.cost(system, one.releaser.store, prices) for one in forecasts), NONE)
    if len(system.basic) < len(system.tasks):
        kernel += switches_of(system, prices.costs)
        beside = _beside_masks(system, forecasts)
        kernel += added(one.waits for one in beside) * prices.costs.masks
        kernel += added(one.owned for one in beside)
    for one in forecasts:
        watched = _monitored(system, one.releaser, end)
        kernel += watched * prices.monitored(system, one.releaser.store)
        kernel += one.instants * (prices.dispatches(system, one.releaser) or Fraction(0))
    uncertain = [one.uncertain(system, prices) for one in forecasts]
    required = _required(forecasts, hz, end)
    together, counted = coincident(cells_of([one.releaser for one in forecasts]), hz, end)
    ns = system.board.runner.ns_per_step
    percent = Fraction(0) if ns is None else 100 * kernel.window * ns / (system.duration * 10**9)
    return Prediction(
        interrupts=int(interrupts.window),
        interrupts_by_cell=tuple(
            (one.releaser.cell, int(one.interrupts.window)) for one in forecasts
        ),
        required=int(required.window),
        interrupts_per_second=interrupts.rate,
        kernel_instructions=kernel.window,
        overhead_percent=percent,
        kernel_per_second=kernel.rate,
        rate_exact=counted and all(one.exact for one in forecasts),
        required_per_second=required.rate,
        coincident=int(together.window),
        coincident_per_second=together.rate,
        disturbances_per_second=disturbances(system, [one.work for one in forecasts])
        if system.basic
        else None,
        uncertain_per_second=(
            sum((less for less, _ in uncertain), Fraction(0)),
            sum((more for _, more in uncertain), Fraction(0)),
        ),
    )


def _monitored(system: System, releaser: Releaser, end: int) -> Amount:
    """Jobs of a releaser with deadlines that the kernel monitors."""
    tasks = system.monitored_tasks & {*releaser.tasks}
    return jobs_of(system, tasks, end) if tasks else NONE


def jobs_of(system: System, tasks: Iterable[int], end: int) -> Amount:
    """The jobs that time releases of `tasks` in a window of `end` counts."""
    hz = system.board.clock.hz
    return added(_releases(one, hz, end) * len(one.tasks) for one in streams(system, tasks))


def _beside_masks(system: System, forecasts: Sequence[Forecast]) -> Sequence[Forecast]:
    """Those of other stores, if masks release other threads of `system`: its ready queue knows both."""
    of_threads = [one for one in forecasts if not is_basic(system, one.releaser)]
    if not any(one.releaser.store in MASK_STORES for one in of_threads):
        return ()
    return [one for one in of_threads if one.releaser.store not in MASK_STORES]


@dataclass(frozen=True, slots=True)
class _Taken:
    """When a releaser's cell interrupts, and when its store is asked."""

    interrupts: Amount
    instants: Amount  # instants at which the store looks for due tasks
    skipped: Amount = NONE  # interrupts that only count in software
    served: Amount = NONE  # of `instants`, those at interrupts of other cells
    exact: bool = True


def _taken(
    system: System, releaser: Releaser, of: Sequence[Stream], partners: Sequence[Releaser], end: int
) -> _Taken:
    hz = system.board.clock.hz
    if releaser.mode is Mode.PERIODIC:
        assert releaser.cell_period is not None
        every = _calls(releaser.counts, releaser.origin, hz, end)
        if is_basic(system, releaser):  # the clock is asked each time, and nothing is counted
            return _Taken(every, every)
        instants = _calls(releaser.counts * releaser.divider, releaser.origin, hz, end)
        return _Taken(every, instants, every - instants)
    span = one_shot_span(system.board.cell(releaser.cell))
    rate, exact = one_shot_rate(of, hz, span)
    wakes = Amount(Fraction(one_shot_interrupts(of, hz, span, end)), rate)
    if not releaser.cooperates:
        return _Taken(wakes, wakes, exact=exact)
    own, known = apart(of, cells_of(partners), hz, end)
    return _Taken(own, wakes, served=wakes - own, exact=exact and known)


def _calls(period: int | Fraction, first: int | Fraction, hz: int, end: int) -> Amount:
    return Amount(Fraction(periodic_interrupts(first, period, end)), hz / Fraction(period))


def _together(
    costs: Cooperation | None, partners: Sequence[PeriodicCell], taken: _Taken, hz: int, end: int
) -> Amount:
    """What it costs to be served by `partners` at their interrupts, too, less what that saves."""
    if costs is None:
        return NONE
    visits = added(_calls(period, first, hz, end) for period, first in partners)
    each = costs.visit + len(partners) * costs.partner
    return visits * each + taken.interrupts * costs.own - taken.served * costs.saved


def _required(forecasts: Sequence[Forecast], hz: int, end: int) -> Amount:
    """Interrupts that release a task.

    An instant at which a periodic cell also serves a cooperative one counts once more only if no
    periodic cell releases tasks of its own then.
    """
    found = sum((one.work.required for one in forecasts if not one.releaser.cooperates), NONE)
    if any(one.releaser.cooperates for one in forecasts):
        periodic = [one for one in forecasts if one.releaser.mode is Mode.PERIODIC]
        others = [s for one in periodic for s in one.work.of]
        own = [s for one in forecasts if one.releaser.cooperates for s in one.work.of]
        found += instants_of([*others, *own], hz, end)[0] - instants_of(others, hz, end)[0]
    return found


def _releases(stream: Stream, hz: int, end: int) -> Amount:
    return Amount(
        Fraction(count_releases(stream.period, stream.offset, hz, end)), 1 / stream.period
    )


def _waits(stream: Stream, hz: int, end: int) -> Amount:
    """How often the tasks of `stream` wait: once a job, and at each hop of a long period."""
    hops = (count_instant(stream.period, hz) - 1) // HOP_COUNTS
    return _releases(stream, hz, end) * (len(stream.tasks) * (1 + hops))


def _in_parts(of: Sequence[Stream], waits: Sequence[Amount], hz: int) -> Amount:
    """Of `waits`, those of tasks with periods that are no whole number of counts."""
    return added(w for w, s in zip(waits, of, strict=True) if (s.period * hz).denominator != 1)


def mean_walks(of: Sequence[Stream]) -> tuple[Fraction, ...]:
    """For each stream of one releaser, the nodes that a job's insertion passes, on average."""
    certain, rates = known_walks(of)
    longer: dict[Fraction, Fraction] = {}  # sum of 1 / T_j over the tasks with longer periods
    rate = Fraction(0)
    for period in sorted(rates, reverse=True):
        longer[period] = rate
        rate += rates[period]
    return tuple(
        walk + stream.period * longer[stream.period]
        for stream, walk in zip(of, certain, strict=True)
    )


def _passed(of: Sequence[Stream], waits: Sequence[Amount]) -> Amount:
    """The nodes that all insertions pass: the sum of `waits` times mean_walks.

    What passes longer tasks is summed up by these, so that few numbers get long: those of 1,500 periods
    without a common multiple have thousands of digits.
    """
    known, longer_rates = known_walks(of)
    at_period: dict[Fraction, list[Amount]] = defaultdict(list)
    for stream, wait in zip(of, waits, strict=True):
        at_period[stream.period].append(wait)
    below = NONE  # for each shorter task, how often it waits times its period
    beyond = []
    for period in sorted(at_period):
        beyond.append(below * longer_rates[period])
        below += added(at_period[period]) * period
    return added([*(wait * walk for wait, walk in zip(waits, known, strict=True)), *beyond])


def _general(system: System, releaser: Releaser, taken: _Taken, of: Sequence[Stream]) -> Amount:
    """Instants at which the handler of a cell that serves threads alone leaves its straight path."""
    if releaser.mode is not Mode.ONE_SHOT or releaser.cooperates or is_basic(system, releaser):
        return NONE
    return taken.instants * share_of_general(of, system.board.clock.hz)


def _longer(system: System, releaser: Releaser) -> Fraction:
    """How many intervals of a cell that steps count as longer ones.

    What they cost was measured on the first cell; another device may tell each interval alike, so a half do.
    """
    first, own = system.board.cells[0], system.board.cell(releaser.cell)
    return releaser.part if own.device == first.device else Fraction(1, 2)


def _has_own_levels(system: System) -> bool:
    return not system.has_basic and own_levels(of_threads(system))


def _spared(of: Sequence[Stream], waits: Sequence[Amount]) -> Amount:
    """The nodes that insertions need not pass, as the end is nearer."""
    walks = zip(waits, walks_of(of), strict=True)
    return added(wait * walk.spared for wait, walk in walks if walk.is_from_end)


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
