# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's side: bench/dispatch/freertos, built for a platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from horolog.calibrate.firmware import build_project
from horolog.model import Board
from horolog.programs import require
from horolog_experiments.dispatch.scenarios import FreertosImage
from horolog_experiments.dispatch.watching import Built

__all__ = ["build_freertos"]


def build_freertos(
    images: Sequence[FreertosImage], board: Board, source: Path, out: Path
) -> Mapping[str, Built]:
    """Build `images` with FreeRTOS-Kernel of the folder `source` below `out`; by name."""
    require(board.port.compiler, "cmake", "ninja")
    options = (
        f"HRL_BOARD={board.name}",
        f"HRL_FREERTOS={source.resolve()}",
        f"BENCH_IMAGES={','.join(f'{image.name}:{image.source}' for image in images)}",
        *(f"BENCH_DEFINES_{image.name}={';'.join(image.defines)}" for image in images),
    )
    build_project("dispatch", board, out, options)
    return {
        image.name: Built(
            out / f"freertos_{image.name}.elf", image.owners, (_expiry(image, board),)
        )
        for image in images
    }


def _expiry(image: FreertosImage, board: Board) -> str:
    """What a Log calls the expiries of its tick, or of the timer that notifies."""
    if board.arch == "armv7m":
        return "TIMER0_Handler" if image.notified else "SysTick_Handler"
    return "cell 0" if image.notified else "timer"
