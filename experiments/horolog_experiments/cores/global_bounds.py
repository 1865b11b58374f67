# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of the response times in global schedules, where switches cost nothing: the tool's own analysis."""

from __future__ import annotations

from collections.abc import Sequence

from horolog.schedulability import Rival, affinity_bound
from horolog_experiments.cores.task_sets import PeriodicTask

__all__ = ["response_bounds"]


def response_bounds(tasks: Sequence[PeriodicTask], cores: int) -> list[int]:
    """In cycles, from the most urgent task on, up to the first that is not proved.

    Any offsets; deadlines are the periods.
    """
    bounds: list[int] = []
    rivals: list[Rival] = []
    every = frozenset(range(cores))
    for task in tasks:
        found = affinity_bound(task.work, range(cores), rivals, most=task.period)
        if found is None:
            break
        bounds.append(found.response)
        rivals.append(Rival(every, task.period, task.work, response=found.response))
    return bounds
