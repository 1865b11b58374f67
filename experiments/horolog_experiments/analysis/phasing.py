# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Release phases that may be the worst of a task: the critical instant that the analysis assumes, built.

A bound that does not use offsets holds for every phase at which cells interrupt as often. Its worst case is
a critical instant, at which the sources of the task's level and above are released together. What holds the
task off has been released before: those of its level that go first, by a count, and what blocks it by as
long as a job takes to begin.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.analyse import all_levels, ceiling, shared_threads
from horolog.model import Mode, Plan, Releaser, System
from horolog.schedulability import Demand, Order, Source
from horolog.trace import Job

__all__ = [
    "Phasing",
    "at_rest",
    "behind_activation",
    "behind_blocker",
    "from_run",
    "placed",
    "source_of",
    "together",
]


_POLL_COUNTS = 20  # behind the begin of a polling server's job: it has looked by then


@dataclass(frozen=True, slots=True)
class Phasing:
    """The phase of each task's releases, and the critical instant: counts after the least of them."""

    counts: tuple[int, ...]
    critical: int = 0
    victim: int | None = (
        None  # the task, one of System.all_tasks, whose longest response it is to have
    )


def at_rest(system: System) -> Phasing:
    """Where the releases of `system` are."""
    hz = system.board.clock.hz
    return Phasing(tuple(int(task.offset * hz) for task in system.tasks))


def placed(system: System, plan: Plan, wanted: Phasing) -> tuple[System, Plan] | None:
    """`system` with its releases there, as far as the cells of `plan` have such instants, and `plan` for it.

    A periodic cell may begin at any count, and its tasks stay on its instants: those that are not `wanted` at
    one of them come later. Releases may not move any more, and no further tasks share a thread. None:
    others would.
    """
    hz = int(system.board.clock.hz)
    counts = list(wanted.counts)
    releasers = []
    lead = int(
        max(task.delay for task in system.tasks) * hz
    )  # nominal releases are not before t = 0
    for releaser in plan.releasers:
        first = releaser.first
        if releaser.mode is Mode.PERIODIC and (releaser.part or releaser.first_part):
            for at in releaser.tasks:
                counts[at] = int(system.tasks[at].offset * hz)
        else:
            if releaser.mode is Mode.PERIODIC:
                step = int(releaser.counts) * releaser.divider
                origin = _origin(wanted, releaser) % step
                for at in releaser.tasks:
                    counts[at] += (origin - counts[at]) % step
            for at in releaser.tasks:
                counts[at] = counts[at] % int(system.tasks[at].period * hz) + lead
            first = min(counts[at] for at in releaser.tasks)
        releasers.append(replace(releaser, first=first))
    shared = shared_threads(system)
    in_shared = {at for tasks in shared for at in tasks}
    tasks = tuple(
        replace(
            task,
            offset=Fraction(counts[at], hz),
            jitter=Fraction(0),
            shares=task.shares and at in in_shared,
        )
        for at, task in enumerate(system.tasks)
    )
    found = replace(system, tasks=tasks)
    if shared_threads(found) != shared:
        return None
    return found, replace(plan, releasers=tuple(releasers))


def _origin(wanted: Phasing, releaser: Releaser) -> int:
    """An instant of a periodic cell: that of the victim, else of what is to come before it, else of any."""
    of = {at: wanted.counts[at] for at in releaser.tasks}
    return of[wanted.victim] if wanted.victim in of else min(of.values())


def together(system: System) -> Phasing:
    """All at once."""
    return Phasing((0,) * len(system.tasks))


def behind_blocker(system: System, demand: Demand, victims: Sequence[int], begins: int) -> Phasing:
    """For the tasks `victims`, of different levels: all released at once, behind what holds them off.

    What blocks the first of them longest has begun, `begins` counts before all others. Those of the level of
    each go before it, by a count, unless ranks say which of them does.
    """
    first = source_of(demand, victims[0])
    blocker = _blocker(system, demand, first)
    blocks = {end.task for end in blocker.ends} if blocker is not None else set()
    critical = 0 if blocker is None else begins
    counts = [0 if at in blocks else critical for at in range(len(system.tasks))]
    later = set()  # the victims that come behind others of their levels
    for victim in victims:
        mine = source_of(demand, victim)
        others = [one for one in demand.sources if one.ends and one.level == mine.level]
        if len(others) > 1 and demand.level(mine.level).order is not Order.RANK:
            later |= {end.task for end in mine.ends}
    counts = [count + (at in later) for at, count in enumerate(counts)]
    return _reduced(system, counts, critical + bool(later), victims[0])


