# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The compiler and the emulator that measured costs hold for, and whether they are the ones here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from horolog.run.programs import version

__all__ = ["other_tools", "toolchain"]

_PROGRAMS: Mapping[str, str] = MappingProxyType(
    {
        "arm-none-eabi-gcc": "arm-none-eabi-gcc",
        "riscv64-unknown-elf-gcc": "riscv64-unknown-elf-gcc",
        "qemu": "qemu-system-arm",
    }
)
"""The program behind each name in a toolchain's text."""


def toolchain() -> str:
    """What is installed for Cortex-M, such as "arm-none-eabi-gcc 12.2.1, qemu 7.2.22"."""
    names = ("arm-none-eabi-gcc", "qemu")
    return ", ".join(f"{name} {version(_PROGRAMS[name])}" for name in names)


def other_tools(named: str) -> tuple[tuple[str, str, str], ...]:
    """(name, version named, version here) of each tool of `named` that is here in another version.

    `named` is a text as toolchain() makes it. A tool that is not installed, or not known, is left out:
    nothing can be built with it.
    """
    found = []
    for part in named.split(","):
        name, _, wanted = part.strip().partition(" ")
        if name in _PROGRAMS:
            here = version(_PROGRAMS[name])
            if here not in (wanted, "absent"):
                found.append((name, wanted, here))
    return tuple(found)
