# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When the expiry points of schedule tables come, as far as that is known before they run."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from horolog.analyse.releases import (
    Stream,
    count_release_instants,
    cycle_counts,
    periodic_count,
    settled_counts,
    window_counts,
)
from horolog.model import ScheduleTable, System

__all__ = ["activation_counts", "expiry_from", "expiry_interrupts", "first_expiry"]


def first_expiry(system: System) -> int | None:
    """The stamp of the first point of all tables that start with the kernel; None: there is none."""
    known = [table.first for table in system.clock_schedules if table.first is not None]
    return system.board.start_counts + min(known) if known else None


def activation_counts(table: ScheduleTable, task: int, end: int) -> Iterator[int]:
    """When a table that is_known activates a task, an index of System.sporadic.

    In counts after t = 0, below `end`.
    """
    assert table.autostart is not None
    start = table.autostart.steps
    offsets = table.offsets(task)
    while start < end:
        for offset in offsets:
            if start + offset < end:
                yield start + offset
        if not table.is_repeating:
            return
        start += table.duration


def expiry_from(system: System, start: int) -> int:
    """The first instant at or after `start` of a point, or an end, of the tables that start with the kernel.

    A second behind `start` if there is none until then.
    """
    found = [start + system.board.clock.hz]
    for table in system.clock_schedules:
        if table.first is None or table.autostart is None:
            continue
        for offset in (*(point.offset for point in table.points), table.duration):
            at = table.autostart.steps + offset
            if at < start and table.is_repeating:
                at += -(-(start - at) // table.duration) * table.duration
            if at >= start:
                found.append(at)
    return min(found)


def expiry_interrupts(system: System) -> int:
    """How many interrupts of the time-outs' cell in the window are for tables that start with the kernel.

    At their points, and at the ends of rounds, if the application lets them run.
    """
    hz, end = system.board.clock.hz, window_counts(system)
    of, once = [], set[int]()
    for table in system.clock_schedules:
        if table.first is None or table.autostart is None:
            continue
        instants = [table.autostart.steps + point.offset for point in table.points]
        instants.append(table.autostart.steps + table.duration)
        if table.is_repeating:
            period = Fraction(table.duration, hz)
            of += [Stream(period, Fraction(at, hz), ()) for at in instants]
        else:
            once.update(at for at in instants if at < end)
    if not of:
        return len(once)

    def count(low: int, high: int) -> int:
        return count_release_instants(of, hz, low, high)

    apart = sum(count(at, at + 1) == 0 for at in once)
    return apart + periodic_count(count, settled_counts(of, hz), cycle_counts(of, hz), end)
