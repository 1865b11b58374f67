# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The maximum dispatch frequency: the shortest period at which no activation of a minimal task is lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.model import Plan, System
from horolog.read import read_board
from horolog_experiments.dispatch.baseline import build_freertos
from horolog_experiments.dispatch.scenarios import (
    OURS,
    SAMPLES,
    Platform,
    rate_freertos,
    rate_system,
)
from horolog_experiments.dispatch.systems import build_planned, planned_system
from horolog_experiments.dispatch.visits import Log
from horolog_experiments.dispatch.watching import Built, owner_numbers, watch

__all__ = ["EASY", "all_served", "faster", "fastest", "serves", "shortest"]

EASY = 5_000
"""Counts: a period that both kernels can serve."""
_BEGUN = 4


def fastest(platform: Platform, wakeup: str, source: Path | None, out: Path) -> int:
    """The period in counts, by halving: of a task of ours, or FreeRTOS's of `wakeup`, built below `out`."""
    return shortest(
        lambda period: serves(platform, _built(platform, wakeup, source, period, out), period)
    )


def shortest(is_served: Callable[[int], bool]) -> int:
    """The shortest period in counts that is served, by halving."""
    low, high = 1, EASY  # at `low` it is not served, at `high` it is
    while high - low > 1:
        middle = (low + high) // 2
        if is_served(middle):
            high = middle
        else:
            low = middle
    return high


def serves(platform: Platform, built: Built, period: int) -> bool:
    """Whether `built`, of which a task is released every `period` counts, loses no activation."""
    log = watch(built, platform, (SAMPLES + _BEGUN) * period, f"every-{period}")
    return all_served(log, built, SAMPLES)


def all_served(log: Log, built: Built, wanted: int) -> bool:
    """Whether of `wanted` expiries, from its first run on, all but the last led to one run each."""
    (name,) = built.expiries
    high = owner_numbers(built)["high"]
    runs = [visit.first for visit in log.of(high)]
    if not runs:
        return False
    expiries = [time for time in log.expiries.get(name, ()) if time >= runs[0]][:wanted]
    if len(expiries) < wanted:
        return False
    return sum(run <= expiries[-1] for run in runs[1:]) >= wanted - 1


def _built(platform: Platform, wakeup: str, source: Path | None, period: int, out: Path) -> Built:
    if wakeup != OURS:
        assert source is not None
        image = rate_freertos(wakeup, period)
        return build_freertos([image], read_board(platform.board), source, out)[image.name]
    system = rate_system(EASY)
    return build_planned(
        system, *faster(*planned_system(system, platform.board, out), period), out
    ).built


def faster(system: System, choice: Plan, period: int) -> tuple[System, Plan]:
    """`system` and `choice` with another period, as reading refuses a period that cannot be served."""
    (task,) = system.tasks
    (releaser,) = choice.releasers
    seconds = Fraction(period, system.board.clock.hz)
    changed = replace(
        releaser, period=seconds, cell_period=period, first=releaser.first * 0 + period
    )
    return (
        replace(system, tasks=(replace(task, period=seconds, deadline=seconds),)),
        replace(choice, releasers=(changed,)),
    )
