# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One ranking of all cores' tasks, where several cores may run some of them."""

from __future__ import annotations

from dataclasses import replace

from horolog.analyse import all_levels
from horolog.model import PriorityRule, System, with_tasks

__all__ = ["with_one_ranking"]


def with_one_ranking(system: System) -> System:
    """Returns `system` with the level of each task as its priority, if several cores may run some task.

    A dispatch compares such a task with those of any core, so all have levels of one ranking. The highest is
    kept for what releases those tasks (model/cores.py).
    """
    if not system.has_global:
        return system
    below = replace(system, board=replace(system.board, levels=system.board.levels - 1))
    pairs = zip(system.all_tasks, all_levels(below), strict=True)
    ranked = with_tasks(system, [replace(task, priority=level) for task, level in pairs])
    return replace(ranked, priorities=PriorityRule.EXPLICIT)
