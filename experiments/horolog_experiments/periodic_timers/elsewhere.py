# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the issue asks of AVR beside the paper: examples/engine-12, and what a small program takes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.image import read_image
from horolog.model import HorologError, Kind, System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.kernel.sizes import ram_objects
from horolog_experiments.periodic_timers.alarms import AlarmImage, build_alarms
from horolog_experiments.periodic_timers.described import plan_words
from horolog_experiments.periodic_timers.machine import ran
from horolog_experiments.periodic_timers.programs import UNO
from horolog_experiments.periodic_timers.results import Crowd, Engine, Size
from horolog_experiments.periodic_timers.small_chip import (
    FREERTOS,
    OURS,
    TICK_HOOK,
    small_chip_sizes,
)

__all__ = ["measure_crowd", "measure_engine", "measure_sizes"]

_KINDS = {"threads": Kind.THREAD, "basic": Kind.BASIC}
_LARGEST = 8
_NAMES = {OURS: "Horolog", FREERTOS: "FreeRTOS", TICK_HOOK: "FreeRTOS, tick hook"}


def measure_engine(out: Path, source: Path | None, refused: dict[str, str]) -> tuple[Engine, ...]:
    """examples/engine-12: kernel cycles a job of both kinds, and of FreeRTOS from the folder `source`."""
    system = read_system(data_root() / "examples" / "engine-12" / "system.toml")
    found = []
    for name, kind in _KINDS.items():
        try:
            found.append(_engine(name, _of_kind(system, kind), out / name, source))
        except HorologError as error:
            refused[f"engine-12, {name}"] = error.message
    return tuple(found)


def _of_kind(system: System, kind: Kind) -> System:
    return replace(system, tasks=tuple(replace(task, kind=kind) for task in system.tasks))


def _engine(name: str, system: System, out: Path, source: Path | None) -> Engine:
    choice = plan(system).choice
    side = measure_plan(system, choice, out)
    theirs = None if source is None else measure_baseline(system, choice, source, out)
    return Engine(
        name,
        plan_words(choice),
        side.jobs,
        _per_job(side),
        None if theirs is None else _per_job(theirs),
    )


def _per_job(side: Side) -> Fraction:
    return Fraction(side.counted.kernel, side.jobs)


def measure_sizes(out: Path) -> tuple[Size, ...]:
    """Two threads, a semaphore and an alarm: RAM without stacks, and ROM, of Horolog and of FreeRTOS."""
    folder = out / "small-chip"
    found = small_chip_sizes(folder)
    return tuple(
        Size(
            _NAMES[name],
            one.ram,
            one.rom,
            _largest(folder / f"{name}.elf"),
            tuple(ram_objects(folder / f"{name}.elf")[:_LARGEST]),
        )
        for name, one in found.items()
    )


def _largest(elf: Path) -> tuple[tuple[str, int], ...]:
    functions = [(one.name, one.high - one.low) for one in read_image(elf).functions]
    return tuple(sorted(functions, key=lambda one: (-one[1], one[0]))[:_LARGEST])


_CROWD_STACK, _TOO_SMALL, _TIMES = 96, 72, 10_000
_MOST_THREADS = 12
_UNO_HZ = 250_000


def measure_crowd(out: Path) -> Crowd:
    """As many threads with stacks of 96 bytes as fit the Uno, each with 10,000 sleeps and hand-overs.

    And the same with stacks that are too small: the kernel's checks have to stop that.
    """
    for threads in range(_MOST_THREADS, 0, -1):
        try:
            elf = _crowd(out, threads, _CROWD_STACK, _TIMES)
        except HorologError:
            continue  # too many for the chip's RAM
        runs = _ends_well(elf)
        caught = not _ends_well(_crowd(out, threads, _TOO_SMALL, 10))
        return Crowd(threads, _CROWD_STACK, _TIMES, runs, _TOO_SMALL, caught)
    return Crowd(0, _CROWD_STACK, _TIMES, False, _TOO_SMALL, False)


def _crowd(out: Path, threads: int, stack: int, times: int) -> Path:
    defines = {
        "BENCH_THREADS": threads,
        "BENCH_STACK": stack,
        "BENCH_TIMES": times,
        "BENCH_SLEEP_COUNTS": 20,
    }
    image = AlarmImage("crowd", "crowd", defines)
    return build_alarms([image], UNO, _UNO_HZ, out / "crowd", checks=True)["crowd"]


def _ends_well(elf: Path) -> bool:
    try:
        ran(elf, UNO)
    except HorologError:
        return False
    return True
