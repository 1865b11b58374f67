# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The programs of the paper's mechanisms and of FreeRTOS (bench/periodic-timers): how each is compiled.

Frequencies of the periodic timer, and how far the single-shot one counts by hardware, are those with which
the published figures come out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import gcd
from pathlib import Path

from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import call
from horolog_experiments.periodic_timers.paper import PERIODIC

__all__ = ["FAST", "FREERTOS", "IDEA", "PUBLISHED", "SLOW", "UNO", "Chip", "Program", "built"]
__all__ += ["freertos_program", "handling_program", "interval_program", "lamp_program"]
__all__ += ["constant", "threads_program", "tick_hz"]

PUBLISHED = "as published"
IDEA = "the idea"
FREERTOS = "FreeRTOS"


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip, and the quartz beside it."""

    hz: int
    mcu: str = "atmega128"


SLOW = Chip(7_372_800)
UNO = Chip(16_000_000, "atmega328p")
FAST = Chip(8_000_000)
_SELECT = {1: 1, 8: 2, 64: 3, 256: 4, 1_024: 5}  # CS bits of the 16-bit timers, by prescaler
_MOST = 0xFFFF
_FASTEST_TICK = 7_200
_PUBLISHED_HOP, _HOP = 72, 0x8000
_SECONDS = 60
_FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror")


@dataclass(frozen=True, slots=True)
class Program:
    """One program: its files, from bench/periodic-timers, and what they are compiled with.

    `freertos`: FreeRTOS-Kernel's folder, for a program on it.
    """

    name: str
    chip: Chip
    sources: tuple[str, ...]
    defines: Mapping[str, int] = field(default_factory=dict)
    freertos: Path | None = None


def _mechanism(edition: str, mode: str, chip: Chip, clock_hz: int) -> tuple[str, dict[str, int]]:
    common = gcd(clock_hz, 1_000_000)
    return f"paper/{'periodic' if mode == PERIODIC else 'single_shot'}.c", {
        "PAPER_PUBLISHED": int(edition == PUBLISHED),
        "PAPER_CLOCK_HZ": clock_hz,
        "PAPER_PRESCALER": _SELECT[chip.hz // clock_hz],
        "PAPER_RATE_COUNTS": clock_hz // common,
        "PAPER_RATE_US": 1_000_000 // common,
        "PAPER_TICK_HZ": 1,
        "PAPER_ALL_DUE": 0,
        "PAPER_HOP_COUNTS": 0,
        "BENCH_LED": 0,
    }


def tick_hz(edition: str, clock_hz: int, period_us: int) -> int:
    """How often the periodic timer interrupts for an alarm of that period.

    As often as the alarm goes off, but at least once a second, as that is a whole number of hertz, and twice
    where the timer is too fast for one second. As published not more often than 7,200 times a second, and
    just so often for 1 ms, too: this is what the published figures show.
    """
    wanted = 1_000_000 // period_us
    if edition == PUBLISHED and wanted >= 1_000:
        return _FASTEST_TICK
    return min(clock_hz, max(wanted, 1 if clock_hz <= _MOST else 2))


def interval_program(edition: str, mode: str, clock_hz: int, period_us: int) -> Program:
    """Figure 7 of the paper, for a cell of Table 1 or 2."""
    source, defines = _mechanism(edition, mode, SLOW, clock_hz)
    hop = _PUBLISHED_HOP if edition == PUBLISHED else _HOP
    far = clock_hz * period_us // 1_000_000 > _MOST
    defines |= {
        "PAPER_TICK_HZ": tick_hz(edition, clock_hz, period_us),
        "PAPER_HOP_COUNTS": hop if far else 0,
        "BENCH_PERIOD_US": period_us,
    }
    name = f"intervals-{_stem(edition)}-{mode}-{clock_hz}-{period_us}"
    return Program(name, SLOW, ("paper/intervals.c", source), defines)


def _stem(edition: str) -> str:
    return edition.split()[-1]


_TABLE_3 = 125_000


def handling_program(edition: str, mode: str) -> Program:
    """Table 3: an alarm of 5 ms under a timer of 1 kHz."""
    source, defines = _mechanism(edition, mode, FAST, _TABLE_3)
    defines |= {"PAPER_TICK_HZ": 1_000, "BENCH_PERIOD_US": 5_000, "BENCH_LED": 1}
    return Program(f"handling-{_stem(edition)}-{mode}", FAST, ("paper/handling.c", source), defines)


def lamp_program(edition: str, mode: str, ticks: int) -> Program:
    """Figure 9: the lamp, and an alarm of 20 ms under a timer of so many interrupts a second."""
    source, defines = _mechanism(edition, mode, FAST, _TABLE_3)
    defines |= {"PAPER_TICK_HZ": ticks or 1, "BENCH_PERIOD_US": 20_000}
    sources = ("paper/lamp.c", "lamp.c", source)
    return Program(f"lamp-{_stem(edition)}-{mode}-{ticks}", FAST, sources, defines)


def threads_program(edition: str, threads: int) -> Program:
    """Figure 12: so many threads under a timer of 100 Hz."""
    source, defines = _mechanism(edition, PERIODIC, SLOW, 28_800)
    defines |= {"PAPER_TICK_HZ": 100, "PAPER_ALL_DUE": 1, "BENCH_THREADS": threads}
    return Program(
        f"threads-{_stem(edition)}-{threads}", SLOW, ("paper/threads.c", source), defines
    )


_PORT = Path("portable") / "GCC" / "ATMega323"
_KERNEL = ("tasks.c", "list.c", "queue.c", "timers.c")


def freertos_program(
    freertos: Path, name: str, chip: Chip, ticks: int, defines: Mapping[str, int]
) -> Program:
    """A program of bench/periodic-timers/freertos under a tick of so many hertz.

    The part of `name` before a hyphen is its file's.
    """
    sources = [f"freertos/{name.split('-')[0]}.c", "freertos/support.c"]
    if name.startswith("lamp"):
        sources.append("lamp.c")
    own = {"BENCH_CPU_HZ": chip.hz, "BENCH_TICK_HZ": ticks, "BENCH_LED": 0}
    return Program(f"freertos-{name}", chip, tuple(sources), {**own, **defines}, freertos)


def built(program: Program, folder: Path) -> Path:
    """The ELF file of `program`, made in `folder`. HorologError (4) if it does not compile."""
    sources = data_root() / "bench" / "periodic-timers"
    elf = folder / f"{program.name}.elf"
    command = [
        "avr-gcc",
        f"-mmcu={program.chip.mcu}",
        *_FLAGS,
        *(f"-D{name}={constant(value)}" for name, value in program.defines.items()),
        f"-I{sources}",
        *_of_freertos(program.freertos, sources),
        *(str(sources / name) for name in program.sources),
        "-o",
        str(elf),
    ]
    done = call(command, seconds=_SECONDS)
    if done.status != 0:
        raise HorologError(
            f"{program.name} does not compile",
            found=done.errors.strip()[-1_000:],
            exit=Exit.TARGET_FAILED,
        )
    return elf


def _of_freertos(kernel: Path | None, sources: Path) -> list[str]:
    if kernel is None:
        return []
    includes = (sources / "freertos", kernel / "include", kernel / _PORT)
    files = (*(kernel / name for name in _KERNEL), kernel / _PORT / "port.c")
    linked = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections", "-Wno-error")
    return [*linked, *(f"-I{folder}" for folder in includes), *map(str, files)]


def constant(value: int) -> str:
    """As C has it where `int` has 16 bits: what is multiplied is to be long."""
    return f"{value}ul" if value > 0xFF else str(value)
