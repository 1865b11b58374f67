# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The unit of an analysis: times, counts and steps of a board as whole numbers of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm

from horolog.analyse import Stream
from horolog.model import System, Task

__all__ = ["Units", "units_of"]

_MOST_UNIT = 10**24
_COARSE_UNIT = 10**12  # where times have no common unit: rounded to the safe side


@dataclass(frozen=True, slots=True)
class Units:
    """`per_second` units are a second. `rounded`: some times are no whole number of units."""

    per_second: int
    hz: int  # of the clock
    ns_per_step: int | Fraction | None
    rounded: bool = False

    def least(self, seconds: Fraction) -> int:
        """Rounded down."""
        return floor(seconds * self.per_second)

    def most(self, seconds: Fraction) -> int:
        """Rounded up."""
        return ceil(seconds * self.per_second)

    def counts(self, counts: int) -> int:
        """So many steps of the clock."""
        return counts * (self.per_second // self.hz)

    def steps(self, steps: int) -> int:
        """So many of the board's instructions or cycles; 0 where they are not counted."""
        if self.ns_per_step is None:
            return 0
        return int(steps * self.ns_per_step * (self.per_second // 10**9))

    def offset(self, of: Stream | Task) -> int | None:
        """The phase; None where that or the period is no whole number, as a shorter period drifts."""
        exact, period = of.offset * self.per_second, of.period * self.per_second
        return exact.numerator if exact.denominator == period.denominator == 1 else None


def units_of(system: System) -> Units:
    """A unit of which all times of `system` are whole numbers, if there is a short one; a nanosecond at most.

    A coarser one would round bodies that are made longer or shorter (breakdown factor) to it.
    """
    board = system.board
    step = board.runner.ns_per_step or 1
    parts = [board.clock.hz, 10**9 * step.denominator]
    unit = lcm(*parts)
    for task in system.tasks:
        times = [task.period, task.offset, task.deadline, task.wcet, task.jitter, task.delay]
        times += [time for point in task.points for time in (point.offset, point.deadline)]
        unit = lcm(unit, *(time.denominator for time in times if time is not None))
        if unit > _MOST_UNIT:
            return Units(
                lcm(_COARSE_UNIT, *parts), board.clock.hz, board.runner.ns_per_step, rounded=True
            )
    for extra in system.sporadic:
        of = (extra.task.period, extra.task.deadline, extra.task.wcet or Fraction(0))
        spans = (some.within for some in extra.task.arrivals)
        unit = lcm(unit, *(time.denominator for time in (*of, *spans)))
    for one in system.interrupts:
        within = (point.within.denominator for point in one.arrivals)
        unit = lcm(unit, one.gap.denominator, one.wcet.denominator, *within)
    per_second = unit if unit <= _MOST_UNIT else lcm(_COARSE_UNIT, *parts)
    return Units(per_second, board.clock.hz, board.runner.ns_per_step)
