# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds the images, runs each case on its board, and keeps what it came to.

Everything is deterministic: the same versions of the tools give the same figures.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

from horolog.build.freertos import freertos_source, freertos_version
from horolog.build.rtl import ibex_version, simulator
from horolog.cache import write_whole
from horolog.calibrate.firmware import build_project
from horolog.figures import plural
from horolog.image import Image, read_image
from horolog.model import Exit, HorologError
from horolog.programs import call, require, version
from horolog.read import read_board
from horolog_experiments.cores import marks, visits
from horolog_experiments.cores.cases import FREERTOS, JOBS, PLANNED, SET, Case, cases
from horolog_experiments.cores.jobs import TASKS, measure_divided, measure_jobs
from horolog_experiments.cores.locks import lock_marks
from horolog_experiments.cores.results import Results, Row
from horolog_experiments.cores.task_sets import task_set
from horolog_experiments.harness import plain_value, typed

__all__ = ["build_images", "measure_cores"]

_BOARD = "ibex-cells"
_CELLS = 64
_SECONDS = 1800
_TIME_OUT = 124
_MARK = "bench_mark_"
_BOUND = "bench_lock_"
"""What begins the names of the bounds that a header has, in the image: `held` and `wait`."""
Say = Callable[[str], None]


def measure_cores(out: Path, say: Say, chosen: Sequence[Case] | None = None) -> Results:
    """Measure the `chosen` cases, or all, below the folder `out`; without FreeRTOS's source, without its.

    What an earlier run has measured, of the same image on the same board, is taken from `out`.
    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    require("riscv64-unknown-elf-gcc", "cmake", "ninja", "verilator")
    source = freertos_source()
    wanted = [
        one
        for one in (cases() if chosen is None else chosen)
        if one.side != FREERTOS or source is not None
    ]
    made = [one for one in wanted if one.form != PLANNED]
    groups = dict.fromkeys((case.side, case.cores) for case in made)
    for side, cores in groups:
        say(f"building the images of {side} for {cores} core{'s' * (cores > 1)}")
        some = [one for one in made if (one.side, one.cores) == (side, cores)]
        build_images(some, source, out / f"{side}-x{cores}")
    rows = []
    for number, case in enumerate(wanted, 1):
        if case.what == JOBS:
            say(f"{number} of {len(wanted)}: {TASKS} tasks on each of {plural(case.cores, 'core')}")
            rows.append(Row(case, measure_jobs(case, out / f"{JOBS}-x{case.cores}", say)))
            continue
        if case.form == PLANNED:
            say(f"{number} of {len(wanted)}: a set divided among {plural(case.cores, 'core')}")
            rows.append(Row(case, measure_divided(case, out / f"{case.image}", say)))
            continue
        elf = out / f"{case.side}-x{case.cores}" / f"{case.image}.elf"
        row, is_new = _kept(out / "kept", case, elf, say)
        rows.append(row)
        if is_new:
            say(f"{number} of {len(wanted)}: {case.side}_{case.image}{' with ports' * case.ports}")
    return Results(
        rows=tuple(rows),
        toolchain=f"riscv64-unknown-elf-gcc {version('riscv64-unknown-elf-gcc')}, "
        f"Verilator {version('verilator')}, Ibex {ibex_version()}",
        freertos=None if source is None else freertos_version(source),
    )


def _kept(folder: Path, case: Case, elf: Path, say: Say) -> tuple[Row, bool]:
    """The row of `case`, and whether it was measured now: by image, simulator and how events are read."""
    board = simulator("maxperf", cores=case.cores, cells=_CELLS, shared_ports=case.ports, say=say)
    names = [one for one in read_image(elf).symbols.items() if one[0].startswith((_MARK, _BOUND))]
    reading = Path(marks.__file__).read_bytes() + Path(visits.__file__).read_bytes()
    digest = hashlib.sha256(_loaded(elf) + reading)
    digest.update(repr((case, board.name, sorted(names))).encode())
    path = folder / f"{digest.hexdigest()[:24]}.json"
    if path.is_file():
        return typed(Row, json.loads(path.read_text(encoding="utf-8"))), False
    row = measured(case, elf, board)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(plain_value(row)))
    return row, True


def _loaded(elf: Path) -> bytes:
    """What of an image reaches the board, and where."""
    with elf.open("rb") as stream:
        segments = [one for one in ELFFile(stream).iter_segments() if one["p_type"] == "PT_LOAD"]
        return b"".join(f"{one['p_paddr']:x}".encode() + one.data() for one in segments)


def build_images(wanted: Sequence[Case], freertos: Path | None, out: Path) -> None:
    """Build the images of `wanted`, of one side and number of cores, in the folder `out`.

    `freertos`: FreeRTOS's folder.
    """
    images = {case.image: case for case in wanted}
    options = [
        f"BENCH_SIDE={wanted[0].side}",
        f"BENCH_CORES={wanted[0].cores}",
        f"HRL_FREERTOS={'' if freertos is None else freertos.resolve()}",
        "BENCH_IMAGES="
        + ",".join(f"{name}:{one.scenario}:{one.form}" for name, one in images.items()),
        *(f"BENCH_DEFINES_{name}={';'.join(case.defines)}" for name, case in images.items()),
    ]
    build_project("cores", read_board(_BOARD), out, options)


def measured(case: Case, elf: Path, board: Path) -> Row:
    """Run the image of `case` on a simulator, and read what that saw of each core."""
    image = read_image(elf)
    names = {
        address: symbol.removeprefix(_MARK)
        for symbol, address in image.symbols.items()
        if symbol.startswith(_MARK)
    }
    if case.what == "lock":
        names = lock_marks(elf)
    events = [elf.with_suffix(f".events-{core}") for core in range(case.cores)]
    traffic = elf.with_suffix(".cores")
    logs = [elf.with_suffix(f".visits-{core}") for core in range(case.cores * (case.what == SET))]
    command = [str(board), "--elf", str(elf), "--max-cycles", str(case.cycles)]
    several = case.cores > 1
    for core, path in enumerate(events):
        command += ["--events", f"{core}:{path}" if several else str(path)]
    for core, path in enumerate(logs):
        config = elf.with_suffix(f".watch-{core}")
        config.write_text(visits.watch_text(image, path), encoding="ascii")
        command += ["--visits", f"{core}:{config}"]
    for address in names:
        command += ["--mark", f"{address:#x}"]
    done = call([*command, *(("--cores", str(traffic)) if several else ())], seconds=_SECONDS)
    if done.status != _TIME_OUT:  # its end is that of the window
        raise HorologError(
            f"the bench's firmware {elf.name} failed",
            found=(done.output + done.errors).strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    seen = marks.read_traffic(traffic.read_text(encoding="ascii")) if several else {}
    found = _figures(case, image, names, events, logs)
    said = {
        symbol.removeprefix(_BOUND): value
        for symbol, value in image.symbols.items()
        if symbol.startswith(_BOUND)
    }
    return Row(case, {**found, **marks.traffic_figures(case, seen), **said})


def _figures(
    case: Case, image: Image, names: Mapping[int, str], events: Sequence[Path], logs: Sequence[Path]
) -> Mapping[str, int]:
    """What the files say of the cores, of which none is left."""
    texts = [path.read_text(encoding="ascii") for path in events]
    ran = visits.read_visits([path.read_text(encoding="ascii") for path in logs], image)
    for path in (*events, *logs):
        path.unlink()
    passed = marks.read_marks(texts, names)
    requests = marks.read_requests(texts)
    if case.what == SET:
        tasks = task_set(case.cores, case.seed)
        return visits.global_figures(tasks, case.cores, passed, ran, requests)
    return marks.figures(case, passed, requests)
