# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When the expiry points of schedule tables come, as far as that is known before they run."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.model import ScheduleTable, System

__all__ = ["activation_counts", "first_expiry"]


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
