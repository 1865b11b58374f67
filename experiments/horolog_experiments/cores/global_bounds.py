# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A sufficient test of global schedules by fixed priorities, in whole cycles, without overhead.

Bertogna and Cirinei, "Response-Time Analysis for Globally Scheduled Symmetric Multiprocessor Platforms"
(2007), section 5: while a job is ready and does not run, all cores run more urgent tasks, so it waits for at
most what each of these may execute in that time, divided by the number of cores.
"""

from __future__ import annotations

from collections.abc import Sequence

from horolog_experiments.cores.task_sets import PeriodicTask

__all__ = ["response_bounds"]


def response_bounds(tasks: Sequence[PeriodicTask], cores: int) -> list[int]:
    """Bounds of the response times, from the most urgent task on, up to the first that is not proved.

    Any offsets; deadlines are the periods.
    """
    bounds: list[int] = []
    for at in range(len(tasks)):
        bound = _bound(tasks[: at + 1], bounds, cores)
        if bound is None:
            break
        bounds.append(bound)
    return bounds


def _bound(tasks: Sequence[PeriodicTask], bounds: Sequence[int], cores: int) -> int | None:
    """Of the last task, where those of all others are known; None if it is not within the period."""
    *others, own = tasks
    bound = own.work
    while bound <= own.period:
        most = bound - own.work + 1  # more of one task than that delays it on no core
        of_others = sum(
            min(_workload(one, known, bound), most)
            for one, known in zip(others, bounds, strict=True)
        )
        found = own.work + of_others // cores
        if found == bound:
            return bound
        bound = found
    return None


def _workload(task: PeriodicTask, response: int, span: int) -> int:
    """What a task may execute in `span` at most: its first job there late, and the next early."""
    reach = span + response - task.work
    return reach // task.period * task.work + min(task.work, reach % task.period)
