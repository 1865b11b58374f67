# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds bench/queues/firmware, one image a queue and level, and runs it under the counting plugin."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from horolog.build.firmware import build_step
from horolog.calibrate.workloads import OPERATIONS, Case, cases_source
from horolog.data import data_root
from horolog.image import read_image
from horolog.model import Board, Exit, HorologError
from horolog.programs import call, require
from horolog.run.qemu import boot

__all__ = ["build_images", "read_calls", "run_image"]

_SECONDS = 1800


def build_images(board: Board, queues: Sequence[str], cases: Sequence[Case], out: Path) -> Path:
    """Compile <level>_<queue>.elf for all `queues`, told to run `cases`; returns their folder."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    generated, binaries = out / "gen", out / "cmake"
    generated.mkdir(parents=True, exist_ok=True)
    for queue in queues:
        text = cases_source(queue, cases, board.clock.hz)
        (generated / f"{queue}.c").write_text(text, encoding="ascii")
    root = data_root()
    configure = [
        "cmake",
        "-S",
        str(root / "bench" / "queues" / "firmware"),
        "-B",
        str(binaries),
        "-G",
        "Ninja",
        f"-DHRL_ROOT={root}",
        f"-DHRL_BOARD_DIRECTORY={board.directory}",
        f"-DHRL_BENCH_GENERATED={generated.resolve()}",
        f"-DHRL_BENCH_QUEUES={','.join(queues)}",
        f"-DCMAKE_TOOLCHAIN_FILE={root / 'cmake' / 'toolchain' / f'{board.arch}.cmake'}",
        f"-DHRL_CPU={board.cpu}",
    ]
    build_step("configuring", call(configure, seconds=_SECONDS))
    build_step("compiling", call(["cmake", "--build", str(binaries)], seconds=_SECONDS))
    return binaries


def run_image(
    board: Board, elf: Path, plugin: Path
) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """Boot one image; by case and operation: calls, and the least, most and sum of instructions.

    `plugin` is the compiled horolog_calls. HorologError (4) if the firmware fails.
    """
    image = read_image(elf)
    out, config = elf.with_suffix(".calls"), elf.with_suffix(".watch")
    lines = [f"out {out.resolve()}"]
    for operation in OPERATIONS:
        start, end = (image.address(f"bench_{operation}_{mark}") for mark in ("from", "to"))
        lines.append(f"call {start:#x} {end:#x}")
    for word, symbol in (
        ("begin", "bench_case_begin"),
        ("end", "bench_case_end"),
        ("done", "bench_done"),
    ):
        lines.append(f"{word} {image.address(symbol) & ~1:#x}")
    config.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = boot(board, elf, plugin, config, outputs=(out,), seconds=_SECONDS)
    if done.status != 0 or not out.is_file():
        raise HorologError(
            f"the firmware {elf.name} failed",
            found=done.errors.strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    return read_calls(out.read_text(encoding="ascii"))


def read_calls(text: str) -> dict[tuple[int, str], tuple[int, int, int, int]]:
    """What the plugin wrote: by case and operation, calls, least, most and sum."""
    lines = text.splitlines()
    if not lines or lines[-1] != "done":
        raise HorologError(
            "the bench's firmware did not come to its end",
            found=text[-200:],
            exit=Exit.TARGET_FAILED,
        )
    found = {}
    for line in lines[:-1]:
        case, kind, calls, least, most, total = map(int, line.split()[1:])
        found[case, OPERATIONS[kind]] = (calls, least, most, total)
    return found
