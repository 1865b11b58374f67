# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a system asks of its processor, with or without a plan, as sources of the analysis.

Levels of the analysis, the least urgent first: threads and the servers of basic tasks; the interrupts of
cells that release threads; the controller's levels, with the interrupt of a cell above the tasks of its
level; interrupts of unknown level. A thread that several tasks share is one source with an end for each.

Why a release needs no jitter of its own for the interrupts before it: the cell's interrupt is a source like
others, released at the nominal instant, and what keeps it waiting are other sources or one section with
interrupts off, which counts as blocking. What is left is that a cell may interrupt EARLY_COUNTS early, and
that an instant is rounded down to a count.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil, floor, lcm

from horolog.analyse import (
    HOP_COUNTS,
    Dispatcher,
    Stream,
    all_dispatchers,
    all_levels,
    ceiling,
    is_basic,
    lines_of,
    of_threads,
    rank,
    shared_threads,
    streams,
    with_threads_only,
)
from horolog.model import (
    MASK_STORES,
    Interrupt,
    Kind,
    Mode,
    Overrun,
    Plan,
    Releaser,
    Sporadic,
    System,
    Task,
)
from horolog.plan import NOTHING, Prices
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.responses.interrupts import interrupt_sources
from horolog.responses.kernel import BODY_STEPS, MASKED_STEPS, JobCost, Releasing, releasing
from horolog.schedulability import Demand, End, Level, Order, Source, window_bounds

__all__ = ["EARLY_COUNTS", "Demanded", "demand_of"]

EARLY_COUNTS = 2
"""A cell may interrupt so many counts before the instant that it is armed for (HRLP_CELL_EARLY_COUNTS)."""

_THREAD_CELLS, _CONTROLLER, _ABOVE_ALL = 1 << 16, 1 << 17, 1 << 20
_MOST_UNIT = 10**24
_COARSE_UNIT = 10**12  # where times have no common unit: rounded to the safe side
_POLL_STEPS = 80
"""For an activation of an aperiodic task: a look at its semaphore, the token that is taken, the loop."""
_LINE_STEPS = 100  # of the handler of a line of sporadic basic tasks, before the body and behind it
_WAITING_STEPS = 40  # of a look at whether a job of one of its tasks waits
_SERVER_STEPS = 60  # of a server's loop, beside the switches to it and its wait


