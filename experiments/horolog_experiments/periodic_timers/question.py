# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""For which timer clock, period and number of alarms is a periodic timer cheaper than a single-shot one?

The family: n alarms that call a function, or n threads, with periods of 10, 11, 12, ... tenths of P, all
released at t = 0, over a delta list. A periodic cell interrupts at their greatest common divisor (n = 1: P;
else P / 10), one of alarms at whole counts only; a one-shot cell interrupts for the next release. Costs of
interrupts are measured for each n at one clock and one P; those of other clocks and periods follow by
counting interrupts, which is checked at points that were measured, too.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import pairwise
from math import gcd, lcm
from pathlib import Path

from horolog_experiments.periodic_timers.alarms import AlarmImage, build_alarms
from horolog_experiments.periodic_timers.described import (
    DELTA_PERIODIC,
    DELTA_SINGLE_SHOT,
    Job,
    Way,
    build_described,
)
from horolog_experiments.periodic_timers.machine import Interrupt, Log, ran
from horolog_experiments.periodic_timers.ours import slice_of
from horolog_experiments.periodic_timers.paper import PERIODIC, SINGLE_SHOT
from horolog_experiments.periodic_timers.programs import SLOW
from horolog_experiments.periodic_timers.results import Check, Price

__all__ = [
    "ALARMS",
    "CHECKS",
    "FOUND",
    "MOST",
    "TENTHS",
    "THREADS",
    "Counted",
    "Prices",
    "count",
    "measure_question",
    "rate",
    "rates",
]
__all__ += ["stretches", "together"]

ALARMS = "alarms"
THREADS = "threads"
FOUND = -1
"""In the place of how many are released: what a release takes more that a look finds."""
Prices = Mapping[tuple[str, str, int, int], Fraction]
"""Cycles by kind, mode, n and released at once; of 0 and 0 those of an interrupt that releases nothing."""
MOST = 6
"""Alarms, at most: more threads do not fit the chip."""
TENTHS = 10
_WAYS: Mapping[str, Way] = {PERIODIC: DELTA_PERIODIC, SINGLE_SHOT: DELTA_SINGLE_SHOT}
_HZ, _P_US = 28_800, 100_000
_HOP_US = 10_000_000
_WINDOW = 100
"""Of how many P a measurement is."""
_SPAN, _COUNTED = 0x8000, 0xFFFF
_LONGEST = {THREADS: 0xFFFF, ALARMS: 0x7FFF}  # counts between interrupts of a periodic cell
_START_CYCLES = 1_000_000
_SHORTEST_SLICE = 8
_FAR_CYCLES = 150  # a release that a look finds takes so many more, at least
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
    """Of a window: instants by how many are released at them; ticks of one timer, hops of the other.

    `looks`: ticks of alarms that have counted as far as 16 bits go, and begin again; `found`: those that find
    an alarm due then.
    """

    seconds: Fraction
    releases: Mapping[int, int]
    ticks: int
    hops: int
    looks: int = 0
    found: int = 0


@cache
def _instants(number: int, tenths: int) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """How often so many are released at once, and how often instants are so far apart, in tenths of P."""
    periods = range(TENTHS, TENTHS + number)
    instants = Counter(at for period in periods for at in range(0, tenths, period))
    gaps = Counter(after - before for before, after in pairwise([*sorted(instants), tenths]))
    return Counter(instants.values()), gaps


