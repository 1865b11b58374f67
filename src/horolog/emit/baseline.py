# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How FreeRTOS can express a system: its tick, or a cell that releases tasks in the place of the tick."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, gcd, lcm

from horolog.analyse import distinct_instants
from horolog.analyse.memo import remembered
from horolog.emit.prescaled_tick import exact_rate, is_exact, nearest_rate, tick_clock_hz, timer_hz
from horolog.figures import significant
from horolog.model import Baseline, Cell, Mode, System
from horolog.read.units import duration_text, frequency_text

__all__ = [
    "RateGroup",
    "Tick",
    "as_run",
    "baseline_tick",
    "nearest_tick",
    "notify_tick",
    "rate_groups",
    "slowest_tick",
    "tick_of",
    "tick_on_cores",
]

_USUAL_HZ = 1000
_HIGHEST_HZ = 10_000
_MOST_COUNTS = (
    1 << 24
)  # of a tick: what the shortest of the timers that FreeRTOS ticks by has bits for
_FINE = Fraction(1, 100)  # a rounding of periods with which the slowest tick is taken
_COARSE = Fraction(1, 10)  # a rounding that makes it another system
_CELL_HZ = 50_000  # a periodic cell's handler leaves time for tasks up to this rate
_COUNTS_TO_WAIT = 5_000  # cycles of a core, in which a task is created and reaches its first wait
_WORTH_EMPTY = 3  # ticks a release instant: two in vain cost what arming a one-shot cell does


_SERVICES = (
    "the application calls Horolog's services, which FreeRTOS does not have; <hrl/portable.h> has those "
    "that can be compared"
)
_DELAYS = "a body that waits would delay the others of its rate group"
_CONTROL = "the application controls a dispatcher table, which FreeRTOS does not have"
_POINTS = (
    "a task has points of a table that are not evenly spaced, or have different deadlines; the FreeRTOS "
    "side is built of periods"
)


@dataclass(frozen=True, slots=True)
class Tick:
    """How a FreeRTOS side of a system counts time; `hz` is None if it cannot, and `note` says why.

    `start` is t = 0 in ticks: late enough for every task to have reached its first wait. `cell` interrupts
    in the place of FreeRTOS's tick, if there is one: at each tick, or with `one_shot` at each release
    instant, and a tick is a count. `rounded`: by how much of itself a period is another, at most. `prescaler`
    is the clock's, where the cell counts by it.
    """

    hz: Fraction | None
    start: int
    note: str | None
    cell: str | None = None
    one_shot: bool = False
    rounded: Fraction = Fraction(0)
    prescaler: int | None = None


@dataclass(frozen=True, slots=True)
class RateGroup:
    """The tasks of one period, offset and priority, by their numbers in their order."""

    tasks: tuple[int, ...]
    level: int


def rate_groups(system: System, level: Sequence[int]) -> tuple[RateGroup, ...]:
    """The tasks of `system`, each at its `level`, in rate groups, in the order of their first tasks."""
    found: dict[tuple[Fraction, Fraction, int], list[int]] = defaultdict(list)
    for index, task in enumerate(system.tasks):
        found[task.period, task.offset, level[index]].append(index)
    return tuple(RateGroup(tuple(tasks), key[2]) for key, tasks in found.items())


def tick_of(system: System, baseline: Baseline) -> Tick:
    """How `baseline` counts the time of `system`."""
    if baseline is Baseline.NOTIFY:
        return notify_tick(system)
    tick = nearest_tick(system)
    if tick.hz is not None and system.portable and baseline is Baseline.RATE_GROUP:
        return Tick(None, 0, _DELAYS)
    return tick


def baseline_tick(system: System) -> Tick:
    """1 kHz where that expresses every period and offset, else their common divisor up to 10 kHz.

    Where the tick's timer does not give that exactly, another rate that expresses them and is exact, if there
    is one. Rule: docs/adr/0009-overhead.md.
    """
    lacking = _lacking(system)
    if lacking is not None:
        return Tick(None, 0, lacking)
    rate = 1 / _common(Fraction(1, _USUAL_HZ), *_times(system))
    start = 20 + len(system.tasks)
    fits = rate.denominator == 1 and rate <= _HIGHEST_HZ
    exact = fits and is_exact(system.board, rate)
    other = None if exact else _other_exact(system)
    if other is not None:
        return other
    if not fits:
        return Tick(
            None,
            start,
            f"FreeRTOS would need a tick of {frequency_text(rate)} for these periods, more than "
            f"{frequency_text(_HIGHEST_HZ)}: not compared",
        )
    if not exact:
        return Tick(
            None,
            start,
            _not_exact(system, rate),
        )
    if rate == _USUAL_HZ:
        return Tick(rate, start, None)
    return Tick(
        rate,
        _start(system, rate),
        f"FreeRTOS ticks at {frequency_text(rate)} here: {frequency_text(_USUAL_HZ)} cannot express "
        "these periods",
    )


