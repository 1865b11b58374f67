# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Response-time analysis by busy windows: sound for every phase of the sources.

The response of job q of a window, the first one being job 0, is the least w with

    w = blocking + q * cost + work + sum over the others of ceil((w + jitter) / period) * cost

less q * period, plus how late the release may be. The window goes on while a job of the source ends after
the next one's earliest release, so deadlines may be longer than periods.

Sources: Joseph and Pandya, "Finding response times in a real-time system" (1986); Audsley and others,
"Applying new scheduling theory to static priority pre-emptive scheduling" (1993), for jitter and blocking;
Lehoczky, "Fixed priority scheduling of periodic task sets with arbitrary deadlines" (RTSS 1990), and Tindell,
Burns and Wellings, "An extendible approach for analysing fixed priority hard real-time tasks" (1994), for
several jobs in a window; Sjodin and Hansson, "Improved response-time analysis calculations" (RTSS 1998), for
where the search for w begins.

**Tasks of one level.** Order.ANY takes every job of the level to go first; that is sound whatever the order
is, as all work that is done in a window was released in it. Order.RANK takes those of higher rank as of a
higher level, and one job of a lower rank as blocking: it may have begun just before. The smaller bound of
the two holds. First come, first served gains nothing here, as the phases are free. With `phases`, the jobs of
lower ranks that the known phases keep away do not count (blockers.py), and what interrupts of one instant
share counts once (instants.py); a bound that is smaller for it says so (`by_offsets`).

**Jobs that are released at the end of another source's job**, the activating one's, and by it: the End is
where it has released them. A job that preempts the activating one before that delays the release. When a
window of a level begins, no job of that level or above is pending. If the activating source is of such a
level, its jobs that end in the window were released in it: at most ceil((w + jitter) / period) of them, with
the jitter of its releases; and job q of the activated one is not released earlier than job q of the
activating one, which is q * period - jitter behind the begin. (On another processor its response would be
jitter, too: Tindell and Clark, "Holistic schedulability analysis for distributed hard real-time systems",
1994.) If it is of a lower level it does not run in the window, and its last end may be the window's begin:
that is one job. By the same argument for each source in a row of such ones.
A job in parts of several priorities: Gonzalez Harbour, Klein
and Lehoczky, "Fixed priority scheduling of periodic tasks with varying execution priority" (RTSS 1991).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from horolog.schedulability.blockers import longest_block
from horolog.schedulability.demand import Demand, End, Level, Order, Source
from horolog.schedulability.instants import with_common_instants

__all__ = ["MOST_JOBS", "Bound", "Parts", "longest_window", "smaller", "window_bounds"]

MOST_JOBS = 512
"""So many jobs of a source in one window are looked at; a longer window counts as one without an end."""

_SHIFT = 64
_MOST_STEPS, _MOST_STEPS_OF_ALL = 2_000_000, 20_000_000
"""So many sums of a source's jobs are made for one task, and for all, before a search is given up: with most
of the processor in use it may creep."""
_ROUNDS = 32  # of each search, in any case


class _Budget:
    """What searches may still take."""

    def __init__(self) -> None:
        self.all, self.one = _MOST_STEPS_OF_ALL, 0

    def begin(self) -> None:
        """For the next task."""
        self.one = min(_MOST_STEPS, self.all)

    def take(self, steps: int) -> bool:
        """Whether there are so many left."""
        self.all -= steps
        self.one -= steps
        return self.one > 0


@dataclass(frozen=True, slots=True)
class Parts:
    """What a response is made of. The sum is the response."""

    own: int = 0  # the task's bodies in the window; those of a thread that it shares, too
    higher: int = 0  # bodies of higher levels
    level: int = 0  # bodies of the same level
    interrupts: int = 0
    kernel: int = 0  # the kernel's work for all these jobs
    blocking: int = 0
    jitter: int = 0  # how late the release may be
    pending: int = 0  # what was released before the job and not done, where offsets are used
    before: int = 0  # negative: by how much the job was released after the window began

    @property
    def total(self) -> int:
        """The response."""
        named = (self.own, self.higher, self.level, self.interrupts, self.kernel)
        return sum(named) + self.blocking + self.jitter + self.pending + self.before


@dataclass(frozen=True, slots=True)
class Bound:
    """The longest response of a task, or None: the window has no end that could be found."""

    task: int
    response: int | None
    deadline: int
    by_offsets: bool = False
    parts: Parts = Parts()

    @property
    def holds(self) -> bool:
        """Whether the deadline is met for certain."""
        return self.response is not None and self.response <= self.deadline


