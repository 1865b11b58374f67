# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: QEMU's system emulation with the measuring plugin."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from horolog.model import Board, HorologError, Plan, System
from horolog.run.firmware import Firmware
from horolog.run.image import read_image
from horolog.run.measure import HOROLOG, Kernel, Measured
from horolog.run.probe import compiled_plugin
from horolog.run.programs import call
from horolog.run.toolchains import programs_of
from horolog.run.watched import watched

__all__ = ["QemuRunner", "plugin_options", "qemu_command"]

_START_SECONDS = 60  # wall time for starting up and for a slow machine


def qemu_command(board: Board, elf: Path) -> list[str]:
    """The command that boots `elf`, deterministic: time is instructions executed."""
    if board.runner.icount_shift is None:
        raise HorologError(f"board {board.name} has no icount_shift: its runs would differ")
    tools = programs_of(board)
    if tools.emulator is None:
        raise HorologError(f"no emulator runs arch {board.arch}, of board {board.name}")
    return [
        tools.emulator,
        "-M",
        board.runner.machine,
        "-nographic",
        "-monitor",
        "none",
        *tools.emulator_options,
        "-icount",
        f"shift={board.runner.icount_shift},sleep=off",
        "-kernel",
        str(elf),
    ]


class QemuRunner:
    """Boots one firmware and stops it when its window is over."""

    def __init__(self, firmware: Firmware, folder: Path) -> None:
        self._firmware = firmware
        self._folder = folder

    def measure(self, system: System, plan: Plan, kernel: Kernel) -> Measured:
        """Run one kernel's firmware over the window of `system`."""
        elf = self._firmware.horolog if kernel.name == HOROLOG else self._firmware.freertos
        assert elf is not None
        run = watched(system, plan, kernel, read_image(elf), self._folder, elf.stem)
        command = qemu_command(system.board, elf)
        command += plugin_options(compiled_plugin(), run.config)
        seconds = _START_SECONDS + 20 * ceil(system.duration)
        done = call(command, seconds=seconds)
        return run.measured(done, seconds, try_next="horolog run --gdb")


def plugin_options(plugin: Path, config: Path) -> list[str]:
    """What makes QEMU load `plugin` and hand it `config`."""
    return ["-plugin", f"{_escaped(plugin)},config={_escaped(config.resolve())}"]


def _escaped(path: Path) -> str:
    """QEMU separates options by commas; one that belongs to a value is doubled."""
    return str(path).replace(",", ",,")
