# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the paper's mechanisms, and takes from the logs what the page shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

from horolog.build.freertos import freertos_source, freertos_version
from horolog.build.simavr import simavr_version
from horolog.model import Exit, HorologError
from horolog.programs import require, version
from horolog_experiments.periodic_timers.choices import measure_choices, measure_handled
from horolog_experiments.periodic_timers.elsewhere import (
    measure_crowd,
    measure_engine,
    measure_sizes,
)
from horolog_experiments.periodic_timers.machine import Log, pulses, ran
from horolog_experiments.periodic_timers.ours import measure_ours
from horolog_experiments.periodic_timers.paper import (
    CLOCKS,
    LAMP_US,
    PERIODIC,
    PERIODS_US,
    SINGLE_SHOT,
    THREAD_PERIODS_US,
    THREADS_US,
)
from horolog_experiments.periodic_timers.programs import (
    FAST,
    FREERTOS,
    IDEA,
    PUBLISHED,
    SLOW,
    Program,
    built,
    freertos_program,
    handling_program,
    interval_program,
    lamp_program,
    threads_program,
)
from horolog_experiments.periodic_timers.question import measure_question
from horolog_experiments.periodic_timers.results import (
    Handling,
    Intervals,
    Lamp,
    Results,
    Spread,
    Threads,
    spread_of,
)
from horolog_experiments.periodic_timers.turning import TURN_PIN, lamp_of

__all__ = ["handlings", "measure_intervals", "measure_periodic_timers"]

EDITIONS = (PUBLISHED, IDEA)
MODES = (PERIODIC, SINGLE_SHOT)
_LED = "B0"
_RELEASE, _ALARMS = 1, 11
_LAMP_SECONDS = 1
_HYPERPERIOD_US = 1_800_000
Say = Callable[[str], None]


def measure_periodic_timers(
    out: Path, say: Say, *, periods_us: Sequence[int] = PERIODS_US
) -> Results:
    """Measure everything below the folder `out`; Tables 1 and 2 for these periods.

    HorologError (3) if a tool is missing, (4) if a program fails.
    """
    require("avr-gcc")
    folder = out / "paper"
    folder.mkdir(parents=True, exist_ok=True)
    say("the paper's mechanism: Tables 1 and 2")
    intervals = [
        measure_intervals(edition, mode, clock_hz, period_us, folder)
        for edition in EDITIONS
        for mode in MODES
        for clock_hz in CLOCKS
        for period_us in periods_us
    ]
    say("the paper's mechanism: Table 3")
    handling = [
        one for edition in EDITIONS for mode in MODES for one in _handling(edition, mode, folder)
    ]
    say("the paper's mechanism: Figures 10 and 11, Table 4")
    lamps = [_lamp(edition, *key, folder) for edition in EDITIONS for key in LAMP_US]
    threads = [_threads(edition, number, folder) for edition in EDITIONS for number in THREADS_US]
    source = freertos_source()
    if source is not None:
        say("FreeRTOS")
        with_freertos(source, folder, intervals, handling, lamps, threads)
    ours = measure_ours(out / "ours", say, periods_us)
    say("Horolog, planned: Tables 1, 2 and 3")
    choices = measure_choices(out / "ours", periods_us)
    handled = measure_handled(out / "ours")
    say("examples/engine-12; sizes")
    engine = measure_engine(out / "engine", source, ours.refused)
    say("which is cheaper")
    prices, checks = measure_question(out / "ours")
    return Results(
        prices=prices,
        checks=checks,
        engine=engine,
        sizes=measure_sizes(out),
        crowd=measure_crowd(out),
        intervals=(*intervals, *ours.intervals),
        handling=(*handling, *ours.handling),
        lamps=(*lamps, *ours.lamps),
        threads=(*threads, *ours.threads),
        instants=tuple(ours.instants),
        paths=tuple(ours.paths),
        choices=choices,
        handled=handled,
        refused=tuple(ours.refused.items()),
        toolchain=f"avr-gcc {version('avr-gcc')}, simavr {simavr_version()}",
        freertos=None if source is None else freertos_version(source),
    )


def _run(program: Program, folder: Path, **how: object) -> Log:
    return ran(built(program, folder), program.chip, **how)  # type: ignore[arg-type]