def tick_on_cores(system: System) -> Tick:
    """As nearest_tick, on several cores: t = 0 comes sooner, as such boards are simulated slowly."""
    tick = nearest_tick(system)
    if tick.hz is None:
        return tick
    counts = len(system.tasks) * _COUNTS_TO_WAIT
    return replace(tick, start=3 + ceil(counts * tick.hz / system.board.clock.hz))


def _start(system: System, rate: Fraction) -> int:
    """Ticks of `rate` up to t = 0: the tasks' start is as long as with a tick of 1 ms, or longer."""
    return (20 + len(system.tasks)) * ceil(rate / _USUAL_HZ)


def _not_exact(system: System, rate: Fraction) -> str:
    board = system.board
    if board.freertos is None:
        hz = frequency_text(tick_clock_hz(board))
        return f"a tick of {frequency_text(rate)} does not divide the clock of {hz}: not compared"
    return (
        f"no prescaler of FreeRTOS's timer gives a tick of {frequency_text(rate)} exactly, or another that "
        f"expresses these periods, of {frequency_text(timer_hz(board))}: not compared"
    )


def _other_exact(system: System) -> Tick | None:
    """The exact tick nearest to the usual one, of a timer behind a prescaler."""
    if system.board.freertos is None:
        return None
    rate = exact_rate(system.board, _common(*_times(system)), _USUAL_HZ, _HIGHEST_HZ)
    if rate is None:
        return None
    return Tick(
        rate,
        _start(system, rate),
        f"FreeRTOS ticks at {frequency_text(rate)} here: no prescaler of its timer gives "
        f"{frequency_text(_USUAL_HZ)} exactly, or {frequency_text(_USUAL_HZ)} cannot express these periods",
    )


