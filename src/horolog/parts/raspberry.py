# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards of Raspberry Pi's RP2040 and RP2350: what the SVD file says, and what only the datasheet does.

Timers, where their registers are, the interrupt lines and the bits that hold peripherals in reset come from
the SVD file, that of the chip's crate (it is read, never copied) or one of the user's own;
raspberry_chips.py has the rest.

One TIMER is the clock, a count a microsecond, and its four alarms are the cells (ports/cell/rp-timer). The
other TIMER of an RP2350 starts by itself, so that its counts are not those of the first: a board has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from horolog.model import HorologError, Memory, PartCore, Place
from horolog.parts.chosen import Wish
from horolog.parts.cores import port_of
from horolog.parts.raspberry_chips import RaspberryChip, Ratio, find_raspberry, pll_ratio
from horolog.parts.svd import Device, field_bits
from horolog.parts.svd_files import svd_of_crate, svd_of_user
from horolog.read.problems import listed, shown, suggestion

__all__ = ["Raspberry", "RaspberryTimer", "raspberry_board"]

_TIMER_HZ = 1_000_000
_LINES = 32  # the port pends basic tasks by the first register of pending lines
_ALARMS = 4
_REGISTERS = {
    "TIMER": {"ALARM0": 0x10, "ARMED": 0x20, "TIMERAWH": 0x24, "TIMERAWL": 0x28},
    "RESETS": {"RESET": 0x00, "RESET_DONE": 0x08},
    "XOSC": {"CTRL": 0x00, "STATUS": 0x04, "STARTUP": 0x0C},
    "PLL_SYS": {"CS": 0x00, "PWR": 0x04, "FBDIV_INT": 0x08, "PRIM": 0x0C},
    "CLOCKS": {
        **{"CLK_REF_CTRL": 0x30, "CLK_REF_SELECTED": 0x38, "CLK_SYS_CTRL": 0x3C},
        **{"CLK_SYS_SELECTED": 0x44, "CLK_PERI_CTRL": 0x48},
    },
}
"""Where the driver has registers, in the peripheral of the name; INTR of TIMER it is told."""


@dataclass(frozen=True, slots=True)
class RaspberryTimer:
    """The TIMER of a board."""

    name: str
    base: int
    intr: int  # the offset of INTR
    lines: tuple[str, ...]  # of its alarms, in order
    first_line: int
    width: int = 64


@dataclass(frozen=True, slots=True)
class _Part:
    """A chip, as `horolog board new` shows it."""

    name: str
    chip: RaspberryChip
    priority_bits: int
    interrupts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Raspberry:
    """All that the files of a board say."""

    part: _Part
    arch: str
    controller: str
    core: PartCore
    hz: int
    timer_hz: int
    source: str | None  # of the clock after reset: the driver of the clock sets another
    timer: RaspberryTimer
    pll: Ratio
    bases: Mapping[str, int]  # of RESETS, XOSC, PLL_SYS, CLOCKS
    reset_bits: Mapping[str, int]  # of the timer and PLL_SYS
    tick: int  # the register that starts the timer's tick
    tick_cycles: int | None  # the register for the periods of the crystal in a tick; None: the same
    lines: tuple[tuple[str, int], ...]  # free for basic tasks
    memory: tuple[Memory, ...]

    @property
    def clock_timers(self) -> tuple[RaspberryTimer, ...]:
        """The timer that is the clock, alone."""
        return (self.timer,)


def raspberry_board(name: str, wish: Wish, svd: Path | None = None) -> Raspberry:
    """The board of the part called so, by `svd` or by its crate's file. HorologError if there is none."""
    chip = find_raspberry(name)
    device = svd_of_crate(chip.name, *chip.crate) if svd is None else svd_of_user(svd)
    if device.name.upper() != chip.name:
        raise HorologError(
            "this SVD file is of another chip",
            place=Place(device.file, key="device.name"),
            found=shown(device.name),
            expected=f"{chip.name}, for --part {name}",
        )
    if wish.timer_hz not in (None, _TIMER_HZ):
        raise HorologError(
            f"the timers of {chip.name} count microseconds",
            found=f"--timer-hz {wish.timer_hz}",
            expected=f"no --timer-hz, or --timer-hz {_TIMER_HZ}",
        )
    hz = chip.hz if wish.hz is None else wish.hz
    arch, controller, core = port_of(chip.name, chip.core)
    timer = _timer(device, chip, wish)
    tick, tick_cycles = _tick(device, chip, timer.name)
    if device.priority_bits not in (None, chip.priority_bits):
        raise HorologError(
            f"this SVD file is of no {chip.name}",
            place=Place(device.file, key="device.cpu.nvicPrioBits"),
            found=str(device.priority_bits),
            expected=f"{chip.priority_bits} bits of interrupt priority",
        )
    return Raspberry(
        part=_Part(chip.name, chip, chip.priority_bits, device.interrupts),
        arch=arch,
        controller=controller,
        core=core,
        hz=hz,
        timer_hz=_TIMER_HZ,
        source=None,
        timer=timer,
        pll=pll_ratio(chip, hz),
        bases={one: _known(device, one, one) for one in _REGISTERS if one != "TIMER"},
        reset_bits={one: _reset_bit(device, one) for one in (timer.name, "PLL_SYS")},
        tick=tick,
        tick_cycles=tick_cycles,
        lines=_free(device.interrupts, timer, chip),
        memory=(Memory("flash", 0x1000_0000, chip.flash), Memory("ram", 0x2000_0000, chip.ram)),
    )


