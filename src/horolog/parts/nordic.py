# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards of Nordic's nRF51 and nRF52: what the chip's SVD file says, and what only its data sheet does.

Timers, their registers, the interrupt lines, the core and its priority bits come from the SVD file, that of
pyOCD's package (it is read, never copied) or one of the user's own. Sizes of memory, widths of timers and the
core's frequency are in no SVD file: nordic_chips.py has them.

The counters of all TIMERs run free. The first of the board's timers with 32 bits is the clock, and two of its
comparisons are cells; of every other timer four are (ports/cell/nrf-timer). Where an RTC is asked for, it is
the clock, and two or three of its comparisons are the cells (ports/cell/nrf-rtc).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from horolog.model import HorologError, Memory, PartCore, Place
from horolog.parts.chosen import Wish
from horolog.parts.cores import no_board, port_of
from horolog.parts.nordic_chips import Chip, find_chip
from horolog.parts.svd import Device, Peripheral
from horolog.parts.svd_files import svd_of_pyocd, svd_of_user
from horolog.read.problems import listed, shown, suggestion
from horolog.read.units import frequency_text

__all__ = ["Nordic", "NordicTimer", "nordic_board"]

_TIMER = re.compile(r"TIMER\d+")
_RTC = re.compile(r"RTC\d+")
_INPUT_HZ = 16_000_000  # what a TIMER's prescaler divides
_PRESCALERS = range(4, 10)  # 1 MHz and less: the driver says why (hrlp_board_timers.h)
_REGISTERS = {
    "nrf-timer": {"PRESCALER": 0x510, "CC[%s]": 0x540},
    "nrf-rtc": {"COUNTER": 0x504, "CC[%s]": 0x540},
}
"""By driver: where it has some of its registers."""
_RTC_HZ, _RTC_BITS = 32_768, 24
_RTC_START_COUNTS, _RTC_MIN_COUNTS = 3, 8  # ports/cell/nrf-rtc/hrlp_clock_device.h
_LINES = 32  # the port pends basic tasks by the first register of pending lines
_SOFTWARE = range(18, 26)  # SWI0 to SWI5 with two lines before them: eight numbers in a row
_LATE = ("RADIO", "UART", "SPI", "GPIOTE", "SAADC", "ADC", "NFCT", "POWER", "RTC", "WDT")
"""Lines that applications often want are taken last."""
_START_CYCLES = 384  # from the first instruction of a cell's start to that its comparison is set
_HANDLER_CYCLES = 1024  # shorter intervals leave no time for a handler, as on the micro:bit
_MOST_TIMERS = 5  # of the driver

_CORES = {("CM0", False): "m0", ("CM4", True): "m4f", ("CM4", False): "m4"}
"""What SVD files call cores, and whether they have an FPU; what `[parts]` of port.toml calls them."""


