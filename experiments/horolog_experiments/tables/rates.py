# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The highest dispatch frequency of a table: the shortest round in which a minimal task is never lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from horolog.model import Plan, System
from horolog_experiments.dispatch.rates import EASY, faster, serves, shortest
from horolog_experiments.dispatch.scenarios import Platform
from horolog_experiments.dispatch.systems import build_planned
from horolog_experiments.tables.scenarios import TableImage
from horolog_experiments.tables.systems import planned_table

__all__ = ["RATE", "fastest_table"]

RATE = TableImage("rate", "the fastest round", 1, EASY, spans=())


def fastest_table(platform: Platform, out: Path) -> int:
    """The round in counts, built below `out`."""
    system, choice = planned_table(RATE, platform.board, out)

    def is_served(period: int) -> bool:
        built = build_planned(RATE.system, *_faster(system, choice, period), out).built
        return serves(platform, built, period)

    return shortest(is_served)


def _faster(system: System, choice: Plan, period: int) -> tuple[System, Plan]:
    """With another round, as reading refuses one that a cell of the board cannot serve."""
    changed, plan = faster(system, choice, period)
    (table,), (task,) = changed.tables, changed.tasks
    return replace(changed, tables=(replace(table, round=task.period),)), plan
