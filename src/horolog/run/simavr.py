# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: an AVR, simulated by our program on libsimavr; counts are cycles."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from horolog.build.simavr import simavr_simulator
from horolog.image import read_image
from horolog.measure.measured import Kernel, Measured
from horolog.measure.watched import Limits, RequestLog, watched
from horolog.model import Board, HorologError, Plan, System
from horolog.programs import call
from horolog.run.ibex import Waveform

__all__ = ["run_on_simavr", "simavr_command"]

# From the expiry to a handler's own code it is some 20 cycles; with the clock's wrap behind it, some hundred.
_EARLY_CYCLES, _LATE_CYCLES = 200, 600
_DATA = 0x800000  # where an ELF file has the addresses of data
_CYCLES_A_SECOND = 2_000_000  # simulated, on a slow and busy machine
_START_SECONDS = 60


def simavr_command(board: Board, elf: Path) -> list[str]:
    """The command that simulates `elf`. The firmware is interpreted: it reaches nothing on this machine."""
    hz = _cycles_hz(board)
    command = [str(simavr_simulator()), "--elf", str(elf)]
    command += ["--mcu", board.runner.machine, "--hz", str(hz)]
    ends = [one.origin + one.length - 1 for one in board.memory if one.origin >= _DATA]
    return [*command, "--ram-end", str(max(ends) - _DATA)] if ends else command


def run_on_simavr(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    waveform: Waveform | None = None,
    log: RequestLog | None = None,
) -> Measured:
    """Simulate `elf` until the window of `system` is over; files of the run go into `folder`."""
    board = system.board
    hz = _cycles_hz(board)
    limits = Limits(
        early_counts=ceil(_EARLY_CYCLES * board.clock.hz / hz),
        late_counts=ceil(_LATE_CYCLES * board.clock.hz / hz),
    )
    run = watched(system, plan, kernel, read_image(elf), folder, elf.stem, limits, log=log)
    command = [*simavr_command(board, elf), "--watch", str(run.config)]
    if waveform is not None:
        lasts = board.runner.ns_per_step
        assert lasts is not None
        command += waveform.options(lasts)
    seconds = _START_SECONDS + ceil(system.duration * hz / _CYCLES_A_SECOND)
    done = call(command, seconds=seconds)
    return run.measured(done, seconds, try_next="horolog run --gdb")


def _cycles_hz(board: Board) -> int:
    if board.runner.cycles_hz is None:
        raise HorologError(
            f"board {board.name} does not say how many cycles are a second: cycles_hz"
        )
    return board.runner.cycles_hz
