# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `pico`: Table 1 of the 1+N paper on its own chip, the RP2040 with both cores.

The scenarios are those of the bench `cores`; our simulator counts cycles (rp2040/cores). Everything is
deterministic: the same versions of the tools give the same figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from horolog.build.rp2040_cores import rp2040_cores_command, rp2040_cores_version
from horolog.calibrate.firmware import build_project
from horolog.image import read_image
from horolog.model import Exit, HorologError
from horolog.programs import call, require, version
from horolog.read import read_board
from horolog_experiments.cores.cases import MODELS, OURS, START_UP, Case
from horolog_experiments.cores.marks import figures, read_marks
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

__all__ = ["DATA", "EXPERIMENT", "Measured", "Pico", "cases", "measure_pico", "pico_page"]

BOARD = "pico-x2"
NAMES = {
    "tick": "tick",
    "unified_ns": "unified, nanoseconds inside",
    "unified": "unified, counts inside",
    "one_plus_n": "1+N",
}
MILLION = 1_000_000
WINDOW = MILLION
"""Cycles in which trips are counted, behind the start-up."""
_PAPER = {"unified_ns": 232_284, "one_plus_n": 407_326}
"""Its Table 1, the RP2040 at 200 MHz, a second. `High-resolution` is unified with nanoseconds inside."""
_PAPER_HZ = 200_000_000
_SECONDS = 300
_TIME_OUT = 124
_MARK = "bench_mark_"


@dataclass(frozen=True, slots=True)
class Measured:
    """A case and its figures, by name (cores/marks.py)."""

    case: Case = field(metadata=INLINE)
    figures: Mapping[str, int]


@dataclass(frozen=True)
class Pico:
    """Everything measured, in the order of the cases."""

    rows: tuple[Measured, ...]
    toolchain: str

    def figures(self, case: Case) -> Mapping[str, int] | None:
        """Those of `case`; None if it was not measured."""
        return next((row.figures for row in self.rows if row.case == case), None)

    def rate(self, case: Case) -> Fraction | None:
        """Trips of a core in a million cycles, the mean of the cores."""
        found = self.figures(case)
        return None if found is None else Fraction(found["switches"] * MILLION, case.cores * WINDOW)


def scheduler(model: str, cores: int) -> Case:
    """One thread of each core that goes to the scheduler for ever."""
    return Case("scheduler", OURS, model, cores)


def turns(model: str, cores: int, threads: int) -> Case:
    """So many threads of each core that yield for ever."""
    return Case("switches", OURS, model, cores, threads)


SHARES = tuple(Case("share", OURS, model, 2) for model in MODELS)
WAKES = tuple(Case("wake", OURS, model, 2) for model in MODELS)


def cases() -> tuple[Case, ...]:
    """All of them, in the order of the page."""
    trips = [
        case
        for model in MODELS
        for cores in (1, 2)
        for case in (scheduler(model, cores), turns(model, cores, 1), turns(model, cores, 2))
    ]
    return (*trips, *SHARES, *WAKES)


def measure_pico(
    out: Path, say: Callable[[str], None], chosen: Sequence[Case] | None = None
) -> Pico:
    """Build and run, below the folder `out`, the images of the `chosen` cases, or of all.

    HorologError (3) if a tool is missing, (4) if a firmware fails.
    """
    require("arm-none-eabi-gcc", "cmake", "ninja")
    wanted = cases() if chosen is None else tuple(chosen)
    say(f"building {len(wanted)} images for {BOARD}")
    build_project("pico", read_board(BOARD), out, _options(wanted))
    rows = []
    for count, case in enumerate(wanted, 1):
        rows.append(Measured(case, _run(case, out / f"{case.image}.elf")))
        say(f"{count} of {len(wanted)}: {case.image}")
    return Pico(
        tuple(rows),
        f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}, rp2040-emu {rp2040_cores_version()}",
    )


