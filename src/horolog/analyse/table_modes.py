# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A system with dispatcher tables, as it is while one of its modes runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from horolog.model import (
    DispatcherTable,
    Monitoring,
    Synchronisation,
    System,
    TablePoint,
    TaskPoint,
)

__all__ = ["in_mode", "in_shortest_rounds", "tabled_tasks"]


def tabled_tasks(system: System) -> tuple[int, ...]:
    """The tasks of all dispatcher tables: indices of System.tasks."""
    return tuple(at for at, task in enumerate(system.tasks) if task.table_level is not None)


def in_mode(system: System, table: DispatcherTable) -> System:
    """`system` if `table`, one of its own, is the only one: the tasks of no other have points."""
    tasks = list(system.tasks)
    for index in tabled_tasks(system):
        own = [point for point in table.points if point.task == index]
        if not own:
            tasks[index] = replace(tasks[index], points=(), dormant=True)
            continue
        points = tuple(_points(own, table.round))
        tasks[index] = replace(
            tasks[index],
            period=table.round,
            offset=points[0].offset,
            deadline=min(point.deadline for point in points),
            points=points,
            dormant=False,
        )
    return replace(system, tasks=tuple(tasks), tables=(table,))


def in_shortest_rounds(table: DispatcherTable, sync: Synchronisation | None) -> DispatcherTable:
    """`table` with rounds as short as a global time may make them.

    They end the maximum advance sooner, but not before the last deadline (kernel/table/dispatcher_round.c).
    Points that come again after the shortest rounds ask for more, in any time, than in rounds that vary.
    """
    if sync is None or table.monitoring is Monitoring.NON_STRINGENT:
        return table
    ends = [
        table.round if point.deadline is None else point.offset + point.deadline
        for point in table.points
    ]
    return replace(table, round=table.round - min(sync.maximum_advance, table.round - max(ends)))


def _points(own: Sequence[TablePoint], of_round: Fraction) -> list[TaskPoint]:
    """Without a deadline a job has to end by the task's next point, and by the end of the round."""
    offsets = [point.offset for point in own]
    gaps = [after - at for at, after in pairwise((*offsets, offsets[0] + of_round))]
    return [
        TaskPoint(point.offset, point.deadline or min(gap, of_round - point.offset))
        for point, gap in zip(own, gaps, strict=True)
    ]
