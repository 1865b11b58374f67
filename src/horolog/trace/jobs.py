# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which jobs a run consisted of, who ran when, and how long every job took to respond.

Bodies start and end like brackets: under fixed-priority preemption without blocking, the job that
started last among the unfinished ones runs. FreeRTOS is less strict. Each time it picks a
thread it moves on to the next of that priority, so a preempted job may find an equal resumed
before it. With `nested=False` such traces are accepted: what ran up to an end is then the job that ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from horolog.model.errors import Exit, HorologError
from horolog.model.result import Response
from horolog.model.system import Overrun, System, Task
from horolog.trace.events import Trace

__all__ = [
    "Job",
    "Segment",
    "TaskResponse",
    "jobs",
    "release_count",
    "response_table",
    "responses",
    "segments",
]

_NS = 1_000_000_000


class Job(NamedTuple):
    """One job that was due inside the window."""

    task: int
    number: int  # of its nominal release: offset + number * period
    release_ns: Fraction
    start_ns: int | None  # None: released, but its body never began
    end_ns: int | None  # None: unfinished when counting ended
    executed_ns: int  # while it was the running job, the interrupts that it suffered included


class Segment(NamedTuple):
    """A stretch of time for which one job was the running one."""

    task: int
    start_ns: int
    end_ns: int
    nth: int  # which of its task's started jobs, from 0


@dataclass(frozen=True, slots=True)
class TaskResponse:
    """One task's jobs in the window. The times are None if none of them finished."""

    task: int
    jobs: int
    unfinished: int
    misses: int  # ended after the deadline, or unfinished with the deadline past
    overruns: int  # releases that found the previous job unfinished
    min_ns: Fraction | None
    mean_ns: Fraction | None
    max_ns: Fraction | None


class _Run:
    """A started job while the trace is being swept."""

    __slots__ = ("end_ns", "executed_ns", "nth", "pending", "start_ns", "task")

    def __init__(self, task: int, nth: int, start_ns: int, pending: int | None) -> None:
        self.task = task
        self.nth = nth
        self.start_ns = start_ns
        self.pending = pending  # time of the release event that it answers, if there was one
        self.end_ns: int | None = None
        self.executed_ns = 0


def segments(trace: Trace, *, nested: bool = True) -> list[Segment]:
    """Who ran when, in order of time; between segments no body ran. HorologError on bad nesting."""
    _, _, stretches = _sweep(trace, nested)
    return stretches