def _options(wanted: Sequence[Case]) -> list[str]:
    images = ",".join(f"{one.image}:{one.scenario}:{one.form}" for one in wanted)
    defines = [
        f"BENCH_DEFINES_{one.image}={';'.join((f'BENCH_CORES={one.cores}', *one.defines))}"
        for one in wanted
    ]
    return [f"BENCH_IMAGES={images}", *defines]


def _run(case: Case, elf: Path) -> dict[str, int]:
    """Run the image of `case`, and read when which core passed its marks."""
    names = {
        address: symbol.removeprefix(_MARK)
        for symbol, address in read_image(elf).symbols.items()
        if symbol.startswith(_MARK)
    }
    events = [elf.with_suffix(f".events-{core}") for core in range(case.cores)]
    command = [*rp2040_cores_command(elf), "--cycles", str(START_UP + WINDOW)]
    for core, path in enumerate(events):
        command += ["--events", f"{core}:{path}"]
    for address in names:
        command += ["--mark", f"{address:#x}"]
    done = call(command, seconds=_SECONDS)
    if done.status != _TIME_OUT:  # its end is that of the window
        raise HorologError(
            f"the bench's firmware {elf.name} failed",
            found=(done.output + done.errors).strip()[-1000:] or f"status {done.status}",
            exit=Exit.TARGET_FAILED,
        )
    texts = [path.read_text(encoding="ascii") for path in events]
    return figures(case, read_marks(texts, names))


def _ratio(pico: Pico) -> Found:
    """Of the paper's call on both cores; what else there is in the note."""
    rates = [pico.rate(scheduler(model, 2)) for model in ("one_plus_n", "unified_ns", "unified")]
    ours, nanoseconds, counts = rates
    if ours is None or nanoseconds is None or counts is None:
        return Found(None, "not measured", state="pending")
    note = (
        f"{number(ours)} and {number(nanoseconds)} a core, in a million cycles; over unified with counts "
        f"inside: {number(ours / counts, 3)}"
    )
    return Found(ours / nanoseconds, note)


TARGETS: Sequence[Target[Pico]] = (
    Target(
        "Pico, two cores, emulated cycles: 1+N / unified with nanoseconds, switches",
        ">=",
        1.75,
        "ratio",
        _ratio,
    ),
)
"""The line of the issue's table that is about this, unchanged."""

DATA = Data(Pico, head=("toolchain",), lists=("rows",))


def _rows(pico: Pico) -> list[dict[str, Any]]:
    title = read_board(BOARD).title
    return [
        {
            "what": row.case.what,
            "model": row.case.form,
            "cores": row.case.cores,
            "threads": row.case.threads,
            **row.figures,
            "switches_per_million": plain(pico.rate(row.case))
            if "switches" in row.figures
            else None,
            "platform": title,
        }
        for row in pico.rows
    ]


def pico_page(pico: Pico) -> str:
    """docs/evidence/pico.md."""
    targets = "## Targets\n\n" + targets_table(entries(TARGETS, pico), "what it is made of")
    return "\n".join([_head(pico), targets, _paper(pico), _turns(pico), _shares(pico), _TEXT])


def _head(pico: Pico) -> str:
    return f"""\
# 1+N on the paper's own chip

Written by `horolog bench pico`; do not edit. Platform: {read_board(BOARD).title}; {pico.toolchain}.
Figures are **cycles** of our simulator ([what it charges](../guide/pico.md#both-cores)), the same in each
run, and not of silicon: it charges no waits for the flash, nor of a core for the other one.
"""


def _rate(pico: Pico, case: Case) -> str:
    rate = pico.rate(case)
    if rate is None:
        return ""
    return f"{number(rate, 0)} ({number(MILLION / rate, 0)})"