def count(
    kind: str, clock_hz: int, period_us: int, number: int, window: int | None = None
) -> Counted:
    """What happens in so many P; None: in a hyperperiod. No ticks: a periodic cell has none for it."""
    periods = range(TENTHS, TENTHS + number)
    tenths = lcm(*periods) if window is None else window * TENTHS
    releases, gaps = _instants(number, tenths)
    tenth = Fraction(period_us, TENTHS * 1_000_000)
    tick = reduce(gcd, periods)
    times = _interrupts(kind, tick * tenth * clock_hz)
    hops = sum(
        many * int((gap * tenth * clock_hz - 1) // _SPAN)
        for gap, many in gaps.items()
        if gap * tenth * clock_hz > _SPAN
    )
    ticks = times * (tenths // tick)
    looks = found = 0
    if kind == ALARMS and ticks:
        for gap, many in gaps.items():
            some, due = _beyond(gap // tick * times, int(tick * tenth * clock_hz) // times)
            looks, found = looks + many * some, found + many * due
    return Counted(tenths * tenth, releases, ticks, hops, looks, found)


def _beyond(ticks: int, counts: int) -> tuple[int, bool]:
    """Of a gap of so many ticks: how often an alarm's cell looks again; whether a look finds it due."""
    looks = 0
    while ticks * counts > _COUNTED:
        ticks -= _COUNTED // counts + 1
        if ticks == 0:
            return looks, True
        looks += 1
    return looks, False


def _interrupts(kind: str, tick: Fraction) -> int:
    """How many interrupts a tick of so many counts takes, where the timer does not reach; 0: none do."""
    longest = _LONGEST[kind]
    if kind == THREADS:
        return int(-(-tick // longest))
    if tick.denominator != 1:
        return 0
    counts = tick.numerator
    divisors = (by for by in range(1, counts + 1) if counts % by == 0 and counts // by <= longest)
    return next(divisors) if counts >= _SHORTEST_SLICE else 0


def rate(prices: Prices, kind: str, mode: str, number: int, counted: Counted) -> Fraction:
    """Cycles a second. Where so many at once have no price, it lies between those of fewer and of more."""
    known = {
        many: cycles for (*of, many), cycles in prices.items() if (*of,) == (kind, mode, number)
    }
    total = sum(
        (_price(known, many) * times for many, times in counted.releases.items()), Fraction(0)
    )
    idle = counted.ticks - sum(counted.releases.values()) if mode == PERIODIC else counted.hops
    total += idle * prices[kind, mode, 0, 0]
    if mode == PERIODIC and counted.looks + counted.found:
        total += counted.looks * (prices[kind, mode, 1, 0] - prices[kind, mode, 0, 0])
        total += counted.found * prices[kind, mode, min(number, 2), FOUND]
    return total / counted.seconds


def _price(known: Mapping[int, Fraction], many: int) -> Fraction:
    if many in known:
        return known[many]
    below = max(one for one in known if one < many)
    above = min(one for one in known if one > many)
    return known[below] + (known[above] - known[below]) * Fraction(many - below, above - below)


def rates(
    prices: Prices, kind: str, clock_hz: int, period_us: int, number: int
) -> dict[str, Fraction | None]:
    """Cycles a second by mode, in the long run.

    None: it cannot be done, as the tick is shorter than a count or than the board's shortest period, is no
    whole number of counts for a periodic cell of alarms, or as interrupts take the whole processor.
    """
    counted = count(kind, clock_hz, period_us, number)
    tenths = TENTHS if number == 1 else 1
    shortest = {PERIODIC: tenths * period_us // TENTHS, SINGLE_SHOT: period_us}
    found: dict[str, Fraction | None] = {}
    for mode, us in shortest.items():
        cycles = rate(prices, kind, mode, number, counted)
        possible = us * clock_hz >= 1_000_000 and us * SLOW.hz >= _LEAST_CYCLES * 1_000_000
        possible = possible and (mode == SINGLE_SHOT or counted.ticks > 0)
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


Point = tuple[str, int, int, int]
"""Mode, timer clock, P, n."""


def _points() -> list[Point]:
    """All that is measured: for the prices, of what releases nothing, and for the checks."""
    found = [(mode, _HZ, _P_US, number) for mode in _WAYS for number in range(1, MOST + 1)]
    found += [(mode, _HZ, _HOP_US, number) for mode in _WAYS for number in (1, 2)]
    return found + [(mode, *check) for check in CHECKS for mode in _WAYS]


def _threads(points: Sequence[Point], out: Path) -> dict[Point, Path]:
    found = {}
    for point in points:
        mode, clock_hz, period_us, number = point
        periods = [period_us * (TENTHS + nth) // TENTHS for nth in range(number)]
        jobs = [Job(period, "bench_release") for period in periods]
        name = "question-" + "-".join(map(str, point))
        built = build_described(name, SLOW, clock_hz, jobs, _WAYS[mode], out / "slow")
        found[point] = built.elf
    return found


def _alarms(points: Sequence[Point], out: Path) -> dict[Point, Path]:
    found: dict[Point, Path] = {}
    for clock_hz in sorted({point[1] for point in points}):
        images = {}
        for point in points:
            mode, hz, period_us, number = point
            tick_us = period_us if number == 1 else period_us // TENTHS
            counts = slice_of(hz, tick_us) if mode == PERIODIC else 0
            if hz == clock_hz and (mode == SINGLE_SHOT or counts):
                defines = {"BENCH_PERIOD_US": period_us, "BENCH_ALARMS": number}
                name = "family-" + "-".join(map(str, point))
                images[point] = AlarmImage(name, "family", defines, counts)
        folder = out / f"families-{clock_hz}"
        elfs = build_alarms(list(images.values()), SLOW, clock_hz, folder)
        found |= {point: elfs[image.name] for point, image in images.items()}
    return found


def _measured(point: Point, elf: Path) -> list[tuple[int, int]]:
    """Each stretch of a window of _WINDOW P: how many were released in it, and its cycles."""
    period_us = point[2]
    window = _WINDOW * period_us * SLOW.hz // 1_000_000
    log = ran(elf, SLOW, cycles=window + 2 * period_us * SLOW.hz // 1_000_000 + _START_CYCLES)
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
    prices: list[Price] = []
    checks: list[Check] = []
    points = list(dict.fromkeys(_points()))
    for kind, build in ((ALARMS, _alarms), (THREADS, _threads)):
        found = {point: _measured(point, elf) for point, elf in build(points, out).items()}
        own = list(_prices(kind, found))
        by_key = {(one.kind, one.mode, one.number, one.released): one.cycles for one in own}
        prices += own
        for clock_hz, period_us, number in CHECKS:
            counted = count(kind, clock_hz, period_us, number, _WINDOW)
            for mode in _WAYS:
                some = found.get((mode, clock_hz, period_us, number))
                if some is not None:
                    measured = sum(cycles for _, cycles in some) / counted.seconds
                    predicted = rate(by_key, kind, mode, number, counted)
                    checks.append(
                        Check(kind, mode, clock_hz, period_us, number, measured, predicted)
                    )
    return tuple(prices), tuple(checks)


def _prices(kind: str, found: Mapping[Point, Sequence[tuple[int, int]]]) -> Iterator[Price]:
    for mode in _WAYS:
        for number in range(1, MOST + 1):
            some = found[mode, _HZ, _P_US, number]
            for many in sorted({many for many, _ in some if many}):
                mean = _mean([cycles for released, cycles in some if released == many])
                yield Price(kind, mode, number, many, mean)
        far = (SINGLE_SHOT, _HZ, _HOP_US, 1) if mode == SINGLE_SHOT else (mode, _HZ, _P_US, 2)
        nothing = [cycles for many, cycles in found[far] if not many]
        yield Price(kind, mode, 0, 0, _mean(nothing))
    if kind == ALARMS:
        yield from _looks(found)


def _looks(found: Mapping[Point, Sequence[tuple[int, int]]]) -> Iterator[Price]:
    """Of alarms further ahead than 16 bits: what a look takes, and a release by it more than another one."""
    for number in (1, 2):
        some = found[PERIODIC, _HZ, _HOP_US, number]
        near = min(cycles for many, cycles in found[PERIODIC, _HZ, _P_US, number] if many == 1)
        if number == 1:
            counting = min(cycles for many, cycles in some if not many)
            looks = [cycles for many, cycles in some if not many and cycles > 2 * counting]
            yield Price(ALARMS, PERIODIC, 1, 0, _mean(looks))
        far = [cycles for many, cycles in some if many == 1 and cycles > near + _FAR_CYCLES]
        yield Price(ALARMS, PERIODIC, number, FOUND, _mean(far) - near)