@dataclass(frozen=True)
class Demanded:
    """The demand of a system, in units of 1 / `unit` seconds; and what of it is no proof, for people."""

    demand: Demand
    unit: int
    notes: tuple[str, ...]
    unknown: tuple[int, ...]  # tasks without a WCET: they count with none
    not_covered: tuple[
        str, ...
    ] = ()  # what may make a response longer than its bound, if it occurs
    waits: Mapping[int, int] = field(default_factory=dict)
    """Of an aperiodic task: how long an activation may wait for the release of its server that serves it."""


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
        self._notes: list[str] = []
        self._ranks: dict[int, int] = {}
        self._unit = self._common_unit()
        self._members = {tasks[0]: tasks for tasks in shared_threads(system)}
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
        sources = [] if plan is None else self._clock()
        jobs: dict[int, tuple[JobCost, Releaser]] = {}
        for releaser, cost in zip(releasers, costs, strict=True):
            sources += self._interrupts(releaser, cost, releasers, costs)
            jobs |= dict.fromkeys(releaser.tasks, (cost.job, releaser))
        first = self._firsts()
        self._ranks = {at: number for number, at in enumerate(self._ranked())}
        threads = [self._thread(at, first[at], jobs.get(at)) for at in range(len(system.tasks))]
        levels_of = [self._level_of_interrupt(one) for one in system.interrupts]
        gives = [
            self._gives(sum(extra.interrupt == at for extra in system.sporadic))
            for at in range(len(system.interrupts))
        ]
        sources += interrupt_sources(system, levels_of, gives, plan is not None, self._unit)
        sporadic = self._sporadic()
        info = self._levels(threads, sporadic, jobs, costs)
        demand = self._in_order(Demand((*sources, *threads, *sporadic), info))
        not_covered = self._not_covered()
        unknown = tuple(i for i, task in enumerate(self._all.tasks) if task.wcet is None)
        self._tell_servers()
        if unknown:
            names = ", ".join(self._all.tasks[i].name for i in unknown[:4])
            more = "" if len(unknown) <= 4 else f" and {len(unknown) - 4} more"
            self._notes.append(
                f"no WCET is known of {names}{more}: nothing is proved, and the bounds hold for bodies that "
                "take no time"
            )
        waits = {at: self._wait(at) for at in self._serves.values()}
        return Demanded(demand, self._unit, tuple(self._notes), unknown, not_covered, waits)

    def _tell_servers(self) -> None:
        """What the bounds of aperiodic tasks hold for."""
        for one in self._all.sporadic:
            if one.server is None:
                continue
            kind = one.server.kind.value
            releases = -(-one.most // one.server.jobs)
            periods = "its period" if releases == 1 else f"{releases} of its periods"
            when = "waiting" if one.server.polls else "unfinished and no capacity left"
            self._notes.append(
                f"{one.task.name} is aperiodic: its bound is for activations that are accepted, with at most "
                f"{one.most} of them {when}, and is {periods} and the response of the {kind} server "
                f"{one.server.name}"
            )

    def _not_covered(self) -> tuple[str, ...]:
        """What the description says too little of, in a few words each; the notes say more."""
        system, found = self._all, []
        waiting = [
            task.name
            for at, task in enumerate(system.all_tasks)
            if task.may_wait and at not in self._serves
        ]
        if waiting:
            names = ", ".join(waiting[:3])
            more = "" if len(waiting) <= 3 else f" and {len(waiting) - 3} more"
            found.append("waits in bodies")
            self._notes.append(
                f"bodies of {names}{more} may wait for a semaphore, a mutex or a message, and for how long "
                "is not in it; waits = false says that they do not"
            )
        if system.start is not None or system.timeouts is not None:
            found.append("the application's own threads, handlers and time-outs")
            self._notes.append(
                "threads and handlers of the application's own, time-outs and mutexes are not in it"
            )
        if any(task.terminates for task in system.tasks):
            found.append("jobs that other jobs chain to")
            self._notes.append("a job that another one chains to is not in it")
        return tuple(found)

    def _in_order(self, demand: Demand) -> Demand:
        """`demand` without an order on levels on which a shared thread may end after its next release.

        Such a thread goes on at once and passes what was released before (kernel/thread/thread.c). Whether
        it may is asked without the order.
        """
        shared = {
            at
            for at, one in enumerate(demand.sources)
            if len(one.ends) > 1 and demand.level(one.level).order is not Order.ANY
        }
        if not shared:
            return demand

        def any_order(of: set[int]) -> dict[int, Level]:
            return {
                at: replace(one, order=Order.ANY) if at in of else one
                for at, one in demand.levels.items()
            }

        levels = {demand.sources[at].level for at in shared}
        whole = [
            replace(one, ends=(End(at, one.cost, one.period - one.early),) if at in shared else ())
            for at, one in enumerate(demand.sources)
        ]
        bounds = window_bounds(Demand(tuple(whole), any_order(levels)))
        behind = {demand.sources[one.task].level for one in bounds if not one.holds}
        return replace(demand, levels=any_order(behind))

    # Units

    def _common_unit(self) -> int:
        board = self._all.board
        parts = [board.clock.hz]
        if board.runner.ns_per_step is not None:
            parts.append(10**9)
        unit = lcm(*parts)
        for task in self._all.tasks:
            times = (task.period, task.offset, task.deadline, task.wcet, task.jitter, task.delay)
            unit = lcm(unit, *(time.denominator for time in times if time is not None))
            if unit > _MOST_UNIT:
                self._notes.append("times have no short common unit: they are rounded to 1 ps")
                return lcm(_COARSE_UNIT, *parts)
        for extra in self._all.sporadic:
            of = (extra.task.period, extra.task.deadline, extra.task.wcet or Fraction(0))
            unit = lcm(unit, *(time.denominator for time in of))
        for one in self._all.interrupts:
            within = (point.within.denominator for point in one.arrivals)
            unit = lcm(unit, one.gap.denominator, one.wcet.denominator, *within)
        return unit if unit <= _MOST_UNIT else lcm(_COARSE_UNIT, *parts)

    def _least(self, seconds: Fraction) -> int:
        return floor(seconds * self._unit)

    def _most(self, seconds: Fraction) -> int:
        return ceil(seconds * self._unit)

    def _offset(self, of: Stream | Task) -> int | None:
        """Its phase; None where that or its period is no whole number, as a shorter period drifts."""
        exact, period = of.offset * self._unit, of.period * self._unit
        return exact.numerator if exact.denominator == period.denominator == 1 else None

    def _counts(self, counts: int) -> int:
        return counts * (self._unit // self._all.board.clock.hz)

    def _steps(self, steps: int) -> int:
        ns = self._all.board.runner.ns_per_step
        return 0 if ns is None else steps * ns * (self._unit // 10**9)

    @property
    def _early(self) -> int:
        return 0 if self._plan is None else self._counts(EARLY_COUNTS + 1)

    # Interrupts

    def _visit(self, releasers: Sequence[Releaser]) -> Fraction:
        partners = sum(not one.cooperates for one in releasers)
        costs = self._prices.cooperation_by_queue or self._prices.cooperation
        if costs is None or partners == len(releasers):
            return Fraction(0)
        return max(Fraction(0), costs.visit) + partners * max(Fraction(0), costs.partner)

    def _level_of(self, releaser: Releaser) -> int:
        if not is_basic(self._system, releaser):
            return _THREAD_CELLS
        if releaser.level is None or self._system.board.controller is None:
            return _ABOVE_ALL
        return _CONTROLLER + 2 * releaser.level + (not releaser.direct)

    def _clock(self) -> list[Source]:
        """The interrupt at which the clock's counter wraps, whose phase is not known."""
        clock, took = self._system.board.clock, self._steps(MASKED_STEPS)
        if not took:
            return []
        period = self._counts(1 << clock.width)
        return [Source("clock", _ABOVE_ALL, period, took, took, early=self._early, offset=None)]

    def _level_of_interrupt(self, one: Interrupt) -> int:
        """An interrupt preempts all threads whatever its priority.

        Beside basic tasks of a controller its priority p may be that of their level p + 1 (port.toml's
        `compares_levels`): then it does not disturb higher levels. Of one level it may go first, and is
        above the tasks. Where the two do not compare like that it is above all.
        """
        controller = self._system.board.controller
        if controller is None or not self._system.has_basic:
            return _THREAD_CELLS + one.priority
        if self._system.board.port.compares_levels:
            return _CONTROLLER + 2 * (one.priority + 1) + 1
        return _ABOVE_ALL

    def _interrupts(
        self,
        releaser: Releaser,
        cost: Releasing,
        releasers: Sequence[Releaser],
        costs: Sequence[Releasing],
    ) -> list[Source]:
        board = self._system.board
        cell = board.cell(releaser.cell)
        # Cells with one vector are looked at together.
        each = sum(
            other_cost.interrupt
            for other, other_cost in zip(releasers, costs, strict=True)
            if board.cell(other.cell).handler == cell.handler
        )
        level, one_shot = self._level_of(releaser), releaser.mode is Mode.ONE_SHOT
        found = []

        def source(
            name: str, period: int, steps: int, offset: int | None, of: int | None = None
        ) -> None:
            if steps:
                took = self._steps(steps)
                shared = 0 if of is None else self._steps(each)
                found.append(
                    Source(
                        name,
                        level,
                        period,
                        took,
                        took,
                        early=self._early,
                        offset=offset,
                        releaser=of,
                        shared=shared,
                    )
                )

        if not one_shot:
            assert releaser.cell_period is not None
            # A stepped cell is a count longer now and then, so only its shortest interval is known.
            first = None if releaser.part else self._counts(releaser.first)
            source(cell.name, self._counts(releaser.cell_period), each, first)
        of = streams(self._system, releaser.tasks)
        for stream, due in zip(of, cost.due, strict=True):
            own = due + each if one_shot else due
            number = self._releaser(stream, releaser) if one_shot else None
            source(cell.name, self._least(stream.period), own, self._offset(stream), number)
            if stream.period * board.clock.hz > HOP_COUNTS:
                source(cell.name, self._counts(HOP_COUNTS), each + due + cost.job.after, None)
        span = one_shot_span(cell)
        if one_shot and span < min(stream.period for stream in of) * board.clock.hz:
            source(cell.name, self._counts(span), each, None)
        return found

    # Tasks

    def _firsts(self) -> list[int]:
        """For each thread of the system of threads its first task."""
        followers = {at for tasks in self._members.values() for at in tasks[1:]}
        return [at for at in range(len(self._all.tasks)) if at not in followers]

    def _key(self, at: int) -> int:
        """The level of a thread or basic task, as the analysis has it."""
        if self._by[at] is Dispatcher.CONTROLLER:
            return _CONTROLLER + 2 * self._on[at]
        return self._on[at]

    def _thread(self, at: int, first: int, known: tuple[JobCost, Releaser] | None) -> Source:
        tasks = [self._all.tasks[i] for i in self._members.get(first, (first,))]
        numbers = self._members.get(first, (first,))
        job = JobCost(0, 0) if known is None else known[0]
        if known is not None and self._by[at] is Dispatcher.LINE_THREAD:
            job = self._served(job)
        kernel = self._steps(job.before)
        body, ends, work = self._steps(BODY_STEPS) if known else 0, [], 0
        for position, (number, task) in enumerate(zip(numbers, tasks, strict=True)):
            work += self._most(task.wcet or Fraction(0))
            kernel += body + (self._steps(job.body) if position else 0)
            gives = self._gives(len(self._all.activated_by(number)))
            kernel += self._serving(number) if known else 0
            deadline = self._least(task.deadline - task.delay)
            ends.append(End(number, work + kernel, deadline, kernel))
            if number in self._serves:
                ends.append(self._served_end(self._serves[number], ends[-1]))
            kernel += gives
        kernel += self._steps(job.after)
        head = tasks[0]
        # A deferrable server may run the jobs of the capacity that is left and those of the next one back to
        # back: in a window it runs those of one release more. (Where the capacity is time, the jitter is the
        # period less the budget; here a job that has begun before a release goes on behind it.)
        deferred = first in self._deferred
        return Source(
            head.name,
            self._key(at),
            self._least(head.period),
            work + kernel,
            kernel,
            early=self._early,
            late=self._most(head.jitter) if self._plan is None else 0,
            offset=None if deferred else self._offset(head),
            lag=self._least(head.period) if deferred else 0,
            rank=self._ranks[at],
            ends=tuple(ends),
            releaser=None if known is None else self._releaser(head, known[1]),
        )

    def _releaser(self, of: Stream | Task, releaser: Releaser) -> int | None:
        """The number of what releases it; None if its instants are rounded, by itself, to counts."""
        hz = self._system.board.clock.hz
        if (of.period * hz).denominator > 1 or (of.offset * hz).denominator > 1:
            return None
        assert self._plan is not None
        return self._plan.releasers.index(releaser)

    def _serving(self, number: int) -> int:
        """What a server takes beside the bodies of the jobs that it runs."""
        if number not in self._serves:
            return 0
        served = self._serves[number]
        server = self._aperiodic(served).server
        assert server is not None
        each = _POLL_STEPS + BODY_STEPS
        if (
            not server.polls
        ):  # a token more is given, and taken by a thread that sporadic tasks have, too
            job = self._sporadic_job(served)
            each += MASKED_STEPS + job.before + job.after
        return self._steps(server.jobs * each + _POLL_STEPS)

    def _aperiodic(self, at: int) -> Sporadic:
        return self._all.sporadic[at - len(self._all.tasks)]

    def _served_end(self, at: int, server: End) -> End:
        """Of an aperiodic task: its last job ends with the server's, and what it waits before is not in it.

        No release of the server is skipped if it ends before its next one.
        """
        one = self._aperiodic(at)
        deadline = min(
            self._least(one.task.deadline) - self._wait(at), self._least(one.task.period)
        )
        return replace(server, task=at, deadline=deadline)

    def _wait(self, at: int) -> int:
        """From an activation to the release of its server at which it is served, at most.

        It finds at most `most` - 1 others that are unfinished, as it is accepted. A polling server has just
        found none, and a deferrable one has just used its capacity up: that is no earlier than its release,
        which may be early. Each release behind that serves `jobs` of them, if the jobs of each end before the
        next. (Buttazzo, "Hard Real-Time Computing Systems", chapter 5: by one release, if none waits.)
        """
        one = self._aperiodic(at)
        assert one.server is not None
        releases = -(-one.most // one.server.jobs)
        return self._early + self._most(releases * one.task.period)

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
            task, job = one.task, self._sporadic_job(number)
            before, after = self._steps(job.before + BODY_STEPS), self._steps(job.after)
            if self._plan is None:
                before = after = 0
            work = self._most(task.wcet or Fraction(0)) + before
            end = End(number, work, self._least(task.deadline), before)
            level, gap = self._sporadic_level(number), self._least(task.period)
            after += self._gives(len(self._all.activated_by(number)))
            found.append(
                Source(
                    task.name,
                    level,
                    gap,
                    work + after,
                    before + after,
                    offset=None,
                    rank=-1,
                    ends=(end,),
                    lag=self._lag(one),
                )
            )
        return found

    def _lag(self, one: Sporadic) -> int:
        """The jitter of the releases of the periodic task by which `one` is activated in the end."""
        tasks, at = len(self._all.tasks), one.after
        while at is not None and at >= tasks:
            at = self._all.sporadic[at - tasks].after
        if at is None:
            return 0
        return self._early + (self._most(self._all.tasks[at].jitter) if self._plan is None else 0)

    def _gives(self, number: int) -> int:
        """So many activations of sporadic tasks, at the level of what activates them."""
        return 0 if self._plan is None else self._steps(number * MASKED_STEPS)

    def _behind(self, number: int) -> int:
        """The index in the system of threads of a sporadic task, one of all tasks."""
        return number - len(self._all.tasks) + len(self._system.tasks)

    def _sporadic_level(self, number: int) -> int:
        return self._key(self._behind(number))

    def _sporadic_job(self, number: int) -> JobCost:
        """A switch to the thread and one from it, what gives its semaphore, and the wait for the next.

        Or what the line of a basic task takes; if a job has waited, that looks at each task of the line.
        """
        if self._all.task(number).kind is Kind.BASIC:
            job = JobCost(_LINE_STEPS + _WAITING_STEPS * len(self._all.sporadic_basic), _LINE_STEPS)
            served = self._by[self._behind(number)] is Dispatcher.LINE_THREAD
            return self._served(job) if served else job
        costs = self._prices.costs
        switch = ceil(2 * max(costs.dispatch, costs.switch))
        return JobCost(switch + MASKED_STEPS, switch + MASKED_STEPS)

    def _served(self, job: JobCost) -> JobCost:
        """Of a basic task that a server runs: what a thread's job takes, and the line's."""
        if self._system.board.runner.ns_per_step is None:
            return job
        switch, wait = self._server()
        return JobCost(job.before + switch + wait, job.after + switch)

    def _server(self) -> tuple[int, int]:
        """Steps of the switch to a server, and of its loop, in which it waits with dispatch held off."""
        costs = self._prices.costs
        return (
            ceil(max(costs.dispatch, costs.switch)),
            ceil(costs.release + costs.wait) + _SERVER_STEPS,
        )

    def _end_steps(self, at: int, job: JobCost) -> int:
        """For how long the end of a job may hold off more urgent threads."""
        if self._by[at] is Dispatcher.LINE_THREAD and self._system.board.runner.ns_per_step:
            return job.after + sum(self._server())
        return job.after

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
        longest = MASKED_STEPS + sum(one.interrupt + sum(one.due) for one in costs)
        found, waits = {}, 0  # the longest end of a job of a lower level: dispatch is held off
        resources = self._resources(threads, activated)
        sporadic: dict[int, int] = {}  # of each level the longest end of a job of a sporadic task
        for number, one in enumerate(self._all.sporadic, len(self._all.tasks)):
            if one.is_polled:
                continue
            level, end = self._sporadic_level(number), self._sporadic_job(number).after
            if self._by[self._behind(number)] is Dispatcher.LINE_THREAD:
                end += sum(self._server())
            sporadic[level] = max(end, sporadic.get(level, 0))
            by_level.setdefault(level, [])
        for level in sorted(by_level):
            of = by_level[level]
            block = 0
            if self._plan is not None:
                block = self._steps(max(MASKED_STEPS, waits))  # one section with interrupts off
            held = max((held for low, high, held in resources if low < level <= high), default=0)
            order = Order.ANY if level in sporadic else self._order(of, jobs)
            found[level] = Level(order, block + held, self._steps(longest), held)
            if level < _THREAD_CELLS:
                waits = max([waits, *(self._end_steps(at, jobs[at][0]) for at in of if at in jobs)])
                waits = max(waits, sporadic.get(level, 0))
        return found

    def _ranked(self) -> list[int]:
        system = self._system
        return sorted(range(len(system.tasks)), key=lambda at: (rank(system, at), at))

    def _order(self, of: Sequence[int], jobs: dict[int, tuple[JobCost, Releaser]]) -> Order:
        """The order of the jobs of a level: known of threads that wait for their releases alone.

        And of basic tasks that the controller dispatches, if interrupts above them release all of them: one
        line takes its tasks by rank, and the controller its lines of one task.
        """
        system = self._system
        if any(at not in jobs for at in of):
            return Order.ANY
        if all(self._by[at] is Dispatcher.CONTROLLER for at in of):
            return self._order_on_lines(of, jobs)
        if all(self._by[at] is Dispatcher.LINE_THREAD for at in of):
            assert self._plan is not None
            used = [line for line in lines_of(system, self._plan) if {*line.tasks} & {*of}]
            general = any(system.tasks[at].is_general for at in of)
            return Order.RANK if len(used) == 1 and not general else Order.ANY
        if any(system.tasks[at].kind is not Kind.THREAD for at in of):
            return Order.ANY
        tasks: list[Task] = [system.tasks[at] for at in of]
        if system.uses_services or any(task.overrun is Overrun.QUEUE for task in tasks):
            return Order.ANY
        stores = {jobs[at][1].store for at in of}
        if stores <= {*MASK_STORES}:
            return Order.RANK
        if stores & {*MASK_STORES} or system.basic:
            return Order.ANY
        return Order.FIFO

    def _order_on_lines(
        self, of: Sequence[int], jobs: dict[int, tuple[JobCost, Releaser]]
    ) -> Order:
        system, plan = self._system, self._plan
        assert plan is not None
        for at in of:
            level = jobs[at][1].level
            if level is None or level <= self._on[at] or system.tasks[at].is_general:
                return Order.ANY
        used = [line for line in lines_of(system, plan) if {*line.tasks} & {*of}]
        alone = all(len(line.tasks) == 1 for line in used)
        return Order.RANK if len(used) == 1 or alone else Order.ANY

    def _resources(
        self, threads: Sequence[Source], activated: Sequence[Source]
    ) -> list[tuple[int, int, int]]:
        """(the user's level, the highest level that it holds off, for how long) of each user of each."""
        found = []
        source = dict(enumerate(threads))
        source |= {self._behind(one.ends[0].task): one for one in activated}
        for resource in self._system.resources:
            top = ceiling(self._system, resource)
            if self._system.board.controller is not None:
                top = _CONTROLLER + 2 * top
            for at, hold in resource.users:
                cost = source[at].cost
                held = cost if hold is None else min(cost, self._most(hold))
                found.append((source[at].level, top, held))
        unknown = [one.name for one in self._system.resources if None in dict(one.users).values()]
        if unknown:
            names = ", ".join(unknown[:4]) + (" and others" if len(unknown) > 4 else "")
            self._notes.append(
                f"not all users of {names} say how long they hold it (hold): a whole job is charged"
            )
        return found
