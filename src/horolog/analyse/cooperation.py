# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which instants of a cooperative one-shot releaser its periodic partners serve."""

from __future__ import annotations

from horolog.analyse.releases import streams, wakes, window_counts
from horolog.model import Mode, Plan, Releaser, System

__all__ = ["covered_instants"]


def covered_instants(system: System, plan: Plan, releaser: Releaser) -> int:
    """How many instants of `releaser` in the window cost no interrupt of its own; 0: it does not cooperate.

    A periodic cell of the plan interrupts there anyway, whether or not it has a task to release.
    """
    if not releaser.cooperates:
        return 0
    partners = [
        (other.first, other.cell_period)
        for other in plan.releasers
        if other.mode is Mode.PERIODIC and other.cell_period is not None
    ]
    hz, end = system.board.clock.hz, window_counts(system)
    return sum(
        any(instant >= first and (instant - first) % period == 0 for first, period in partners)
        for instant in wakes(streams(system, releaser.tasks), hz, 0, end)
    )
