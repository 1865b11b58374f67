# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What drives an STM32 after reset, and how fast it may be, by the manuals: the crate says neither.

A pattern fits the beginning of a part's name; of those that fit the first holds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from horolog.parts.stm32 import Part

__all__ = ["DIVISORS", "LEAST_HZ", "Speed", "speed"]

LEAST_HZ = 65_536
"""The slowest internal oscillator that drives a core, the MSI of the L0 and L1."""

DIVISORS = (1, 2, 4, 8, 16)
"""By what the clock of timers may be less than that of the core."""


@dataclass(frozen=True, slots=True)
class Speed:
    """The clock after reset, None if it is not known here, and the limits, all in hertz."""

    source: str | None
    reset: int | None
    most: int
    most_of_timers: int


_MSI, _HSI8, _HSI16 = ("MSI", 4_000_000), ("HSI", 8_000_000), ("HSI", 16_000_000)
_MSI_L0 = ("MSI", 2_097_000)
_HSI64 = ("HSI", 64_000_000)
_TABLE: tuple[tuple[str, tuple[str, int] | None, int, int | None], ...] = (
    ("C0", ("HSI48 by 4", 12_000_000), 48, None),
    ("F0", _HSI8, 48, None),
    ("F100", _HSI8, 24, None),
    ("F101", _HSI8, 36, None),
    ("F102", _HSI8, 48, None),
    ("F1", _HSI8, 72, None),
    ("F2", _HSI16, 120, None),
    ("F3", _HSI8, 72, None),
    ("F401", _HSI16, 84, None),
    ("F4(05|07|15|17)", _HSI16, 168, None),
    ("F41|F423", _HSI16, 100, None),
    ("F4", _HSI16, 180, None),
    ("F7", _HSI16, 216, None),
    ("G0", _HSI16, 64, None),
    ("G4", _HSI16, 170, None),
    ("H5", ("HSI by 2", 32_000_000), 250, None),
    ("H7[RS]", _HSI64, 600, 300),
    ("H7[AB]", _HSI64, 280, None),
    ("H7[23]", _HSI64, 550, 275),
    ("H7", _HSI64, 480, 240),
    ("L0", _MSI_L0, 32, None),
    ("L1", _MSI_L0, 32, None),
    ("L4[PQRS]", _MSI, 120, None),
    ("L4", _MSI, 80, None),
    ("L5", _MSI, 110, None),
    ("N6", None, 800, 400),
    ("U0", _MSI, 56, None),
    ("U3", None, 96, None),
    ("U5", ("MSIS", 4_000_000), 160, None),
    ("WBA", _HSI16, 100, None),
    ("WB0", None, 64, None),
    ("WB", _MSI, 64, None),
    ("WL", _MSI, 48, None),
)


def speed(part: Part) -> Speed:
    """What holds for `part`."""
    for pattern, after_reset, most, of_timers in _TABLE:
        if re.match(f"STM32({pattern})", part.name):
            source, reset = after_reset or (None, None)
            return Speed(source, reset, most * 10**6, (of_timers or most) * 10**6)
    raise KeyError(part.name)
