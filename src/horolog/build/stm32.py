# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of STM32 boards, and of one core of an RP2350: our program on the crate rp2350-emu."""

from __future__ import annotations

from pathlib import Path

from horolog.build.cargo import CargoProgram

__all__ = ["stm32_crate_version", "stm32_simulator"]

_PROGRAM = CargoProgram(
    "horolog-stm32",
    "stm32",
    "STM32 boards and the pico2",
    "rp2350-emu",
    also=("watch", "rp2040/cores/src"),
    programs=("cargo", "gcc"),
)


def stm32_simulator() -> Path:
    """The simulator as an executable; its usage stands in stm32/src/main.rs.

    HorologError as CargoProgram.made.
    """
    return _PROGRAM.made()


def stm32_crate_version() -> str:
    """The version of rp2350-emu that stm32/Cargo.toml names."""
    return _PROGRAM.crate_version()
