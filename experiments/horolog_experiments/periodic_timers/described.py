# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our side by the tool: small systems of threads and basic tasks, planned and built like a user's."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.build.firmware import Target, build_firmware
from horolog.data import data_root
from horolog.model import Kind, Mode, Plan, System
from horolog.plan import NOTHING, plan, plan_moving, read_prices, refuse_overload
from horolog.read import read_system
from horolog.responses import analysis_of, refuse_misses
from horolog_experiments.periodic_timers.alarms import board_of
from horolog_experiments.periodic_timers.programs import Chip

__all__ = [
    "DELTA_PERIODIC",
    "DELTA_SINGLE_SHOT",
    "PLANNED",
    "TABLE_PERIODIC",
    "TABLE_SINGLE_SHOT",
    "Built",
    "Job",
    "Way",
    "build_described",
]
__all__ += ["build_planned", "described_text", "plan_words"]


@dataclass(frozen=True, slots=True)
class Job:
    """A task of the description: its period in microseconds, its body, its priority, its kind."""

    period_us: int
    body: str
    priority: int = 1
    kind: Kind = Kind.THREAD


@dataclass(frozen=True, slots=True)
class Way:
    """How the tool is to release: by a mechanism and a store (None: as it chooses), with so many cells."""

    mechanism: str | None
    store: str | None
    cells: int = 1


DELTA_PERIODIC = Way("gcd", "delta-list")
DELTA_SINGLE_SHOT = Way("one-shot", "delta-list")
TABLE_PERIODIC = Way("gcd", "mask-table")
TABLE_SINGLE_SHOT = Way("one-shot", "mask-table")
PLANNED = Way(None, None, cells=3)
_STACK = 240
_CELLS = ("timer1a", "timer1b", "timer1c")


@dataclass(frozen=True, slots=True)
class Built:
    """An image, and its plan in words; `prescaler`: the clock's, where the plan chose it."""

    elf: Path
    plan: str
    prescaler: int = 0


def described_text(
    name: str, chip: Chip, clock_hz: int | None, jobs: Sequence[Job], cells: int
) -> str:
    """The description, as a person would write it. `clock_hz` None: the plan chooses the prescaler."""
    named = ", ".join(f'"{cell}"' for cell in _CELLS[:cells])
    sources = ", ".join(
        f'"{data_root() / "bench" / "periodic-timers" / file}"'
        for file in ("horolog/bodies.c", "lamp.c")
    )
    text = f"""\
[system]
name = "{name}"
board = "{board_of(chip)}"
cells = [{named}]
duration = "1 s"
priorities = "explicit"
sources = [{sources}]
"""
    if clock_hz is not None:
        text += f"\n[prescalers]\nclock = {chip.hz // clock_hz}\n"
    for nth, job in enumerate(jobs):
        text += f"""
[[task]]
name = "job{nth}"
priority = {job.priority}
period = "{job.period_us} us"
body = "{job.body}"
wcet = "{Fraction(job.period_us, 1_000)} us"
"""
        text += f"stack = {_STACK}\n" if job.kind is Kind.THREAD else f'kind = "{job.kind.value}"\n'
    return text


def build_described(
    name: str,
    chip: Chip,
    clock_hz: int,
    jobs: Sequence[Job],
    way: Way,
    folder: Path,
    tick_hz: int | None = None,
) -> Built:
    """Plan and build a system below `folder`.

    `tick_hz`: its periodic cell interrupts so often, whatever is due.

    HorologError (1, 2) if it cannot be planned, with what is wrong.
    """
    system = _described(name, chip, clock_hz, jobs, way.cells, folder)
    named = None if way.mechanism is None else NOTHING  # what is named needs no prices
    choice = plan(system, mechanism=way.mechanism, queue=way.store, prices=named, alone=True).choice
    if tick_hz is not None:
        choice = _ticking(choice, clock_hz, tick_hz)
    return Built(_image(name, system, choice, folder), plan_words(choice))


def build_planned(
    name: str, chip: Chip, clock_hz: int | None, jobs: Sequence[Job], folder: Path
) -> Built:
    """The same by the plan that `horolog plan` makes, of the clock's prescaler too if `clock_hz` is None.

    HorologError (1, 2) if that refuses it: it cannot be planned, needs more than the processor, or misses a
    deadline for certain.
    """
    given = _described(name, chip, clock_hz, jobs, PLANNED.cells, folder)
    system, planned = plan_moving(given)
    refuse_overload(system, planned)
    found = analysis_of(system, planned.choice, read_prices(system.board))
    if found.certain:
        refuse_misses(system, found)
    elf = _image(name, system, planned.choice, folder)
    return Built(elf, plan_words(planned.choice), system.board.clock.prescaler)


def _described(
    name: str, chip: Chip, clock_hz: int | None, jobs: Sequence[Job], cells: int, folder: Path
) -> System:
    path = folder / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(described_text(name, chip, clock_hz, jobs, cells), encoding="utf-8")
    return read_system(path)


def _image(name: str, system: System, choice: Plan, folder: Path) -> Path:
    """Built in a folder that systems of one clock share."""
    out = folder / f"{system.board.clock.hz}"
    built = build_firmware(system, choice, out, None, only=Target.HOROLOG).horolog
    elf = folder / f"{name}.elf"
    shutil.copyfile(built, elf)
    return elf


def _ticking(choice: Plan, clock_hz: int, tick_hz: int) -> Plan:
    (only,) = choice.releasers
    period = Fraction(1, tick_hz)
    ticking = replace(only, cell_period=int(clock_hz * period), divider=1, period=period)
    return replace(choice, releasers=(ticking,))


def plan_words(choice: Plan) -> str:
    """Each releaser: its mode, its period, its store."""
    return "; ".join(
        f"{one.mode.value}"
        + (f" {_time(one.period)}" if one.mode is Mode.PERIODIC and one.period else "")
        + f", {one.store}"
        for one in choice.releasers
    )


def _time(period: Fraction) -> str:
    return f"{float(period * 1_000):g} ms"
