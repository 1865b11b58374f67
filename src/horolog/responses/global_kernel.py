# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel takes where several cores run some tasks (ADR 0029), for the bounds of affinities.py.

All times in which a task is ready and a core of its affinity is in the kernel are added up: a handler or a
dispatch keeps the task waiting that the core runs, as no other core takes it meanwhile. Each wait for the
lock of services is for a section of each other core at most (the lock goes round). Or all waits, with the
sections themselves, are within the sections that all cores have in that time. Or the time is counted from
the last instant at or before the release at which no core is in the kernel, with all that all cores do in
the kernel from there on, and nothing that had begun before. The smallest of the three sums counts.

Unplaced threads: a wake leaves a thread unplaced, and so does a release on a core, the thread that it
displaces. An unplaced thread claims a core, which is rung and dispatches: that places it, and may leave one
unplaced that is less urgent. Where another thread is placed on a core that one has claimed, that one claims
anew. A claim that is taken over rings no core, as the core that it was on has been rung. So for each of
these steps two cores are rung at most, and for a release one more. Where all threads that count have one
affinity there is one step: its first claims the least urgent core of the affinity; until it is placed, a
dispatch of any of these cores leaves nothing less urgent than it there; so the thread that it displaces then
finds no core to claim. Of two cores it rings the other one, once: a thread that has to claim anew finds there
the level of the one that took its place, or takes over a claim. With several affinities there are at most as
many steps as threads, as each is less urgent than the one before. Threads that count are those no less urgent
than the task in question: others claim no core that this task has, or has claimed, nor one that runs what is
above it.

Something done for a release goes on for no longer than `span` behind it, as some core is in the kernel all
that time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from horolog.model import GlobalThreads
from horolog.schedulability import Arrivals, Charge, Source, Work, kernel_span

__all__ = ["GlobalKernel", "GlobalTask"]


@dataclass(frozen=True, slots=True)
class GlobalTask:
    """A thread as its core's part has it. Of one that several cores may run `source` is the release alone."""

    source: Source
    level: int  # in the one ranking
    cores: frozenset[int]
    core: int  # which releases it
    body: int | None  # of all tasks that have the thread; None: it is not known
    response: int | None = None  # as Rival has it

    @property
    def is_global(self) -> bool:
        """Whether several cores may run it."""
        return len(self.cores) > 1


@dataclass(frozen=True, slots=True)
class _Does:
    """What the kernel does: so much by the prices of one core, and so many of these."""

    steps: int = 0
    dispatches: int = 0
    priced: int = 0  # of these are in `steps`, but for what they take more than on one core
    wakes: int = 0
    calls: int = 0
    rings: int = 0


