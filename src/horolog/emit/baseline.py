# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How FreeRTOS can express a system: its tick, the usual one or as slow a one as there can be."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from horolog.model import System
from horolog.read.units import duration_text, frequency_text

__all__ = ["Tick", "baseline_tick", "slowest_tick"]

_USUAL_HZ = 1000
_HIGHEST_HZ = 10_000
_MOST_COUNTS = 1 << 24  # of a tick: what SysTick has bits for


@dataclass(frozen=True, slots=True)
class Tick:
    """FreeRTOS's tick for a system; `hz` is None if no tick can express it, `note` says why.

    `start` is t = 0 in ticks: late enough for every task to have reached its first wait.
    """

    hz: Fraction | None
    start: int
    note: str | None


def baseline_tick(system: System) -> Tick:
    """1 kHz where that expresses every period and offset, else their common divisor up to 10 kHz.

    Rule: docs/adr/0009-overhead.md.
    """
    if system.uses_services:
        return Tick(None, 0, "the application calls Horolog's services, which FreeRTOS has not")
    rate = 1 / _common(Fraction(1, _USUAL_HZ), *_times(system))
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
    if rate == _USUAL_HZ:
        return Tick(rate, start, None)
    # A faster tick leaves the tasks' start as long as a tick of 1 ms would.
    start *= -(-rate.numerator // _USUAL_HZ)
    return Tick(
        rate,
        start,
        f"FreeRTOS ticks at {frequency_text(rate)} here: {frequency_text(_USUAL_HZ)} cannot express "
        "these periods",
    )


def slowest_tick(system: System) -> Tick:
    """The greatest common divisor of all periods and offsets, whatever the usual tick is."""
    usual = baseline_tick(system)
    if usual.hz is None:
        return usual
    period = _common(*_times(system))
    counts = period * system.board.clock.hz
    if counts > _MOST_COUNTS:
        return Tick(
            None,
            0,
            f"a tick of {duration_text(period)} is longer than SysTick can count: not compared",
        )
    # As long a start as with the usual tick, and one tick more, as the first may come at once.
    start = -(-usual.start / usual.hz // period) + 1
    return Tick(1 / period, int(start), None)


def _times(system: System) -> list[Fraction]:
    """All periods and offsets."""
    return [time for task in system.tasks for time in (task.period, task.offset)]


def _common(*times: Fraction) -> Fraction:
    """The greatest fraction that divides all."""
    unit = lcm(*(time.denominator for time in times))
    return Fraction(gcd(*(int(time * unit) for time in times)), unit)
