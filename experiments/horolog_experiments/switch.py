# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `switch`: Table 1 of the 1+N paper, what a switch costs under each timing model.

bench/switch has one or two equal threads that go to the scheduler for ever; a plugin of the emulator counts
instructions, from outside: of each call, and of the whole loop with the interrupts that come. And what
converting between counts and nanoseconds costs, for the issue's four clocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.build.freertos import HOW_TO_GET_IT, freertos_source, freertos_version
from horolog.calibrate.firmware import build_project, counted
from horolog.image import Image, read_image
from horolog.measure.probe import compiled_plugin
from horolog.model import Board
from horolog.programs import require, version
from horolog.read import read_board
from horolog_experiments.harness import (
    INLINE,
    Data,
    Experiment,
    Found,
    Target,
    entries,
    number,
    plain,
    table,
    targets_table,
)
from horolog_experiments.kernel import Spans, read_spans

__all__ = [
    "BOARDS",
    "CLOCKS",
    "DATA",
    "EXPERIMENT",
    "Measured",
    "Switches",
    "measure_switches",
    "switch_page",
    "watch_text",
]

BOARDS = ("mps2-an385", "mps2-an386")
CLOCKS = (25_000_000, 7_372_800, 32_768, 33_333_000)
MODELS = {
    "none": "no slices",
    "tick": "tick",
    "unified": "unified, counts inside",
    "unified_ns": "unified, nanoseconds inside",
    "one_plus_n": "1+N",
    "freertos": "FreeRTOS",
}
"""The kernels with images, and their names on the page."""
CALLS = {
    "scheduler_1": "the scheduler, by one ready thread",
    "yield_1": "a yield, by one ready thread",
    "yield_2": "a yield to the other of two",
}
"""What is called, by how many threads, and in words; the first is the paper's."""
LOOP = 20_000
"""Switches of a whole loop."""
_MILLION = 10**6
_PAPER: Mapping[str, Mapping[str, int | None]] = {
    "tick": {"RP2040": None, "STM32F469": 579_718},
    "unified_ns": {"RP2040": 232_284, "STM32F469": 326_086},
    "one_plus_n": {"RP2040": 407_326, "STM32F469": 491_801},
}
"""Its Table 1, switches a second. `High-resolution` is unified with nanoseconds inside."""
_WORKERS = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """One image's spans. `image` is its name without the suffix."""

    board: str
    image: str
    spans: Spans = field(metadata=INLINE)


@dataclass(frozen=True)
class Switches:
    """Everything measured, in the order of BOARDS and images."""

    measured: tuple[Measured, ...]
    toolchain: str
    freertos: str | None

    @property
    def boards(self) -> list[str]:
        """The boards that were measured, in order."""
        return list(dict.fromkeys(one.board for one in self.measured))

    def spans(self, board: str, image: str) -> Spans | None:
        """The spans of `image` on `board`; None if it was not measured."""
        found = (one.spans for one in self.measured if (one.board, one.image) == (board, image))
        return next(found, None)

    def instructions(self, board: str, model: str, called: str) -> int | None:
        """Instructions of one call, without interrupts; None if it was not measured."""
        spans = self.spans(board, f"{model}_{called}_each")
        return None if spans is None else spans.best

    def rate(self, board: str, model: str, called: str) -> Fraction | None:
        """Switches per million instructions, of the loop and interrupts too."""
        spans = self.spans(board, f"{model}_{called}_whole")
        return None if spans is None else Fraction(LOOP * _MILLION, spans.total)

    def ratio(self, board: str, model: str, other: str, called: str) -> Fraction | None:
        """The rate of `model` over that of `other`; None if one was not measured."""
        rate, others = self.rate(board, model, called), self.rate(board, other, called)
        return None if rate is None or others is None else rate / others

    def conversion(self, board: str, hz: int, to: str) -> Spans | None:
        """What converting `to` ns or counts costs, with its call."""
        return self.spans(board, f"convert_{hz}_{to}")


def measure_switches(
    out: Path, say: Callable[[str], None], boards: Sequence[str] = BOARDS
) -> Switches:
    """Build and run, below the folder `out`, every image on each of `boards`.

    Without FreeRTOS's source, without its images. HorologError (3) if a tool is missing, (4) if a firmware
    fails.
    """
    source = freertos_source()
    plugin = compiled_plugin("horolog_spans")
    found: list[Measured] = []
    for name in boards:
        board = read_board(name)
        say(f"building for {name}")
        images = _build(board, source, out / name)
        say(f"running {len(images)} images on {name}")

        def run(elf: Path, board: Board = board) -> Measured:
            return Measured(board.name, elf.stem, _run(board, elf, plugin))

        with ThreadPoolExecutor(_WORKERS) as pool:
            found += pool.map(run, images)
    return Switches(
        tuple(found),
        f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}, QEMU {version('qemu-system-arm')}",
        None if source is None else freertos_version(source),
    )


