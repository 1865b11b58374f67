# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds every image, runs each on its platforms, and takes from the logs what the page shows.

The same firmware runs on both configurations of the RTL board. Everything is deterministic: the same tool
versions give the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from horolog.build.freertos import freertos_source, freertos_version
from horolog.model import Exit, HorologError
from horolog.read import read_board
from horolog_experiments.dispatch.baseline import build_freertos
from horolog_experiments.dispatch.memory import Piece, pieces
from horolog_experiments.dispatch.run import MORE, refusal_words, spans_from, toolchain_words
from horolog_experiments.dispatch.scenarios import (
    FREERTOS,
    FREERTOS_MINIMAL,
    OURS,
    PLATFORMS,
    FreertosImage,
    Platform,
    Span,
    SystemImage,
)
from horolog_experiments.dispatch.systems import plan_words
from horolog_experiments.dispatch.visits import Part, Spans
from horolog_experiments.dispatch.watching import Built, watch
from horolog_experiments.tables.rates import RATE, fastest_table
from horolog_experiments.tables.results import Key, Results
from horolog_experiments.tables.scenarios import (
    FREERTOS_SIDES,
    MINIMALS,
    TABLES,
    TableImage,
    can_monitor,
)
from horolog_experiments.tables.systems import build_table

__all__ = ["measure_tables"]

_WORKERS = 2
Say = Callable[[str], None]


@dataclass
class _Boards:
    """What is built: by board, kernel and name; the plans of ours, and why one could not be had."""

    built: dict[tuple[str, str, str], Built] = field(default_factory=dict)
    plans: dict[tuple[str, str], str] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Run:
    platform: Platform
    kernel: str
    image: SystemImage | FreertosImage
    built: Built

    @property
    def stem(self) -> str:
        return f"{self.platform.name}-{self.kernel}-{self.image.name}"


def measure_tables(
    out: Path,
    say: Say,
    *,
    platforms: Sequence[Platform] = PLATFORMS,
    quick: bool = False,
    names: Collection[str] | None = None,
) -> Results:
    """Build and run everything below the folder `out`; without FreeRTOS's source, our side.

    With `quick` no search for the fastest round; with `names` only the spans of these scenarios.
    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    source = freertos_source()
    boards = _Boards()
    whole = names is None
    with ThreadPoolExecutor(_WORKERS) as pool:
        used = dict.fromkeys(platform.board for platform in platforms)
        for _ in pool.map(lambda name: _build(name, source, out / name, boards, names, say), used):
            pass
        spans, parts = _all_spans(pool, boards, platforms, say)
        rates = _rates(pool, out, platforms, say) if whole and not quick else {}
    return Results(
        spans=spans,
        parts=parts,
        plans=boards.plans,
        refused=boards.refused,
        rates=rates,
        memory=_memory(boards),
        freertos=None if source is None else freertos_version(source),
        toolchain=toolchain_words(),
    )


def _build(
    board_name: str,
    source: Path | None,
    out: Path,
    boards: _Boards,
    names: Collection[str] | None,
    say: Say,
) -> None:
    say(f"building for {board_name}")
    board = read_board(board_name)
    platform = next(one for one in PLATFORMS if one.board == board_name)
    for image in (*TABLES, *MINIMALS):
        if names is not None and image.name not in names:
            continue
        if can_monitor(platform, image.monitor):
            _build_ours(image, board_name, out, boards)
    images = [
        image
        for image in (*FREERTOS_SIDES, FREERTOS_MINIMAL)
        if names is None or image.name in names
    ]
    if source is not None and images:
        made = build_freertos(images, board, source, out / "freertos")
        boards.built |= {(board_name, FREERTOS, name): one for name, one in made.items()}


def _build_ours(image: TableImage, board_name: str, out: Path, boards: _Boards) -> None:
    minimal = image in MINIMALS
    folder = out / "minimal" if minimal else out
    try:
        ours = build_table(image, board_name, folder, halting=minimal)
    except HorologError as error:
        boards.refused[board_name, image.name] = refusal_words(error)
        return
    boards.built[board_name, OURS, image.name] = ours.built
    boards.plans[board_name, image.name] = plan_words(ours.plan)


def _runs(
    boards: _Boards,
    platforms: Sequence[Platform],
    images: Mapping[str, Sequence[SystemImage | FreertosImage]],
) -> list[_Run]:
    return [
        _Run(platform, kernel, image, boards.built[platform.board, kernel, image.name])
        for platform in platforms
        for kernel, some in images.items()
        for image in some
        if (platform.board, kernel, image.name) in boards.built
    ]


def _all_spans(
    pool: ThreadPoolExecutor, boards: _Boards, platforms: Sequence[Platform], say: Say
) -> tuple[dict[Key, Spans], dict[Key, tuple[Part, ...]]]:
    ours = [image.system for image in TABLES]
    runs = _runs(boards, platforms, {OURS: ours, FREERTOS: FREERTOS_SIDES})

    def measure(run: _Run) -> tuple[dict[Span, Spans], dict[Span, tuple[Part, ...]]]:
        say(f"running {run.image.name} of {run.kernel} on {run.platform.name}")
        counts = (run.image.samples + MORE) * run.image.period
        log = watch(run.built, run.platform, counts, run.stem, functions=True)
        try:
            return spans_from(run.image, run.built, log)
        except HorologError as error:
            raise HorologError(f"{run.stem}: {error}", exit=Exit.TARGET_FAILED) from error

    spans: dict[Key, Spans] = {}
    parts: dict[Key, tuple[Part, ...]] = {}
    for run, (found, made_of) in zip(runs, pool.map(measure, runs), strict=True):
        key = run.platform.name, run.kernel, run.image.name
        spans |= {(*key, span): samples for span, samples in found.items()}
        parts |= {(*key, span): some for span, some in made_of.items()}
    return spans, parts


def _rates(
    pool: ThreadPoolExecutor, out: Path, platforms: Sequence[Platform], say: Say
) -> dict[tuple[str, str], int]:
    """The shortest round by platform. Not on QEMU: it cannot run so short ones."""
    some = [platform for platform in platforms if platform.configuration is not None]

    def search(platform: Platform) -> int:
        found = fastest_table(platform, out / f"rate-{platform.name}")
        say(f"the fastest round on {platform.name}: {found} cycles")
        return found

    found = pool.map(search, some)
    return {
        (platform.name, RATE.name): period for platform, period in zip(some, found, strict=True)
    }


def _memory(boards: _Boards) -> dict[tuple[str, str], tuple[Piece, ...]]:
    """By board and image; FreeRTOS's image is called by its kernel."""
    ours = {image.name for image in MINIMALS}
    return {
        (board, FREERTOS if kernel == FREERTOS else name): pieces(
            built.elf.with_suffix(".map").read_text(encoding="utf-8")
        )
        for (board, kernel, name), built in boards.built.items()
        if (kernel == OURS and name in ours)
        or (kernel == FREERTOS and name == FREERTOS_MINIMAL.name)
    }
