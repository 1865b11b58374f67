# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The lines of the issue's table that are about this experiment, beside what was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from horolog_experiments.harness import Found, Target
from horolog_experiments.periodic_timers.results import Results

__all__ = ["TARGETS"]

_C = "cycles"
_LATER = "our side is not measured yet: the port to AVR is not there"


def _later(results: Results) -> Found:
    return Found(None, _LATER)


def _target(
    name: str,
    sense: str,
    target: float,
    unit: str,
    find: Callable[[Results], Found] = _later,
) -> Target[Results]:
    return Target(name, sense, target, unit, find)


TARGETS: Sequence[Target[Results]] = (
    _target(
        "instant of release 1,000 off its nominal one by a count or more, combinations of Tables 1 and 2 "
        "with a period of at least one count",
        "==",
        0,
        "combinations",
    ),
    _target("release to handler, worst over these 34 combinations", "<=", 200, _C),
    _target("interrupt that counts only, 8 MHz", "<=", 75, _C),
    _target("interrupt that releases one alarm, periodic", "<=", 240, _C),
    _target("the same, single-shot", "<=", 370, _C),
    _target("Table 4, six threads, average", "<=", 300, _C),
    _target("Table 4, six threads, worst", "<=", 800, _C),
    _target(
        "PWM loop, deviation of its period: the plan's choice / our 50 Hz periodic alarm",
        "<=",
        1.0,
        "ratio",
    ),
)
"""The issue's table; a line with two entries is two. What was not measured is null."""
