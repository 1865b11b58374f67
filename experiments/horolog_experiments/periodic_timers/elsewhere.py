# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the issue asks of AVR beside the paper: examples/engine-12, and what a small program takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import HorologError, Kind, System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.kernel.sizes import ram_without_stacks, rom
from horolog_experiments.periodic_timers.alarms import AlarmImage, build_alarms
from horolog_experiments.periodic_timers.described import plan_words
from horolog_experiments.periodic_timers.programs import FAST, built, freertos_program
from horolog_experiments.periodic_timers.results import Engine, Size

__all__ = ["measure_engine", "measure_sizes"]

_KINDS = {"threads": Kind.THREAD, "basic": Kind.BASIC}
_HZ = 125_000
Say = Callable[[str], None]


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


def measure_sizes(out: Path, source: Path | None) -> tuple[Size, ...]:
    """Two threads, a semaphore and an alarm: ROM, and RAM without stacks, of Horolog and of FreeRTOS."""
    ours = build_alarms([AlarmImage("minimal", "minimal")], FAST, _HZ, out / "minimal")
    elfs: Mapping[str, Path] = {"Horolog": ours["minimal"]}
    if source is not None:
        program = freertos_program(source, "minimal", FAST, 1_000, {})
        elfs = {**elfs, "FreeRTOS": built(program, out)}
    return tuple(Size(side, ram_without_stacks(elf), rom(elf)) for side, elf in elfs.items())
