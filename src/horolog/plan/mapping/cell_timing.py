# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which cell can time what, and which releaser gets which cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, floor, lcm

from horolog.analyse import HOP_COUNTS
from horolog.model import Cell

__all__ = [
    "Timing",
    "allot",
    "nearest_periods",
    "one_shot_span",
    "one_shot_step",
    "periodic_timing",
]

_TRIAL_FACTORS = 1 << 16
_NEAR_COUNTS = 1 << 14
_LARGEST = 1 << 31  # denominators are below it (kernel/time/period.h)


@dataclass(frozen=True, slots=True)
class Timing:
    """How a cell makes a period: it interrupts at first + k * cell_period.

    Every `divider`-th interrupt, from the first, is an instant of its releaser. With a `part` of a count
    the cell steps (kernel/release/cell_steps.h).
    """

    cell_period: int
    divider: int
    first: int
    part: Fraction = Fraction(0)
    first_part: Fraction = Fraction(0)
    prescaler: int | None = None  # of a cell with prescalers of its own


def one_shot_step(left: int, span: int) -> int:
    """How far a one-shot cell is armed where `left` counts are to come, and `span` at most at once.

    The last hop goes half the way (hrli_releaser_stride).
    """
    if left <= span:
        return left
    return left // 2 if left - span < span else span


def one_shot_span(cell: Cell) -> int:
    """How far ahead of the instant served last the kernel arms this cell, in counts.

    Half of what the counter can hold, so that an instant that has passed is told from one to come.
    A longer gap is crossed in hops of this length; each is an interrupt.
    """
    return 1 << (cell.width - 1)


def periodic_timing(cell: Cell, period: int | Fraction, first: int | Fraction) -> Timing | None:
    """How `cell` makes `period` counts with an instant at `first`; None if it cannot.

    The divider is the smallest that makes the cell's own period a whole number of counts that the
    cell can time; if there is none, the smallest that makes it one that the cell can step. A `first` that is
    further away than the cell can time is brought forward by whole periods: the releaser then begins with
    instants at which no task is due.
    """
    if cell.prescalers:
        return _by_own_prescaler(cell, period, first)
    # Stamps order instants that lie less than 2^31 counts apart; a hop is the longest step of all.
    longest = min(cell.max_counts, HOP_COUNTS)
    divider = None
    if period.denominator == 1:
        divider = _smallest_divider(int(period), cell.min_counts, longest)
    if divider is None and period >= cell.min_counts and not cell.whole_counts:
        divider = ceil(Fraction(period) / (longest - 1))
    if divider is None:
        return None
    if period > HOP_COUNTS:  # then every interrupt is an instant, at most of them with no task due
        period, divider = _divided(period, divider), 1
    reach = cell.max_counts - cell.hz // 1000  # the cell starts a millisecond before t = 0
    if first > reach:
        first %= period
        if first > reach:
            return None
    exact = Fraction(period) / divider
    part, first_part = exact % 1, Fraction(first) % 1
    if part and (
        lcm(part.denominator, first_part.denominator) >= _LARGEST or exact < cell.min_counts
    ):
        return None
    return Timing(int(exact), divider, int(first), part, first_part)


