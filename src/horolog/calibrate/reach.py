# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Experiments with one-shot cells that reach from each instant to the next."""

from __future__ import annotations

from dataclasses import replace

from horolog.model import System
from horolog.plan.mapping.cell_timing import one_shot_span

__all__ = ["within_reach"]


def within_reach(system: System) -> System:
    """`system`, with shorter periods if its first cell does not reach from each instant to the next.

    What a cell executes on its way to an instant beyond its reach is no part of what the experiments count.
    """
    shorter, cell = 1, system.board.cell(system.cells[0])
    shortest = min(task.period for task in system.tasks) * system.board.clock.hz
    while shortest > shorter * one_shot_span(cell):
        shorter *= 2
    if shorter == 1:
        return system
    tasks = (
        replace(
            task,
            period=task.period / shorter,
            offset=task.offset / shorter,
            deadline=task.deadline / shorter,
        )
        for task in system.tasks
    )
    return replace(system, tasks=tuple(tasks), duration=system.duration / shorter)
