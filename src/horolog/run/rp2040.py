# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Runner: one core of an RP2040, simulated by rp2040js; counts are cycles."""

from __future__ import annotations

from math import ceil
from pathlib import Path

from horolog.build.rp2040 import rp2040_simulator, rp2040_watcher
from horolog.image import read_image
from horolog.measure.measured import Kernel, Measured
from horolog.measure.watched import Limits, RequestLog, watched
from horolog.model import Board, HorologError, Plan, System
from horolog.programs import call

__all__ = ["rp2040_command", "run_on_rp2040"]

# From the alarm to a handler's own code it is some 30 cycles, of which 125 are a count.
_LIMITS = Limits(early_counts=1, late_counts=20)
_CYCLES_A_SECOND = 500_000  # simulated, on a slow and very busy machine
_START_SECONDS = 60


def rp2040_command(elf: Path) -> list[str]:
    """The command that simulates `elf`. The firmware is interpreted: it reaches nothing on this machine."""
    return [*rp2040_simulator(), "--elf", str(elf)]


def run_on_rp2040(
    system: System,
    plan: Plan,
    kernel: Kernel,
    elf: Path,
    folder: Path,
    log: RequestLog | None = None,
) -> Measured:
    """Simulate `elf` until the window of `system` is over; files of the run go into `folder`."""
    lasts = _cycle_ns(system.board)
    run = watched(system, plan, kernel, read_image(elf), folder, elf.stem, _LIMITS, log=log)
    command = [str(rp2040_watcher()), str(run.config), *rp2040_command(elf)]
    seconds = _START_SECONDS + ceil(system.duration * 10**9 / lasts / _CYCLES_A_SECOND)
    done = call(command, seconds=seconds)
    return run.measured(done, seconds)


def _cycle_ns(board: Board) -> int:
    if board.runner.ns_per_cycle is None:
        raise HorologError(f"board {board.name} does not say what a cycle lasts: ns_per_cycle")
    return board.runner.ns_per_cycle