@remembered
def nearest_tick(system: System) -> Tick:
    """As baseline_tick; where no tick is exact, the one to which periods are rounded.

    That is the slowest of 1 to 10 kHz which rounds no period by more than 1 %, else the one that rounds
    least. Refused where it rounds by more than 10 %.
    """
    exact = baseline_tick(system)
    if exact.hz is not None or _lacking(system) is not None or not system.tasks:
        return exact
    best: Tick | None = None
    for rate in range(_USUAL_HZ, _HIGHEST_HZ + 1, _USUAL_HZ):
        hz = nearest_rate(system.board, rate)
        worst = max(_rounding(task.period, hz) for task in system.tasks)
        if best is None or worst < best.rounded:
            best = Tick(hz, exact.start * (rate // _USUAL_HZ), None, rounded=worst)
        if best.rounded <= _FINE:
            break
    assert best is not None
    assert best.hz is not None
    if best.rounded > _COARSE:
        highest, coarse = frequency_text(_HIGHEST_HZ), significant(100 * _COARSE, 2)
        return replace(
            exact, note=f"no tick of up to {highest} comes within {coarse} % of every period"
        )
    note = (
        f"no tick of up to {frequency_text(_HIGHEST_HZ)} expresses these periods: where "
        f"FreeRTOS ticks, at {_about_hz(best.hz)}, it rounds them, by up to "
        f"{significant(100 * best.rounded, 2)} %"
    )
    return replace(best, note=note)


@remembered
def notify_tick(system: System) -> Tick:
    """The cell that releases the tasks of `system` for FreeRTOS, and how often it interrupts.

    Periodic at the greatest common divisor of periods and offsets; or one-shot at the instants of releases,
    where that would be faster than 50 kHz, or interrupt more than three times as often. Of the clock's
    prescalers the largest with which it can be so, as its wraps interrupt, too.
    """
    lacking = _lacking(system)
    if lacking is not None:
        return Tick(None, 0, lacking)
    if system.portable:
        return Tick(None, 0, "FreeRTOS's own tick, by which bodies wait, is off here")
    if not system.board.port.has_notify:
        return Tick(
            None, 0, f"FreeRTOS's interrupts are not built for cells of {system.board.arch}"
        )
    if not system.board.clock.prescalers:
        return _notify_tick(system)
    found = [
        replace(_notify_tick(replace(system, board=board)), prescaler=board.clock.prescaler)
        for board in reversed(system.board.with_each_prescaler())
    ]
    able = [tick for tick in found if tick.hz is not None]
    return min(able, key=lambda tick: tick.one_shot, default=_notify_tick(system))


def _notify_tick(system: System) -> Tick:
    """The same, by the prescaler that the board has."""

    def no(why: str) -> Tick:
        return Tick(None, 0, why)

    hz = system.board.clock.hz
    if any((time * hz).denominator != 1 for time in _times(system)):
        return no("a period or offset is no whole number of the clock's counts")
    step = _common(*_times(system)) * hz
    cell = _cell(system, Mode.PERIODIC)
    ticks = int(-(-system.duration * hz // step))
    seldom = ticks <= _WORTH_EMPTY * distinct_instants(system, range(len(system.tasks)))
    if (
        cell is not None
        and seldom
        and max(cell.min_counts, hz // _CELL_HZ) <= step <= cell.max_counts
    ):
        start = -(-(20 + len(system.tasks)) * hz // (_USUAL_HZ * step)) + 1
        return Tick(hz / step, int(start), None, cell.name)
    start = (20 + len(system.tasks)) * hz // _USUAL_HZ
    cell = _cell(system, Mode.ONE_SHOT)
    if (
        cell is None
        or max(start, *(int(time * hz) for time in _times(system))) > cell.max_counts // 2
    ):
        return no("no cell of the system can time these releases")
    return Tick(Fraction(hz), start, None, cell.name, one_shot=True)


def _cell(system: System, mode: Mode) -> Cell | None:
    """The first cell of `system` that has `mode`, with a handler of its own."""
    cells = (system.board.cell(name) for name in system.cells)
    board = system.board
    taken = {board.clock.handler, None if board.freertos is None else board.freertos.handler}
    return next((cell for cell in cells if mode in cell.modes and cell.handler not in taken), None)


def as_run(system: System, tick: Tick) -> System:
    """`system` with the periods, offsets and prescaler that `tick` has: itself where these are its own."""
    if tick.prescaler not in (None, system.board.clock.prescaler):
        system = replace(system, board=system.board.with_prescaler(tick.prescaler))
    if not tick.rounded:
        return system
    hz = tick.hz
    assert hz is not None

    def rounded(time: Fraction) -> Fraction:
        return round(time * hz) / hz

    tasks = tuple(
        replace(
            task,
            period=rounded(task.period),
            offset=rounded(task.offset),
            deadline=rounded(task.period) if task.deadline == task.period else task.deadline,
        )
        for task in system.tasks
    )
    return replace(system, tasks=tasks)


def _rounding(period: Fraction, hz: Fraction) -> Fraction:
    """By how much of itself `period` is another in ticks of `hz`."""
    return abs(max(1, round(period * hz)) / hz - period) / period


def _about_hz(hz: Fraction) -> str:
    return frequency_text(hz) if hz.denominator == 1 else f"about {frequency_text(round(hz))}"


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
            f"a tick of {duration_text(period)} is longer than the timer of FreeRTOS's tick can count: "
            "not compared",
        )
    # As long a start as with the usual tick, and one tick more, as the first may come at once.
    start = -(-usual.start / usual.hz // period) + 1
    return Tick(1 / period, int(start), None)


def _lacking(system: System) -> str | None:
    """What `system` needs that FreeRTOS's side, which is built of periods, does not have; None: nothing."""
    if system.needs_horolog:
        return _SERVICES
    if system.portable and system.cores > 1:
        return "bodies that call the kernel are compared on one core only"
    if system.control is not None:
        return _CONTROL
    return _POINTS if any(task.points for task in system.tasks) else None


def _times(system: System) -> list[Fraction]:
    """All periods and offsets."""
    return [time for task in system.tasks for time in (task.period, task.offset)]


def _common(*times: Fraction) -> Fraction:
    """The greatest fraction that divides all."""
    unit = lcm(*(time.denominator for time in times))
    return Fraction(gcd(*(int(time * unit) for time in times)), unit)