def _known(device: Device, name: str, like: str) -> int:
    """The base of the peripheral `name`, whose registers are where the driver has those of `like`."""
    peripheral = device.peripherals.get(name)
    key = f"peripheral.{name}"
    if peripheral is None:
        raise HorologError(
            f"this SVD file has no {name}",
            place=Place(device.file, key="peripherals"),
            found=f"no peripheral {name}",
            expected=f"{name}, of which the driver needs {listed(_REGISTERS[like], last='and')}",
        )
    for register, offset in _REGISTERS[like].items():
        there = peripheral.registers.get(register)
        if there != offset:
            raise HorologError(
                f"{name} is not what the driver rp-timer knows",
                place=Place(device.file, key=f"{key}.register.{register}"),
                found="no such register" if there is None else f"{register} at {there:#x}",
                expected=f"{register} at {offset:#x}",
            )
    return _address(device, peripheral.base, f"{key}.baseAddress")


def _address(device: Device, address: int, key: str) -> int:
    """An address of the peripherals, which the architecture has in one region."""
    if not 0x4000_0000 <= address < 0x6000_0000:
        raise HorologError(
            "no address of a peripheral",
            place=Place(device.file, key=key),
            found=f"{address:#x}",
            expected="0x40000000 to 0x5fffffff",
        )
    return address


def _timer(device: Device, chip: RaspberryChip, wish: Wish) -> RaspberryTimer:
    names = chip.timers[:1] if wish.timers is None else wish.timers
    wanted = [name.strip().upper() for name in names]
    for name in wanted:
        if name not in chip.timers:
            raise HorologError(
                f'{chip.name} has no timer "{name}"{suggestion(name, chip.timers)}',
                found=f'"{name}" of --timers',
                expected=listed(chip.timers),
            )
    if len(wanted) != 1:
        raise HorologError(
            "one TIMER is the clock, and its alarms are the cells: another counts at other instants",
            found=f"--timers {','.join(names)}",
            expected=listed(f"--timers {one}" for one in chip.timers),
        )
    (name,) = wanted
    base = _known(device, name, "TIMER")
    peripheral = device.peripherals[name]
    lines = tuple(sorted(peripheral.lines, key=lambda line: device.interrupts[line]))
    numbers = [device.interrupts[line] for line in lines]
    intr, inte = (peripheral.registers.get(one) for one in ("INTR", "INTE"))
    if intr is None or inte != intr + 4:
        raise HorologError(
            f"{name} is not what the driver rp-timer knows",
            place=Place(device.file, key=f"peripheral.{name}.register.INTE"),
            found=f"INTR {_at(intr)}, INTE {_at(inte)}",
            expected="INTR, and INTE in the word behind it",
        )
    in_a_row = bool(numbers) and numbers == [*range(numbers[0], numbers[0] + _ALARMS)]
    if not in_a_row or not 0 <= numbers[0] <= chip.lines - _ALARMS:
        raise HorologError(
            f"{name} is not what the driver rp-timer knows",
            place=Place(device.file, key=f"peripheral.{name}"),
            found=f"interrupts {listed(map(str, numbers), last='and') or 'none'}",
            expected=f"four interrupts with numbers in a row below {chip.lines}, one for each alarm",
        )
    return RaspberryTimer(name, base, intr, lines, numbers[0])


def _at(offset: int | None) -> str:
    return "is missing" if offset is None else f"at {offset:#x}"


def _reset_bit(device: Device, name: str) -> int:
    bit = field_bits(device, "RESETS", "RESET").get(name)
    if bit is None:
        raise HorologError(
            f"RESETS has no bit for {name}",
            place=Place(device.file, key="peripheral.RESETS.register.RESET.fields"),
            found=f"no field {name}",
            expected=f"a field {name}, which holds it in reset",
        )
    return bit


def _tick(device: Device, chip: RaspberryChip, timer: str) -> tuple[int, int | None]:
    """The register that starts the tick of `timer`, and that of the tick's length if it is another one."""
    peripheral, register = chip.tick
    register = register.replace(chip.timers[0], timer)
    length = register.replace("_CTRL", "_CYCLES")
    there = device.peripherals.get(peripheral)
    key = f"peripheral.{peripheral}"
    for one in {register, length}:
        if there is None or one not in there.registers:
            raise HorologError(
                f"this SVD file does not say what starts {timer}",
                place=Place(device.file, key=key),
                found=f"no register {one}" if there is not None else f"no peripheral {peripheral}",
                expected=f"{peripheral} with a register {one}",
            )
    assert there is not None
    ends = (_address(device, there.base + there.registers[one], key) for one in (register, length))
    at, its_length = ends
    return at, None if length == register else its_length


def _free(
    interrupts: Mapping[str, int], timer: RaspberryTimer, chip: RaspberryChip
) -> tuple[tuple[str, int], ...]:
    """Those of the first 32 that no alarm has; first eight in a row. None where threads serve basic tasks."""
    if chip.row is None:
        return ()
    row = chip.row
    names = {number: name for name, number in interrupts.items()}
    taken = range(timer.first_line, timer.first_line + _ALARMS)
    numbers = [number for number in range(_LINES) if number not in taken]
    numbers.sort(key=lambda number: (number not in row, number))
    return tuple((names.get(number, f"IRQ{number}"), number) for number in numbers)
