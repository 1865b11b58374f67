# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a system asks of its processor, with or without a plan, as sources of the analysis.

A thread that several tasks share is one source with an end for each. A task with points is a source for each
of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from horolog.analyse import (
    Dispatcher,
    Stream,
    all_dispatchers,
    all_levels,
    ceiling,
    of_threads,
    rank,
    shared_threads,
    with_threads_only,
)
from horolog.model import (
    MutexKind,
    Plan,
    Releaser,
    Sporadic,
    System,
    spans,
)
from horolog.plan import NOTHING, Prices
from horolog.responses.cells import CONTROLLER, THREAD_CELLS, Cells
from horolog.responses.expiries import expiry_sources, known_instants, masked_steps
from horolog.responses.interrupts import doorbell_sources, interrupt_sources
from horolog.responses.job_costs import JobCosts
from horolog.responses.kernel import BODY_STEPS, JobCost, Releasing, releasing, section_steps
from horolog.responses.mutexes import Section, blocking, call_steps, tops
from horolog.responses.notes import about_servers, about_tables, about_unknown, uncovered
from horolog.responses.orders import Orders, without_order_behind
from horolog.responses.spins import Spins
from horolog.responses.units import units_of
from horolog.schedulability import Demand, End, Level, Order, Source

__all__ = ["Demanded", "demand_of"]

_ABOVE_ALL = 1 << 32  # more than any level: interrupts are kept out
_LATE_STEPS = 250
"""At the end of a job behind the next release (hrli_release_wait_slowly), without a hook."""


@dataclass(frozen=True)
class Demanded:
    """The demand of a system, in units of 1 / `unit` seconds; and what of it is no proof, for people."""

    demand: Demand
    unit: int
    notes: tuple[str, ...]
    unknown: tuple[
        int, ...
    ]  # tasks without a WCET, or activated without a bound: they count with none
    not_covered: tuple[
        str, ...
    ] = ()  # what may make a response longer than its bound, if it occurs
    waits: Mapping[int, int] = field(default_factory=dict)
    """Of an aperiodic task: how long an activation may wait for the release of its server that serves it."""
    held_unknown: bool = False  # a task without a WCET holds a resource, nothing says for how long


def demand_of(system: System, plan: Plan | None, prices: Prices = NOTHING) -> Demanded:
    """The sources of `system` as planned; without a plan the kernel takes no time.

    Without a plan a task's releases may be late by up to its `jitter`; else they are where the plan has put
    them.
    """
    return _Maker(system, plan, prices).made()


