# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench's firmware, one image a queue and level, and runs it under the counting plugin."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.bench.queues.cases import (
    BOARD,
    LEVELS,
    OPERATIONS,
    QUEUES,
    Case,
    Queue,
    cases_source,
    cases_up_to,
)
from horolog.bench.queues.results import Results, Row, read_calls, rows_of
from horolog.bench.queues.systems import measure_systems
from horolog.build.firmware import build_step
from horolog.data import data_root
from horolog.image import Image, read_image
from horolog.measure.probe import compiled_plugin
from horolog.model import Board, Exit, HorologError
from horolog.programs import call, require, version
from horolog.read import read_board
from horolog.run.qemu import boot

__all__ = ["WORKERS", "build_images", "measure_queues", "run_image"]

WORKERS = 2
_SECONDS = 1800


def measure_queues(out: Path, most: int, say: Callable[[str], None]) -> Results:
    """Build and run everything with at most `most` tasks, below the folder `out`.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    board = read_board(BOARD)
    cases = cases_up_to(most)
    say(f"building {len(QUEUES)} queues, {' and '.join('-' + level for level in LEVELS)}")
    binaries = build_images(board, cases, out)
    plugin = compiled_plugin("horolog_calls")
    jobs = [(queue.name, level) for level in reversed(LEVELS) for queue in QUEUES]

    def run(job: tuple[str, str]) -> list[Row]:
        queue, level = job
        say(f"running {queue} -{level}: {len(cases)} cases")
        calls = run_image(board, binaries / f"{level}_{queue}.elf", plugin)
        return rows_of(queue, level, cases, calls)

    with ThreadPoolExecutor(WORKERS) as pool:
        measured = dict(zip(jobs, pool.map(run, jobs), strict=True))
    rows = [row for level in LEVELS for queue in QUEUES for row in measured[queue.name, level]]
    image = read_image(binaries / f"O2_{QUEUES[0].name}.elf")
    return Results(
        rows=tuple(rows),
        ram={queue.name: _ram(image, queue.name) for queue in QUEUES},
        rom={(q.name, level): _rom(binaries, level, q) for level in LEVELS for q in QUEUES},
        platform=f"{board.title}, QEMU {version('qemu-system-arm')}",
        toolchain=f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}",
        whole=measure_systems(out / "systems", most, WORKERS, say),
    )


def build_images(board: Board, cases: Sequence[Case], out: Path) -> Path:
    """Compile <level>_<queue>.elf for all queues, told to run `cases`; returns their folder."""
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    generated, binaries = out / "gen", out / "cmake"
    generated.mkdir(parents=True, exist_ok=True)
    for queue in QUEUES:
        text = cases_source(queue.name, cases, board.clock.hz)
        (generated / f"{queue.name}.c").write_text(text, encoding="ascii")
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
        f"-DHRL_BENCH_QUEUES={','.join(queue.name for queue in QUEUES)}",
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


def _ram(image: Image, queue: str) -> int:
    """Bytes of bench_storage_<queue> and whatever else the firmware calls bench_<word>_<queue>."""
    own = re.compile(f"bench_[a-z]+_{queue}")
    return sum(size for name, size in image.sizes.items() if own.fullmatch(name))


def _rom(binaries: Path, level: str, queue: Queue) -> int:
    """Bytes of code: the queue's object files, and what of its header the table took the address of."""
    objects = binaries / "CMakeFiles" / f"queues_{level}.dir"
    prefix = f"bench_{queue.name}_" if queue.bench_only else f"hrli_{queue.name}_"
    code = 0
    for source in (queue.source, *queue.helpers):
        (compiled,) = objects.rglob(f"{Path(source).name}.obj")
        with compiled.open("rb") as stream:
            code += sum(
                section["sh_size"]
                for section in ELFFile(stream).iter_sections()
                if section["sh_flags"] & SH_FLAGS.SHF_EXECINSTR
            )
    with (objects / "queues.c.obj").open("rb") as stream:
        symbols = ELFFile(stream).get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        code += sum(s["st_size"] for s in symbols.iter_symbols() if s.name.startswith(prefix))
    return int(code)
