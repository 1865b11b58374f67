# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which instants of a cooperative one-shot releaser its periodic partners serve."""

from __future__ import annotations

from horolog.analyse.releases import streams, wakes, window_counts
from horolog.model import Mode, Plan, System

__all__ = ["covered_instants"]


def covered_instants(system: System, plan: Plan) -> int:
    """How many instants of cooperative releasers in the window cost no interrupt of their own.

    A periodic cell of the plan interrupts there anyway, whether or not it has anybody to release.
    """
    partners = [
        (releaser.first, releaser.cell_period)
        for releaser in plan.releasers
        if releaser.mode is Mode.PERIODIC and releaser.cell_period is not None
    ]
    hz, end = system.board.clock.hz, window_counts(system)
    return sum(
        any(instant >= first and (instant - first) % period == 0 for first, period in partners)
        for releaser in plan.releasers
        if releaser.cooperates
        for instant in wakes(streams(system, releaser.tasks), hz, 0, end)
    )
