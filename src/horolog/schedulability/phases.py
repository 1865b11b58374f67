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

**Tasks of one level.** Order.FIFO: what is released later, by more than `apart`, goes later. Order.RANK:
those of lower rank do not count, but one of their jobs blocks. Order.ANY: all that is released before the
end goes first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

from horolog.schedulability.demand import Demand, Order, Source
from horolog.schedulability.windows import Bound, Parts, smaller

__all__ = ["MOST_STEPS", "phase_bounds"]

MOST_STEPS = 1_000_000
"""So many releases are gone through at most, each once for every level below it."""


def phase_bounds(demand: Demand, most: int = MOST_STEPS) -> tuple[Bound, ...] | None:
    """A bound for every End, in the order of the sources.

    None: the sources need more than the processor has, or a release may be late, or has no offset that is
    known, or the offsets repeat too late.
    """
    offsets = [one.offset for one in demand.sources if one.offset is not None and not one.late]
    if len(offsets) < len(demand.sources):
        return None
    levels = sorted({one.level for one in demand.sources}, reverse=True)
    if not levels or not _fits(demand, offsets, levels, most):
        return None
    cycle = lcm(*(one.period for one in demand.sources))
    if sum(cycle // one.period * one.cost for one in demand.sources) > cycle:
        return None
    jobs = _Jobs(demand, max(offsets) + 2 * cycle, cycle)
    found: dict[tuple[int, int], Bound] = {}
    try:
        for number in levels:
            of = [at for at, one in enumerate(demand.sources) if one.level == number and one.ends]
            found |= _level(demand, jobs, number, of)
    except _NoEndError:
        return None
    return tuple(found[key] for key in sorted(found))


def _fits(demand: Demand, offsets: Sequence[int], levels: Sequence[int], most: int) -> bool:
    cycle = 1
    for one in demand.sources:
        cycle = lcm(cycle, one.period)
        if cycle > most * one.period:
            return False
    end = max(offsets) + 3 * cycle
    steps = 0
    for one in demand.sources:
        below = sum(one.level >= level for level in levels)
        steps += below * (end // one.period + 1)
    return steps <= most


class _NoEndError(Exception):
    """A job does not end within the releases that are gone through."""


class _Jobs:
    """All releases before an end, and those of a cycle more, which may come before the last jobs' ends."""

    def __init__(self, demand: Demand, end: int, cycle: int) -> None:
        self._sources = demand.sources
        self.end = end
        self._until = end + cycle

    def of(self, sources: Sequence[int]) -> list[tuple[int, int]]:
        """(nominal release, source) of these."""
        found = []
        for at in sources:
            one = self._sources[at]
            assert one.offset is not None
            found += [(release, at) for release in range(one.offset, self._until, one.period)]
        found.sort()
        return found


def _level(
    demand: Demand, jobs: _Jobs, number: int, of: Sequence[int]
) -> dict[tuple[int, int], Bound]:
    info, sources = demand.level(number), demand.sources
    above = [at for at, one in enumerate(sources) if one.level > number]
    same = [at for at, one in enumerate(sources) if one.level == number]
    early = max((sources[at].early for at in above + same), default=0)
    order = Order.ANY if info.order is Order.RANK else info.order
    rule = _Rule(order, info.blocking, info.apart, early, jobs.end)
    best = _best(sources, jobs.of(above + same), of, rule)
    if info.order is not Order.RANK or len(same) < 2:
        return best
    for rank in sorted({sources[at].rank for at in of}):
        ranked = [at for at in same if sources[at].rank <= rank]
        mine = [at for at in of if sources[at].rank == rank]
        below = [sources[at].cost for at in same if sources[at].rank > rank]
        block = info.blocking + max(below, default=0)
        other = _best(
            sources, jobs.of(above + ranked), mine, _Rule(Order.ANY, block, 0, early, jobs.end)
        )
        best |= {key: smaller(best[key], bound) for key, bound in other.items()}
    return best


@dataclass(frozen=True, slots=True)
class _Rule:
    """How jobs of one level are ordered, and what may come before its nominal time."""

    order: Order
    blocking: int
    apart: int
    early: int
    end: int  # jobs released before are looked at


@dataclass(frozen=True, slots=True)
class _Worst:
    """The job with the longest response to an End."""

    response: int
    first: int  # the first job of its instant
    position: int
    pending: int


def _best(
    sources: Sequence[Source], jobs: Sequence[tuple[int, int]], of: Sequence[int], rule: _Rule
) -> dict[tuple[int, int], Bound]:
    """For each end of the sources `of` the longest response, where the sources of `jobs` interfere."""
    wanted = set(of)
    found: dict[tuple[int, int], _Worst] = {}
    until = 0  # when all that was released before is done
    first = 0
    while first < len(jobs) and jobs[first][0] < rule.end:
        now = jobs[first][0]
        after = first
        while after < len(jobs) and jobs[after][0] == now:
            after += 1
        pending = max(0, until - now)
        for position in range(first, after):
            source = jobs[position][1]
            if source not in wanted:
                continue
            for k, end in enumerate(sources[source].ends):
                begin = pending + rule.blocking + end.work
                response, _ = _end(sources, jobs, first, position, begin, rule)
                known = found.get((source, k))
                if known is None or response > known.response:
                    found[source, k] = _Worst(response, first, position, pending)
        until = now + pending + sum(sources[at].cost for _, at in jobs[first:after])
        first = after
    return {
        (source, k): _bound(sources, jobs, (source, k), worst, rule)
        for (source, k), worst in found.items()
    }


def _end(
    sources: Sequence[Source],
    jobs: Sequence[tuple[int, int]],
    first: int,
    position: int,
    begin: int,
    rule: _Rule,
) -> tuple[int, int]:
    """When the job at `position` ends, after its release; and the first job that is released later."""
    now, mine = jobs[position]
    level, t, at = sources[mine].level, begin, first
    fifo = rule.order is Order.FIFO
    while at < len(jobs):
        release, other = jobs[at]
        if release - now - rule.early >= t:
            return t, at
        one = sources[other]
        late = fifo and one.level == level and release - now - rule.early > rule.apart
        if other != mine and not late:  # its own next jobs go later, too
            t += one.cost
        at += 1
    raise _NoEndError


def _bound(
    sources: Sequence[Source],
    jobs: Sequence[tuple[int, int]],
    key: tuple[int, int],
    worst: _Worst,
    rule: _Rule,
) -> Bound:
    mine, (now, _) = sources[key[0]], jobs[worst.position]
    end = mine.ends[key[1]]
    begin = worst.pending + rule.blocking + end.work
    response, after = _end(sources, jobs, worst.first, worst.position, begin, rule)
    higher = level = interrupts = 0
    kernel = end.kernel
    for release, other in jobs[worst.first : after]:
        one = sources[other]
        is_later = release - now - rule.early > rule.apart and one.level == mine.level
        if other == key[0] or (rule.order is Order.FIFO and is_later):
            continue
        if one.is_interrupt:
            interrupts += one.cost
        elif one.level > mine.level:
            higher += one.cost - one.kernel
            kernel += one.kernel
        else:
            level += one.cost - one.kernel
            kernel += one.kernel
    parts = Parts(
        own=end.work - end.kernel,
        higher=higher,
        level=level,
        interrupts=interrupts,
        kernel=kernel,
        blocking=rule.blocking,
        pending=worst.pending,
    )
    assert parts.total == response
    return Bound(end.task, response, end.deadline, by_offsets=True, parts=parts)
