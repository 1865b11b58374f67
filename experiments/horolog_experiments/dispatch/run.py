# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds every image, runs each on its platforms, and takes from the logs what the page shows.

The same firmware runs on both configurations of the RTL board. Everything is deterministic: the same tool
versions give the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from horolog.build.freertos import freertos_source, freertos_version
from horolog.model import Exit, HorologError
from horolog.programs import version
from horolog.read import read_board
from horolog_experiments.dispatch.baseline import build_freertos
from horolog_experiments.dispatch.elsewhere import measure_chronos_points, measure_engine
from horolog_experiments.dispatch.figure import Interruptions, Timeline, interruptions, timeline
from horolog_experiments.dispatch.memory import Piece, pieces
from horolog_experiments.dispatch.rates import fastest
from horolog_experiments.dispatch.results import Key, Results
from horolog_experiments.dispatch.scenarios import (
    BEFORE,
    BEHIND,
    FIGURE_JOBS,
    FIGURE_OFFSETS,
    FIGURE_PERIOD,
    FIGURES,
    FREERTOS,
    FREERTOS_FIGURE,
    FREERTOS_IMAGES,
    FREERTOS_MINIMAL,
    MAXPERF,
    MINIMAL,
    OURS,
    PLATFORMS,
    RATE_WAKEUPS,
    SYSTEMS,
    FreertosImage,
    Platform,
    Span,
    SystemImage,
)
from horolog_experiments.dispatch.systems import build_system, plan_words
from horolog_experiments.dispatch.visits import (
    Log,
    Part,
    Spans,
    gaps,
    parts_of,
    rounds,
    spans_of,
    starts,
)
from horolog_experiments.dispatch.watching import Built, owner_numbers, watch

__all__ = ["MORE", "measure_dispatch", "refusal_words", "spans_from", "toolchain_words"]

_WORKERS = 2
MORE = 12
"""Expiries beyond those that count: the first ones of FreeRTOS, which begins at its second tick."""
Say = Callable[[str], None]


@dataclass
class _Boards:
    """What is built: by board, kernel and name; the plans of ours, and why one could not be had."""

    built: dict[tuple[str, str, str], Built] = field(default_factory=dict)
    plans: dict[tuple[str, str], str] = field(default_factory=dict)
    refused: dict[tuple[str, str], str] = field(default_factory=dict)


