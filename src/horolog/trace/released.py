# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which tasks the kernel released: seen from outside are the threads that it woke.

A thread that runs several tasks is seen as its first one. A thread with a period longer than HOP_COUNTS wakes
at hops, too, at which none of its jobs is released.
"""

from __future__ import annotations

from collections.abc import Iterator

from horolog.analyse import HOP_COUNTS, count_instant, shared_threads, window_seconds
from horolog.model import System
from horolog.trace.calendar import Calendar
from horolog.trace.events import Event, Trace

__all__ = ["all_released"]

_NS = 1_000_000_000


def all_released(trace: Trace, system: System) -> Trace:
    """`trace` with the releases of tasks where it has the wakes of threads."""
    long = _long_periods(system)
    if long:
        trace = Trace.of(_without_hops(trace, long, system.board.clock.hz))
    others = {tasks[0]: tasks[1:] for tasks in shared_threads(system)}
    return Trace.of(_of_each_task(trace, others)) if others else trace


def _long_periods(system: System) -> dict[int, Calendar]:
    """The releases of the tasks with hops in their period."""
    hz, window = system.board.clock.hz, window_seconds(system)
    return {
        index: Calendar(task, window, system.releases)
        for index, task in enumerate(system.tasks)
        if count_instant(task.period, hz) > HOP_COUNTS
    }


def _without_hops(
    trace: Trace, long: dict[int, Calendar], hz: int
) -> Iterator[tuple[int, str, int]]:
    """A wake is a hop's if the release before it is as long ago, to the count: none is handled so late."""
    release = Event.RELEASE.value
    hop_ns = (HOP_COUNTS - 1) * _NS // hz
    count_ns = -(-_NS // hz)  # a release may be early by less than this
    for ns, kind, index in trace:
        if kind == release and index in long:
            calendar = long[index]
            if ns - calendar.release(calendar.latest(ns + count_ns)) >= hop_ns:
                continue
        yield ns, kind, index


def _of_each_task(
    trace: Trace, others: dict[int, tuple[int, ...]]
) -> Iterator[tuple[int, str, int]]:
    release = Event.RELEASE.value
    for ns, kind, index in trace:
        yield ns, kind, index
        if kind == release:
            for task in others.get(index, ()):
                yield ns, kind, task