class GlobalKernel:
    """Of a system with `tasks`, and the timer interrupts of each core. Times are units of the analysis.

    `step`: what a step takes; `switch`: a switch as GlobalTask.source has it, in steps. `residue`: for how
    long a less urgent thread, or a section with interrupts off, holds a dispatch of its core off, but for the
    lock. Without `port` the kernel takes no time.
    """

    def __init__(
        self,
        tasks: Sequence[GlobalTask],
        interrupts: Sequence[tuple[int, Source]],
        port: GlobalThreads | None,
        cores: int,
        step: int,
        switch: int,
        residue: int,
    ) -> None:
        self._tasks, self._interrupts, self._residue = tasks, interrupts, residue
        none = GlobalThreads(*[0] * 10) if port is None else port
        wide = [one for one in tasks if one.is_global]
        some = len(wide) if any(len(one.cores) < cores for one in wide) else 0
        self._held, self._call_held = step * none.held(cores, some), step * none.held_by_call
        self._dispatch, self._doorbell = step * none.dispatch_steps, step * none.doorbell_steps
        self._switch, self._call = step * switch, step * none.call_steps
        self._wait = (cores - 1) * self._held
        self._chain = _rings(wide, None)
        self.span = self._span()
        """The longest time in which some core is always in the kernel; None: there is no bound of it."""

    def of(self, task: GlobalTask) -> tuple[Work, ...]:
        """What it takes from `task`: all three ways."""
        # Before the release a section with interrupts off, and a less urgent thread in a call.
        before = _Does(2 * self._residue, calls=1)
        every = self._everything(task, self._plain(before))
        if self.span is None:
            return (every,)
        waits, sections = [], []
        for arrivals, does, everywhere in self._events(task, self.span):
            waits.append(Charge(arrivals, self._whole(does)))
            sections.append(Charge(arrivals, self._plain(does) + self._sections(everywhere)))
        return (
            Work(self._whole(before), tuple(one for one in waits if one.cost)),
            Work(
                self._plain(before) + self._sections(before),
                tuple(one for one in sections if one.cost),
            ),
            every,
        )

    def share(self, core: int, parts: int) -> int:
        """Of so many parts of a core's time the most that it is in the kernel, in the long run."""
        alone = [one.share(parts) for at, one in self._interrupts if at == core]
        every = [one.share(parts) for _, one in self._interrupts]
        rung = any(one.is_global and core in one.cores for one in self._tasks)
        for task in self._tasks:
            (_, start, everywhere), (_, end, _) = self._of_job(task, 0)
            does = [_Does(rings=everywhere.rings)] if rung else []
            does += [start] if core == task.core else []
            does += [end] if core in task.cores else []
            cost = sum(self._whole(one) for one in does)
            alone.append(-(-cost * parts // task.source.period))
            cost = sum(self._plain(one) + self._sections(one) for one in (everywhere, end))
            every.append(-(-cost * parts // task.source.period))
        return min(sum(alone), sum(every))

    # What each takes

    def _whole(self, does: _Does) -> int:
        """With the longest waits for the lock, which on a core that is rung a call may have first."""
        times = does.dispatches + does.wakes + does.calls + 3 * does.rings
        more = times * self._wait + does.rings * self._call_held
        return self._plain(does) + self._sections(does) + more

    def _plain(self, does: _Does) -> int:
        """Without the lock."""
        ring = self._residue + self._doorbell + self._dispatch
        switches = (
            does.dispatches * self._dispatch - min(self._dispatch, self._switch) * does.priced
        )
        calls = does.wakes + does.calls
        return does.steps + switches + calls * self._call + does.rings * ring

    def _sections(self, does: _Does) -> int:
        """For which the lock is held. A ring has that of its handler, and of its dispatch."""
        whole = does.dispatches + does.wakes + does.rings
        return whole * self._held + (does.calls + does.rings) * self._call_held

    # What there is to do

    def _events(self, task: GlobalTask, span: int) -> Iterator[tuple[Arrivals, _Does, _Does]]:
        """At which instants, what of it keeps `task` waiting, and what all cores do then."""
        counted = self._counted(task)
        reach = task.cores.union(*(one.cores for one in counted))
        by_start, by_wake = _rings(counted, None if not task.is_global else task)
        for core, source in self._interrupts:
            if core in task.cores:
                arrivals = Arrivals(source.period, source.jitter + span)
                yield arrivals, _Does(source.cost), _Does()
        for other in self._tasks:
            above = other.level >= task.level
            released = above or other.is_global  # a thread above all others does that
            displaces = other.is_global or (above and other is not task)
            start = by_start * (displaces and not other.cores.isdisjoint(reach))
            wake = by_wake * (above and other.is_global and not other.cores.isdisjoint(reach))
            if other is task:
                wake += other.is_global  # its own claim
                other = replace(other, response=0)  # of its jobs, the end of one before this
            shown = (
                released and other.core in task.cores,
                above and not other.cores.isdisjoint(task.cores),
            )
            for (arrivals, does, everywhere), seen, rings in zip(
                self._of_job(other, span), shown, (start + wake, 0), strict=True
            ):
                kept = does if seen else _Does()
                yield arrivals, replace(kept, rings=rings), everywhere

    def _of_job(
        self, task: GlobalTask, span: int
    ) -> tuple[tuple[Arrivals, _Does, _Does], tuple[Arrivals, _Does, _Does]]:
        """Of a job when it is released, and when it runs and ends; each also with its rings on all cores."""
        source, wide = task.source, int(task.is_global)
        released = Arrivals(source.period, source.jitter + span)
        if task.response is None:
            run = Arrivals(source.period, source.jitter + span, 1)
        else:
            run = Arrivals(source.period, source.jitter + span + task.response)
        start = _Does(source.kernel if wide else 0, 1 + wide, 1 + wide, wide)
        end = _Does(0 if wide else source.kernel, 1, 1 - wide, calls=wide)
        by_start, by_wake = self._chain
        return (
            (released, start, replace(start, rings=by_start + wide * by_wake)),
            (run, end, end),
        )

    def _counted(self, task: GlobalTask) -> list[GlobalTask]:
        """The tasks with threads that may claim a core before `task` has its own: it, and those above it."""
        found = [task] if task.is_global else []
        reach = set(task.cores)
        left = [
            one
            for one in self._tasks
            if one.is_global and one.level >= task.level and one is not task
        ]
        while near := [one for one in left if one.cores & reach]:
            found += near
            reach = reach.union(*(one.cores for one in near))
            left = [one for one in left if not one.cores & reach]
        return found

    def _everything(self, own: GlobalTask | None, before: int = 0) -> Work:
        """All that the kernel does on any core, from an instant on at which no core is in it."""
        charges = [
            Charge(Arrivals(one.period, one.jitter), one.cost) for _, one in self._interrupts
        ]
        for task in self._tasks:
            # A job that was released earlier may run, and end.
            at = replace(task, response=0) if task is own else task
            for arrivals, _, everywhere in self._of_job(at, 0):
                charges.append(
                    Charge(arrivals, self._plain(everywhere) + self._sections(everywhere))
                )
        return Work(before, tuple(one for one in charges if one.cost))

    def _span(self) -> int | None:
        longest = max((task.source.period for task in self._tasks), default=1)
        return kernel_span(self._everything(None), 16 * longest)


def _rings(counted: Sequence[GlobalTask], own: GlobalTask | None) -> tuple[int, int]:
    """How many cores a release rings, and a wake, if these threads may be unplaced; `own` is the task's."""
    if not counted:
        return 0, 0
    if len(counted) == 1 and own is not None:
        return 1, 0
    affinities = {one.cores for one in counted}
    if len(affinities) == 1 and len(counted[0].cores) == 2:
        return 1, 1
    steps = 1 if len(affinities) == 1 else len(counted)
    return 2 * steps + 1, 2 * steps