def measure_dispatch(
    out: Path,
    say: Say,
    *,
    platforms: Sequence[Platform] = PLATFORMS,
    quick: bool = False,
    names: Collection[str] | None = None,
) -> Results:
    """Build and run everything below the folder `out`; without FreeRTOS's source, our side.

    With `quick` nothing of what other benches measure; with `names` only the spans of these scenarios.
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
        counted, drawn = _figures(pool, boards, platforms)
        rates = _rates(pool, boards, source, out, platforms, say) if whole else {}
    quick = quick or not whole
    chronos, theirs = ((), "") if quick else measure_chronos_points(out.parent / "chronos", say)
    return Results(
        spans=spans,
        parts=parts,
        plans=boards.plans,
        refused=boards.refused,
        rates=rates,
        interruptions=counted,
        timelines=drawn,
        memory=_memory(boards),
        engine=None if quick else measure_engine(out / "engine", say),
        chronos=chronos,
        chronos_freertos=theirs,
        freertos=None if source is None else freertos_version(source),
        toolchain=toolchain_words(),
    )


def toolchain_words() -> str:
    """The compilers, the simulator and the emulator, with their versions."""
    names = {
        "riscv64-unknown-elf-gcc": "riscv64-unknown-elf-gcc",
        "verilator": "Verilator",
        "arm-none-eabi-gcc": "arm-none-eabi-gcc",
        "qemu-system-arm": "QEMU",
    }
    return ", ".join(f"{title} {version(name)}" for name, title in names.items())


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
    for image in (*SYSTEMS, *FIGURES, MINIMAL):
        if names is not None and image.name not in names:
            continue
        minimal = image is MINIMAL
        folder = out / "minimal" if minimal else out
        try:
            ours = build_system(image, board_name, folder, halting=minimal)
        except HorologError as error:
            boards.refused[board_name, image.name] = refusal_words(error)
            continue
        boards.built[board_name, OURS, image.name] = ours.built
        boards.plans[board_name, image.name] = plan_words(ours.plan)
    images = [
        image
        for image in (*FREERTOS_IMAGES, FREERTOS_FIGURE, FREERTOS_MINIMAL)
        if names is None or image.name in names
    ]
    if source is not None and images:
        made = build_freertos(images, board, source, out / "freertos")
        boards.built |= {(board_name, FREERTOS, name): one for name, one in made.items()}


def refusal_words(error: HorologError) -> str:
    """Why the tool does not plan or generate a system; any other error goes on."""
    if error.exit not in (Exit.BAD_INPUT, Exit.DOES_NOT_HOLD):
        raise error
    return error.message + (f": {error.found}" if error.found else "")


@dataclass(frozen=True, slots=True)
class _Run:
    platform: Platform
    kernel: str
    image: SystemImage | FreertosImage
    built: Built

    @property
    def stem(self) -> str:
        return f"{self.platform.name}-{self.kernel}-{self.image.name}"


def _runs(
    boards: _Boards,
    platforms: Iterable[Platform],
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
    runs = _runs(boards, platforms, {OURS: SYSTEMS, FREERTOS: FREERTOS_IMAGES})

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


def spans_from(
    image: SystemImage | FreertosImage, built: Built, log: Log
) -> tuple[dict[Span, Spans], dict[Span, tuple[Part, ...]]]:
    """All that is to be measured of `image`, from its log; and what the worst samples are made of."""
    numbers = owner_numbers(built)
    high, past = numbers["high"], numbers[image.past]
    owners = log.of_owners()
    expiries = [time for name in built.expiries for time in log.expiries.get(name, ())]
    seen = [name for name in built.expiries if name in log.names.values()]
    before = (
        seen[0] if seen else BEFORE
    )  # in the emulator the expiry is the handler's first instruction
    found: dict[Span, Spans] = {}
    parts: dict[Span, tuple[Part, ...]] = {}
    for span in image.spans:
        if span is Span.ROUND:
            found[span] = spans_of(rounds(owners, expiries, high, past), image.samples)
            continue
        if span is Span.START:
            samples = starts(owners, expiries, high, past)
        else:
            following = numbers["next"] if span is Span.NEXT else past
            samples = gaps(owners, high, following, resumed=span is Span.END)
        samples = samples[: image.samples]
        places = {sample.place for sample in samples} if span is Span.START else ()
        found[span] = spans_of([one.length for one in samples], image.samples, len(places))
        worst = max(samples, key=lambda sample: sample.length)
        parts[span] = parts_of(log, worst, before if span is Span.START else BEHIND)
    return found, parts


def _figures(
    pool: ThreadPoolExecutor, boards: _Boards, platforms: Sequence[Platform]
) -> tuple[dict[tuple[str, str], Interruptions], dict[str, Timeline]]:
    runs = _runs(boards, platforms, {OURS: FIGURES, FREERTOS: (FREERTOS_FIGURE,)})

    def measure(run: _Run) -> Log:
        counts = (FIGURE_JOBS + MORE) * FIGURE_PERIOD
        return watch(run.built, run.platform, counts, run.stem)

    counted: dict[tuple[str, str], Interruptions] = {}
    drawn: dict[str, Timeline] = {}
    for run, log in zip(runs, pool.map(measure, runs), strict=True):
        numbers = owner_numbers(run.built)
        others = [number for name, number in numbers.items() if name != "high"]
        counted[run.platform.name, run.image.name] = interruptions(
            log, numbers["high"], others, FIGURE_JOBS
        )
        if run.platform is MAXPERF:
            due = _second_release(run.built, log, numbers["high"])
            begin = due - FIGURE_PERIOD // 50
            end = begin + FIGURE_PERIOD * 9 // 10
            releases = [(numbers[name], due + offset) for name, offset in FIGURE_OFFSETS.items()]
            drawn[run.image.name] = timeline(log, tuple(numbers), begin, end, releases)
    return counted, drawn


def _second_release(built: Built, log: Log, owner: int) -> int:
    """When the second job of `owner` is released, which comes a whole period behind the first."""
    first = log.of(owner)[0].first
    begins = next(v.first for v in log.of(owner) if v.first > first + FIGURE_PERIOD * 9 // 10)
    return max(
        time for name in built.expiries for time in log.expiries.get(name, ()) if time <= begins
    )


def _rates(
    pool: ThreadPoolExecutor,
    boards: _Boards,
    source: Path | None,
    out: Path,
    platforms: Sequence[Platform],
    say: Say,
) -> dict[tuple[str, str], int]:
    """The shortest period in counts by platform and wake-up. Not on QEMU: it cannot run so short ones."""
    some = [platform for platform in platforms if platform.configuration is not None]
    wakeups = (OURS, *(RATE_WAKEUPS if source is not None else ()))
    asked = [(platform, wakeup) for platform in some for wakeup in wakeups]

    def search(question: tuple[Platform, str]) -> int:
        platform, wakeup = question
        if wakeup == OURS and (platform.board, MINIMAL.name) in boards.refused:
            return 0
        found = fastest(platform, wakeup, source, out / f"rate-{platform.name}-{wakeup}")
        say(f"the fastest task of {wakeup} on {platform.name}: every {found} cycles")
        return found

    return {
        (platform.name, wakeup): period
        for (platform, wakeup), period in zip(asked, pool.map(search, asked), strict=True)
        if period
    }


def _memory(boards: _Boards) -> dict[tuple[str, str], tuple[Piece, ...]]:
    return {
        (board, kernel): pieces(built.elf.with_suffix(".map").read_text(encoding="utf-8"))
        for (board, kernel, name), built in boards.built.items()
        if name == MINIMAL.name
    }
