# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is known of each STM32 part: stm32.json.xz, distilled from stm32-metapac (setup/distil_stm32.py)."""

from __future__ import annotations

import difflib
import json
import lzma
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from horolog.model import HorologError, Memory

__all__ = ["FILE", "Part", "Region", "Timer", "find_part", "part_names", "read_part"]

FILE = Path(__file__).resolve().parent / "stm32.json.xz"

_CHANNELS = {
    "GP32": 4,
    "GP16": 4,
    "ADV": 4,
    "2CH": 2,
    "1CH": 1,
    "2CH_CMP": 2,
    "1CH_CMP": 1,
    "BASIC": 0,
}
_MOST_NEAR = 5
_ORDERED = re.compile(r"[A-Z][0-9X][A-Z]*")
"""What an order code has behind the part: package, temperatures, packing."""


@dataclass(frozen=True, slots=True)
class Timer:
    """One of the timers TIM1, TIM2, ..."""

    name: str
    kind: str  # as the reference manuals group them: GP32, GP16, ADV, BASIC, 1CH, 2CH, 1CH_CMP, 2CH_CMP
    base: int
    bus: str
    enable: tuple[
        int, int
    ]  # the address of the register that lets its clock through, and the bit there
    update_line: str
    compare_line: str

    @property
    def number(self) -> int:
        """The 2 of TIM2."""
        return int(self.name.removeprefix("TIM"))

    @property
    def width(self) -> int:
        """Bits of its counter."""
        return 32 if self.kind == "GP32" else 16

    @property
    def channels(self) -> int:
        """How many compare channels it has."""
        return _CHANNELS[self.kind]


@dataclass(frozen=True, slots=True)
class Region(Memory):
    """A stretch of memory, as the chip's vendor names it."""

    kind: str  # "flash", "ram", "eeprom"


@dataclass(frozen=True, slots=True)
class Part:
    """A part number, of a chip with two cores one of them."""

    name: str
    family: str
    line: str
    core: str  # m0, m0+, m3, m4, m4f, m7f, m7d, m33f, m55; f, d: with a floating-point unit, for double too
    priority_bits: int
    memory: tuple[Region, ...]
    interrupts: dict[str, int]
    timers: tuple[Timer, ...]


@cache
def _data() -> dict[str, Any]:
    found = json.loads(lzma.decompress(FILE.read_bytes()))
    assert isinstance(found, dict)
    return found


def part_names() -> tuple[str, ...]:
    """All parts, in order of name."""
    return tuple(_data()["parts"])


def find_part(name: str) -> Part:
    """The part called so; an order code such as STM32F446RET6 will do. HorologError if there is none."""
    known, wanted = _data()["parts"], name.upper()
    if wanted in known:
        return read_part(wanted)
    cores = [one for one in known if one.startswith(f"{wanted}-")]
    if cores:
        raise HorologError(
            f"{wanted} has more than one core, or comes in more than one form",
            found=f'"{name}"',
            expected=" or ".join(cores),
        )
    begun = [one for one in known if wanted.startswith(one)]
    if begun and _ORDERED.fullmatch(wanted.removeprefix(max(begun, key=len))):
        return read_part(max(begun, key=len))
    near = difflib.get_close_matches(wanted, list(known), n=_MOST_NEAR, cutoff=0.6)
    near = [one for one in known if len(wanted) > len("STM32") and one.startswith(wanted)][
        :_MOST_NEAR
    ] or near
    raise HorologError(
        f'unknown part "{name}"',
        found=f'"{name}"',
        expected=f"{', '.join(near)}; horolog board parts FILTER lists others"
        if near
        else "an STM32; horolog board parts lists them",
    )


@cache
def read_part(name: str) -> Part:
    """The part of exactly that name; KeyError if there is none."""
    data = _data()
    family, line, core, bits, memory, interrupts, timers, rcc = data["parts"][name]
    found = [_timer(data["timers"][index], rcc) for index in data["timer_lists"][timers]]
    return Part(
        name=name,
        family=family,
        line=line,
        core=core,
        priority_bits=bits,
        memory=tuple(
            Region(of, origin, length, kind)
            for of, kind, origin, length in data["memories"][memory]
        ),
        interrupts=data["interrupts"][interrupts],
        timers=tuple(sorted(found, key=lambda timer: timer.number)),
    )


def _timer(stored: list[Any], rcc: int) -> Timer:
    name, kind, base, bus, (offset, bit), lines = stored
    return Timer(
        name=name,
        kind=kind.removeprefix("TIM_"),
        base=base,
        bus=bus,
        enable=(rcc + offset, bit),
        update_line=lines["UP"],
        compare_line=lines["CC"],
    )
