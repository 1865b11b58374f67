# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The jobs of a run: which task ran when, and how long every job took to respond.

Bodies start and end like brackets: under fixed-priority preemption without blocking, the job that
started last among the unfinished ones runs. FreeRTOS is less strict. Each time it picks a
thread it moves on to the next of that priority, so a preempted job may find an equal resumed
before it. With `nested=False` such traces are accepted: what ran up to an end is then the job that ended.
So are those of systems whose bodies may wait: the trace says which thread has the processor then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from horolog.model.errors import HorologError, TargetFailed
from horolog.model.result import Response
from horolog.model.system import Kind, System, Task
from horolog.trace.calendar import Calendar
from horolog.trace.events import Round, Trace
from horolog.trace.rounds import RoundCalendar, calendar_of

__all__ = [
    "Job",
    "Met",
    "Segment",
    "TaskResponse",
    "jobs",
    "jobs_and_met",
    "response_table",
    "responses",
    "segments",
]

_NS = 1_000_000_000
_Releases = Calendar | RoundCalendar


class Job(NamedTuple):
    """One job that was due inside the window."""

    task: int
    number: int  # of its nominal release: offset + number * period
    release_ns: Fraction  # nominal: a task with a delay is released so much later
    start_ns: int | None  # None: released, but its body never began
    end_ns: int | None  # None: unfinished when counting ended
    executed_ns: int  # while it was the running job, the interrupts that it suffered included
    deadline: Fraction  # seconds behind the nominal release


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

    __slots__ = ("before", "end_ns", "executed_ns", "nth", "pending", "start_ns", "task")

    def __init__(
        self, task: int, nth: int, start_ns: int, pending: int | None, before: _Run | None
    ) -> None:
        self.task = task
        self.nth = nth
        self.start_ns = start_ns
        self.pending = pending  # time of the release event that it answers, if there was one
        self.before = before  # the job that was running when it began
        self.end_ns: int | None = None
        self.executed_ns = 0


class Met(NamedTuple):
    """A timer interrupt that found a job running."""

    ns: int
    cell: int  # index into Board.cells
    task: int  # the task of that job
    since_ns: int | None  # when the cell interrupted before; None: never
    kernel: int | None  # what the kernel executed until the next event but releases; None: unknown


def segments(trace: Trace, system: System | None = None, *, nested: bool = True) -> list[Segment]:
    """The stretches in which each job ran, in order of time; between segments no body ran.

    `system` has the tasks of `trace`; without it none of them is a basic task beside threads.
    HorologError on bad nesting.
    """
    return _Sweep(trace, system, nested).stretches


def jobs(trace: Trace, system: System, *, nested: bool = True) -> tuple[Job, ...]:
    """The jobs of `jobs_and_met` alone."""
    return jobs_and_met(trace, system, nested=nested)[0]


