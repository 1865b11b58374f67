# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Responses of sporadic and aperiodic tasks: from the event that activates one to the end of its job.

The event is the end of a job of the activating task, or the begin of the handler of the activating interrupt
where the trace has handlers; what the processor needs to enter the handler is not in it. If a basic
task may interrupt the handler, the event is the handler's end, where the task is activated. An activation by
the application is not seen from outside. Those by a schedule table are not either: its points are the events,
where their instants are known before the run.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from horolog.analyse import activation_counts, may_preempt, window_counts
from horolog.model.schedule_tables import ScheduleTable
from horolog.model.system import System
from horolog.trace.events import Event, Trace
from horolog.trace.jobs import TaskResponse

__all__ = ["activated_responses", "are_seen"]

_NS = 1_000_000_000
_EARLY_COUNTS = 3  # a cell may interrupt two before its instant, and that is rounded down


def are_seen(system: System) -> list[bool]:
    """For each sporadic task, whether a trace of `system` shows what activates it."""
    handlers = not system.board.port.is_process  # of which the host port tells nothing
    return [
        one.after is not None
        or (one.interrupt is not None and handlers)
        or _known_table(system, at) is not None
        for at, one in enumerate(system.sporadic)
    ]


def _known_table(system: System, sporadic: int) -> ScheduleTable | None:
    """The table that alone activates a task, an index of System.sporadic, at instants that are known."""
    tables = system.schedules_of(sporadic)
    return tables[0] if len(tables) == 1 and tables[0].is_known else None


def _expiries(system: System, opens_ns: int) -> list[tuple[int, int]]:
    """The nominal instants of activations by tables in the window, each with its task's index.

    In ns behind `opens_ns`; what comes before is not seen.
    """
    hz, end = system.board.clock.hz, window_counts(system)
    found = []
    for at in range(len(system.sporadic)):
        table = _known_table(system, at)
        if table is not None:
            instants = (c * _NS // hz - opens_ns for c in activation_counts(table, at, end))
            found += [(ns, at) for ns in instants if ns >= 0]
    return sorted(found)


def activated_responses(
    trace: Trace, system: System, opens_ns: int = 0
) -> tuple[TaskResponse, ...]:
    """A row for each sporadic task that are_seen() names; `task` is an index of System.all_tasks.

    `trace` is of Horolog and has handlers and sporadic tasks as jobs behind the tasks (measure/probe.py); its
    time begins `opens_ns` after t = 0.
    """
    tasks, behind = len(system.tasks), len(system.tasks) + len(system.interrupts)
    rows = [_Row(system, tasks + at) for at in range(len(system.sporadic))]
    of_event: dict[tuple[str, int], list[_Row]] = {}
    for at, (one, seen) in enumerate(zip(system.sporadic, are_seen(system), strict=True)):
        if not seen or _known_table(system, at) is not None:
            continue
        if one.interrupt is not None:
            ends = may_preempt(system, tasks + at, system.interrupts[one.interrupt])
            key = ((Event.END if ends else Event.START).value, tasks + one.interrupt)
        else:
            assert one.after is not None
            key = (Event.END.value, system.job(one.after))
        of_event.setdefault(key, []).append(rows[at])
    expiries = deque(_expiries(system, opens_ns))
    early = -(-_EARLY_COUNTS * _NS // system.board.clock.hz)
    for ns, kind, index in trace:
        while expiries and expiries[0][0] - early <= ns:
            at_ns, at = expiries.popleft()
            rows[at].activate(at_ns)
        if kind == Event.END.value and index >= behind:
            rows[index - behind].end(ns)
        elif kind == Event.START.value and index >= behind:
            rows[index - behind].start()
        for row in of_event.get((kind, index), ()):
            row.activate(ns)
    return tuple(
        row.response(trace.end_ns) for row, seen in zip(rows, are_seen(system), strict=True) if seen
    )


class _Row:
    """The jobs of one such task, as the kernel has them: in order, and no more than may be unfinished."""

    def __init__(self, system: System, task: int) -> None:
        of = system.sporadic[task - len(system.tasks)]
        self._task = task
        self._deadline = of.task.deadline * _NS
        # One more than may wait: the thread has taken the first. A polling server runs it at once.
        self._is_polled = of.is_polled
        self._most = of.most
        self._unfinished: deque[int] = deque()  # when each was activated
        self._times: list[int] = []
        self._lost = 0

    def start(self) -> None:
        """A job runs, and has left room behind it."""
        self._most += self._is_polled

    def activate(self, ns: int) -> None:
        if len(self._unfinished) < self._most:
            self._unfinished.append(ns)
        else:
            self._lost += 1

    def end(self, ns: int) -> None:
        """The end of its oldest job; an activation by the application besides is not known."""
        self._most -= self._is_polled
        if self._unfinished:
            self._times.append(ns - self._unfinished.popleft())

    def response(self, end_ns: int) -> TaskResponse:
        times = self._times
        late = sum(time > self._deadline for time in times)
        late += sum(ns + self._deadline < end_ns for ns in self._unfinished)
        return TaskResponse(
            task=self._task,
            jobs=len(times) + len(self._unfinished),
            unfinished=len(self._unfinished),
            misses=late,
            overruns=self._lost,
            min_ns=Fraction(min(times)) if times else None,
            mean_ns=Fraction(sum(times), len(times)) if times else None,
            max_ns=Fraction(max(times)) if times else None,
        )
