# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The simulator of both cores of an RP2040: our program on the crate rp2040-emu."""

from __future__ import annotations

from pathlib import Path

from horolog.build.cargo import CargoProgram

__all__ = ["RP2040_EMU", "rp2040_cores_command", "rp2040_cores_version"]

RP2040_EMU = "rp2040-emu"
_PROGRAM = CargoProgram("horolog-rp2040", "rp2040/cores", "the board pico-x2", RP2040_EMU)


def rp2040_cores_command(elf: Path) -> list[str]:
    """The command that simulates `elf`; its usage stands in rp2040/cores/src/main.rs.

    The firmware is interpreted: it reaches nothing on this machine. HorologError as CargoProgram.made.
    """
    return [str(_PROGRAM.made()), "--elf", str(elf)]


def rp2040_cores_version() -> str:
    """The version of the crate that rp2040/cores/Cargo.toml names."""
    return _PROGRAM.crate_version()
