# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: an STM32, or one core of an RP2350, by our program on rp2350-emu; counts are cycles of an M33."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from horolog.build.stm32 import stm32_simulator
from horolog.image import read_image
from horolog.measure.measured import Kernel, Measured
from horolog.measure.watched import Limits, RequestLog, watched
from horolog.model import Board, HorologError, Plan, System
from horolog.model.board import CHIP_FILE
from horolog.programs import call

__all__ = ["run_on_stm32", "stm32_command"]

# From the expiry to a handler's own code it is some 20 cycles; with the clock's wrap behind it, some hundred.
_EARLY_CYCLES, _LATE_CYCLES = 200, 600
_CYCLES_A_SECOND = 1_000_000  # simulated, on a slow and busy machine
_START_SECONDS = 60


def stm32_command(board: Board, elf: Path) -> list[str]:
    """The command that simulates `elf`. The firmware is interpreted: it reaches nothing on this machine."""
    chip = board.directory / CHIP_FILE
    return [str(stm32_simulator()), "--chip", str(chip), "--elf", str(elf)]


def run_on_stm32(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    log: RequestLog | None = None,
) -> Measured:
    """Simulate `elf` until the window of `system` is over; files of the run go into `folder`."""
    board = system.board
    hz = board.runner.cycles_hz
    if hz is None:
        raise HorologError(
            f"board {board.name} does not say how many cycles are a second: cycles_hz"
        )
    limits = Limits(
        early_counts=ceil(_EARLY_CYCLES * board.clock.hz / hz),
        late_counts=ceil(_LATE_CYCLES * board.clock.hz / hz),
    )
    run = watched(system, plan, kernel, read_image(elf), folder, elf.stem, limits, log=log)
    seconds = _START_SECONDS + ceil(system.duration * hz / _CYCLES_A_SECOND)
    done = call([*stm32_command(board, elf), "--watch", str(run.config)], seconds=seconds)
    return run.measured(done, seconds, try_next="horolog run --verbose")