class _Sums:
    """Sources by period and jitter: what their jobs cost together, and how much of that are bodies."""

    def __init__(self, sources: Iterable[Source] = ()) -> None:
        self._by: dict[tuple[int, int], tuple[int, int, int]] = {}
        self._taken: dict[int, tuple[int, int, int, bool]] = {}  # by window
        self.curved: list[Source] = []  # those that are not periodic, by themselves
        for one in sources:
            self.add(one)

    def add(self, one: Source, sign: int = 1) -> None:
        """Put one in, or with -1 take it out."""
        self._taken.clear()
        if one.curve or one.streams:
            self.curved = [other for other in self.curved if other is not one or sign > 0]
            self.curved += [one] if sign > 0 else []
            self.__dict__.pop("used", None)
            self.__dict__.pop("waiting", None)
            return
        key = one.period, one.jitter
        cost, interrupts, kernel = self._by.get(key, (0, 0, 0))
        if one.is_interrupt:
            interrupts += sign * one.cost
        else:
            kernel += sign * one.kernel
        self._by[key] = (cost + sign * one.cost, interrupts, kernel)
        self.__dict__.pop("rows", None)
        self.__dict__.pop("used", None)
        self.__dict__.pop("waiting", None)

    def without(self, one: Source) -> _Sums:
        """All but `one`, which is in."""
        found = _Sums()
        found._by, found.curved = dict(self._by), self.curved
        found.add(one, -1)
        return found

    @cached_property
    def rows(self) -> list[tuple[int, int, int]]:
        """(period, jitter, cost) of each."""
        return [
            (period, jitter, cost) for (period, jitter), (cost, _, _) in self._by.items() if cost
        ]

    @cached_property
    def used(self) -> int:
        """At most the share of the processor that they take, in 2^-_SHIFT."""
        of_rows = sum((cost << _SHIFT) // period for period, _, cost in self.rows)
        rounded = sum(len(one.periods) for one in self.curved)
        return max(of_rows, of_rows + sum(one.share(1 << _SHIFT) for one in self.curved) - rounded)

    @cached_property
    def waiting(self) -> int:
        """At most what the jitter adds."""
        return sum(cost * jitter // period for period, jitter, cost in self.rows)

    def taken(self, window: int) -> tuple[int, int, int, bool]:
        """Of all jobs released in a window: of bodies, of interrupts, of the kernel for the bodies.

        And whether common instants make that less.
        """
        if window not in self._taken:
            common = any(one.has_common(window) for one in self.curved)
            self._taken[window] = (*self._summed(window), common)
        return self._taken[window]

    def _summed(self, window: int) -> tuple[int, int, int]:
        total = interrupts = kernel = 0
        for (period, jitter), (cost, of_interrupts, of_kernel) in self._by.items():
            jobs = -(-(window + jitter) // period)
            total += jobs * cost
            interrupts += jobs * of_interrupts
            kernel += jobs * of_kernel
        for one in self.curved:
            jobs = one.arrivals(window)
            total += jobs * one.cost
            if one.is_interrupt:
                interrupts += jobs * one.cost
            else:
                kernel += jobs * one.kernel
        return total - interrupts - kernel, interrupts, kernel


def _window(
    work: int, of: Sequence[_Sums], most: int, budget: _Budget, start: int = 1
) -> int | None:
    """The least w >= `start` with w = work + interference; None: above `most`, or not found soon.

    `start` is no more than the least of all.
    """
    free = (1 << _SHIFT) - sum(one.used for one in of)
    if free < 0:
        return None
    rows = [row for one in of for row in one.rows]
    curved = [source for one in of for source in one.curved]
    waiting = sum(one.waiting for one in of)
    # No fixed point is below: each source has a job, and never less than its share.
    least = ((work + waiting) << _SHIFT) // free if free else 0
    found = max(work + sum([cost for _, _, cost in rows]), least, start)
    steps = len(rows) + 4 * len(curved)
    rounds = 0
    while found <= most:
        rounds += 1
        if not budget.take(steps) and rounds > _ROUNDS:
            return None
        again = work + sum([cost * -(-(found + jitter) // period) for period, jitter, cost in rows])
        for one in curved:
            again += one.cost * one.arrivals(found)
        if again == found:
            return found
        found = again
    return None


def window_bounds(demand: Demand, *, phases: bool = False) -> tuple[Bound, ...]:
    """A bound for every End, in the order of the sources, whatever the phases are.

    With `phases` the known ones are used, and the bounds that are smaller for it have `by_offsets`.
    """
    demand = with_common_instants(demand) if phases else demand
    found: dict[tuple[int, int], Bound] = {}
    by_level: dict[int, list[int]] = defaultdict(list)
    for at, source in enumerate(demand.sources):
        by_level[source.level].append(at)
    higher, budget = _Sums(), _Budget()
    for number in sorted(by_level, reverse=True):
        level = [demand.sources[at] for at in by_level[number]]
        same, info = _Sums(level), demand.level(number)
        ranked = info.order is Order.RANK and len(level) > 1
        longest = _longest(higher, same, info, budget) if ranked and phases else None
        together = _Together(higher, same, level, info.blocking, budget)
        for at, source in zip(by_level[number], level, strict=True):
            bounds = _bounds(source, higher, same, info.blocking, budget, together)
            if ranked:
                by_rank = _ranked_bounds(source, higher, level, info, longest, budget)
                bounds = [smaller(*two) for two in zip(bounds, by_rank, strict=True)]
            found |= {(at, k): bound for k, bound in enumerate(bounds)}
        for source in level:
            higher.add(source)
    return tuple(found[key] for key in sorted(found))


def longest_window(above: Sequence[Source], level: Sequence[Source], info: Level) -> int | None:
    """The longest time in which there is always work of `level` or `above`; None: no end could be found."""
    return _longest(_Sums(above), _Sums(level), info, _Budget())


def _longest(higher: _Sums, level: _Sums, info: Level, budget: _Budget) -> int | None:
    budget.begin()
    rows = [*higher.rows, *level.rows]
    most = MOST_JOBS * max((period for period, _, _ in rows), default=0)
    return _window(info.blocking, (higher, level), most, budget)


def _ranked_bounds(
    source: Source,
    higher: _Sums,
    level: Sequence[Source],
    info: Level,
    longest: int | None,
    budget: _Budget,
) -> list[Bound]:
    """Bounds on a level that goes by rank, of which `longest` is the longest window, if phases are used."""
    before = [one for one in level if one is source or one.rank <= source.rank]
    block = longest_block(source, level, longest)
    found = _bounds(source, higher, _Sums(before), info.blocking + block, budget)
    if block < longest_block(source, level, None):
        return [replace(one, by_offsets=True) for one in found]
    return found


def smaller(one: Bound, other: Bound) -> Bound:
    """Of two bounds of one task the one that says more; the first of equal ones."""
    if one.response is None or (other.response is not None and other.response < one.response):
        return other
    return one


class _Together:
    """What the sources of a level have in common, if each counts all others of it: asked for once.

    The window is theirs all. Where a source has one job in it, a job that ends with `after` of its cost left
    is done at the least w = blocking - after + what all take in w. So that w of the largest `after` is where
    the search for any of them may begin.
    """

    def __init__(
        self, higher: _Sums, level: _Sums, of: Sequence[Source], blocking: int, budget: _Budget
    ) -> None:
        ending = [one for one in of if one.ends]
        self.window: int | None = None
        self.start = 1
        if not ending:
            return
        budget.begin()
        most = MOST_JOBS * max(one.period for one in ending)
        self.window = _window(blocking, (higher, level), most, budget)
        single = [one for one in ending if self.is_single(one)]
        if self.window is not None and single:
            after = max(one.cost - end.work for one in single for end in one.ends)
            least = _window(blocking - after, (higher, level), self.window, budget)
            self.start = least or 1

    def is_single(self, source: Source) -> bool:
        """Whether the window holds one job of it."""
        return self.window is not None and 0 < self.window + source.jitter <= source.period


def _bounds(
    source: Source,
    higher: _Sums,
    level: _Sums,
    blocking: int,
    budget: _Budget,
    together: _Together | None = None,
) -> list[Bound]:
    """A bound for each of its ends; `level` has `source`, too. `together`: of all that is in `level`."""
    if not source.ends:
        return []
    budget.begin()
    most = MOST_JOBS * source.period
    if together is None:
        window = _window(blocking, (higher, level), most, budget)
    else:
        window = together.window
    if window is None or window > most:
        return [Bound(end.task, None, end.deadline) for end in source.ends]
    others = (higher, level.without(source))
    # A source that costs nothing has a window of no length, and a job all the same.
    jobs = max(1, source.arrivals(window))
    found = []
    for end in source.ends:
        best: tuple[int, int, int] | None = None
        start = min(1, window)
        if together is not None and together.is_single(source):
            start = min(together.start, window)
        for q in range(jobs):
            work = blocking + q * source.cost + end.work
            w = _window(work, others, window, budget, start)
            if w is None:
                best = None
                break
            start = w
            response = w - max(0, source.apart(q) - source.lag) + source.late
            if best is None or response > best[0]:
                best = (response, w, q)
        if best is None:
            found.append(Bound(end.task, None, end.deadline))
        else:
            found.append(_bound(end, source, best, (higher, level), blocking))
    return found


def _bound(
    end: End,
    source: Source,
    best: tuple[int, int, int],
    above_and_level: tuple[_Sums, _Sums],
    blocking: int,
) -> Bound:
    response, window, q = best
    higher, level = (one.taken(window) for one in above_and_level)
    own = source.arrivals(window)  # in what the level takes
    parts = Parts(
        own=end.work - end.kernel + q * (source.cost - source.kernel),
        higher=higher[0],
        level=level[0] - own * (source.cost - source.kernel),
        interrupts=higher[1] + level[1],
        kernel=end.kernel + q * source.kernel + higher[2] + level[2] - own * source.kernel,
        blocking=blocking,
        jitter=source.late,
        before=-max(0, source.apart(q) - source.lag),
    )
    assert parts.total == response
    return Bound(end.task, response, end.deadline, higher[3] or level[3], parts)
