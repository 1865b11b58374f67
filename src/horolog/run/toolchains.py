# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which programs build and run the boards of an architecture, and how the emulator is told to stop."""

from __future__ import annotations

from dataclasses import dataclass

from horolog.model import Board, HorologError
from horolog.run.programs import version

__all__ = ["TOOLCHAINS", "Toolchain", "programs_of", "tool_versions"]


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The programs of one folder of ports/arch/."""

    compiler: str
    emulator: str | None = None  # None: the firmware is a program of this machine
    emulator_options: tuple[str, ...] = ()  # console and exit, as the port's code uses them
    switch: str | None = None  # the function that loads the next thread's registers
    handler_code: tuple[str, ...] = ()  # functions through which its interrupts enter and leave


TOOLCHAINS: dict[str, Toolchain] = {
    "armv7m": Toolchain(
        compiler="arm-none-eabi-gcc",
        emulator="qemu-system-arm",
        emulator_options=(
            *("-serial", "none"),
            *("-semihosting-config", "enable=on,target=native"),
        ),
        switch="PendSV_Handler",
    ),
    "rv32": Toolchain(
        compiler="riscv64-unknown-elf-gcc",
        emulator="qemu-system-riscv32",
        emulator_options=("-serial", "stdio", "-bios", "none"),
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
    """Versions of what a measurement on `board` depends on: the compiler's and the emulator's."""
    tools = programs_of(board)
    found = {tools.compiler: version(tools.compiler)}
    if tools.emulator is not None:
        found["qemu"] = version(tools.emulator)
    return found