class _Maker:
    def __init__(self, system: System, plan: Plan | None, prices: Prices) -> None:
        self._all = system
        self._system = of_threads(system)
        self._plan = None if plan is None else with_threads_only(system, plan)
        self._prices = prices
        self._by = all_dispatchers(self._system)
        self._on = all_levels(self._system)
        self._units = units_of(system)
        self._cells = Cells(self._system, self._plan, self._units)
        self._orders = Orders(self._system, self._plan, self._by, self._on)
        self._notes: list[str] = []
        self._held_unknown = False
        if self._units.rounded:
            self._notes.append("times have no short common unit: they are rounded to 1 ps")
        self._ranks: dict[int, int] = {}
        self._members = {tasks[0]: tasks for tasks in shared_threads(system)}
        self._of_jobs = JobCosts(system, self._system, self._by, self._plan, prices, self._units)
        self._spins = Spins(system, self._units, with_kernel=plan is not None)
        self._serves = system.served
        own = (one.server for one in system.sporadic if one.server is not None)
        self._deferred = {one.task for one in own if not one.polls}

    def made(self) -> Demanded:
        system, plan = self._system, self._plan
        releasers = () if plan is None else plan.releasers
        visit = self._visit(releasers)
        costs = [
            releasing(system, one, Fraction(0) if one.cooperates else visit, self._prices)
            for one in releasers
        ]
        if any(one.means for one in costs):
            self._notes.append(
                "some of the kernel's costs are averages of calibration with a tenth on top, not longest ones"
            )
        sources = [] if plan is None else self._cells.clock()
        jobs: dict[int, tuple[JobCost, Releaser]] = {}
        for releaser, cost in zip(releasers, costs, strict=True):
            sources += self._cells.interrupts(releaser, cost, releasers, costs)
            jobs |= dict.fromkeys(releaser.tasks, (cost.job, releaser))
        first = self._firsts()
        self._ranks = {at: number for number, at in enumerate(self._ranked())}
        threads = [self._thread(at, first[at], jobs.get(at)) for at in range(len(system.tasks))]
        by_points = [
            one
            for at, thread in enumerate(threads)
            for one in self._by_points(thread, first[at], jobs.get(at))
        ]
        levels_of = [self._cells.level_of_interrupt(one) for one in system.interrupts]
        gives = [
            self._of_jobs.gives(sum(extra.interrupt == at for extra in system.sporadic))
            + self._of_jobs.pauses()
            for at in range(len(system.interrupts))
        ]
        sources += interrupt_sources(
            system, levels_of, gives, plan is not None, self._units.per_second
        )
        if plan is not None:
            sources += expiry_sources(system, self._cells, self._units, self._prices)
            sources += doorbell_sources(self._all, self._cells.level_of_doorbell(), self._units)
        sporadic = self._sporadic()
        info = self._levels(threads, sporadic, jobs, costs)
        demand = without_order_behind(Demand((*sources, *by_points, *sporadic), info))
        not_covered, notes = uncovered(self._all)
        self._notes += notes
        without = [i for i, task in enumerate(self._all.all_tasks) if task.wcet is None]
        unknown = tuple(sorted({*without, *self._all.unbounded}))
        if self._all.beside_global:
            unknown, without = tuple(range(len(self._all.all_tasks))), []
        self._notes += [*about_servers(self._all), *about_unknown(self._all, without)]
        self._notes += about_tables(self._all)
        waits = {at: self._wait(at) for at in self._serves.values()}
        return Demanded(
            demand,
            self._units.per_second,
            tuple(self._notes),
            unknown,
            not_covered,
            waits,
            self._held_unknown,
        )

    def _visit(self, releasers: Sequence[Releaser]) -> Fraction:
        partners = sum(not one.cooperates for one in releasers)
        costs = self._prices.cooperation_by_queue or self._prices.cooperation
        if costs is None or partners == len(releasers):
            return Fraction(0)
        return max(Fraction(0), costs.visit) + partners * max(Fraction(0), costs.partner)

    # Tasks

    def _firsts(self) -> list[int]:
        """For each thread of the system of threads its first task."""
        followers = {at for tasks in self._members.values() for at in tasks[1:]}
        return [at for at in range(len(self._all.tasks)) if at not in followers]

    def _key(self, at: int) -> int:
        """The level of a thread or basic task, as the analysis has it."""
        if self._by[at] is Dispatcher.CONTROLLER:
            return CONTROLLER + 2 * self._on[at]
        return self._on[at]

    def _thread(self, at: int, first: int, known: tuple[JobCost, Releaser] | None) -> Source:
        tasks = [self._all.tasks[i] for i in self._members.get(first, (first,))]
        numbers = self._members.get(first, (first,))
        job = JobCost(0, 0) if known is None else known[0]
        if known is not None and self._by[at] is Dispatcher.LINE_THREAD:
            job = self._of_jobs.served(job)
        kernel = self._units.steps(job.before) + self._of_jobs.contended_by(at)
        body, ends, work, spin = self._units.steps(BODY_STEPS) if known else 0, [], 0, 0
        for position, (number, task) in enumerate(zip(numbers, tasks, strict=True)):
            work += self._units.most(task.wcet or Fraction(0))
            kernel += body + (self._units.steps(job.body) if position else 0)
            # A body ends for the analysis where it has activated others: their responses count from there.
            kernel += self._of_jobs.gives(len(self._all.activated_by(number)))
            kernel += self._of_jobs.serving(number) if known else 0
            kernel += self._spins.of_job(number)
            spin += self._spins.waits_of_job(number)
            deadline = self._units.least(task.deadline - task.delay)
            ends.append(End(number, work + kernel, deadline, kernel, spin))
            if number in self._serves:
                ends.append(self._served_end(self._serves[number], ends[-1]))
        kernel += self._units.steps(job.after)
        if known is not None and any(task.deadline > task.period for task in tasks):
            kernel += self._units.steps(_LATE_STEPS)
        head = tasks[0]
        # A deferrable server may run the jobs of the capacity that is left and those of the next one back to
        # back: in a window it runs those of one release more. (Where the capacity is time, the jitter is the
        # period less the budget; here a job that has begun before a release goes on behind it.)
        deferred = first in self._deferred
        return Source(
            head.name,
            self._key(at),
            self._units.least(head.period),
            work + kernel,
            kernel,
            spin,
            early=self._cells.early,
            late=self._units.most(head.jitter) if self._plan is None else 0,
            offset=None if deferred else self._units.offset(head),
            lag=self._units.least(head.period) if deferred else 0,
            rank=self._ranks[at],
            ends=tuple(ends),
            releaser=None if known is None else self._cells.number(head, known[1]),
        )

    def _by_points(
        self, source: Source, number: int, known: tuple[JobCost, Releaser] | None
    ) -> Iterator[Source]:
        """`source` of task `number`; or, if that has points, one source for each of them."""
        task = self._all.tasks[number]
        if not task.points and not task.dormant:
            yield source
        for point in task.points:
            at = Stream(task.period, point.offset, (number,))
            yield replace(
                source,
                offset=self._units.offset(at),
                releaser=None if known is None else self._cells.number(at, known[1]),
                ends=tuple(
                    replace(end, deadline=self._units.least(point.deadline)) for end in source.ends
                ),
            )

    def _served_end(self, at: int, server: End) -> End:
        """Of an aperiodic task: its last job ends with the server's, and what it waits before is not in it.

        No release of the server is skipped if it ends before its next one.
        """
        one = self._of_jobs.aperiodic(at)
        deadline = min(
            self._units.least(one.task.deadline) - self._wait(at),
            self._units.least(one.task.period),
        )
        return replace(server, task=at, deadline=deadline)

    def _wait(self, at: int) -> int:
        """From an activation to the release of its server at which it is served, at most.

        It finds at most `most` - 1 others that are unfinished, as it is accepted. A polling server has just
        found none, and a deferrable one has just used its capacity up: that is no earlier than its release,
        which may be early. Each release behind that serves `jobs` of them, if the jobs of each end before the
        next. (Buttazzo, "Hard Real-Time Computing Systems", chapter 5: by one release, if none waits.)
        """
        one = self._of_jobs.aperiodic(at)
        assert one.server is not None
        releases = -(-one.most // one.server.jobs)
        return self._cells.early + self._units.most(releases * one.task.period)

    def _sporadic(self) -> list[Source]:
        """The sporadic tasks, numbered behind the others.

        They need no jitter for the interrupts that activate them: as with cells, those are sources of their
        own, and what keeps them waiting is in every window of the task. The ends of other tasks' jobs add no
        jitter but that of these tasks' releases (schedulability/windows.py).
        """
        found = []
        for number, one in enumerate(self._all.sporadic, len(self._all.tasks)):
            if one.server is not None:
                continue  # its jobs are its server's
            task, job = one.task, self._of_jobs.sporadic_job(number)
            before, after = self._units.steps(job.before + BODY_STEPS), self._units.steps(job.after)
            if self._plan is None or one.unbounded is not None:
                before = after = 0
            before += self._of_jobs.contended_by(self._of_jobs.behind(number))
            before += self._of_jobs.gives(len(self._all.activated_by(number)))
            spin = self._spins.waits_of_job(number)
            before += self._spins.of_job(number)
            # Nothing is counted of one that is activated any number of times: it is among the unknown.
            counted = task.wcet if one.unbounded is None else None
            work = self._units.most(counted or Fraction(0)) + before
            end = End(number, work, self._units.least(task.deadline), before, spin)
            level, gap = self._sporadic_level(number), self._units.least(task.period)
            streams = self._streams(number - len(self._all.tasks))
            found.append(
                Source(
                    task.name,
                    level,
                    gap,
                    work + after,
                    before + after,
                    spin,
                    early=self._cells.early if streams else 0,
                    offset=max((first for _, first in streams), default=None),
                    rank=-1,
                    ends=(end,),
                    lag=0 if streams else self._lag(number - len(self._all.tasks)),
                    curve=tuple(
                        (some.count, self._units.least(some.within)) for some in task.arrivals
                    ),
                    streams=streams,
                )
            )
        return found

    def _streams(self, at: int) -> tuple[tuple[int, int], ...]:
        """The period and the first instant of each point at which a table that is known activates a task.

        None of a task that other tables activate, too, nor of one with a min_gap of its own: the application
        may activate that one besides, as often as this allows.
        """
        tables, task = self._all.schedules_of(at), self._all.sporadic[at].task
        if len(tables) != 1 or self._all.is_activated_by_cells(at):
            return ()
        (table,) = tables
        least = spans(table.distances(table.offsets(at)))
        gap = Fraction(least[0], self._all.board.clock.hz)
        if (task.period, len(task.arrivals)) != (gap, len(least) - 1):
            return ()
        return known_instants(table, table.offsets(at), self._units)

    def _lag(self, at: int) -> int:
        """The jitter of the releases of the periodic task by which that sporadic one is activated in the end.

        Or, of one that a table by the clock or in cells activates, that of its cell.
        """
        if self._all.has_table_on_time(at):
            return self._cells.early
        return self._lag_of(self._all.sporadic[at])

    def _lag_of(self, one: Sporadic) -> int:
        tasks, at = len(self._all.tasks), one.after
        while at is not None and at >= tasks:
            if self._all.schedules_of(at - tasks) or self._all.has_table_on_time(at - tasks):
                return self._lag(at - tasks)
            at = self._all.sporadic[at - tasks].after
        if at is None:
            return 0
        return self._cells.early + (
            self._units.most(self._all.tasks[at].jitter) if self._plan is None else 0
        )

    def _sporadic_level(self, number: int) -> int:
        return self._key(self._of_jobs.behind(number))

    # Levels

    def _levels(
        self,
        threads: Sequence[Source],
        activated: Sequence[Source],
        jobs: dict[int, tuple[JobCost, Releaser]],
        costs: Sequence[Releasing],
    ) -> dict[int, Level]:
        by_level: dict[int, list[int]] = defaultdict(list)
        for at, source in enumerate(threads):
            by_level[source.level].append(at)
        section = section_steps(self._system)
        masked = section + masked_steps(self._system.schedules, self._system, self._prices)
        software = [one for one in self._system.schedules if one.counter is not None]
        increments = section + masked_steps(software, self._system, self._prices)
        longest = masked + sum(one.interrupt + sum(one.due) for one in costs)
        # The longest end of a job of a lower level, call of a mutex by one, or copy of a message: dispatch is
        # held off.
        found, waits = {}, self._of_jobs.copies()
        call = call_steps(self._of_jobs.mutexes, section)
        resources, sections = self._resources(threads, activated)
        nested = any(one.within for one in self._system.resources)
        calling = {one.low for one in sections}
        sporadic: dict[int, int] = {}  # of each level the longest end of a job of a sporadic task
        for number, one in enumerate(self._all.sporadic, len(self._all.tasks)):
            if one.is_polled:
                continue
            level, end = self._sporadic_level(number), self._of_jobs.sporadic_end(number)
            sporadic[level] = max(end, sporadic.get(level, 0))
            by_level.setdefault(level, [])
        for level in sorted(by_level):
            of = by_level[level]
            block = 0
            if self._plan is not None:
                # One section with interrupts off; points by the clock are a source above, for most levels.
                below = level < self._cells.level_of_expiries()
                block = self._units.steps(max(increments if below else masked, waits))
            held = max((held for low, high, held in resources if low < level <= high), default=0)
            held += blocking(sections, level, nested=nested)
            order = Order.ANY if level in sporadic else self._orders.of(of, jobs)
            apart = self._units.steps(longest) + self._spins.longest
            found[level] = Level(order, block + held, apart, held)
            if level < THREAD_CELLS:
                waits = max(
                    [waits, *(self._of_jobs.end_steps(at, jobs[at][0]) for at in of if at in jobs)]
                )
                waits = max(waits, sporadic.get(level, 0), call if level in calling else 0)
        return found

    def _ranked(self) -> list[int]:
        system = self._system
        return sorted(range(len(system.tasks)), key=lambda at: (rank(system, at), at))

    def _resources(
        self, threads: Sequence[Source], activated: Sequence[Source]
    ) -> tuple[list[tuple[int, int, int]], list[Section]]:
        """(the user's level, the highest level that it holds off, for how long) of each user of each.

        And those of mutexes.
        """
        found, sections = [], []
        source = dict(enumerate(threads))
        source |= {self._of_jobs.behind(one.ends[0].task): one for one in activated}
        by_mutex = tops(self._of_jobs.mutexes, {at: one.level for at, one in source.items()})
        for resource in self._system.resources:
            if resource.mutex is not None:
                top = by_mutex[resource.name]
            elif resource.spin:
                top = _ABOVE_ALL
            else:
                top = ceiling(self._system, resource)
                if self._system.board.controller is not None:
                    top = CONTROLLER + 2 * top
            for at, hold in resource.users:
                cost = source[at].cost
                held = cost if hold is None else self._units.most(hold)
                if hold is not None and not resource.spin:
                    held += self._spins.of_job_of(self._system, at)
                if self._system.task(at).wcet is None:
                    self._held_unknown |= hold is None
                else:
                    held = min(cost, held)
                if resource.spin:
                    held += self._spins.of_request(resource)
                if resource.mutex is None:
                    found.append((source[at].level, top, held))
                    continue
                held += self._of_jobs.contended(1)
                inherits = resource.mutex is MutexKind.INHERITANCE
                sections.append(Section(at, resource.name, source[at].level, top, held, inherits))
        unknown = [one.name for one in self._system.resources if None in dict(one.users).values()]
        if unknown:
            names = ", ".join(unknown[:4]) + (" and others" if len(unknown) > 4 else "")
            self._notes.append(
                f"not all users of {names} say how long they hold it (hold): a whole job is charged"
            )
        return found, sections
