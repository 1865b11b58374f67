# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The memory that two threads, a semaphore and an alarm take on each kernel: bench/small-chip."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from horolog.build.freertos import freertos_source
from horolog.calibrate.firmware import build_project
from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import call
from horolog.read import read_board
from horolog.run.simavr import simavr_command
from horolog_experiments.kernel.sizes import ram_without_stacks, rom

__all__ = ["FREERTOS", "OURS", "SmallChip", "TICK_HOOK", "small_chip_sizes"]

_BOARD = "atmega128-8mhz"
_CYCLES = 16_000_000  # the program ends after a second, 8,000,000
OURS = "small_horolog"
FREERTOS = "small_freertos"
TICK_HOOK = "small_freertos_tick_hook"
"""The programs. The alarm is a software timer on FreeRTOS, or a count in the hook of its tick."""


@dataclass(frozen=True, slots=True)
class SmallChip:
    """Bytes of a program: of flash; of RAM but for stacks."""

    rom: int
    ram: int


def small_chip_sizes(out: Path) -> dict[str, SmallChip]:
    """Builds the programs below the folder `out`, and runs each to its end.

    Without FreeRTOS's source there is ours alone. HorologError (4) if one does not come to its end.
    """
    board, source = read_board(_BOARD), freertos_source()
    folder = "" if source is None else str(source.resolve())
    options = (f"HRL_ROOT={data_root()}", f"HRL_BOARD={board.name}", f"HRL_FREERTOS={folder}")
    build_project("small-chip", board, out, options)
    found = {}
    for name in (OURS,) if source is None else (OURS, FREERTOS, TICK_HOOK):
        elf = out / f"{name}.elf"
        done = call([*simavr_command(board, elf), "--cycles", str(_CYCLES)], seconds=120)
        if done.status != 0:
            raise HorologError(
                f"the firmware {elf.name} does not take its tokens",
                found=done.errors.strip()[-1000:] or f"status {done.status}",
                exit=Exit.TARGET_FAILED,
            )
        found[name] = SmallChip(rom(elf), ram_without_stacks(elf))
    return found
