# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds bench/queues/firmware, one image a queue and level, and runs it under the counting plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from horolog.calibrate.firmware import build_project, counted, finished
from horolog.calibrate.workloads import OPERATIONS, Case, cases_source
from horolog.data import data_root
from horolog.image import read_image
from horolog.model import Board
from horolog.programs import require

__all__ = ["build_images", "read_calls", "run_image"]


def build_images(board: Board, queues: Sequence[str], cases: Sequence[Case], out: Path) -> Path:
    """Compile <level>_<queue>.elf for all `queues`, told to run `cases`; returns their folder."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    generated, binaries = out / "gen", out / "cmake"
    generated.mkdir(parents=True, exist_ok=True)
    for queue in queues:
        text = cases_source(queue, cases, board.clock.hz)
        (generated / f"{queue}.c").write_text(text, encoding="ascii")
    options = (
        f"HRL_ROOT={data_root()}",
        f"HRL_BOARD_DIRECTORY={board.directory}",
        f"HRL_BENCH_GENERATED={generated.resolve()}",
        f"HRL_BENCH_QUEUES={','.join(queues)}",
    )
    build_project("queues/firmware", board, binaries, options)
    return binaries


def run_image(
    board: Board, elf: Path, plugin: Path
) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """Boot one image; by case and operation: calls, and the least, most and sum of instructions.

    `plugin` is the compiled horolog_calls. HorologError (4) if the firmware fails.
    """
    image = read_image(elf)

    def watch(out: Path) -> str:
        lines = [f"out {out}"]
        for operation in OPERATIONS:
            start, end = (image.address(f"bench_{operation}_{mark}") for mark in ("from", "to"))
            lines.append(f"call {start:#x} {end:#x}")
        for word, symbol in (
            ("begin", "bench_case_begin"),
            ("end", "bench_case_end"),
            ("done", "bench_done"),
        ):
            lines.append(f"{word} {image.address(symbol) & ~1:#x}")
        return "\n".join(lines) + "\n"

    return read_calls(counted(board, elf, plugin, ".calls", watch))


def read_calls(text: str) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """What the plugin wrote: by case and operation, calls, least, most and sum."""
    found = {}
    for line in finished(text):
        case, kind, calls, least, most, total = map(int, line.split()[1:])
        found[case, OPERATIONS[kind]] = (calls, least, most, total)
    return found