def _build(board: Board, freertos: Path | None, binaries: Path) -> list[Path]:
    require("arm-none-eabi-gcc", "cmake", "ninja", "qemu-system-arm")
    options = (
        f"HRL_BOARD={board.name}",
        f"HRL_FREERTOS={'' if freertos is None else freertos.resolve()}",
        f"HRL_FPU={board.fpu or ''}",
    )
    build_project("switch", board, binaries, options)
    return [binaries / f"{name}.elf" for name in _images(freertos is not None)]


def _images(with_freertos: bool) -> Iterable[str]:
    """The names of all images, as bench/switch/CMakeLists.txt gives them."""
    for model in MODELS:
        for called in CALLS:
            if model == "freertos" and (called == "scheduler_1" or not with_freertos):
                continue
            yield from (f"{model}_{called}_each", f"{model}_{called}_whole")
    for hz in CLOCKS:
        yield from (f"convert_{hz}_ns", f"convert_{hz}_counts")


def watch_text(image: Image, out: Path) -> str:
    """The plugin's configuration, as plugin/horolog_spans.c describes it."""
    marks = (
        f"{name} {image.address(f'bench_mark_{name}'):#x}" for name in ("done", "stop", "start")
    )
    return "\n".join([f"out {out}", *marks]) + "\n"


def _run(board: Board, elf: Path, plugin: Path) -> Spans:
    image = read_image(elf)
    return read_spans(counted(board, elf, plugin, ".spans", lambda out: watch_text(image, out)))


def _ratio(other: str) -> Callable[[Switches], Found]:
    """The worst over the boards of the paper's call; the other calls in the note."""

    def find(switches: Switches) -> Found:
        said = []
        worst: dict[str, Fraction] = {}
        for called in CALLS:
            ratios = [
                switches.ratio(board, "one_plus_n", other, called) for board in switches.boards
            ]
            worst[called] = min(ratio for ratio in ratios if ratio is not None)
            said.append(f"{CALLS[called]}: {number(worst[called], 3)}")
        note = f"the least of {', '.join(switches.boards)}; {'; '.join(said)}"
        return Found(worst["scheduler_1"], note)

    return find


def _conversion(to: str) -> Callable[[Switches], Found]:
    """The worst over the clocks, each in the note."""

    def find(switches: Switches) -> Found:
        spans = {hz: switches.conversion(BOARDS[0], hz, to) for hz in CLOCKS}
        each = {hz: one.worst for hz, one in spans.items() if one is not None}
        note = ", ".join(f"{hz:,} Hz: {cost}" for hz, cost in each.items())
        return Found(max(each.values()), note)

    return find


_TARGETS: Sequence[Target[Switches]] = (
    Target(
        "1+N against unified with nanoseconds inside, switches per million instructions",
        ">=",
        1.4,
        "ratio",
        _ratio("unified_ns"),
    ),
    Target("1+N against tick, same unit", ">=", 0.9, "ratio", _ratio("tick")),
    Target(
        "count to nanoseconds, worst over the four clocks",
        "<=",
        35,
        "instructions",
        _conversion("ns"),
    ),
    Target(
        "nanoseconds to count, worst over the four clocks",
        "<=",
        70,
        "instructions",
        _conversion("counts"),
    ),
)
"""The lines of the issue's table that are about this, unchanged."""


def _rows(switches: Switches) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for board in switches.boards:
        title = f"{read_board(board).title}"
        for model in MODELS:
            for called in CALLS:
                cost = switches.instructions(board, model, called)
                if cost is None:
                    continue
                rows.append(
                    {
                        "what": f"{MODELS[model]}: {CALLS[called]}",
                        "model": model,
                        "call": called,
                        "instructions": cost,
                        "switches_per_million": plain(switches.rate(board, model, called)),
                        "platform": title,
                    }
                )
        for hz in CLOCKS:
            for to in ("ns", "counts"):
                spans = switches.conversion(board, hz, to)
                if spans is not None:
                    what = f"conversion to {to}, {hz} Hz"
                    rows.append({"what": what, "instructions": spans.worst, "platform": title})
    return rows


DATA = Data(Switches, head=("toolchain", "freertos"), lists=("measured",))


def switch_page(switches: Switches) -> str:
    """docs/evidence/switch.md."""
    return "\n".join([_head(switches), _targets(switches), _paper(switches), _own(switches), _TEXT])


def _head(switches: Switches) -> str:
    version_text = switches.freertos or f"not measured: {HOW_TO_GET_IT}"
    titles = "; ".join(read_board(board).title for board in switches.boards)
    return f"""\
# What a switch costs under each timing model

Written by `horolog bench switch`; do not edit. Platforms: {titles};
{switches.toolchain}; FreeRTOS: {version_text}. Figures are **instructions** executed, counted
from outside the firmware (`plugin/horolog_spans.c`), not time on silicon.
"""


def _targets(switches: Switches) -> str:
    return "## Targets\n\n" + targets_table(entries(_TARGETS, switches), "what it is made of")