def _by_own_prescaler(cell: Cell, period: int | Fraction, first: int | Fraction) -> Timing | None:
    """How a timer with a prescaler of its own makes `period` counts of the clock.

    The smallest prescaler of those with the smallest divider. It counts from a multiple of its own steps on,
    as does the clock, so its instants are such multiples of the clock's counts, too. From its start, a
    millisecond before t = 0, to its first interrupt it cannot count in software.
    """
    if period.denominator != 1 or first.denominator != 1:
        return None
    period, first, start = int(period), int(first), cell.hz // 1000
    found: list[Timing] = []
    for prescaler in cell.prescalers:
        step = cell.step(prescaler)
        unit = step.numerator  # counts of the clock that are whole counts of both
        longest = min(int(((1 << cell.width) - 1) * step), HOP_COUNTS)
        if period % unit or (start + first) % unit:
            continue
        divider = _smallest_divider(period // unit, ceil(cell.min_counts / unit), longest // unit)
        at = first if start + first <= longest else first % period
        if divider is not None and start + at <= longest and (start + at) % unit == 0:
            found.append(Timing(period // divider, divider, at, prescaler=prescaler))
    return min(found, key=lambda one: one.divider, default=None)


def nearest_periods(cells: Sequence[Cell], period: Fraction) -> list[int]:
    """The nearest periods below and above, in counts, that one of `cells` can time; fewer if they are far."""
    found = []
    for begin, step in ((ceil(period) - 1, -1), (floor(period) + 1, 1)):
        near = range(begin, begin + step * _NEAR_COUNTS, step)
        able = (at for at in near if at > 0 and any(periodic_timing(one, at, 0) for one in cells))
        found += [at for at in [next(able, None)] if at is not None]
    return found


def _divided(period: int | Fraction, divider: int) -> int | Fraction:
    return period // divider if period % divider == 0 else Fraction(period) / divider


@lru_cache(maxsize=4096)
def _smallest_divider(period: int, shortest: int, longest: int) -> int | None:
    if period < shortest:
        return None
    if period <= longest:
        return 1
    fitting = [d for d in _divisors(period) if shortest <= period // d <= longest]
    return min(fitting, default=None)


def _divisors(number: int) -> list[int]:
    """The divisors of `number`; a factor left over above _TRIAL_FACTORS squared is not split."""
    powers: list[list[int]] = []
    factor = 2
    while factor < _TRIAL_FACTORS and factor * factor <= number:
        run = [1]
        while number % factor == 0:
            number //= factor
            run.append(run[-1] * factor)
        if len(run) > 1:
            powers.append(run)
        factor += 1 if factor == 2 else 2
    if number > 1:
        powers.append([1, number])
    divisors = []
    for choice in product(*powers):
        divisor = 1
        for power in choice:
            divisor *= power
        divisors.append(divisor)
    return divisors


def allot(
    wanted: Sequence[tuple[int | Fraction, int | Fraction]], cells: Sequence[Cell]
) -> tuple[tuple[Cell, Timing], ...] | None:
    """A cell of its own for each (period, first), in the order of `wanted`; None if there is none.

    The longest period chooses first, as the fewest cells can time it: the cell with the smallest
    divider, and among those the first of `cells`. If all cells that can time a period are taken, their
    periods move to other cells (a bipartite matching), so that an allotment is found if there is one.
    """
    timers = {cell.timer: cell.prescalers for cell in cells if cell.timer is not None}
    for chosen in product(*timers.values()):
        by = dict(zip(timers, chosen, strict=True))
        found = _allotted(
            wanted,
            [
                cell if cell.timer is None else replace(cell, prescalers=(by[cell.timer],))
                for cell in cells
            ],
        )
        if found is not None:
            return tuple((cells[at], timing) for at, timing in found)
    return None


def _allotted(
    wanted: Sequence[tuple[int | Fraction, int | Fraction]], cells: Sequence[Cell]
) -> list[tuple[int, Timing]] | None:
    """The same, as places in `cells`, where cells of one timer have one prescaler."""
    alike: dict[tuple[object, ...], list[int]] = {}  # cells with the same timing
    for at, cell in enumerate(cells):
        key = cell.min_counts, cell.width, cell.hz, cell.whole_counts, cell.prescalers
        alike.setdefault(key, []).append(at)
    possible: list[dict[int, Timing]] = []
    for period, first in wanted:
        possible.append({})
        for places in alike.values():
            timing = periodic_timing(cells[places[0]], period, first)
            if timing is not None:
                possible[-1].update(dict.fromkeys(places, timing))
    owner: dict[int, int] = {}

    def settle(want: int, tried: set[int]) -> bool:
        order = sorted(possible[want], key=lambda at: (possible[want][at].divider, at))
        order.sort(key=lambda at: at in owner)  # free ones first; the sort is stable
        for at in order:
            if at not in tried:
                tried.add(at)
                if at not in owner or settle(owner[at], tried):
                    owner[at] = want
                    return True
        return False

    for want in sorted(range(len(wanted)), key=lambda at: (-wanted[at][0], at)):
        if not settle(want, set()):
            return None
    at_of = {want: at for at, want in owner.items()}
    return [(at_of[want], possible[want][at_of[want]]) for want in range(len(wanted))]
