# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Nordic's chips by part number: what no SVD file says of them, by their product specifications."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from horolog.model import HorologError
from horolog.read.problems import listed, shown

__all__ = ["Chip", "find_chip", "is_nordic", "nordic_memory", "nordic_names"]

_ORDERED = re.compile(r"(NRF\d{5})(?:[-_]?(?:XX|[A-Z]{2})(A[A-Z])(?:[-_].*)?)?")
"""A part, as nRF52840, nRF52840_xxAA or nRF52840-QIAA-R7: chip, package, variant."""


@dataclass(frozen=True, slots=True)
class Chip:
    """What no SVD file says. `memory`: bytes of flash and RAM by variant; the first is the usual one."""

    svd: str  # the name of its file, and of the device in it
    core: str  # if the file is silent
    priority_bits: int  # likewise
    hz: int
    memory: Mapping[str, tuple[int, int]]
    narrow: tuple[str, ...]  # timers with 16 bits; others have 32
    source: str
    openocd: str
    pyocd: str
    has_systick: bool = True


_KIB = 1024
_CHIPS = {
    "nRF51822": Chip(
        "nrf51",
        "m0",
        2,
        16_000_000,
        {
            "AA": (256 * _KIB, 16 * _KIB),
            "AB": (128 * _KIB, 16 * _KIB),
            "AC": (256 * _KIB, 32 * _KIB),
        },
        ("TIMER1", "TIMER2"),
        'nRF51822 Product Specification, "Memory"; nRF51 Series Reference Manual, 18',
        "target/nrf51.cfg",
        "nrf51",
        has_systick=False,  # nRF51 Series Reference Manual, 18; a Cortex-M0 may be without
    ),
    "nRF52832": Chip(
        "nrf52",
        "m4f",
        3,
        64_000_000,
        {"AA": (512 * _KIB, 64 * _KIB), "AB": (256 * _KIB, 32 * _KIB)},
        (),
        'nRF52832 Product Specification, "Memory" and "TIMER"',
        "target/nrf52.cfg",
        "nrf52",
    ),
    "nRF52833": Chip(
        "nrf52833",
        "m4f",
        3,
        64_000_000,
        {"AA": (512 * _KIB, 128 * _KIB)},
        (),
        'nRF52833 Product Specification, "Memory" and "TIMER"',
        "target/nrf52.cfg",
        "nrf52833",
    ),
    "nRF52840": Chip(
        "nrf52840",
        "m4f",
        3,
        64_000_000,
        {"AA": (1024 * _KIB, 256 * _KIB)},
        (),
        'nRF52840 Product Specification, "Memory" and "TIMER"',
        "target/nrf52.cfg",
        "nrf52840",
    ),
}


def nordic_names() -> tuple[str, ...]:
    """The chips, without their variants."""
    return tuple(_CHIPS)


def nordic_memory() -> Mapping[str, tuple[str, int, int]]:
    """By part, in all its variants: the core, as port.toml has it, and bytes of flash and RAM."""
    return {
        f"{name}_xx{variant}": (chip.core, *sizes)
        for name, chip in _CHIPS.items()
        for variant, sizes in chip.memory.items()
    }


def is_nordic(part: str) -> bool:
    """Whether the name is meant to be one of Nordic's."""
    return part.upper().startswith("NRF")


def find_chip(name: str) -> tuple[str, Chip, tuple[int, int]]:
    """The part's full name, its chip, and bytes of flash and RAM. HorologError if there is none."""
    by_capitals = {one.upper(): one for one in _CHIPS}
    match = _ORDERED.fullmatch(name.strip().upper())
    if match is None or match[1] not in by_capitals:
        near = difflib.get_close_matches(name.upper(), by_capitals, n=3, cutoff=0.6)
        names = [by_capitals[one] for one in near or by_capitals]
        raise HorologError(f'unknown part "{name}"', found=shown(name), expected=listed(names))
    called = by_capitals[match[1]]
    chip = _CHIPS[called]
    variant = match[2] or next(iter(chip.memory))
    if variant not in chip.memory:
        raise HorologError(
            f"{called} has no variant xx{variant}",
            found=shown(name),
            expected=listed(f"{called}_xx{one}" for one in chip.memory),
        )
    return f"{called}_xx{variant}", chip, chip.memory[variant]