def _paper(pico: Pico) -> str:
    header = ["", "the paper, a second", "the paper, cycles", "one core", "both cores"]
    rows = []
    for model, name in NAMES.items():
        theirs = _PAPER.get(model)
        row = (
            [name, "", ""] if theirs is None else [name, f"{theirs:,}", f"{_PAPER_HZ // theirs:,}"]
        )
        rows.append([*row, *(_rate(pico, scheduler(model, cores)) for cores in (1, 2))])
    ratios = [_over(pico, cores) for cores in (1, 2)]
    paper = number(Fraction(_PAPER["one_plus_n"], _PAPER["unified_ns"]), 2)
    rows.append(["1+N by unified, nanoseconds", paper, "", *ratios])
    return (
        "## Table 1 of the 1+N paper\n\nTrips through the scheduler of a core in a million cycles, while one "
        "thread of each core goes there for ever; in brackets the cycles of one. Terraneo and Cattaneo "
        "measured theirs on Miosix, at 200 MHz; their cycles are 200 MHz by trips, if the trips are a "
        "core's.\n\n" + table(header, rows)
    )


def _over(pico: Pico, cores: int) -> str:
    ours = pico.rate(scheduler("one_plus_n", cores))
    other = pico.rate(scheduler("unified_ns", cores))
    return "" if ours is None or other is None else number(ours / other, 2)


def _turns(pico: Pico) -> str:
    header = ["", "1 thread, one core", "2 threads, one core", "1 thread, both", "2 threads, both"]
    rows = [
        [
            name,
            *(_rate(pico, turns(model, cores, threads)) for cores in (1, 2) for threads in (1, 2)),
        ]
        for model, name in NAMES.items()
    ]
    return (
        "## Yields\n\nA core's in a million cycles, the mean of the cores; in brackets the cycles of one. "
        "Two threads of a core have equal priorities and yield to one another.\n\n"
        + table(header, rows)
    )


def _shares(pico: Pico) -> str:
    rows = []
    for share, wake in zip(SHARES, WAKES, strict=True):
        ends, woken = pico.figures(share), pico.figures(wake)
        if ends is None or woken is None:
            continue
        mean = Fraction(woken["total"], woken["samples"])
        spread = f"{number(mean, 0)} ({woken['least']:,} to {woken['worst']:,})"
        rows.append([NAMES[share.form], f"{ends['least']} to {ends['most']}", spread])
    return (
        "## Slices end, and cores wake one another\n\nTwo threads of each core that never wait, in a million "
        "cycles, which are 8 slices of 1 ms: so often the one follows the other on a core. And from the call "
        "that gives a semaphore on core 0 to the first instruction behind the call that took it on core 1, "
        "which was idle: cycles, mean, least and worst.\n\n"
        + table(["", "slices that ended on a core", "wake-up of the other core"], rows)
    )


_TEXT = """\
## How it was measured

- The scenarios are those of [many cores](cores.md), and the paper's benchmark (section 5, Figure 3) is the
  first: a trip is what an interrupt would cause, too. All is compiled with `-O2`, without checks, from the
  sources that applications get. `unified` and `unified_ns` share alarm 0 of TIMER between both cores, under a
  lock, a hardware spinlock; under `1+N` each core has an alarm for its wake-ups, and its SysTick, which
  counts the same microseconds, for slices.
- No thread sleeps, and no slice ends while one thread goes to the scheduler, but under the tick.
- What a core has of its own is found by VTOR, as Armv6-M has no register for a thread pointer: a call of
  nine cycles, several of which are in each trip, under each model.

## What differs, and why

- **Unified loses more here than in the paper**: what it adds to a trip is more cycles, and the rest of a
  trip, of which 1+N has no more, is fewer. A Cortex-M0+ has no product of 64 bits, so that four products of
  words, each made of four of half words, convert an instant. Miosix may convert more cheaply: a clock of
  1 MHz would allow it, and our unified model takes any. And an access to TIMER takes two or three cycles more
  than one to memory: unified reads and writes TIMER at every switch, 1+N never.
- `unified, counts inside`, which the paper does not have, shows what is left without conversions: the fair
  comparison of the two designs.
"""

EXPERIMENT = Experiment[Pico](
    "pico",
    measure=lambda run: measure_pico(run.folder, run.say),
    rows=_rows,
    page=pico_page,
    targets=TARGETS,
    head=lambda pico: {"toolchain": pico.toolchain},
    data=DATA.text,
)
