# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""FreeRTOS's side: bench/dispatch/freertos, built for a platform."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from horolog.bench.dispatch.scenarios import FreertosImage
from horolog.bench.dispatch.watching import Built
from horolog.data import data_root
from horolog.model import Board
from horolog.run.firmware import build_step
from horolog.run.programs import call, require

__all__ = ["build_freertos"]

_SECONDS = 600


def build_freertos(
    images: Sequence[FreertosImage], board: Board, source: Path, out: Path
) -> Mapping[str, Built]:
    """Build `images` with FreeRTOS-Kernel of the folder `source` below `out`; by name."""
    require(board.port.compiler, "cmake", "ninja")
    root = data_root()
    configure = [
        *("cmake", "-S", str(root / "bench" / "dispatch"), "-B", str(out), "-G", "Ninja"),
        f"-DHRL_BOARD={board.name}",
        f"-DHRL_FREERTOS={source.resolve()}",
        f"-DBENCH_IMAGES={','.join(f'{image.name}:{image.source}' for image in images)}",
        *(f"-DBENCH_DEFINES_{image.name}={';'.join(image.defines)}" for image in images),
        f"-DCMAKE_TOOLCHAIN_FILE={root / 'cmake' / 'toolchain' / f'{board.arch}.cmake'}",
        f"-DHRL_CPU={board.cpu}",
    ]
    build_step("configuring", call(configure, seconds=_SECONDS))
    build_step("compiling", call(["cmake", "--build", str(out)], seconds=_SECONDS))
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
