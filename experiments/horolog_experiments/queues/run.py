# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds the bench's firmware, one image a queue and level, and runs it under the counting plugin."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.calibrate.images import build_images, run_image
from horolog.data import data_root
from horolog.image import Image, read_image
from horolog.measure.probe import compiled_plugin
from horolog.read import read_board
from horolog_experiments.harness.tools import compiler, platform
from horolog_experiments.queues.cases import BOARD, LEVELS, QUEUES, Queue, cases_up_to
from horolog_experiments.queues.results import Results, Row, rows_of
from horolog_experiments.queues.systems import measure_systems

__all__ = ["WORKERS", "measure_queues"]

WORKERS = 2


def measure_queues(out: Path, most: int, say: Callable[[str], None]) -> Results:
    """Build and run everything with at most `most` tasks, below the folder `out`.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    board = read_board(BOARD)
    cases = cases_up_to(most)
    say(f"building {len(QUEUES)} queues, {' and '.join('-' + level for level in LEVELS)}")
    binaries = build_images(board, [queue.name for queue in QUEUES], cases, out)
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
        platform=platform(board),
        toolchain=compiler(),
        whole=measure_systems(out / "systems", most, WORKERS, say),
    )


def _ram(image: Image, queue: str) -> int:
    """Bytes of <queue>_storage and of its arrays, which the firmware calls <queue>_storage_<word>."""
    own = re.compile(f"{queue}_storage(?:_[a-z]+)?")
    return sum(size for name, size in image.sizes.items() if own.fullmatch(name))


def _rom(binaries: Path, level: str, queue: Queue) -> int:
    """Bytes of code: the queue's object files, and what of its header the table took the address of."""
    objects = binaries / "CMakeFiles" / f"queues_{level}.dir"
    prefix = f"bench_{queue.name}_" if queue.bench_only else f"hrli_{queue.name}_"
    code = 0
    for source in (queue.source, *queue.helpers):
        if not (data_root() / source).is_file():
            continue  # all of it is inline
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
