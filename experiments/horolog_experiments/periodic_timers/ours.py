# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our side: delta lists and tables in both modes, alarms, and what the planner chooses."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

from horolog.model import HorologError, Kind
from horolog_experiments.periodic_timers.alarms import AlarmImage, build_alarms
from horolog_experiments.periodic_timers.described import (
    DELTA_PERIODIC,
    DELTA_SINGLE_SHOT,
    PLANNED,
    TABLE_PERIODIC,
    TABLE_SINGLE_SHOT,
    Built,
    Job,
    Way,
    build_described,
)
from horolog_experiments.periodic_timers.machine import Interrupt, Log, parts, ran
from horolog_experiments.periodic_timers.paper import (
    CLOCKS,
    LAMP_US,
    PERIODIC,
    SINGLE_SHOT,
    THREAD_PERIODS_US,
    THREADS_US,
)
from horolog_experiments.periodic_timers.programs import FAST, SLOW, Chip
from horolog_experiments.periodic_timers.results import (
    Handling,
    Instants,
    Intervals,
    Lamp,
    Spread,
    Threads,
    To,
    spread_of,
)
from horolog_experiments.periodic_timers.turning import TURN_PIN, lamp_of

__all__ = [
    "ALARM",
    "HOROLOG",
    "MASKS",
    "PLAN",
    "RELEASES",
    "TASK",
    "TASK_PLAN",
    "WHAT",
    "Ours",
    "handler_cycles",
]
__all__ += [
    "by_release",
    "handling_cycles",
    "instants_of",
    "measure_ours",
    "slice_of",
    "window_cycles",
]
__all__ += ["HANDLING_HZ", "HANDLING_PERIOD_US", "ten_intervals"]

HOROLOG = "Horolog"
TASK = "Horolog, task"
ALARM = "Horolog, alarm"
MASKS = "Horolog, masks"
PLAN = "Horolog, planned"
TASK_PLAN = f"{TASK}, planned"
WHAT: Mapping[str, str] = {HOROLOG: "a thread", TASK: "a basic task", ALARM: "an alarm that calls"}
"""What is released, for people."""
RELEASES = 1_000
"""The release whose instant is looked at, from 0 on."""
_MARK = 1
_SHORTEST_SLICE, _LONGEST_SLICE = 8, 0x7FFF
_INTERVALS = 10
_VECTORS = (12, 13, 24)  # of timer1a, timer1b, timer1c
_SWITCH = "hrlp_avr_switch"
_KINDS: Mapping[str, tuple[Kind, Mapping[str, Way]]] = {
    HOROLOG: (Kind.THREAD, {PERIODIC: DELTA_PERIODIC, SINGLE_SHOT: DELTA_SINGLE_SHOT}),
    TASK: (Kind.BASIC, {PERIODIC: TABLE_PERIODIC, SINGLE_SHOT: TABLE_SINGLE_SHOT}),
}
HANDLING_HZ, HANDLING_PERIOD_US = 125_000, 5_000
"""The timer clock of Table 3, and the period of its alarm."""
_TICK_US = 1_000
_HANDLINGS = 100
_LAMP_US, _LAMP_SECONDS = 20_000, 1
_HYPERPERIOD_US = 1_800_000
_THREADS_HZ = 28_800
_START_CYCLES = 200_000
Say = Callable[[str], None]


@dataclass
class Ours:
    """What is measured of our side; `refused`: what could not be planned, and why."""

    intervals: list[Intervals] = field(default_factory=list)
    instants: list[Instants] = field(default_factory=list)
    handling: list[Handling] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    threads: list[Threads] = field(default_factory=list)
    paths: list[To] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


def measure_ours(out: Path, say: Say, periods_us: Sequence[int]) -> Ours:
    """Measure our side below the folder `out`."""
    ours = Ours()
    for clock_hz in CLOCKS:
        say(f"Horolog: Tables 1 and 2 at {clock_hz:,} Hz")
        possible = [us for us in periods_us if us * clock_hz >= 1_000_000]
        _alarm_instants(ours, clock_hz, possible, out)
        for side, (kind, ways) in _KINDS.items():
            for mode, way in ways.items():
                for period_us in possible:
                    jobs = [Job(period_us, "bench_release", kind=kind)]
                    name = f"{kind.value}-{mode}-{period_us}"
                    built = _described(ours, name, clock_hz, jobs, way, out)
                    if built is not None:
                        _add_instants(ours, side, mode, clock_hz, period_us, built)
    say("Horolog: Table 3, Figures 10 and 11")
    _handling(ours, out)
    _lamps(ours, out)
    say("Horolog: Table 4")
    _threads(ours, out)
    return ours