def _paper(switches: Switches) -> str:
    header = ["", "RP2040, a second", "STM32F469, a second"]
    header += [f"{board}, a million instructions" for board in switches.boards]
    rows = []
    for model, theirs in _PAPER.items():
        shown = [f"{value:,}" if value is not None else "" for value in theirs.values()]
        ours = [_rate(switches, board, model, "scheduler_1") for board in switches.boards]
        rows.append([MODELS[model], *shown, *ours])
    for other, name in (("unified_ns", "nanoseconds inside"), ("tick", "tick")):
        row = [f"1+N by {name}"]
        for chip in ("RP2040", "STM32F469"):
            first, second = _PAPER["one_plus_n"][chip], _PAPER[other][chip]
            row.append(
                "" if first is None or second is None else number(Fraction(first, second), 2)
            )
        for board in switches.boards:
            ratio = switches.ratio(board, "one_plus_n", other, "scheduler_1")
            row.append("" if ratio is None else number(ratio, 2))
        rows.append(row)
    return (
        "## The paper's Table 1 beside ours\n\nTrips through the scheduler; more is better. Terraneo and "
        "Cattaneo measured theirs on Miosix.\n\n" + table(header, rows)
    )


def _rate(switches: Switches, board: str, model: str, called: str) -> str:
    rate = switches.rate(board, model, called)
    return "" if rate is None else number(rate, 0)


def _own(switches: Switches) -> str:
    text = ""
    for board in switches.boards:
        rows = []
        for model, words in MODELS.items():
            row = [words]
            for called in CALLS:
                cost = switches.instructions(board, model, called)
                rate = _rate(switches, board, model, called)
                row.append("" if cost is None else f"{cost:,} ({rate})")
            rows.append(row)
        text += f"## All models on {board}\n\n"
        text += "Instructions of one call; in brackets, calls per million instructions.\n\n"
        text += table(["", *CALLS.values()], rows) + "\n"
    rows = []
    for hz in CLOCKS:
        row = [f"{hz:,} Hz"]
        for board in switches.boards:
            for to in ("ns", "counts"):
                spans = switches.conversion(board, hz, to)
                row.append("" if spans is None else f"{spans.worst:,}")
        rows.append(row)
    header = [
        "clock",
        *(f"to {to}, {board}" for board in switches.boards for to in ("ns", "counts")),
    ]
    return (
        f"{text}## Conversions\n\nWorst of 62 values from 0 to 2^61, the call included.\n\n"
        + table(header, rows)
    )


_TEXT = """\
## How it was measured

- **One ready thread that calls the scheduler for ever** is the paper's benchmark (section 5, Figure 3). In
  Miosix a yield is a whole trip through the scheduler. In Horolog it is not: a yield looks at the thread's
  own level only, as a thread of a higher level would be running already, and returns early if no other
  thread of that level is ready. So the first column, and the targets, are of a trip that an interrupt would
  cause too (`hrlp_cpu_request_switch`): registers saved, slice begun anew, the most urgent thread found by
  the bitmap, registers loaded. The yields stand beside it; each begins a fresh slice as well.
- Instructions of one call: the least of 1,000, from the call to the first instruction after it; no
  interrupt is in it. Per million instructions: 20,000 calls in a loop, with the loop and all interrupts
  that come meanwhile.
- The slice is 1 ms; under the tick it is the tick. No thread sleeps. Under the unified models the cell is set
  to the slice's end at each call, as in Listing 2, and under 1+N SysTick is restarted, as in Listing 3. No
  slice ends in this loop but under the tick, which therefore takes its interrupts.
- Everything is compiled with the same flags, `-O2`, without asserts, from the sources that applications
  get (`systems/plain`, `TIMING`). FreeRTOS runs with its tick of 1 kHz on; its yield is its scheduler.

## What differs, and why

- **Unified with nanoseconds inside loses more here than in the paper.** What it adds at a switch is the
  same: a reading of the 64-bit clock, two conversions, an arming of the cell. But the rest of a switch is
  shorter than Miosix', so that this weighs more; and an instruction is the unit here, where in cycles the
  stores of registers would weigh more than one.
- **Counts inside** is a form that the paper does not have. It shows what of the loss is not the
  conversions': reading the clock and arming the cell at every switch remain.
- **1+N** is one store to SysTick. An interrupt that is on its way at a switch is not cleared there: its
  handler asks SysTick's flag, which the store has cleared, whether a slice has ended.
- The paper's tick is an older version of its kernel; ours differs from the other models in nothing else.
- The listings have the comparison of wake-up times the wrong way round (`>= now`); ours wakes due threads.
"""

EXPERIMENT = Experiment[Switches](
    "switch",
    measure=lambda run: measure_switches(run.folder, run.say),
    rows=_rows,
    page=switch_page,
    targets=_TARGETS,
    head=lambda switches: {"toolchain": switches.toolchain, "freertos": switches.freertos},
    data=DATA.text,
    is_whole=lambda switches, run: switches.freertos is not None,
)