def jobs(trace: Trace, system: System, *, nested: bool = True) -> tuple[Job, ...]:
    """The jobs that were due inside [0, duration), ordered by task and number.

    With overrun "queue" a task's jobs answer its nominal releases one after the other. With "skip" a
    job answers the first release after its predecessor's end: as the trace's release events
    tell, or, where a kernel shows none, by the nominal instants. A due job that never began is listed too:
    starvation must not look clean. Where the system says `releases`, only the first so many jobs of
    each task are due. HorologError on bad nesting.
    """
    runs_by_task, pending_by_task, _ = _sweep(trace, nested, len(system.tasks))
    # A release is a whole number of counts and may so lie a fraction of one before its exact instant.
    slack = -(-_NS // system.board.clock.hz)
    found: list[Job] = []
    for index, task in enumerate(system.tasks):
        calendar = _Calendar(task, system.duration, system.releases)
        number_of = _queued if task.overrun is Overrun.QUEUE else _skipping
        found += number_of(calendar, index, runs_by_task[index], pending_by_task[index], slack)
    return tuple(found)


def release_count(task: Task, duration: Fraction) -> int:
    """How many of `task`'s nominal releases lie inside [0, duration)."""
    return max(0, -((task.offset - duration) // task.period))


def responses(due: Sequence[Job], system: System) -> tuple[TaskResponse, ...]:
    """Response times and deadline misses of every task, in the order of `system.tasks`."""
    horizon = system.duration * _NS
    by_task: list[list[Job]] = [[] for _ in system.tasks]
    for job in due:
        by_task[job.task].append(job)
        if job.end_ns is not None and job.end_ns > horizon:
            horizon = Fraction(job.end_ns)
    return tuple(_task_response(i, system, rows, horizon) for i, rows in enumerate(by_task))


def response_table(rows: Iterable[TaskResponse], system: System) -> dict[str, Response]:
    """`rows` as a result's `response`: by name, for the tasks that finished a job."""
    return {
        system.tasks[row.task].name: Response(row.min_ns, row.mean_ns, row.max_ns)
        for row in rows
        if row.min_ns is not None and row.mean_ns is not None and row.max_ns is not None
    }


def _task_response(index: int, system: System, due: list[Job], horizon: Fraction) -> TaskResponse:
    task = system.tasks[index]
    deadline = task.deadline * _NS
    times: list[Fraction] = []
    misses = unfinished = overruns = 0
    previous: Job | None = None
    for job in due:
        if job.end_ns is None:
            unfinished += 1
            misses += job.release_ns + deadline < horizon
        else:
            times.append(job.end_ns - job.release_ns)
            misses += times[-1] > deadline
        if task.overrun is Overrun.SKIP:
            overruns += job.number - (0 if previous is None else previous.number + 1)
        elif previous is not None:
            overruns += previous.end_ns is None or previous.end_ns > job.release_ns
        previous = job
    if task.overrun is Overrun.SKIP and previous is not None:
        # What fell into the last job's run; a later release would have made a job of its own.
        calendar = _Calendar(task, system.duration, system.releases)
        ended = previous.end_ns
        first_free = calendar.count if ended is None else min(calendar.count, calendar.next(ended))
        overruns += max(0, first_free - previous.number - 1)
    return TaskResponse(
        task=index,
        jobs=len(due),
        unfinished=unfinished,
        misses=misses,
        overruns=overruns,
        min_ns=min(times) if times else None,
        mean_ns=sum(times, Fraction(0)) / len(times) if times else None,
        max_ns=max(times) if times else None,
    )


class _Calendar:
    """A task's nominal releases in nanoseconds, as integers over one denominator."""

    def __init__(self, task: Task, duration: Fraction, releases: int | None) -> None:
        offset, period = task.offset * _NS, task.period * _NS
        self.scale = offset.denominator * period.denominator
        self.offset = int(offset * self.scale)
        self.period = int(period * self.scale)
        self.count = release_count(task, duration)
        self.most = self.count if releases is None else min(self.count, releases)  # jobs

    def release(self, number: int) -> Fraction:
        return Fraction(self.offset + number * self.period, self.scale)

    def latest(self, ns: int) -> int:
        """Number of the last release at or before `ns`; negative if there is none."""
        return (ns * self.scale - self.offset) // self.period

    def next(self, ns: int) -> int:
        """Number of the first release at or after `ns`."""
        return max(0, -((self.offset - ns * self.scale) // self.period))

    def job(self, task: int, number: int, run: _Run | None) -> Job:
        if run is None:
            return Job(task, number, self.release(number), None, None, 0)
        release = self.release(number)
        return Job(task, number, release, run.start_ns, run.end_ns, run.executed_ns)


def _queued(
    calendar: _Calendar, task: int, runs: list[_Run], pending: int | None, slack: int
) -> list[Job]:
    """Every release is answered, in order."""
    padded = [*runs, *([None] * (calendar.most - len(runs)))]
    return [calendar.job(task, n, run) for n, run in enumerate(padded[: calendar.most])]


def _skipping(
    calendar: _Calendar, task: int, runs: list[_Run], pending: int | None, slack: int
) -> list[Job]:
    """A release that finds the previous job unfinished is not answered."""
    found: list[Job] = []
    number = -1
    free_from = None  # when the previous job ended; None: there was none, so nothing is skipped
    for run in runs:
        number = _answered(calendar, number, free_from, run.start_ns, run.pending, slack)
        if number >= calendar.count or len(found) == calendar.most:
            return found
        found.append(calendar.job(task, number, run))
        if run.end_ns is None:
            return found
        free_from = run.end_ns
    if pending is not None:
        number = max(number + 1, calendar.latest(pending + slack))
    else:
        number = max(number + 1, 0 if free_from is None else calendar.next(free_from))
    if number < calendar.count and len(found) < calendar.most:
        found.append(calendar.job(task, number, None))
    return found


def _answered(
    calendar: _Calendar,
    previous: int,
    free_from: int | None,
    start: int,
    pending: int | None,
    slack: int,
) -> int:
    """The number of the release that a job starting at `start` answers."""
    if pending is not None:
        return max(previous + 1, calendar.latest(pending + slack))
    first = max(previous + 1, 0 if free_from is None else calendar.next(free_from))
    # A release that fell just before the end may have been handled just after it.
    return first if first <= calendar.latest(start + slack) else max(previous + 1, first - 1)


def _sweep(
    trace: Trace, nested: bool, tasks: int = 0
) -> tuple[list[list[_Run]], list[int | None], list[Segment]]:
    """Started jobs by task, the time of an unanswered release by task, and the segments."""
    if tasks == 0:
        tasks = 1 + max(
            (i for kind, i in zip(trace.kinds, trace.indices, strict=True) if kind != "I"),
            default=-1,
        )
    started: list[list[_Run]] = [[] for _ in range(tasks)]
    pending: list[int | None] = [None] * tasks  # first release since the last job began or ended
    unfinished: list[_Run | None] = [None] * tasks
    stack: list[_Run] = []
    stretches: list[Segment] = []
    since = 0
    current: _Run | None = None  # by the dispatches, where the trace has them
    dispatched = False
    for ns, kind, index in trace:
        if kind == "I":
            continue
        if index >= tasks:
            raise _bad(ns, f"task {index} of a system of {tasks} tasks")
        run = unfinished[index]
        if kind == "D":
            _charge(current, since, ns, stretches)
            since, current, dispatched = ns, run, True
            continue
        if kind == "R":
            if run is None and pending[index] is None:
                pending[index] = ns
            continue
        if kind == "S":
            if run is not None:
                raise _bad(ns, f"task {index} starts a job while its previous one is unfinished")
            running = current if dispatched else stack[-1] if stack else None
            run = _Run(index, len(started[index]), ns, pending[index])
            pending[index] = None
            unfinished[index] = run
            started[index].append(run)
            stack.append(run)
            current = run
        else:
            if run is None:
                raise _bad(ns, f"task {index} ends a job that never started")
            if run is not stack[-1]:
                if nested:
                    raise _bad(
                        ns,
                        f"task {index} ends a job while task {stack[-1].task}, begun later, is unfinished",
                    )
                stack.remove(run)
            else:
                stack.pop()
            run.end_ns = ns
            unfinished[index] = None
            running = run
            current = None
        _charge(running, since, ns, stretches)
        since = ns
    # An unfinished job ran on after the last event; how long is not known, so it is not counted.
    return started, pending, stretches


def _charge(run: _Run | None, since: int, ns: int, stretches: list[Segment]) -> None:
    if run is not None and ns > since:
        run.executed_ns += ns - since
        stretches.append(Segment(run.task, since, ns, run.nth))


def _bad(ns: int, found: str) -> HorologError:
    return HorologError(
        f"the target's trace contradicts itself at {ns} ns",
        found=found,
        expected="jobs that start and end like brackets",
        exit=Exit.TARGET_FAILED,
    )
