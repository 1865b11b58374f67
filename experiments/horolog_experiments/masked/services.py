# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The calls of the kernel: bench/masked makes every kind of call while n threads are asleep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from horolog.calibrate.firmware import build_project
from horolog.image import Image, read_image
from horolog.model import Board
from horolog_experiments.masked.results import Window
from horolog_experiments.masked.watching import HANDLERS, longest_windows, mark_address

__all__ = ["NUMBERS", "measure_services", "windows_from"]

NUMBERS = (10, 100, 1000, 1500)
"""The numbers of sleeping threads to measure with."""
_MARK = "bench_mark_call_"
_WORKERS = 2


def measure_services(
    board: Board, out: Path, say: Callable[[str], None], numbers: Sequence[int]
) -> tuple[Window, ...]:
    """Build and run, below the folder `out`, one firmware for each number of sleepers.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    say(f"building for {', '.join(map(str, numbers))} sleepers")
    binaries = _build(board, numbers, out)

    def run(sleepers: int) -> list[Window]:
        say(f"running with {sleepers} sleepers")
        elf = binaries / f"masked_{sleepers}.elf"
        image = read_image(elf)
        names = _marks(image)
        lines = [f"done {mark_address(image, 'bench_mark_done')}"]
        lines += [f"call {address:#x}" for address in names.values()]
        lines += [f"handler {image.address(name):#x}" for name in HANDLERS]
        return windows_from(longest_windows(board, image, lines), list(names), sleepers)

    with ThreadPoolExecutor(_WORKERS) as pool:
        found = list(pool.map(run, numbers))
    return tuple(window for windows in found for window in windows)


def _build(board: Board, numbers: Sequence[int], out: Path) -> Path:
    binaries = out / "cmake"
    sleepers = ",".join(map(str, numbers))
    build_project("masked", board, binaries, (f"HRL_BENCH_SLEEPERS={sleepers}",))
    return binaries


def _marks(image: Image) -> dict[str, int]:
    """The first address of each call, by its name."""
    found = {name: at for name, at in image.symbols.items() if name.startswith(_MARK)}
    return {name.removeprefix(_MARK): found[name] for name in sorted(found)}


def windows_from(
    found: Sequence[tuple[int, int, str]], calls: Sequence[str], sleepers: int
) -> list[Window]:
    """What the plugin counted, by the names of the calls in the order of their marks."""
    return [
        Window(sleepers, name, windows, longest, where, where in HANDLERS)
        for name, (windows, longest, where) in zip(calls, found, strict=True)
    ]
