# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""For which timer clock, period and number of alarms is a periodic timer cheaper than a single-shot one?

The family: n threads with periods of 10, 11, 12, ... tenths of P, all released at t = 0, over a delta list.
A periodic cell interrupts at their greatest common divisor (n = 1: P; else P / 10); a one-shot cell for the
next release. Costs of interrupts are measured for each n at one clock and one P; those of other clocks and
periods follow by counting interrupts, which is checked at points that were measured, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from math import gcd, lcm
from pathlib import Path

from horolog_experiments.periodic_timers.described import (
    DELTA_PERIODIC,
    DELTA_SINGLE_SHOT,
    Job,
    Way,
    build_described,
)
from horolog_experiments.periodic_timers.machine import Interrupt, Log, ran
from horolog_experiments.periodic_timers.paper import PERIODIC, SINGLE_SHOT
from horolog_experiments.periodic_timers.programs import SLOW
from horolog_experiments.periodic_timers.results import Check, Price

__all__ = [
    "CHECKS",
    "MOST",
    "TENTHS",
    "Counted",
    "Prices",
    "count",
    "measure_question",
    "rate",
    "rates",
]
__all__ += ["stretches", "together"]

Prices = Mapping[tuple[str, int, int], Fraction]
"""Cycles by mode, n and released at once; of 0 and 0 those of an interrupt that releases nothing."""
MOST = 6
"""Alarms, at most: more threads do not fit the chip."""
TENTHS = 10
_WAYS: Mapping[str, Way] = {PERIODIC: DELTA_PERIODIC, SINGLE_SHOT: DELTA_SINGLE_SHOT}
_HZ, _P_US = 28_800, 100_000
_HOP_US = 10_000_000
_WINDOW = 100
"""Of how many P a measurement is."""
_SPAN, _CELL = 0x8000, 0xFFFF
_START_CYCLES = 200_000
_LEAST_CYCLES = 512  # min_counts of the boards' cells
_VECTORS = (12, 13, 24)
CHECKS = (
    (7_200, 10_000, 3),
    (28_800, 10_000, 2),
    (28_800, 1_000_000, 4),
    (115_200, 10_000, 6),
    (115_200, 100_000, 5),
    (115_200, 10_000_000, 1),
    (115_200, 10_000_000, 2),
)
"""Timer clock, P and n of what is measured to check the counting."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Of a window: instants by how many are released at them; ticks of one timer, hops of the other."""

    seconds: Fraction
    releases: Mapping[int, int]
    ticks: int
    hops: int


