# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How FreeRTOS can express a system: its tick."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from horolog.model import System
from horolog.read.units import frequency_text

__all__ = ["Tick", "baseline_tick"]

_USUAL_HZ = 1000
_HIGHEST_HZ = 10_000


@dataclass(frozen=True, slots=True)
class Tick:
    """FreeRTOS's tick for a system; `hz` is None if no tick can express it, `note` says why.

    `start` is t = 0 in ticks: late enough for every task to have reached its first wait.
    """

    hz: int | None
    start: int
    note: str | None


def baseline_tick(system: System) -> Tick:
    """1 kHz where that expresses every period and offset, else their common divisor up to 10 kHz.

    Rule: docs/adr/0009-overhead.md.
    """
    if system.uses_services:
        return Tick(None, 0, "the application calls Horolog's services, which FreeRTOS has not")
    tick = Fraction(1, _USUAL_HZ)
    for task in system.tasks:
        tick = _common(tick, task.period)
        if task.offset:
            tick = _common(tick, task.offset)
    rate = 1 / tick
    start = 20 + len(system.tasks)
    if rate.denominator != 1 or rate > _HIGHEST_HZ:
        return Tick(
            None,
            start,
            f"FreeRTOS would need a tick of {frequency_text(rate)} for these periods, more than "
            f"{frequency_text(_HIGHEST_HZ)}: not compared",
        )
    if system.board.clock.hz % rate.numerator:
        return Tick(
            None,
            start,
            f"a tick of {frequency_text(rate)} does not divide the clock of "
            f"{frequency_text(system.board.clock.hz)}: not compared",
        )
    if rate.numerator == _USUAL_HZ:
        return Tick(_USUAL_HZ, start, None)
    # A faster tick leaves the tasks' start as long as a tick of 1 ms would.
    start *= -(-rate.numerator // _USUAL_HZ)
    return Tick(
        rate.numerator,
        start,
        f"FreeRTOS ticks at {frequency_text(rate)} here: {frequency_text(_USUAL_HZ)} cannot express "
        "these periods",
    )


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The greatest fraction that divides both."""
    denominator = lcm(a.denominator, b.denominator)
    return Fraction(
        gcd(
            a.numerator * (denominator // a.denominator),
            b.numerator * (denominator // b.denominator),
        ),
        denominator,
    )
