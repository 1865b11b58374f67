# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Responses of sporadic and aperiodic tasks in a run on the host port: from the activation to the job's end.

The instants at which devices interrupt are known, so what a job of theirs waits counts from there, also while
the interrupt itself waits. A task that another activates counts from the end of that one's job.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from horolog.model import Interrupt, System
from horolog.trace import Event, Trace

__all__ = ["device_instants", "device_option", "untimed_responses"]

_NS = 10**9


def _pattern(one: Interrupt, hz: int) -> tuple[int, int, int]:
    """The gap in counts, how many come so close, and within which time; 0 and 0: all do."""
    gap = ceil(one.gap * hz)
    if not one.arrivals:
        return gap, 0, 0
    (curve,) = one.arrivals
    return gap, curve.count, ceil(curve.within * hz)


def device_option(one: Interrupt, first: int, hz: int) -> list[str]:
    """Of the host port's program: a device raises the line of `one`, as often as it may, from `first` on."""
    gap, burst, within = _pattern(one, hz)
    bursts = f",{burst},{within}" if burst else ""
    return ["--device", f"{one.line},{first},{gap}{bursts}"]


def device_instants(one: Interrupt, first: int, hz: int, until_ns: int) -> list[int]:
    """When that device raises the line, in ns after t = 0, up to `until_ns`."""
    gap, burst, within = _pattern(one, hz)
    found: list[int] = []
    number = 0
    while True:
        whole, rest = divmod(number, burst) if burst else (0, number)
        ns = (first + whole * within + rest * gap) * _NS // hz
        if ns > until_ns:
            return found
        found.append(ns)
        number += 1


def untimed_responses(
    trace: Trace, system: System, raised: Mapping[int, Sequence[int]]
) -> dict[int, tuple[int, int]]:
    """Of each task that time does not release: its longest response in ns, and how many missed.

    `raised`: of each interrupt, by its number, the instants at which its device raises it. Keys are indices
    of System.all_tasks; tasks without an ended job are missing.
    """
    tasks, behind = len(system.tasks), len(system.tasks) + len(system.interrupts)
    rows = [_Row(system, at) for at in range(len(system.sporadic))]
    after: dict[int, list[_Row]] = {}
    by_handler: dict[int, list[_Row]] = {}
    for one, row in zip(system.sporadic, rows, strict=True):
        if one.interrupt is not None:
            by_handler.setdefault(one.interrupt, []).append(row)
        elif one.after is not None:
            after.setdefault(system.job(one.after), []).append(row)
    causes: dict[int, int] = {}
    begun: dict[int, int] = {}
    for ns, kind, index in trace:
        if kind == Event.START.value:
            if index >= behind:
                rows[index - behind].start()
            elif index >= tasks:
                handler = index - tasks
                causes[handler] = _cause(raised[handler], begun.get(handler), ns)
                begun[handler] = ns
        elif kind == Event.END.value:
            if index >= behind:
                rows[index - behind].end(ns)
            for row in after.get(index, ()):
                row.activate(ns)
            if tasks <= index < behind:
                for row in by_handler.get(index - tasks, ()):
                    row.activate(causes[index - tasks])
    return {
        tasks + at: (row.longest, row.misses)
        for at, row in enumerate(rows)
        if row.longest is not None
    }


def _cause(instants: Sequence[int], before: int | None, ns: int) -> int:
    """When the line was raised of which the handler begins at `ns`: first behind its begin `before`."""
    at = 0 if before is None else bisect_right(instants, before)
    return instants[at] if at < bisect_left(instants, ns + 1) else ns


class _Row:
    """The jobs of one task, in the order of the accepted activations, of which so many may be unfinished."""

    def __init__(self, system: System, at: int) -> None:
        one = system.sporadic[at]
        self._deadline: Fraction = one.task.deadline * _NS
        self._polled, self._most = one.is_polled, one.most
        self._unfinished: deque[int] = deque()
        self.longest: int | None = None
        self.misses = 0

    def start(self) -> None:
        """A job of a polling server leaves room behind it; that of a thread does when it is taken."""
        self._most += self._polled

    def activate(self, ns: int) -> None:
        """One more, if it is accepted."""
        if len(self._unfinished) < self._most:
            self._unfinished.append(ns)

    def end(self, ns: int) -> None:
        """The oldest job ends."""
        self._most -= self._polled
        if self._unfinished:
            response = ns - self._unfinished.popleft()
            self.longest = max(response, self.longest or 0)
            self.misses += response > self._deadline