@cache
def _instants(number: int, tenths: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """How often so many are released at once, and how often instants are so far apart, in tenths of P."""
    periods = range(TENTHS, TENTHS + number)
    instants = Counter(at for period in periods for at in range(0, tenths, period))
    gaps = Counter(after - before for before, after in pairwise([*sorted(instants), tenths]))
    return Counter(instants.values()), gaps


def count(clock_hz: int, period_us: int, number: int, window: int | None = None) -> Counted:
    """What happens in so many P; None: in a hyperperiod."""
    periods = range(TENTHS, TENTHS + number)
    tenths = lcm(*periods) if window is None else window * TENTHS
    releases, gaps = _instants(number, tenths)
    tenth = Fraction(period_us, TENTHS * 1_000_000)
    tick = reduce(gcd, periods)
    a_tick = tick * tenth * clock_hz
    times = -(-a_tick // _CELL)  # interrupts a tick, where that is longer than the timer's range
    hops = sum(
        many * int((gap * tenth * clock_hz - 1) // _SPAN)
        for gap, many in gaps.items()
        if gap * tenth * clock_hz > _SPAN
    )
    return Counted(tenths * tenth, releases, int(times) * (tenths // tick), hops)


def rate(prices: Prices, mode: str, number: int, counted: Counted) -> Fraction:
    """Cycles a second. Where so many at once have no price, it lies between those of fewer and of more."""
    known = {many: cycles for (a, n, many), cycles in prices.items() if (a, n) == (mode, number)}
    total = sum(
        (_price(known, many) * times for many, times in counted.releases.items()), Fraction(0)
    )
    idle = counted.ticks - sum(counted.releases.values()) if mode == PERIODIC else counted.hops
    return (total + idle * prices[mode, 0, 0]) / counted.seconds


def _price(known: Mapping[int, Fraction], many: int) -> Fraction:
    if many in known:
        return known[many]
    below = max(one for one in known if one < many)
    above = min(one for one in known if one > many)
    return known[below] + (known[above] - known[below]) * Fraction(many - below, above - below)


def rates(prices: Prices, clock_hz: int, period_us: int, number: int) -> dict[str, Fraction | None]:
    """Cycles a second by mode, in the long run.

    None: it cannot be done, as the tick is shorter than a count or than the board's shortest period, or as
    interrupts take the whole processor.
    """
    counted = count(clock_hz, period_us, number)
    tenths = TENTHS if number == 1 else 1
    shortest = {PERIODIC: tenths * period_us // TENTHS, SINGLE_SHOT: period_us}
    found = {}
    for mode, us in shortest.items():
        cycles = rate(prices, mode, number, counted)
        possible = us * clock_hz >= 1_000_000 and us * SLOW.hz >= _LEAST_CYCLES * 1_000_000
        found[mode] = cycles if possible and cycles < SLOW.hz else None
    return found


def together(interrupts: Sequence[Interrupt]) -> list[tuple[int, int]]:
    """The stretches that the interrupts cover, those inside others as a part of these."""
    found: list[tuple[int, int]] = []
    for one in interrupts:
        if found and one.entered < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], one.returned)
        else:
            found.append((one.entered, one.returned))
    return found


def _measured(
    mode: str, clock_hz: int, period_us: int, number: int, out: Path
) -> list[tuple[int, int]]:
    """Each stretch of a window of _WINDOW P: how many were released in it, and its cycles."""
    jobs = [Job(period_us * (TENTHS + nth) // TENTHS, "bench_release") for nth in range(number)]
    name = f"question-{mode}-{clock_hz}-{period_us}-{number}"
    built = build_described(name, SLOW, clock_hz, jobs, _WAYS[mode], out / "slow")
    window = _WINDOW * period_us * SLOW.hz // 1_000_000
    log = ran(built.elf, SLOW, cycles=window + 2 * period_us * SLOW.hz // 1_000_000 + _START_CYCLES)
    return stretches(log, window)


def stretches(log: Log, window: int) -> list[tuple[int, int]]:
    """Marks and cycles of each stretch, for so many cycles from the interrupt on before the first mark."""
    marks = log.at(1)
    all_of = together([one for one in log.over if one.vector in _VECTORS])
    begin = max(entered for entered, _ in all_of if entered <= marks[0])
    return [
        (bisect_left(marks, end) - bisect_left(marks, entered), end - entered)
        for entered, end in all_of
        if begin <= entered < begin + window
    ]


def _mean(values: Sequence[int]) -> Fraction:
    return Fraction(sum(values), len(values))


def measure_question(out: Path) -> tuple[tuple[Price, ...], tuple[Check, ...]]:
    """The prices, and the checks."""
    prices = []
    for mode in _WAYS:
        for number in range(1, MOST + 1):
            found = _measured(mode, _HZ, _P_US, number, out)
            for many in sorted({many for many, _ in found if many}):
                mean = _mean([cycles for released, cycles in found if released == many])
                prices.append(Price(mode, number, many, mean))
        period_us, number = (_HOP_US, 1) if mode == SINGLE_SHOT else (_P_US, 2)
        far = _measured(mode, _HZ, period_us, number, out)
        prices.append(Price(mode, 0, 0, _mean([cycles for many, cycles in far if not many])))
    by_key = {(one.mode, one.number, one.released): one.cycles for one in prices}
    checks = []
    for clock_hz, period_us, number in CHECKS:
        counted = count(clock_hz, period_us, number, _WINDOW)
        for mode in _WAYS:
            found = _measured(mode, clock_hz, period_us, number, out)
            measured = sum(cycles for _, cycles in found) / counted.seconds
            predicted = rate(by_key, mode, number, counted)
            checks.append(Check(mode, clock_hz, period_us, number, measured, predicted))
    return tuple(prices), tuple(checks)
