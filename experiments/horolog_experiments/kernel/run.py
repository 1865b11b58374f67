# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds the images of the bench and runs each under the plugin that counts spans."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from horolog.build.freertos import freertos_source, freertos_version
from horolog.calibrate.firmware import build_project, counted
from horolog.data import data_root
from horolog.image import Image as Elf
from horolog.image import read_image
from horolog.measure.probe import compiled_plugin
from horolog.model import Board, Exit, HorologError
from horolog.programs import require
from horolog.read import read_board
from horolog_experiments.harness.tools import compiler, platform
from horolog_experiments.kernel.results import Results, Spans, read_spans
from horolog_experiments.kernel.rows import SIZES, THREAD, Image, images_of, unavailable
from horolog_experiments.kernel.scenarios import BOARD, OURS, REPEATS, THREADX
from horolog_experiments.kernel.sizes import ram_without_stacks, rom, symbol_size
from horolog_experiments.kernel.threadx import threadx_build, threadx_options, threadx_version

__all__ = ["measure_kernel", "watch_text"]

_WORKERS = 2
_TIMER = {OURS: "TIMER0_Handler"}
"""The handler that ends a sleep; on FreeRTOS the tick's."""
_TICK = "SysTick_Handler"


def measure_kernel(
    out: Path, say: Callable[[str], None], names: Iterable[str] | None = None
) -> Results:
    """Build and run, below the folder `out`, the scenarios `names` (None: all) over all kernels.

    Without FreeRTOS's source, over ours; over ThreadX if $THREADX names one that is built. HorologError (2)
    if it names something else, (3) if a tool is missing, (4) if a firmware fails.
    """
    board = read_board(BOARD)
    freertos, threadx = freertos_source(), threadx_build()
    missing = unavailable(data_root())
    images = [
        image
        for image in images_of(names, missing)
        if image.side == OURS or (threadx if image.side == THREADX else freertos) is not None
    ]
    say(f"building {len(images)} images")
    binaries = _build(board, images, {"FREERTOS": freertos, "THREADX": threadx}, out)
    plugin = compiled_plugin("horolog_spans")

    def run(image: Image) -> Spans:
        say(f"running {image.target}")
        return _run(board, image, binaries / f"{image.target}.elf", plugin)

    timed = [image for image in images if image.scenario.name not in SIZES.values()]
    with ThreadPoolExecutor(_WORKERS) as pool:
        spans = list(pool.map(run, timed))
    return Results(
        spans={
            (image.side, image.scenario.name): found
            for image, found in zip(timed, spans, strict=True)
        },
        sizes={
            (image.side, what): _size(binaries / f"{image.target}.elf", what)
            for image in images
            for what, within in SIZES.items()
            if within == image.scenario.name
        },
        missing=missing,
        platform=platform(board),
        toolchain=compiler(),
        freertos=None if freertos is None else freertos_version(freertos),
        threadx=None if threadx is None else threadx_version(threadx),
        threadx_options=() if threadx is None else threadx_options(threadx),
    )


def _size(elf: Path, what: str) -> int:
    """One of SIZES."""
    if what == THREAD:
        return symbol_size(elf, "only_thread")
    return ram_without_stacks(elf) if what.endswith("_ram") else rom(elf)


def _build(
    board: Board, images: Sequence[Image], others: Mapping[str, Path | None], out: Path
) -> Path:
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    binaries = out / "cmake"
    named = ",".join(f"{i.side}-{i.scenario.name}-{i.scenario.source}" for i in images)
    options = (
        f"HRL_ROOT={data_root()}",
        f"HRL_BOARD={board.name}",
        *(f"HRL_{name}={folder.resolve() if folder else ''}" for name, folder in others.items()),
        f"HRL_BENCH_REPEATS={REPEATS}",
        f"HRL_BENCH_IMAGES={named}",
        *_settings(images),
    )
    build_project("kernel", board, binaries, options)
    return binaries


def _settings(images: Sequence[Image]) -> list[str]:
    """What bench/kernel/CMakeLists.txt takes for the images of each name."""
    found = {}
    for one in (image.scenario for image in images):
        if one.defines:
            found[f"DEFINES_{one.name}"] = ";".join(one.defines)
        if one.store is not None:
            found[f"STORE_{one.name}"] = one.store
        if one.halts:
            found[f"REPORT_{one.name}"] = "halt"
    return [f"HRL_BENCH_{name}={text}" for name, text in found.items()]


def watch_text(image: Image, elf: Elf, out: Path) -> str:
    """The plugin's configuration, as plugin/horolog_spans.c describes it."""

    def at(symbol: str) -> str:
        return f"{elf.address(symbol):#x}"

    one = image.scenario
    if one.turns:
        return f"out {out}\nturn {at('bench_mark_turn')}\nlimit {one.samples}\n"
    lines = [f"out {out}", f"done {at('bench_mark_done')}", f"stop {at('bench_mark_stop')}"]
    lines.append(f"start {at(one.handler or 'bench_mark_start')}")
    if one.two_parts:
        idle = elf.address("hrlp_idle_loop")
        lines.append(f"pause {at('bench_mark_pause')}")
        lines.append(f"pause {idle:#x} {idle + elf.sizes['hrlp_idle_loop']:#x}")
        lines.append(f"resume {at(_TIMER.get(image.side, _TICK))}")
    return "\n".join(lines) + "\n"


def _run(board: Board, image: Image, elf: Path, plugin: Path) -> Spans:
    symbols = read_image(elf)
    text = counted(board, elf, plugin, ".spans", lambda out: watch_text(image, symbols, out))
    found = read_spans(text)
    if found.samples != image.scenario.samples:
        raise HorologError(
            f"the firmware {elf.name} took another path than its scenario",
            found=f"{found.samples} samples",
            expected=str(image.scenario.samples),
            exit=Exit.TARGET_FAILED,
        )
    return found
