# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Response-time analysis with offsets: every job of a hyperperiod is looked at, as far as that is short.

With fixed offsets the releases repeat after a hyperperiod. What is pending just before a job's release
follows from the releases alone, if every job takes its longest: the work of its level and above, served
without a gap. The job then ends by the least t with

    t = release + blocking + pending + own work + work of other sources released in [release, t)

because a window that began at s <= release ends by blocking + s + all work released in [s, t), and
`pending` is the largest of these over s. Blocking counts once for each window and so is not in `pending`.
Jobs that take less, or blocking that does not come, only lower each of these sums: so no execution is worse
than the one looked at.

The window [0, longest offset + 2 hyperperiods) holds every job that can occur: Leung and Merrill, "A note on
preemptive scheduling of periodic real-time tasks" (1980); Goossens and Devillers (1997). Compared with
Tindell's and Palencia and Gonzalez Harbour's analyses of transactions (RTSS 1998) nothing is approximated, as
the phases of all sources are known; where the hyperperiod is too long the offsets are ignored (windows.py).

**Floating sources** have no phase that is known, or releases that may be late by any amount: interrupts of
the application, sporadic tasks, stepped cells. A window of length y holds at most F(y) of their work, the
sum of ceil((y + jitter) / period) * cost, or less by arrival curves. Let a window begin x >= 0 before the
nominal release s of its first job of a known phase, with floating work or with that job, early. Then a job
in it ends no later than y after the begin, for the least y with y = blocking + W[s, s + y - x) + F(y), where
W is the work of known phases and all of the job's own. With x = 0 no y is less, and the end is x later. So a
job released at r ends by the largest, over all s <= r, of

    the least t with t = s + blocking + W[s, t) + F(t - s)

A window from s is over at u if s + blocking + W[s, u) + F(u - s) <= u, by the same argument. Of two windows
that are not, the later one counts only if more of it is left. Windows longer than a hyperperiod need not
repeat with it: if there is one, the offsets are not used. A floating source has no bound here.

**Tasks of one level.** Order.FIFO: what is released later, by more than `apart`, goes later. Order.RANK:
those of lower rank do not count, but one of their jobs blocks if it may come just before (blockers.py).
Order.ANY: all that is released before the end goes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from horolog.schedulability.blockers import longest_block
from horolog.schedulability.demand import Demand, End, Order, Source
from horolog.schedulability.instants import with_common_instants
from horolog.schedulability.windows import Bound, Parts, longest_window, smaller

__all__ = ["MOST_STEPS", "phase_bounds"]

MOST_STEPS = 1_000_000
"""So many releases are gone through at most, each as often as it is looked at."""


def phase_bounds(demand: Demand, most: int = MOST_STEPS) -> tuple[Bound, ...] | None:
    """A bound for every End, in the order of the sources; without a response for those of floating sources.

    None: the sources need more than the processor has, or none has an offset that is known, or the offsets
    repeat too late.
    """
    demand = with_common_instants(demand)
    fixed = [at for at, one in enumerate(demand.sources) if one.is_fixed]
    levels = sorted({demand.sources[at].level for at in fixed}, reverse=True)
    if not levels or not _fits(demand, fixed, levels, most):
        return None
    cycle = lcm(*(period for at in fixed for period in demand.sources[at].periods))
    if sum(one.share(cycle) for one in demand.sources) > cycle:
        return None
    last = max(demand.sources[at].offset or 0 for at in fixed)
    jobs = _Jobs(demand, last + 2 * cycle, cycle, _Budget(most))
    found: dict[tuple[int, int], Bound] = {}
    try:
        for number in levels:
            of = [at for at in fixed if demand.sources[at].level == number]
            found |= _level(demand, jobs, number, of)
    except _GivenUpError:
        return None
    return tuple(
        found.get((at, k)) or Bound(end.task, None, end.deadline)
        for at, one in enumerate(demand.sources)
        for k, end in enumerate(one.ends)
    )


