# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds every image, runs each on its platforms, and takes from the logs what the page shows.

The same firmware runs on both configurations of the RTL board. Everything is deterministic: the same tool
versions give the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from horolog.build.freertos import freertos_source, freertos_version
from horolog.model import Exit, HorologError
from horolog.read import read_board
from horolog_experiments.dispatch.baseline import build_freertos
from horolog_experiments.dispatch.figure import Timeline
from horolog_experiments.dispatch.memory import Piece, pieces
from horolog_experiments.dispatch.run import MORE, refusal_words, spans_from, toolchain_words
from horolog_experiments.dispatch.scenarios import (
    FREERTOS,
    FREERTOS_MINIMAL,
    MAXPERF,
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
from horolog_experiments.tables.holds import (
    HELD,
    HOST,
    IMAGES,
    Held,
    hold_on_board,
    hold_on_host,
)
from horolog_experiments.tables.rates import RATE, fastest_table
from horolog_experiments.tables.results import Key, Results
from horolog_experiments.tables.scenarios import (
    BUDGETS,
    FREERTOS_CALLS,
    FREERTOS_SIDES,
    KEEPING,
    MINIMALS,
    TABLES,
    TableImage,
    can_monitor,
)
from horolog_experiments.tables.schedules import (
    ACTIVATIONS,
    CALL_COUNTS,
    CALL_OWNERS,
    CELL_CALL_OWNERS,
    CELLS,
    COUNTERS,
    IN_CELLS,
    build_activation,
    build_calls,
    call_spans,
    calls_name,
    has_groups,
)
from horolog_experiments.tables.sync import CASES, DISPATCHER, SCHEDULE, Following, follow
from horolog_experiments.tables.systems import build_table

__all__ = ["measure_tables"]

_WORKERS = 2
_HOST_ROUNDS, _BOARD_ROUNDS, _FEW_ROUNDS = 10**6, 10**4, 1000
_SECONDS, _FEW_SECONDS = 60, 2
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

    With `quick` few rounds, and no search for the fastest; with `names` only the spans of these scenarios.
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
        calls = _calls(pool, boards, platforms, say)
        rates = _rates(pool, out, platforms, say) if whole and not quick else {}
        held, drawn = _held(out, platforms, say, quick=quick) if whole else ({}, {})
        following, dispatched = (
            _following(table, pool, out, say, quick=quick) if whole else {}
            for table in (SCHEDULE, DISPATCHER)
        )
    return Results(
        spans=spans,
        parts=parts,
        plans=boards.plans,
        refused=boards.refused,
        rates=rates,
        memory=_memory(boards),
        calls=calls,
        held=held,
        timelines=drawn,
        following=following,
        dispatched=dispatched,
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
    for image in (*TABLES, *BUDGETS, *KEEPING, *MINIMALS):
        if names is not None and image.name not in names:
            continue
        if can_monitor(platform, image.monitor):
            _build_ours(image, board_name, out, boards)
    for counter in COUNTERS:
        name = calls_name(counter)
        if (names is None or name in names) and (counter not in IN_CELLS or has_groups(board)):
            boards.built[board_name, OURS, name] = build_calls(counter, board_name, out)
    for activation in ACTIVATIONS:
        able = activation.by != CELLS or has_groups(board)
        if able and (names is None or activation.name in names):
            built = build_activation(activation, board_name, out)
            boards.built[board_name, OURS, activation.name] = built
    images = [
        image
        for image in (*FREERTOS_SIDES, FREERTOS_CALLS, FREERTOS_MINIMAL)
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
    ours = [image.system for image in (*TABLES, *BUDGETS, *KEEPING)] + [
        image.system for image in ACTIVATIONS
    ]
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


def _calls(
    pool: ThreadPoolExecutor, boards: _Boards, platforms: Sequence[Platform], say: Say
) -> dict[tuple[str, str, str], Spans]:
    """What starting and stopping takes, by platform, counter and call; FreeRTOS's by its name as counter."""
    images = {counter: (OURS, calls_name(counter)) for counter in COUNTERS}
    images[FREERTOS] = FREERTOS, FREERTOS_CALLS.name
    asked = [
        (platform, counter, built)
        for platform in platforms
        for counter, image in images.items()
        if (built := boards.built.get((platform.board, *image))) is not None
    ]

    def measure(question: tuple[Platform, str, Built]) -> dict[str, Spans]:
        platform, counter, built = question
        say(f"running calls by {counter} on {platform.name}")
        owners = CELL_CALL_OWNERS if counter in IN_CELLS else CALL_OWNERS
        calling = replace(built, owners=owners, expiries=())
        stem = f"{platform.name}-{calls_name(counter)}"
        return call_spans(calling, watch(calling, platform, CALL_COUNTS, stem, functions=True))

    return {
        (platform.name, counter, call): spans
        for (platform, counter, _), found in zip(asked, pool.map(measure, asked), strict=True)
        for call, spans in found.items()
    }


def _held(
    out: Path, platforms: Sequence[Platform], say: Say, *, quick: bool
) -> tuple[dict[tuple[str, str], Held], dict[str, Timeline]]:
    """The long runs, one at a time: their logs are large."""
    found: dict[tuple[str, str], Held] = {}
    drawn: dict[str, Timeline] = {}
    for image in IMAGES:
        few = quick or image is not HELD
        rounds = _FEW_ROUNDS if few else _HOST_ROUNDS
        say(f"running {rounds:,} rounds of {image.name} on the host port")
        found[HOST, image.name] = hold_on_host(image, rounds, out / HOST / image.name)
        rounds = _FEW_ROUNDS if few else _BOARD_ROUNDS
        for platform in platforms:
            if platform.configuration is None:
                continue
            say(f"running {rounds:,} rounds of {image.name} on {platform.name}")
            held, picture = hold_on_board(image, platform, rounds, out / platform.board / "held")
            found[platform.name, image.name] = held
            if platform is MAXPERF:
                drawn[image.name] = picture
    return found, drawn


def _following(
    table: str, pool: ThreadPoolExecutor, out: Path, say: Say, *, quick: bool
) -> dict[tuple[int, bool], Following]:
    say(f"a {table} table follows a global time on the host port")
    seconds = _FEW_SECONDS if quick else _SECONDS

    def measure(case: tuple[int, bool]) -> Following:
        ppm, given = case
        folder = out / HOST / f"{table}-follows-{ppm}-{'given' if given else 'alone'}"
        return follow(table, ppm, given, seconds, folder)

    return dict(zip(CASES, pool.map(measure, CASES), strict=True))


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
