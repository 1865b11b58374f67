# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Raspberry Pi's chips: what no SVD file says of them, by their datasheets; what their PLL can make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from horolog.model import HorologError
from horolog.read.problems import shown
from horolog.read.units import frequency_text

__all__ = [
    "RaspberryChip",
    "Ratio",
    "find_raspberry",
    "is_raspberry",
    "pll_ratio",
    "raspberry_chips",
]

CRYSTAL_HZ = 12_000_000  # another is for the user to write into port/hrlp_board_timers.h
_OSCILLATOR_HZ = range(
    750_000_000, 1_600_000_001
)  # RP2040 Datasheet, 2.18.2; RP2350 Datasheet, 8.6.3
_MULTIPLY = range(16, 321)
_DIVIDE = range(1, 8)


@dataclass(frozen=True, slots=True)
class RaspberryChip:
    """What no SVD file says. `crate`, its version and the path in it are where the SVD file is."""

    name: str
    crate: tuple[str, str, str]
    core: str  # as port.toml has it
    priority_bits: int
    lines: int  # of the interrupt controller
    timers: tuple[str, ...]
    tick: tuple[str, str]  # the peripheral and the register that start the tick of the first timer
    hz: int
    most_hz: int
    flash: int  # bytes, on the board of Raspberry Pi's that has the chip
    ram: int
    row: range | None
    """Eight lines in a row that applications seldom want; None: threads serve basic tasks, as on `pico`."""
    chip_id: int  # of SYSINFO, without the revision
    datasheet: str
    board: str
    openocd: tuple[str, ...]
    probe_rs: str
    pyocd: str
    starts_by_second_stage: bool  # else by a definition of the image
    packages: str = ""  # letters behind the chip's name


_MIB, _KIB = 1024 * 1024, 1024
_CHIPS = (
    RaspberryChip(
        name="RP2040",
        crate=("rp2040-pac", "0.6.0", "svd/rp2040.svd"),
        core="m0+",
        priority_bits=2,
        lines=32,
        timers=("TIMER",),
        tick=("WATCHDOG", "TICK"),
        hz=125_000_000,
        most_hz=133_000_000,
        flash=2 * _MIB,
        ram=264 * _KIB,
        row=None,
        chip_id=0x0000_2927,
        datasheet="RP2040 Datasheet",
        board="Raspberry Pi Pico",
        openocd=("interface/cmsis-dap.cfg", "target/rp2040-core0.cfg"),
        probe_rs="RP2040",
        pyocd="rp2040",
        starts_by_second_stage=True,
    ),
    RaspberryChip(
        name="RP2350",
        crate=("rp235x-pac", "0.2.0", "svd/RP2350.svd"),
        core="m33s",
        priority_bits=4,
        lines=52,
        timers=("TIMER0", "TIMER1"),
        tick=("TICKS", "TIMER0_CTRL"),
        hz=150_000_000,
        most_hz=150_000_000,
        flash=4 * _MIB,
        ram=520 * _KIB,
        row=range(22, 30),  # Non-secure pins, the flash's, SIO's mailboxes, doorbells and time
        chip_id=0x0000_4927,
        datasheet="RP2350 Datasheet",
        board="Raspberry Pi Pico 2",
        openocd=(),  # OpenOCD 0.12 does not know it
        probe_rs="RP235x",
        pyocd="rp2350",
        starts_by_second_stage=False,
        packages="AB",
    ),
)


def raspberry_chips() -> tuple[RaspberryChip, ...]:
    """All that are known."""
    return _CHIPS


def is_raspberry(part: str) -> bool:
    """Whether the name is meant to be one of Raspberry Pi's."""
    return part.strip().upper().startswith("RP2")


def find_raspberry(part: str) -> RaspberryChip:
    """The chip of a part's name, with or without its package (RP2350A). HorologError if there is none."""
    wanted = part.strip().upper()
    for chip in _CHIPS:
        if wanted in (chip.name, *(f"{chip.name}{package}" for package in chip.packages)):
            return chip
    raise HorologError(
        f'unknown part "{part}"',
        found=shown(part),
        expected=" or ".join(chip.name for chip in _CHIPS),
    )


@dataclass(frozen=True, slots=True)
class Ratio:
    """What the PLL makes of the crystal's frequency: times `multiply`, by both divisors."""

    multiply: int
    first: int
    second: int

    @property
    def hz(self) -> int:
        """The frequency, if it is whole."""
        return CRYSTAL_HZ * self.multiply // (self.first * self.second)


def pll_ratio(chip: RaspberryChip, hz: int) -> Ratio:
    """How the PLL makes `hz`, with the slowest oscillator that does.

    HorologError, with what is near, if it cannot.
    """
    able = _ratios(chip)
    if hz in able:
        return able[hz]
    near = sorted(sorted(able), key=lambda one: abs(one - hz))[:3]
    crystal = frequency_text(CRYSTAL_HZ)
    raise HorologError(
        f"the PLL of {chip.name} cannot make {frequency_text(hz)} of its crystal's {crystal}"
        if hz <= chip.most_hz
        else f"the core of {chip.name} runs at {frequency_text(chip.most_hz)} at most",
        found=f"--hz {hz}",
        expected=", ".join(map(str, sorted(near))),
    )


def _ratios(chip: RaspberryChip) -> Mapping[int, Ratio]:
    """By frequency, in whole hertz up to the chip's highest."""
    found: dict[int, Ratio] = {}
    for ratio in _every_ratio():
        if ratio.hz <= chip.most_hz:
            found.setdefault(ratio.hz, ratio)
    return found


def _every_ratio() -> Iterator[Ratio]:
    for multiply in _MULTIPLY:
        if CRYSTAL_HZ * multiply not in _OSCILLATOR_HZ:
            continue
        for first in reversed(_DIVIDE):
            for second in range(1, first + 1):
                if CRYSTAL_HZ * multiply % (first * second) == 0:
                    yield Ratio(multiply, first, second)
