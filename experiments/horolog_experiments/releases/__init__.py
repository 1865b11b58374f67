# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `releases`: whether cells request interrupts at the very count, and when handlers enter.

Every timer device in every mode, 10^5 releases each, on the boards whose simulators show it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from horolog.data import data_root
from horolog.model import Exit, HorologError
from horolog.programs import version
from horolog_experiments.harness import Experiment, Run
from horolog_experiments.releases.cases import BENCHES, RELEASES, Bench
from horolog_experiments.releases.measure import measure_board
from horolog_experiments.releases.nrf_rtc import NAME, measure_model
from horolog_experiments.releases.page import TARGETS, releases_page, releases_rows
from horolog_experiments.releases.results import DATA, Releases, Row
from horolog_experiments.sources import sources_of

__all__ = ["DATA", "EXPERIMENT", "TARGETS", "Releases", "measure_releases", "releases_page"]

_WORKERS = 2


def measure_releases(
    out: Path,
    say: Callable[[str], None],
    parts: Sequence[str] = (),
    *,
    quick: bool = False,
) -> Releases:
    """Measure the boards `parts`, by default all, below the folder `out`.

    Without those whose simulator is not installed.

    HorologError (4) if a firmware fails.
    """
    benches = [bench for bench in BENCHES if bench.name in parts or not parts]

    def measure(bench: Bench) -> list[Row]:
        try:
            return measure_board(bench, out, say, quick=quick)
        except HorologError as error:
            if error.exit is not Exit.NOT_INSTALLED:
                raise
            say(f"{bench.name} is left out: {error.message}")
            return []

    with ThreadPoolExecutor(_WORKERS) as pool:
        rows = [row for found in pool.map(measure, benches) for row in found]
    if NAME in parts or not parts:
        say(NAME)
        rows += measure_model(out, RELEASES)
    sources = sources_of(data_root())
    said = {row.board: "no checkout" if sources is None else str(sources) for row in rows}
    return Releases(tuple(rows), _tools(), quick, said)


def _tools() -> str:
    return (
        f"arm-none-eabi-gcc {version('arm-none-eabi-gcc')}, QEMU {version('qemu-system-arm')}, "
        f"avr-gcc {version('avr-gcc')}"
    )


def _is_whole(results: Releases, run: Run) -> bool:
    asked = run.parts or [bench.name for bench in BENCHES]
    return not run.quick and all(name in results.sources for name in asked)


def _kept(results: Releases, there: str, run: Run) -> Releases:
    """The page keeps what it says of boards that were not measured."""
    return results if run.quick else DATA.read(there).with_boards_of(results)


EXPERIMENT = Experiment[Releases](
    "releases",
    measure=lambda run: measure_releases(run.folder, run.say, run.parts, quick=run.quick),
    rows=releases_rows,
    page=releases_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain},
    data=DATA.text,
    is_whole=_is_whole,
    kept=_kept,
    takes=("quick", "parts"),
    parts=(*(bench.name for bench in BENCHES), NAME),
)