def measure_intervals(
    edition: str, mode: str, clock_hz: int, period_us: int, folder: Path
) -> Intervals:
    """A cell of Table 1 or 2, by an edition of the paper's mechanism."""
    program = interval_program(edition, mode, clock_hz, period_us)
    return Intervals(edition, mode, clock_hz, period_us, _gaps(program, folder))


def _gaps(program: Program, folder: Path) -> Spread:
    marks = _run(program, folder).at(_RELEASE)
    if len(marks) != _ALARMS:
        raise HorologError(
            f"{program.name}: {len(marks)} alarms, not {_ALARMS}", exit=Exit.TARGET_FAILED
        )
    return spread_of([after - before for before, after in pairwise(marks)])


def _handling(edition: str, mode: str, folder: Path) -> list[Handling]:
    log = _run(handling_program(edition, mode), folder, pins=(_LED,))
    return handlings(edition, mode, log, releases_every=5 if mode == PERIODIC else 1)


def handlings(side: str, mode: str, log: Log, *, releases_every: int) -> list[Handling]:
    """The interrupts of `log` apart: those that release the alarm, every so many-th, and the others."""
    lit = [pulse.cycles for pulse in pulses(log, _LED)]
    whole = [one.cycles for one in log.over]
    found = []
    for releases in (False, True):
        chosen = [nth for nth in range(len(whole)) if ((nth + 1) % releases_every == 0) == releases]
        if chosen:
            found.append(
                Handling(
                    side,
                    mode,
                    releases,
                    spread_of([whole[nth] for nth in chosen]),
                    spread_of([lit[nth] for nth in chosen]) if lit else None,
                )
            )
    return found


def _lamp(edition: str, mode: str, ticks: int, folder: Path) -> Lamp:
    program = lamp_program(edition, mode, ticks)
    log = _run(program, folder, cycles=_LAMP_SECONDS * FAST.hz, pins=(TURN_PIN,))
    return lamp_of(edition, mode, ticks, log)


def _threads(edition: str, number: int, folder: Path) -> Threads:
    return Threads(edition, number, _of_hyperperiod(threads_program(edition, number), folder))


def _of_hyperperiod(program: Program, folder: Path) -> Spread:
    cycles = (_HYPERPERIOD_US + 2 * THREAD_PERIODS_US[0]) * SLOW.hz // 1_000_000
    log = _run(program, folder, cycles=cycles)
    ticks = _HYPERPERIOD_US // THREAD_PERIODS_US[0]
    return spread_of([one.cycles for one in log.over[-ticks:]])


def with_freertos(
    source: Path,
    folder: Path,
    intervals: list[Intervals],
    handling: list[Handling],
    lamps: list[Lamp],
    threads: list[Threads],
) -> None:
    """Adds what FreeRTOS can do, from the folder `source`; 115,200 Hz give it 100 Hz, but not 1 kHz."""
    for ticks in (1, 10, 100, 1_000):
        defines = {"BENCH_PERIOD_TICKS": ticks, "BENCH_TIMES": _ALARMS}
        program = freertos_program(source, f"intervals-{ticks}", SLOW, 100, defines)
        found = _gaps(program, folder)
        intervals.append(Intervals(FREERTOS, PERIODIC, CLOCKS[-1], 10_000 * ticks, found))
    defines = {"BENCH_PERIOD_TICKS": 5, "BENCH_TIMES": 100}
    log = _run(freertos_program(source, "intervals-handling", FAST, 1_000, defines), folder)
    handling += handlings(FREERTOS, PERIODIC, log, releases_every=5)
    for mode, hz in LAMP_US:
        if mode == PERIODIC:
            defines = {"BENCH_PERIOD_TICKS": hz // 50}
            program = freertos_program(source, f"lamp-{hz}", FAST, hz, defines)
            log = _run(program, folder, cycles=_LAMP_SECONDS * FAST.hz, pins=(TURN_PIN,))
            lamps.append(lamp_of(FREERTOS, mode, hz, log))
    for number in THREADS_US:
        defines = {"BENCH_THREADS": number}
        program = freertos_program(source, f"threads-{number}", SLOW, 100, defines)
        threads.append(Threads(FREERTOS, number, _of_hyperperiod(program, folder)))