@dataclass(frozen=True, slots=True)
class NordicTimer:
    """A TIMER of a board."""

    name: str
    base: int
    line: str
    width: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A chip in one of its variants."""

    name: str  # nRF52840_xxAA, as Nordic and probe-rs write it
    chip: Chip
    memory: tuple[int, int]
    priority_bits: int
    interrupts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Nordic:
    """All that the files of a board say."""

    part: _Part
    arch: str
    controller: str
    core: PartCore
    hz: int
    timer_hz: int
    source: str
    device: str  # the driver
    timers: tuple[NordicTimer, ...]  # the first is the clock; an RTC is alone
    lines: tuple[tuple[str, int], ...]  # free for basic tasks
    memory: tuple[Memory, ...]

    @property
    def has_rtc(self) -> bool:
        """Whether the clock is an RTC, and not a TIMER."""
        return self.timers[0].width == _RTC_BITS

    @property
    def cycle_counter(self) -> str | None:
        """What counts cycles in firmware that measures itself; None: nothing does."""
        return self.core.cycle_counter if self.part.chip.has_systick else None

    @property
    def clock_timers(self) -> tuple[NordicTimer, ...]:
        """The timer that is the clock, alone."""
        return self.timers[:1]

    @property
    def prescaler(self) -> int:
        """The exponent by which the timers' input is divided."""
        return (_INPUT_HZ // self.timer_hz).bit_length() - 1

    @property
    def start_counts(self) -> int:
        """How far ahead a cell's first instant lies that starts while the system runs."""
        if self.has_rtc:
            return _RTC_START_COUNTS
        return max(2, ceil(_START_CYCLES * self.timer_hz / self.hz))

    @property
    def min_counts(self) -> int:
        """The shortest interval of a cell."""
        if self.has_rtc:
            return _RTC_MIN_COUNTS
        return max(2 * self.start_counts + 1, ceil(_HANDLER_CYCLES * self.timer_hz / self.hz))


def nordic_board(name: str, wish: Wish, svd: Path | None = None) -> Nordic:
    """The board of the part called so, by `svd` or by pyOCD's file. HorologError if there is none."""
    called, chip, memory = find_chip(name)
    device = _device(called, chip, svd)
    core = _core(device, chip)
    part = _Part(called, chip, memory, _bits(device, chip), device.interrupts)
    arch, controller, its_core = port_of(called, core)
    driver = "nrf-rtc" if any(_is_rtc(name) for name in wish.timers or ()) else "nrf-timer"
    known = _timers(device, chip, driver)
    timers = _in_order(called, _chosen(called, known, wish, driver), known)
    taken = {timer.line for timer in timers}
    flash, ram = memory
    return Nordic(
        part=part,
        arch=arch,
        controller=controller,
        core=its_core,
        hz=_hz(called, chip, wish),
        timer_hz=_timer_hz(called, wish, driver),
        source="internal oscillator",
        device=driver,
        timers=timers,
        lines=_free(device.interrupts, taken),
        memory=(Memory("flash", 0, flash), Memory("ram", 0x2000_0000, ram)),
    )


# ---- the SVD file ----------------------------------------------------------------------------


def _device(part: str, chip: Chip, svd: Path | None) -> Device:
    device = svd_of_pyocd(part, chip.svd) if svd is None else svd_of_user(svd)
    names = {chip.svd, part.lower().partition("_")[0]}
    if device.name.lower() not in names:
        raise HorologError(
            "this SVD file is of another chip",
            place=Place(device.file, key="device.name"),
            found=shown(device.name),
            expected=f"{listed(f'{one}' for one in sorted(names))}, for --part {part}",
        )
    return device


def _core(device: Device, chip: Chip) -> str:
    if device.core is None:
        return chip.core
    has_fpu = chip.core.endswith("f") if device.has_fpu is None else device.has_fpu
    found = _CORES.get((device.core.upper(), has_fpu))
    if found is None:
        raise HorologError(
            "no core of an nRF51 or nRF52",
            place=Place(device.file, key="device.cpu.name"),
            found=shown(device.core) + (" with an FPU" if has_fpu else ""),
            expected='"CM0", or "CM4"',
        )
    return found


def _bits(device: Device, chip: Chip) -> int:
    bits = chip.priority_bits if device.priority_bits is None else device.priority_bits
    if not 2 <= bits <= 8:
        raise HorologError(
            "no number of priority bits",
            place=Place(device.file, key="device.cpu.nvicPrioBits"),
            found=str(bits),
            expected=f"2 to 8; the chip has {chip.priority_bits}",
        )
    return bits


def _is_rtc(name: str) -> bool:
    return _RTC.fullmatch(name.strip().upper()) is not None


def _timers(device: Device, chip: Chip, driver: str) -> dict[str, NordicTimer]:
    """All timers of the chip for that driver, by their names, in order of their numbers."""
    stem = "RTC" if driver == "nrf-rtc" else "TIMER"
    pattern = _RTC if driver == "nrf-rtc" else _TIMER
    found = [one for name, one in device.peripherals.items() if pattern.fullmatch(name)]
    if not found:
        raise HorologError(
            "this SVD file has no timers",
            place=Place(device.file, key="peripherals"),
            found=f"no peripheral {stem}0, {stem}1, ...",
            expected=f"{stem}0 at least, which is to be the clock",
        )
    found.sort(key=lambda timer: int(timer.name.removeprefix(stem)))
    return {one.name: _timer(one, device, chip, driver) for one in found}


def _timer(timer: Peripheral, device: Device, chip: Chip, driver: str) -> NordicTimer:
    key = f"peripheral.{timer.name}"
    if not timer.lines:
        raise HorologError(
            f"{timer.name} has no interrupt",
            place=Place(device.file, key=key),
            found="no <interrupt>",
            expected=f"an <interrupt> in {timer.name}",
        )
    for register, offset in _REGISTERS[driver].items():
        if timer.registers.get(register) != offset:
            there = timer.registers.get(register)
            raise HorologError(
                f"{timer.name} is not a timer that the driver {driver} knows",
                place=Place(device.file, key=f"{key}.register.{register}"),
                found="no such register" if there is None else f"{register} at {there:#x}",
                expected=f"{register} at {offset:#x}",
            )
    narrow = 16 if timer.name in chip.narrow else 32
    width = _RTC_BITS if driver == "nrf-rtc" else narrow
    return NordicTimer(timer.name, timer.base, timer.lines[0], width)


# ---- what is chosen --------------------------------------------------------------------------


def _hz(part: str, chip: Chip, wish: Wish) -> int:
    if wish.hz not in (None, chip.hz):
        raise HorologError(
            f"the core of {part} runs at {frequency_text(chip.hz)} only",
            found=f"--hz {wish.hz}",
            expected=f"no --hz, or --hz {chip.hz}",
        )
    return chip.hz


def _timer_hz(part: str, wish: Wish, driver: str) -> int:
    able = [_RTC_HZ] if driver == "nrf-rtc" else [_INPUT_HZ >> by for by in _PRESCALERS]
    if wish.timer_hz is None:
        return able[0]
    if wish.timer_hz not in able:
        raise HorologError(
            f"the timers of {part} cannot count at {frequency_text(wish.timer_hz)}, in step with each other",
            found=f"--timer-hz {wish.timer_hz}",
            expected=", ".join(map(str, able)),
        )
    return wish.timer_hz


def _chosen(
    part: str, known: Mapping[str, NordicTimer], wish: Wish, driver: str
) -> list[NordicTimer]:
    if wish.timers is None:
        return list(known.values())[:_MOST_TIMERS]
    said = f"--timers {','.join(wish.timers)}"
    names = [name.strip().upper() for name in wish.timers]
    for at, name in enumerate(names):
        if name not in known:
            raise HorologError(
                f'{part} has no timer "{name}"{suggestion(name, known)}',
                found=f'"{name}" of --timers',
                expected=f"some of {listed(known, last='and')}",
            )
        if name in names[:at]:
            raise HorologError(
                f"the timer {name} is listed twice", found=said, expected="each timer once"
            )
    most = 1 if driver == "nrf-rtc" else _MOST_TIMERS
    if len(names) > most:
        raise HorologError(
            f"the driver {driver} has {most} timer{'s' if most > 1 else ''}",
            found=said,
            expected="fewer timers",
        )
    return [timer for name, timer in known.items() if name in names]


def _in_order(
    part: str, timers: Sequence[NordicTimer], known: Mapping[str, NordicTimer]
) -> tuple[NordicTimer, ...]:
    """The clock first: the first with 32 bits; an RTC is it alone."""
    if timers and timers[0].width == _RTC_BITS:
        return tuple(timers)
    wide = [timer for timer in timers if timer.width == 32]
    if wide:
        return (wide[0], *(timer for timer in timers if timer != wide[0]))
    its_wide = [timer.name for timer in known.values() if timer.width == 32]
    if not its_wide:
        raise no_board(part, "its SVD file has no timer of 32 bits")
    raise HorologError(
        "none of the timers can be the clock, which needs 32 bits",
        found=f"--timers {','.join(timer.name for timer in timers)}",
        expected=f"{listed(its_wide)} among them",
    )


def _free(interrupts: Mapping[str, int], taken: set[str]) -> tuple[tuple[str, int], ...]:
    """Those of the first 32 that no timer of the board has: Nordic's for software first."""
    numbers = {interrupts[name] for name in taken}
    free = [(name, at) for name, at in interrupts.items() if at < _LINES and at not in numbers]

    def late(line: tuple[str, int]) -> tuple[bool, bool, int]:
        return line[1] not in _SOFTWARE, line[0].startswith(_LATE), line[1]

    return tuple(sorted(free, key=late))
