# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The tasks of Tables 1, 2 and 3, released as the tool chooses: by the table's timer clock, and by any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from horolog.model import Exit, HorologError, Kind
from horolog_experiments.periodic_timers.described import Job, build_planned
from horolog_experiments.periodic_timers.machine import Log, ran
from horolog_experiments.periodic_timers.ours import (
    HANDLING_HZ,
    HANDLING_PERIOD_US,
    PLAN,
    TASK_PLAN,
    by_release,
    handling_cycles,
    instants_of,
    ten_intervals,
    window_cycles,
)
from horolog_experiments.periodic_timers.paper import CLOCKS
from horolog_experiments.periodic_timers.programs import FAST, SLOW
from horolog_experiments.periodic_timers.results import Choice, Spread, spread_of

__all__ = ["KINDS", "measure_choice", "measure_choices", "measure_handled"]

KINDS: Mapping[str, Kind] = {PLAN: Kind.THREAD, TASK_PLAN: Kind.BASIC}
"""What is planned, by the side."""


def measure_choices(out: Path, periods_us: Sequence[int]) -> tuple[Choice, ...]:
    """Tables 1 and 2, below the folder `out`: each period by each timer clock, and by the plan's own."""
    return tuple(
        measure_choice(side, clock_hz, period_us, out)
        for clock_hz in (*CLOCKS, None)
        for period_us in periods_us
        for side in KINDS
    )


def measure_choice(side: str, clock_hz: int | None, period_us: int, out: Path) -> Choice:
    """A row of one side."""
    kind = KINDS[side]
    name = f"{kind.value}-planned-{period_us}-{clock_hz or 'any'}"
    jobs = [Job(period_us, "bench_release", kind=kind)]
    try:
        built = build_planned(name, SLOW, clock_hz, jobs, out / "slow")
    except HorologError as error:
        if error.exit not in (Exit.DOES_NOT_HOLD, Exit.BAD_INPUT):
            raise
        return Choice(side, clock_hz, period_us, refused=_why(error))
    log = ran(built.elf, SLOW, cycles=window_cycles(period_us), functions=True)
    off, late = instants_of(log, SLOW, SLOW.hz // built.prescaler, period_us)
    return Choice(
        side,
        clock_hz,
        period_us,
        built.prescaler,
        built.plan,
        ten_intervals(log),
        off,
        late,
        *_interrupts(log),
    )


def measure_handled(out: Path) -> tuple[Choice, ...]:
    """Table 3: the task that its alarm is, in the table's window."""
    found = []
    for clock_hz in (HANDLING_HZ, None):
        for side, kind in KINDS.items():
            name = f"handling-{kind.value}-planned-{clock_hz or 'any'}"
            jobs = [Job(HANDLING_PERIOD_US, "bench_release", kind=kind)]
            built = build_planned(name, FAST, clock_hz, jobs, out / "fast")
            log = ran(built.elf, FAST, cycles=handling_cycles(), functions=True)
            releasing, counting = _interrupts(log)
            found.append(
                Choice(
                    side,
                    clock_hz,
                    HANDLING_PERIOD_US,
                    built.prescaler,
                    built.plan,
                    releasing=releasing,
                    counting=counting,
                )
            )
    return tuple(found)


def _interrupts(log: Log) -> tuple[Spread | None, Spread | None]:
    """Those that release, and the others."""
    found = by_release(log)
    spreads = (
        spread_of([length for length, _ in some]) if some else None
        for some in (found[True], found[False])
    )
    return next(spreads), next(spreads)


def _why(error: HorologError) -> str:
    return f"{error.message}: {error.found}" if error.found else error.message