def _described(
    ours: Ours, name: str, clock_hz: int, jobs: Sequence[Job], way: Way, out: Path
) -> Built | None:
    """The image; None: it cannot be planned, which is noted."""
    try:
        return build_described(f"{name}-{clock_hz}", SLOW, clock_hz, jobs, way, out / "slow")
    except HorologError as error:
        ours.refused[f"{name} us at {clock_hz:,} Hz"] = error.message
        return None


def slice_of(clock_hz: int, period_us: int) -> int:
    """Counts between interrupts of a periodic cell for an alarm: its period, or the longest that divides it.

    0: it is no whole number of counts, or there is none that a cell can count.
    """
    counts, rest = divmod(clock_hz * period_us, 1_000_000)
    if rest:
        return 0
    shares = (counts // by for by in range(1, counts + 1) if counts % by == 0)
    found = next((one for one in shares if one <= _LONGEST_SLICE), 0)
    return found if found >= _SHORTEST_SLICE else 0


def _alarm_instants(ours: Ours, clock_hz: int, periods_us: Sequence[int], out: Path) -> None:
    images = {
        (mode, us): AlarmImage(
            f"alarm-{mode}-{us}",
            "intervals",
            {"BENCH_PERIOD_US": us, "BENCH_TIMES": 0},
            slice_of(clock_hz, us) if mode == PERIODIC else 0,
        )
        for mode in (PERIODIC, SINGLE_SHOT)
        for us in periods_us
        if mode == SINGLE_SHOT or slice_of(clock_hz, us)
    }
    elfs = build_alarms(list(images.values()), SLOW, clock_hz, out / f"alarms-{clock_hz}")
    for (mode, period_us), image in images.items():
        built = Built(elfs[image.name], "delta-list")
        _add_instants(ours, ALARM, mode, clock_hz, period_us, built)


def _add_instants(
    ours: Ours, side: str, mode: str, clock_hz: int, period_us: int, built: Built
) -> None:
    log = ran(built.elf, SLOW, cycles=window_cycles(period_us))
    ten = ten_intervals(log)
    if ten is not None:
        ours.intervals.append(Intervals(side, mode, clock_hz, period_us, ten))
    off, late = instants_of(log, SLOW, clock_hz, period_us)
    ours.instants.append(Instants(side, mode, clock_hz, period_us, built.plan, off, late))


def window_cycles(period_us: int) -> int:
    """How long releases 0 to 1,000 take, on the chip of Tables 1 and 2."""
    return (RELEASES + 2) * period_us * SLOW.hz // 1_000_000 + _START_CYCLES


def ten_intervals(log: Log) -> Spread | None:
    """Those from release 1 on; None: there are not so many."""
    marks = log.at(_MARK)[1 : 2 + _INTERVALS]
    if len(marks) <= _INTERVALS:
        return None
    return spread_of([after - before for before, after in pairwise(marks)])


def instants_of(log: Log, chip: Chip, clock_hz: int, period_us: int) -> tuple[Fraction, int | None]:
    """How far release 1,000 is off, in counts, and the worst time from the flag to the mark.

    A release is the last interrupt of a cell before its mark. Where fewer came, release 1,000 is off by those
    that are missing, at least; without any there is no such time.
    """
    entered = [one.entered for one in log.interrupts if one.vector in _VECTORS]
    marks = log.at(_MARK)[: RELEASES + 1]
    released = [entered[bisect_right(entered, mark) - 1] for mark in marks]
    late = max((mark - at for mark, at in zip(marks, released, strict=True)), default=None)
    missing = RELEASES + 1 - len(marks)
    if missing:
        return Fraction(missing * period_us * clock_hz, 1_000_000), late
    nominal = Fraction(RELEASES * period_us * chip.hz, 1_000_000)
    return (released[-1] - released[0] - nominal) * clock_hz / chip.hz, late


def handler_cycles(log: Log, interrupts: Sequence[Interrupt]) -> list[int]:
    """How long each of `interrupts` took, up to where it switches, if it does."""
    switches = [one.begin for one in log.visits if one.function == _SWITCH]
    found = []
    for one in interrupts:
        at = bisect_left(switches, one.entered)
        ends = one.returned
        if at < len(switches) and switches[at] < ends:
            ends = switches[at]
        found.append(ends - one.entered)
    return found


def _cells(log: Log) -> list[Interrupt]:
    return [one for one in log.over if one.vector in _VECTORS]


def handling_cycles() -> int:
    """How long the runs of Table 3 are."""
    return _START_CYCLES + (_HANDLINGS + 1) * HANDLING_PERIOD_US * FAST.hz // 1_000_000


def _handling(ours: Ours, out: Path) -> None:
    ticks = {PERIODIC: 1_000_000 // _TICK_US, SINGLE_SHOT: None}
    cycles = handling_cycles()
    for side, (kind, ways) in _KINDS.items():
        for mode, way in ways.items():
            jobs = [Job(HANDLING_PERIOD_US, "bench_release", kind=kind)]
            name = f"handling-{kind.value}-{mode}"
            built = build_described(name, FAST, HANDLING_HZ, jobs, way, out / "fast", ticks[mode])
            log = ran(built.elf, FAST, cycles=cycles, functions=True)
            _add_handling(ours, side, mode, log)
    defines = {"BENCH_PERIOD_US": HANDLING_PERIOD_US, "BENCH_TIMES": 0}
    slices = {PERIODIC: HANDLING_HZ * _TICK_US // 1_000_000, SINGLE_SHOT: 0}
    images = {
        mode: AlarmImage(f"handling-{mode}", "intervals", defines, counts)
        for mode, counts in slices.items()
    }
    elfs = build_alarms(
        [*images.values(), *_lamp_images().values()], FAST, HANDLING_HZ, out / "alarms-fast"
    )
    for mode, image in images.items():
        log = ran(elfs[image.name], FAST, cycles=cycles, functions=True)
        _add_handling(ours, ALARM, mode, log)


def by_release(log: Log) -> dict[bool, list[tuple[int, int]]]:
    """How long each interrupt of a cell took and when it began: those that release, and the others.

    Those that release are the ones that a mark follows before the next; the first few are the start's.
    """
    interrupts = _cells(log)
    marks = log.at(_MARK)
    lengths = handler_cycles(log, interrupts)
    found: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for nth, (one, length) in enumerate(zip(interrupts[:-1], lengths, strict=False)):
        if one.entered > marks[0]:
            after = bisect_left(marks, one.entered)
            released = after < len(marks) and marks[after] < interrupts[nth + 1].entered
            found[released].append((length, one.entered))
    return found


def _add_handling(ours: Ours, side: str, mode: str, log: Log) -> None:
    found, marks = by_release(log), log.at(_MARK)
    for released, some in found.items():
        if some:
            worst, entered = max(some)
            made_of = tuple(parts(log, entered, entered + worst))
            spread = spread_of([length for length, _ in some])
            ours.handling.append(Handling(side, mode, released, spread, None, made_of))
    _, entered = max(found[True])
    marked = marks[bisect_left(marks, entered)]
    ours.paths.append(To(side, mode, tuple(parts(log, entered, marked))))


def _lamp_images() -> dict[tuple[str, int], AlarmImage]:
    """By mode and interrupts a second."""
    defines = {"BENCH_PERIOD_US": _LAMP_US}
    return {
        (mode, hz): AlarmImage(f"lamp-{hz}", "lamp", defines, HANDLING_HZ // hz if hz else 0)
        for mode, hz in LAMP_US
    }


def _lamps(ours: Ours, out: Path) -> None:
    """The lamp's thread never ends, so that its period does not matter: it is one of the alarm's."""
    glow = Job(500 * _LAMP_US, "bench_lamp_glow", 1)
    cycles = _START_CYCLES + _LAMP_SECONDS * FAST.hz

    def turn(side: str, mode: str, ticks: int, kind: Kind, way: Way) -> None:
        name = f"lamp-{side.split()[-1]}-{mode}-{ticks}"
        forced = ticks if ticks and mode == PERIODIC else None
        jobs = [Job(_LAMP_US, "bench_lamp_change", 2, kind), glow]
        try:
            built = build_described(name, FAST, HANDLING_HZ, jobs, way, out / "fast", forced)
        except HorologError as error:
            ours.refused[f"lamp, {side}"] = error.message
            return
        log = ran(built.elf, FAST, cycles=cycles, pins=(TURN_PIN,))
        ours.lamps.append(lamp_of(side, mode, ticks, log, built.plan))

    for side, (kind, ways) in _KINDS.items():
        for mode, ticks in LAMP_US:
            turn(side, mode, ticks, kind, ways[mode])
    turn(PLAN, "", 0, Kind.BASIC, PLANNED)
    for (mode, ticks), image in _lamp_images().items():
        elf = out / "alarms-fast" / f"{image.name}.elf"
        log = ran(elf, FAST, cycles=cycles, pins=(TURN_PIN,))
        ours.lamps.append(lamp_of(ALARM, mode, ticks, log))


def _threads(ours: Ours, out: Path) -> None:
    sides = {
        f"{side}, {mode}": (kind, way)
        for side, (kind, ways) in _KINDS.items()
        for mode, way in ways.items()
    }
    sides |= {MASKS: (Kind.THREAD, TABLE_PERIODIC), PLAN: (Kind.THREAD, PLANNED)}
    sides[TASK_PLAN] = (Kind.BASIC, PLANNED)
    cycles = _START_CYCLES + 2 * _HYPERPERIOD_US * SLOW.hz // 1_000_000
    for side, (kind, way) in sides.items():
        for number in THREADS_US:
            periods = THREAD_PERIODS_US[:number]
            jobs = [Job(period, "bench_nothing", kind=kind) for period in periods]
            name = f"threads-{kind.value}-{side.split()[-1]}-{number}"
            try:
                built = build_described(name, SLOW, _THREADS_HZ, jobs, way, out / "slow")
            except HorologError as error:
                ours.refused[f"threads, {side}"] = error.message
                break
            _add_threads(ours, side, number, built, cycles)
    slices = {PERIODIC: _THREADS_HZ * THREAD_PERIODS_US[0] // 1_000_000, SINGLE_SHOT: 0}
    images = {
        (mode, number): AlarmImage(
            f"threads-{mode}-{number}", "threads", {"BENCH_THREADS": number}, counts
        )
        for mode, counts in slices.items()
        for number in THREADS_US
    }
    elfs = build_alarms(list(images.values()), SLOW, _THREADS_HZ, out / f"alarms-{_THREADS_HZ}")
    for (mode, number), image in images.items():
        built = Built(elfs[image.name], f"alarms, {mode}, delta-list")
        _add_threads(ours, f"{ALARM}, {mode}", number, built, cycles)


def _add_threads(ours: Ours, side: str, number: int, built: Built, cycles: int) -> None:
    log = ran(built.elf, SLOW, cycles=cycles, functions=True)
    found = Threads(side, number, hyperperiod_of(log), built.plan)
    if number == max(THREADS_US):
        interrupts = _last_hyperperiod(log)
        taken = list(zip(handler_cycles(log, interrupts), interrupts, strict=True))
        least, most = (
            tuple(parts(log, one.entered, one.entered + of))
            for of, one in (min(taken, key=lambda t: t[0]), max(taken, key=lambda t: t[0]))
        )
        found = replace(found, least=least, most=most)
    ours.threads.append(found)


def _last_hyperperiod(log: Log) -> list[Interrupt]:
    interrupts = _cells(log)
    since = interrupts[-1].entered - _HYPERPERIOD_US * SLOW.hz // 1_000_000
    return [one for one in interrupts if one.entered > since]


def hyperperiod_of(log: Log) -> Spread:
    """The interrupts of the last hyperperiod of `log`."""
    return spread_of(handler_cycles(log, _last_hyperperiod(log)))
