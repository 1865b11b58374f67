# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which programs build and run the boards of an architecture, and in which versions they are here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from horolog.build.rtl import IBEX, ibex_version
from horolog.model import Board, HorologError
from horolog.programs import version

__all__ = [
    "TOOLCHAINS",
    "Toolchain",
    "other_tools",
    "programs_of",
    "tool_versions",
    "toolchain",
]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The programs of one folder of ports/arch/."""

    compiler: str
    emulator: str | None = None  # None: the firmware is a program of this machine
    emulator_options: tuple[
        str, ...
    ] = ()  # console and exit, as the port uses them; no network outside
    switch: str | None = None  # the function that loads the next thread's registers
    handler_code: tuple[str, ...] = ()  # functions through which its interrupts enter and leave


TOOLCHAINS: dict[str, Toolchain] = {
    "armv7m": Toolchain(
        compiler="arm-none-eabi-gcc",
        emulator="qemu-system-arm",
        emulator_options=(
            *("-serial", "none"),
            *("-semihosting-config", "enable=on,target=native"),
            *(
                "-nic",
                "user,restrict=on",
            ),  # its boards have a network card, and warn if it has no peer
        ),
        switch="PendSV_Handler",
    ),
    "rv32": Toolchain(
        compiler="riscv64-unknown-elf-gcc",
        emulator="qemu-system-riscv32",
        emulator_options=("-serial", "stdio", "-bios", "none", "-nic", "none"),
        switch="hrlp_switch_entry",
        handler_code=("hrlp_vectors", "hrlp_timer_entry"),
    ),
    "host": Toolchain(compiler="gcc"),
}


def programs_of(board: Board) -> Toolchain:
    """The programs for `board`. HorologError if there is no port for its architecture."""
    if board.arch not in TOOLCHAINS:
        raise HorologError(
            f'there is no port for arch "{board.arch}"',
            found=f'arch = "{board.arch}" in board {board.name}',
            expected=" or ".join(sorted(TOOLCHAINS)),
        )
    return TOOLCHAINS[board.arch]


def tool_versions(board: Board) -> dict[str, str]:
    """Versions of what a measurement on `board` depends on: the compiler's and the emulator's.

    Of a board that is simulated from its RTL: the RTL's, and that of what makes the simulator.
    """
    tools = programs_of(board)
    found = {tools.compiler: version(tools.compiler)}
    if board.runner.kind == "ibex":
        found |= {"verilator": version("verilator"), IBEX: ibex_version()}
    elif tools.emulator is not None:
        found["qemu"] = version(tools.emulator)
    return found


_PROGRAMS: Mapping[str, str] = MappingProxyType(
    {tools.compiler: tools.compiler for tools in TOOLCHAINS.values() if tools.emulator is not None}
    | {"qemu": "qemu-system-arm"}  # the emulators are one package's
    | {"verilator": "verilator"}
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
