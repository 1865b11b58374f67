# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The deadlines of a dispatcher table that the kernel monitors, in counts of the board's clock."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from horolog.analyse.releases import count_instant
from horolog.model import DispatcherTable, Monitoring

__all__ = ["LONGEST_MONITORED", "MonitoredDeadline", "monitored_deadlines"]

LONGEST_MONITORED = (1 << 29) - 1
"""How many counts a round with monitored deadlines may last: the kernel compares instants of two rounds."""


@dataclass(frozen=True, slots=True)
class MonitoredDeadline:
    """A deadline of a round. Instants are counts after t = 0, of the first round."""

    task: int  # an index of System.tasks
    point: int  # at which its job is released
    due: int  # at which the kernel looks whether the job has ended


def monitored_deadlines(table: DispatcherTable, hz: int) -> tuple[MonitoredDeadline, ...]:
    """Returns the deadlines of a table whose round is a whole number of counts.

    They are in the order of their instants within a round, so by `due` modulo the round. Points without
    a deadline have none.
    """
    counts = count_instant(table.round, hz)
    found = [
        MonitoredDeadline(
            point.task,
            count_instant(point.offset, hz),
            ceil(_looked_at(table, point.offset + point.deadline) * hz),
        )
        for point in table.points
        if point.deadline is not None
    ]
    return tuple(sorted(found, key=lambda one: one.due % counts))


def _looked_at(table: DispatcherTable, deadline: Fraction) -> Fraction:
    """Returns when the kernel looks for a deadline, which is an instant after the start of a round."""
    if table.monitoring is not Monitoring.NON_STRINGENT:
        return deadline
    begin = deadline // table.round * table.round
    later = (begin + point.offset for point in table.points if begin + point.offset >= deadline)
    of_round = deadline if deadline == begin else begin + table.round
    return min([*later, of_round])
