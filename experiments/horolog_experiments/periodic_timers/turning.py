# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The turns of the lamp's loop, by the pin that changes at each."""

from __future__ import annotations

from itertools import groupby, pairwise

from horolog_experiments.periodic_timers.machine import Log
from horolog_experiments.periodic_timers.results import Lamp, spread_of

__all__ = ["TURN_PIN", "lamp_of", "turns"]

TURN_PIN = "A7"
_DRAWN = 1_500


def lamp_of(side: str, mode: str, ticks: int, log: Log, plan: str = "") -> Lamp:
    """The turns of the loop in `log`."""
    lengths = turns(log)
    runs = ((len(list(same)), length) for length, same in groupby(lengths[:_DRAWN]))
    return Lamp(side, mode, ticks, spread_of(lengths), tuple(runs), plan)


def turns(log: Log) -> list[int]:
    """The cycles between changes of the pin that changes once a turn."""
    changes = (cycle for cycle, pin, _ in log.pins if pin == TURN_PIN)
    return [after - before for before, after in pairwise(changes)]