def jobs_and_met(
    trace: Trace, system: System, *, nested: bool = True
) -> tuple[tuple[Job, ...], tuple[Met, ...]]:
    """The jobs that were due inside the window, ordered by task and number; and the interrupted jobs.

    With overrun "queue" a task's jobs answer its nominal releases one after the other. With "skip" a
    job answers the first release after its predecessor's end: as the trace's release events
    tell, or, where a kernel shows none, by the nominal instants. With a limit of n unfinished jobs it
    answers the next release, or the first after the end of the job n before it, if that is later.
    A due job that never began is listed too: starvation must not look clean. Where the system says
    `releases`, only the first so many jobs of each task are due. Those of dispatcher tables that the
    application controls are due in the rounds of `trace`, and are numbered over all of these; none are
    found if it has no rounds. HorologError on bad nesting.
    """
    swept = _Sweep(trace, system, nested)
    # A release is a whole number of counts and may so lie a fraction of one before its exact instant.
    slack = -(-_NS // system.board.clock.hz)
    found: list[Job] = []
    for index, task in enumerate(system.tasks):
        calendar = calendar_of(system, index, trace.rounds)
        if calendar is None:
            continue
        runs = swept.started[index]
        if task.limit == 1:
            found += _skipping(calendar, index, runs, swept.pending[index], slack)
        elif task.activations is None:
            found += _queued(calendar, index, runs)
        else:
            found += _limited(calendar, index, runs, task.activations, slack)
    return tuple(found), tuple(swept.met)


def responses(
    due: Sequence[Job], system: System, rounds: Sequence[Round] | None = None
) -> tuple[TaskResponse, ...]:
    """Response times and deadline misses of every task, in the order of `system.tasks`.

    `rounds` are those of the trace that the jobs are of.
    """
    horizon = system.duration * _NS
    by_task: list[list[Job]] = [[] for _ in system.tasks]
    for job in due:
        by_task[job.task].append(job)
        if job.end_ns is not None and job.end_ns > horizon:
            horizon = Fraction(job.end_ns)
    return tuple(
        _task_response(i, system, rows, horizon, calendar_of(system, i, rounds))
        for i, rows in enumerate(by_task)
    )


def response_table(rows: Iterable[TaskResponse], system: System) -> dict[str, Response]:
    """`rows` as a result's `response`: by name, for the tasks that finished a job."""
    return {
        system.all_tasks[row.task].name: Response(row.min_ns, row.mean_ns, row.max_ns)
        for row in rows
        if row.min_ns is not None and row.mean_ns is not None and row.max_ns is not None
    }


def _task_response(
    index: int, system: System, due: list[Job], horizon: Fraction, calendar: _Releases | None
) -> TaskResponse:
    task = system.tasks[index]
    times: list[Fraction] = []
    misses = unfinished = overruns = 0
    previous: Job | None = None
    for job in due:
        deadline = job.deadline * _NS
        if job.end_ns is None:
            unfinished += 1
            misses += job.release_ns + deadline < horizon
        else:
            times.append(job.end_ns - job.release_ns)
            misses += times[-1] > deadline
        overruns += job.number - (0 if previous is None else previous.number + 1)
        if task.limit > 1 and previous is not None and task.deadline <= task.period:
            released_ns = job.release_ns + task.delay * _NS
            overruns += previous.end_ns is None or previous.end_ns > released_ns
        previous = job
    if previous is not None and calendar is not None:
        overruns += max(0, _unanswered(task, previous, calendar) - previous.number - 1)
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


def _unanswered(task: Task, last: Job, calendar: _Releases) -> int:
    """The number of the first release behind the `last` job's that could have had a job of its own."""
    if task.limit > 1:
        return 0 if task.activations is None else calendar.count
    return (
        calendar.count if last.end_ns is None else min(calendar.count, calendar.next(last.end_ns))
    )


def _job(calendar: _Releases, task: int, number: int, run: _Run | None) -> Job:
    release, deadline = calendar.nominal(number), calendar.deadline(number)
    if run is None:
        return Job(task, number, release, None, None, 0, deadline)
    return Job(task, number, release, run.start_ns, run.end_ns, run.executed_ns, deadline)


def _queued(calendar: _Releases, task: int, runs: list[_Run]) -> list[Job]:
    """Every release is answered, in order."""
    padded = [*runs, *([None] * (calendar.most - len(runs)))]
    return [_job(calendar, task, n, run) for n, run in enumerate(padded[: calendar.most])]


def _skipping(
    calendar: _Releases, task: int, runs: list[_Run], pending: int | None, slack: int
) -> list[Job]:
    """A release that finds the previous job unfinished is not answered."""
    found: list[Job] = []
    number = -1
    free_from = None  # when the previous job ended; None: there was none, so nothing is skipped
    for run in runs:
        number = _answered(calendar, number, free_from, run.start_ns, run.pending, slack)
        if number >= calendar.count or len(found) == calendar.most:
            return found
        found.append(_job(calendar, task, number, run))
        if run.end_ns is None:
            return found
        free_from = run.end_ns
    if pending is not None:
        number = max(number + 1, calendar.latest(pending + slack))
    else:
        number = max(number + 1, 0 if free_from is None else calendar.next(free_from))
    if number < calendar.count and len(found) < calendar.most:
        found.append(_job(calendar, task, number, None))
    return found


def _limited(calendar: _Releases, task: int, runs: list[_Run], limit: int, slack: int) -> list[Job]:
    """A release that finds `limit` jobs unfinished is not answered."""
    found: list[Job] = []
    number = -1
    while len(found) < calendar.most:
        nth = len(found)
        run = runs[nth] if nth < len(runs) else None
        free_from = None
        if nth >= limit:
            before = runs[nth - limit] if nth - limit < len(runs) else None
            if before is None or before.end_ns is None:
                break
            free_from = before.end_ns
        if run is not None:
            number = _answered(calendar, number, free_from, run.start_ns, None, slack)
        else:
            number = max(number + 1, 0 if free_from is None else calendar.next(free_from))
        if number >= calendar.count:
            break
        found.append(_job(calendar, task, number, run))
    return found


def _answered(
    calendar: _Releases,
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


class _Sweep:
    """One pass over a trace: started jobs, the time of an unanswered release by task, and the rest."""

    def __init__(self, trace: Trace, system: System | None, nested: bool) -> None:
        if system is None:
            tasks = 1 + max(
                (i for kind, i in zip(trace.kinds, trace.indices, strict=True) if kind in "RSED"),
                default=-1,
            )
            self._basic = [False] * tasks
        else:
            # Another kernel runs all tasks as threads, and tells so by its switches.
            self._basic = [nested and task.kind is not Kind.THREAD for task in system.tasks]
        # Jobs end in the order in which they nest: all, but where bodies may wait only those of basic
        # tasks that a controller dispatches.
        waits = system is not None and system.uses_services
        nests = system is not None and system.board.controller is not None
        self._nests = [nested and (not waits or (basic and nests)) for basic in self._basic]
        tasks = len(self._basic)
        self.started: list[list[_Run]] = [[] for _ in range(tasks)]
        self.pending: list[int | None] = [None] * tasks  # first since the last job began or ended
        self.stretches: list[Segment] = []
        self.met: list[Met] = []
        self._unfinished: list[_Run | None] = [None] * tasks
        self._stack: list[_Run] = []
        self._current: _Run | None = None  # the running job
        self._dispatched = False  # the trace says which task has the processor
        self._met = False  # whether the last interrupt did
        self._since = 0
        self._interrupts: dict[int, int] = {}  # when each cell interrupted last
        # An unfinished job ran on after the last event; how long is not known, so it is not counted.
        for ns, kind, index in trace:
            if kind == "I":
                self._interrupt(ns, index)
            elif kind == "K":
                if self._met:
                    self.met[-1] = self.met[-1]._replace(kernel=index)
            elif kind == "N":
                self._charge(ns)
                self._current, self._dispatched = None, True
            elif index >= tasks:
                raise _bad(ns, f"task {index} of a system of {tasks} tasks")
            elif kind == "R":
                if self._unfinished[index] is None and self.pending[index] is None:
                    self.pending[index] = ns
            elif kind == "D":
                self._charge(ns)
                self._current, self._dispatched = self._unfinished[index], True
            elif kind == "S":
                self._start(ns, index)
            else:
                self._end(ns, index)

    def _interrupt(self, ns: int, cell: int) -> None:
        self._met = self._current is not None
        if self._current is not None:
            self.met.append(Met(ns, cell, self._current.task, self._interrupts.get(cell), None))
        self._interrupts[cell] = ns

    def _start(self, ns: int, task: int) -> None:
        if self._unfinished[task] is not None:
            raise _bad(ns, f"task {task} starts a job while its previous one is unfinished")
        self._charge(ns)
        run = _Run(task, len(self.started[task]), ns, self.pending[task], self._current)
        self.pending[task] = None
        self._unfinished[task] = run
        self.started[task].append(run)
        self._stack.append(run)
        self._current = run

    def _end(self, ns: int, task: int) -> None:
        run, stack = self._unfinished[task], self._stack
        if run is None:
            raise _bad(ns, f"task {task} ends a job that never started")
        if run is not stack[-1] and self._nests[task]:
            raise _bad(
                ns,
                f"task {task} ends a job while task {stack[-1].task}, begun later, is unfinished",
            )
        if run is stack[-1]:
            stack.pop()
        else:
            stack.remove(run)
        run.end_ns = ns
        self._unfinished[task] = None
        self._current = run
        self._charge(ns)
        if self._basic[task]:
            self._current = run.before
        elif self._dispatched:
            self._current = None  # until the next dispatch tells
        else:
            self._current = stack[-1] if stack else None

    def _charge(self, ns: int) -> None:
        """Count the time until `ns` as execution of the job that has been running."""
        run = self._current
        if run is not None and ns > self._since:
            run.executed_ns += ns - self._since
            self.stretches.append(Segment(run.task, self._since, ns, run.nth))
        self._since = ns


def _bad(ns: int, found: str) -> HorologError:
    return TargetFailed(
        f"the target's trace contradicts itself at {ns} ns",
        found=found,
        expected="jobs that start and end like brackets",
    )
