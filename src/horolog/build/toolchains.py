# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""In which versions the programs are here that build and run boards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from horolog.build.rp2040 import RP2040JS, rp2040_version
from horolog.build.rp2040_cores import RP2040_EMU, rp2040_cores_version
from horolog.build.rtl import IBEX, ibex_version
from horolog.build.simavr import simavr_version
from horolog.build.stm32 import stm32_crate_version
from horolog.model import Board
from horolog.programs import version
from horolog.read.ports import ports

__all__ = [
    "other_tools",
    "tool_versions",
    "toolchain",
]


def tool_versions(board: Board) -> dict[str, str]:
    """Versions of what a measurement on `board` depends on: the compiler's and the emulator's.

    Of a board that is simulated from its RTL: the RTL's, and that of what makes the simulator. Of an AVR:
    libsimavr's. Of an RP2040: rp2040js's, and node's, which runs it. Of both cores of one, and of an STM32:
    that of the crate which is its core.
    """
    port = board.port
    found = {port.compiler: version(port.compiler)}
    if board.runner.kind == "ibex":
        found |= {"verilator": version("verilator"), IBEX: ibex_version()}
    elif board.runner.kind == "simavr":
        found["libsimavr"] = simavr_version()
    elif board.runner.kind == "rp2040js":
        found |= {"node": version("node"), RP2040JS: rp2040_version()}
    elif board.runner.kind == RP2040_EMU:
        found[RP2040_EMU] = rp2040_cores_version()
    elif board.runner.has_chip_file:
        found["rp2350-emu"] = stm32_crate_version()
    elif port.emulator is not None:
        found["qemu"] = version(port.emulator)
    return found


@cache
def _programs() -> Mapping[str, str]:
    """The program behind each name in a toolchain's text."""
    compilers = {port.compiler for port in ports().values() if port.emulator is not None}
    others = {
        "qemu": "qemu-system-arm",
        "verilator": "verilator",
    }  # the emulators are one package's
    return MappingProxyType({name: name for name in compilers} | others)


def toolchain() -> str:
    """What is installed for Cortex-M, such as "arm-none-eabi-gcc 12.2.1, qemu 7.2.22"."""
    names = ("arm-none-eabi-gcc", "qemu")
    return ", ".join(f"{name} {version(_programs()[name])}" for name in names)


def other_tools(named: str) -> tuple[tuple[str, str, str], ...]:
    """(name, version named, version here) of each tool of `named` that is here in another version.

    `named` is a text as toolchain() makes it. A tool that is not installed, or not known, is left out:
    nothing can be built with it.
    """
    found = []
    for part in named.split(","):
        name, _, wanted = part.strip().partition(" ")
        if name in _programs():
            here = version(_programs()[name])
            if here not in (wanted, "absent"):
                found.append((name, wanted, here))
    return tuple(found)