def behind_activation(system: System, victim: int, begins: int, around: tuple[int, int]) -> Phasing:
    """For a sporadic or aperiodic task, one of System.all_tasks: the critical instant is its activation.

    If a task activates it, that one's job is released first, alone, and ends as all others are released. An
    interrupt of a polling server's task comes just after the server has looked; the others are released with
    the last release that its activations wait for. Any other interrupt comes a count behind all releases.
    `around`: counts before and behind each body.
    """
    one = system.sporadic[victim - len(system.tasks)]
    hz = system.board.clock.hz
    counts, critical = [0] * len(system.tasks), 1
    if one.server is not None and one.is_polled:
        periods = -(-one.most // one.server.jobs)
        counts = [int(periods * one.task.period * hz)] * len(counts)
        counts[one.server.task] = 0
        critical = begins + _POLL_COUNTS
    elif one.after is not None:
        at, passed = one.after, begins
        while at >= len(system.tasks):
            before = system.sporadic[at - len(system.tasks)].after
            if before is None:
                break
            passed += _body_counts(system, at) + sum(around)
            at = before
        passed += _body_counts(system, at)
        critical = passed
        counts = [critical] * len(counts)
        if at < len(counts):
            counts[at] = 0
    return _reduced(system, counts, critical, victim)


def _body_counts(system: System, at: int) -> int:
    """What a job of one of all tasks takes on the host port."""
    task, board = system.task(at), system.board
    seconds = task.work * board.work_ns / 10**9 if task.work is not None else task.wcet
    return int((seconds or 0) * board.clock.hz)


def _reduced(system: System, counts: Sequence[int], critical: int, victim: int) -> Phasing:
    """Phases below the periods."""
    hz = system.board.clock.hz
    found = (
        int(count % (task.period * hz)) for count, task in zip(counts, system.tasks, strict=True)
    )
    return Phasing(tuple(found), critical, victim)


def source_of(demand: Demand, task: int) -> Source:
    """The source with the end of `task`."""
    return next(one for one in demand.sources for end in one.ends if end.task == task)


def _blocker(system: System, demand: Demand, victim: Source) -> Source | None:
    """The source that may hold `victim` off longest, by a resource or as it has begun on its level."""
    found = [(0, 0, victim)]
    by_task = {end.task: one for one in demand.sources for end in one.ends}
    levels, mine = all_levels(system), victim.ends[0].task
    for resource in system.resources:
        for task, hold in resource.users:
            low = by_task.get(task)
            if low is None or hold is None or low.level >= victim.level:
                continue
            if ceiling(system, resource) >= levels[mine]:
                found.append((int(hold * system.board.clock.hz), -task, low))
    if demand.level(victim.level).order is Order.RANK:
        found += [
            (_counts(system, one), -one.ends[0].task, one)
            for one in demand.sources
            if one.ends and one.level == victim.level and one.rank > victim.rank
        ]
    most = max(found, key=lambda one: one[:2])
    return most[2] if most[2] is not victim else None


def _counts(system: System, source: Source) -> int:
    wcets = (system.all_tasks[end.task].wcet or Fraction(0) for end in source.ends)
    return int(sum(wcets) * system.board.clock.hz)


def from_run(
    system: System,
    demand: Demand,
    phasing: Phasing,
    job: Job,
    below: Callable[[int], int],
) -> Phasing:
    """`phasing`, with the run beginning at the release of `job`, the longest of its task that was seen.

    About half of those of its level and above are moved to that instant; another one goes anywhere.
    """
    hz = system.board.clock.hz
    task = system.tasks[job.task]
    released = phasing.counts[job.task] + job.number * int(task.period * hz)
    mine = source_of(demand, job.task)
    counts = [count - released for count in phasing.counts]
    for one in demand.sources:
        if one.ends and one.level >= mine.level and below(2):
            for end in one.ends:
                if end.task < len(counts):
                    counts[end.task] = 0
    other = below(len(counts))
    counts[other] = below(int(system.tasks[other].period * hz))
    counts[job.task] = 0
    return _reduced(system, counts, 0, job.task)