def _fits(demand: Demand, fixed: Sequence[int], levels: Sequence[int], most: int) -> bool:
    """Whether to begin: the releases alone are no more steps than allowed."""
    cycle, of = 1, [demand.sources[at] for at in fixed]
    for one in of:
        for period in one.periods:
            cycle = lcm(cycle, period)
            if cycle > most * period:
                return False
    end = max(one.offset or 0 for one in of) + 3 * cycle
    steps = 0
    for one in of:
        below = sum(one.level >= level for level in levels)
        steps += below * (end // one.period + 1)
    return steps <= most


class _GivenUpError(Exception):
    """A job does not end within the releases that are gone through, or these are too many steps."""


class _Budget:
    """What may still be gone through."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def take(self, steps: int) -> None:
        """Count so many; _GivenUpError if there were fewer left."""
        self._left -= steps
        if self._left < 0:
            raise _GivenUpError


class _Jobs:
    """All releases of known phase before an end, and those of a cycle more, which may come before the last
    jobs' ends.
    """

    def __init__(self, demand: Demand, end: int, cycle: int, budget: _Budget) -> None:
        self._sources = demand.sources
        self.end, self.cycle, self.budget = end, cycle, budget
        self._until = end + cycle

    def of(self, sources: Sequence[int]) -> list[tuple[int, int]]:
        """(nominal release, source) of those of these sources that have a phase."""
        found = []
        for at in sources:
            one = self._sources[at]
            if one.is_fixed:
                found += [(release, at) for release in one.instants(self._until)]
        found.sort()
        self.budget.take(len(found))
        return found


class _Floating:
    """What sources without a known phase ask for in a window: F of the module's text."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.sources = [one for one in sources if one.cost and not one.is_fixed]
        self._rows = [(one.period, one.jitter, one.cost) for one in self.sources if not one.curve]
        self._curved = [one for one in self.sources if one.curve]

    def most(self, window: int) -> int:
        """At most so much."""
        most = sum([-(-(window + jitter) // period) * cost for period, jitter, cost in self._rows])
        return most + sum([one.arrivals(window) * one.cost for one in self._curved])


def _level(
    demand: Demand, jobs: _Jobs, number: int, of: Sequence[int]
) -> dict[tuple[int, int], Bound]:
    info, sources = demand.level(number), demand.sources
    of = [at for at in of if sources[at].ends]
    if not of:
        return {}
    above = [at for at, one in enumerate(sources) if one.level > number]
    same = [at for at, one in enumerate(sources) if one.level == number]
    early = max(sources[at].early for at in above + same)
    order = Order.ANY if info.order is Order.RANK else info.order
    rule = _Rule(order, info.blocking, info.apart, early)
    best = _Level(sources, jobs, above + same, rule).best(of)
    if info.order is not Order.RANK or len(same) < 2:
        return best
    level = [sources[at] for at in same]
    longest = longest_window([sources[at] for at in above], level, info)
    for rank in sorted({sources[at].rank for at in of}):
        ranked = [at for at in same if sources[at].rank <= rank]
        mine = [at for at in of if sources[at].rank == rank]
        block = info.blocking + max(longest_block(sources[at], level, longest) for at in mine)
        other = _Level(sources, jobs, above + ranked, _Rule(Order.ANY, block, 0, early)).best(mine)
        best |= {key: smaller(best[key], bound) for key, bound in other.items()}
    return best


@dataclass(frozen=True, slots=True)
class _Rule:
    """How jobs of one level are ordered, and what may come before its nominal time."""

    order: Order
    blocking: int
    apart: int
    early: int


@dataclass(frozen=True, slots=True)
class _Found:
    """When a job ends: after its release; the first job that is released later; the work of those between."""

    response: int
    after: int
    absorbed: int


@dataclass(frozen=True, slots=True)
class _Worst:
    """The job with the longest response to an End: its position, and the window in which it has that."""

    found: _Found
    first: int  # the first job of its instant
    position: int
    begin: int  # of the window
    pending: int


class _Level:
    """The jobs of one level where `of` interfere."""

    def __init__(
        self, sources: Sequence[Source], jobs: _Jobs, of: Sequence[int], rule: _Rule
    ) -> None:
        self._sources, self._rule = sources, rule
        self._budget, self._cycle, self._until = jobs.budget, jobs.cycle, jobs.end
        self._jobs = jobs.of(of)
        self._floating = _Floating([sources[at] for at in of])

    def best(self, of: Sequence[int]) -> dict[tuple[int, int], Bound]:
        """For each end of the sources `of` the longest response."""
        wanted, jobs = set(of), self._jobs
        found: dict[tuple[int, int], _Worst] = {}
        windows: list[tuple[int, int]] = []  # (begin, begin + work since then, less `done`)
        done = first = 0
        while first < len(jobs) and jobs[first][0] < self._until:
            now, after = jobs[first][0], first
            while after < len(jobs) and jobs[after][0] == now:
                after += 1
            windows = self._open(windows, now, done)
            for position in range(first, after):
                if jobs[position][1] in wanted:
                    for begin, reached in windows:
                        self._look(found, first, position, begin, reached + done - now)
            done += sum([self._sources[at].cost for _, at in jobs[first:after]])
            first = after
        return {key: self._bound(key, worst) for key, worst in found.items()}

    def _open(self, windows: list[tuple[int, int]], now: int, done: int) -> list[tuple[int, int]]:
        """The windows that may be open at `now`, one from there among them if it may be the worst."""
        if self._floating.sources:
            at, blocking = now - self._rule.early, self._rule.blocking
            self._budget.take(len(windows) * len(self._floating.sources))
            windows = [
                (begin, reached)
                for begin, reached in windows
                if at <= begin or reached + done + blocking + self._floating.most(at - begin) > at
            ]
            if windows and now - windows[0][0] > self._cycle:
                raise _GivenUpError
        if windows and windows[-1][1] + done >= now:
            return windows
        # Without floating sources only what is left of a window matters, not when it began.
        return [*(windows if self._floating.sources else ()), (now, now - done)]

    def _look(
        self,
        found: dict[tuple[int, int], _Worst],
        first: int,
        position: int,
        begin: int,
        pending: int,
    ) -> None:
        """Put the job in where it is the worst of an End so far."""
        source = self._jobs[position][1]
        last: tuple[End, _Found] | None = None
        for k, end in enumerate(self._sources[source].ends):
            start = _Found(0, first, 0)
            if last is not None and last[0].work <= end.work:
                start = last[1]  # what goes before the end of one body goes before that of the next
            one = self._end(start, position, begin, pending + self._rule.blocking + end.work)
            last = end, one
            known = found.get((source, k))
            if known is None or one.response > known.found.response:
                found[source, k] = _Worst(one, first, position, begin, pending)

    def _end(self, start: _Found, position: int, begin: int, work: int) -> _Found:
        """When the job at `position` ends, in a window from `begin`."""
        jobs, sources, rule, floating = self._jobs, self._sources, self._rule, self._floating
        now, mine = jobs[position]
        level, early = sources[mine].level, rule.early
        fifo = rule.order is Order.FIFO
        at, absorbed = start.after, start.absorbed
        t = work + absorbed
        while True:
            if floating.sources:
                t = self._floated(work + absorbed, t, now - begin)
            until, before = t + now + early, at
            while at < len(jobs) and jobs[at][0] < until:
                if self._counts(jobs[at], mine, level, now, fifo):
                    cost = sources[jobs[at][1]].cost
                    until += cost
                    absorbed += cost
                at += 1
            self._budget.take(1 + at - before)
            if at == len(jobs):
                raise _GivenUpError
            t = until - now - early
            if at == before or not floating.sources:
                return _Found(t, at, absorbed)

    def _counts(self, job: tuple[int, int], mine: int, level: int, now: int, fifo: bool) -> bool:
        """Whether a job goes before the end: the source's own next jobs go later, too."""
        release, other = job
        if other == mine:
            return False
        rule = self._rule
        late = fifo and release - now - rule.early > rule.apart
        return not late or self._sources[other].level != level

    def _floated(self, work: int, least: int, since: int) -> int:
        """The least t >= `least` with t = work + what floats in a window that began `since` before."""
        t = least
        while True:
            self._budget.take(len(self._floating.sources))
            again = work + self._floating.most(t + since)
            if again <= t:
                return t
            t = again

    def _bound(self, key: tuple[int, int], worst: _Worst) -> Bound:
        sources, rule = self._sources, self._rule
        mine, (now, _) = sources[key[0]], self._jobs[worst.position]
        end = mine.ends[key[1]]
        response = worst.found.response
        taken = [
            (sources[job[1]], 1)
            for job in self._jobs[worst.first : worst.found.after]
            if self._counts(job, key[0], mine.level, now, rule.order is Order.FIFO)
        ]
        window = response + now - worst.begin
        taken += [(one, one.arrivals(window)) for one in self._floating.sources]
        higher = level = interrupts = 0
        kernel = end.kernel
        for one, jobs in taken:
            if one.is_interrupt:
                interrupts += jobs * one.cost
                continue
            kernel += jobs * one.kernel
            if one.level > mine.level:
                higher += jobs * (one.cost - one.kernel)
            else:
                level += jobs * (one.cost - one.kernel)
        parts = Parts(
            own=end.work - end.kernel,
            higher=higher,
            level=level,
            interrupts=interrupts,
            kernel=kernel,
            blocking=rule.blocking,
            pending=max(0, worst.pending),
            before=min(0, worst.pending),
        )
        assert parts.total == response
        return Bound(end.task, response, end.deadline, by_offsets=True, parts=parts)
