# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How often a release disturbed a job that it did not concern: SLOTH ON TIME, Figure 7."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from horolog.model.result import Interruptions
from horolog.model.system import System
from horolog.trace.calendar import Calendar
from horolog.trace.events import Round
from horolog.trace.jobs import Met
from horolog.trace.rounds import RoundCalendar, calendar_of

__all__ = ["interruptions"]

# An interrupt may come so much before its nominal instant, as t = 0 is one's entry.
_EARLY_COUNTS = 5
_EARLY_NS = 500  # or so much, on a fast clock


def interruptions(
    met: Iterable[Met],
    system: System,
    urgency: Sequence[int],
    released: Mapping[int, Sequence[int]],
    rounds: Sequence[Round] | None = None,
) -> Interruptions:
    """The interrupts among `met` that released only tasks of a lower priority than the running job.

    In full: an interruption is an entry of a release handler (a timer cell's) while a job of higher
    priority than every task released at it is open and running. Priorities are `urgency`, by task, larger
    is higher. `released`: by cell, the tasks that its handler releases; other cells' handlers, such as that
    of time-outs, are no release handlers. A task is released at an interrupt if one of its nominal releases
    lies after the cell's previous interrupt, and not after this one; so one interrupt for two instants
    (coalesced) releases at both, and one that releases no task interrupts any job that runs. A job is
    running if it has the processor, or lost it only to interrupts and to jobs that preempted it. The
    length of an interruption is what the kernel executed from the entry until the next event that is no
    release, if the trace says so. `rounds` are those in which controlled tables release their tasks.
    """
    early = max(_EARLY_NS, -(-_EARLY_COUNTS * 1_000_000_000 // system.board.clock.hz))
    calendars = {
        cell: _calendars(system, urgency, tasks, rounds) for cell, tasks in released.items()
    }
    found, kernel, counted = 0, 0, True
    for one in met:
        if one.cell not in calendars or _concerns(
            calendars[one.cell],
            urgency[one.task],
            None if one.since_ns is None else one.since_ns + early,
            one.ns + early,
        ):
            continue
        found += 1
        counted = counted and one.kernel is not None
        kernel += one.kernel or 0
    return Interruptions(found, kernel if counted else None)


def _calendars(
    system: System, urgency: Sequence[int], tasks: Sequence[int], rounds: Sequence[Round] | None
) -> list[tuple[int, Calendar | RoundCalendar]]:
    """Urgency and releases of `tasks`, of those with the same releases the most urgent, it first."""
    most: dict[tuple[object, ...], int] = {}
    for index in tasks:
        controlled = system.control is not None and system.tasks[index].table_level is not None
        key = (
            system.tasks[index].period,
            system.tasks[index].offsets,
            index if controlled else None,
        )
        if key not in most or urgency[index] > urgency[most[key]]:
            most[key] = index
    order = sorted(most.values(), key=lambda index: -urgency[index])
    found = ((urgency[index], calendar_of(system, index, rounds)) for index in order)
    return [(level, calendar) for level, calendar in found if calendar is not None]


def _concerns(
    calendars: Sequence[tuple[int, Calendar | RoundCalendar]],
    running: int,
    after: int | None,
    until: int,
) -> bool:
    """Whether a task of at least the priority `running` is released after `after`, and not after `until`."""
    for urgency, calendar in calendars:
        if urgency < running:
            return False
        latest = min(calendar.latest(until), calendar.most - 1)
        if latest >= 0 and (after is None or calendar.is_after(latest, after)):
            return True
    return False
