# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Priority levels: which of the board's levels each task runs at."""

from __future__ import annotations

from fractions import Fraction

from horolog.analyse.remember import remembered
from horolog.model import HorologError, PriorityRule, System, Task

__all__ = ["levels"]


@remembered
def levels(system: System) -> tuple[int, ...]:
    """The level of each task, 1 to `board.levels`; larger is more urgent.

    Tasks are ranked by period (rate-monotonic) or by relative deadline (deadline-monotonic),
    shortest first; equal ones share a rank. With R ranks on L levels:

    - R <= L: rank 0 gets level R, the last rank level 1; nothing is shared and nothing skipped.
    - R > L: rank r gets level L - floor(r * L / R). That keeps the order, uses every level, and the
      numbers of ranks on any two levels differ by at most one.

    Explicit priorities are taken as they are given while all lie in 1..L; otherwise they only rank
    the tasks, largest first, and the two rules above apply. Every kernel compared uses these levels.
    """
    available = system.board.levels
    if system.priorities is PriorityRule.EXPLICIT:
        given = [_explicit(task) for task in system.tasks]
        if all(1 <= priority <= available for priority in given):
            return tuple(given)
        return _quantised([Fraction(-priority) for priority in given], available)
    if system.priorities is PriorityRule.DEADLINE_MONOTONIC:
        return _quantised([task.deadline for task in system.tasks], available)
    return _quantised([task.period for task in system.tasks], available)


def _quantised(keys: list[Fraction], available: int) -> tuple[int, ...]:
    distinct = sorted(set(keys))
    ranks = len(distinct)
    if ranks <= available:
        level = {key: ranks - rank for rank, key in enumerate(distinct)}
    else:
        level = {key: available - rank * available // ranks for rank, key in enumerate(distinct)}
    return tuple(level[key] for key in keys)


def _explicit(task: Task) -> int:
    if task.priority is None:
        raise HorologError(
            f'task {task.name} has no priority, but priorities are "explicit"',
            place=task.place,
            expected="priority = N, larger is more urgent",
        )
    return task.priority
