# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds and runs the cases, and judges what was seen."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

from horolog.analyse import clock_wraps_in
from horolog.run import RequestLog, measure_plan
from horolog_experiments.harness import plain_value
from horolog_experiments.releases.boards import Target, kind_of, target
from horolog_experiments.releases.bounds import bound_counts
from horolog_experiments.releases.cases import Bench, Case, cases
from horolog_experiments.releases.judged import Nominal, Seen, judged, read_log, seen_of
from horolog_experiments.releases.plans import by_lines, instants
from horolog_experiments.releases.results import Row

__all__ = ["measure_board", "measure_case"]

_TRACE = "horolog.trace"
_SLEEP = """\
#include <hrl/hooks.h>

void hrl_idle_hook(void)
{
    __asm__ volatile("wfi");
}
"""
"""An idle thread that waits for interrupts, on Arm and on RISC-V."""


def measure_board(
    bench: Bench, out: Path, say: Callable[[str], None], *, quick: bool = False
) -> list[Row]:
    """All cases of one board, below `out`, where rows.json has them. HorologError as measure_plan."""
    folder = out / bench.name.replace(" ", "-")
    of = target(bench.make(folder / "board"))
    found: list[Row] = []
    for case in cases(bench, of.board, quick=quick):
        begun = time.monotonic()
        rows = measure_case(bench.name, of, case, folder)
        found += rows
        say(
            f"{bench.name}, {case.name}: {sum(row.releases for row in rows):,} releases, "
            f"{sum(row.off for row in rows)} off, {sum(row.late for row in rows)} late; "
            f"{time.monotonic() - begun:.0f} s"
        )
        rows_text = json.dumps(plain_value(found))
        (folder / "rows.json").write_text(rows_text, encoding="utf-8")
    return found


def measure_case(name: str, of: Target, case: Case, folder: Path) -> list[Row]:
    """A row for each cell."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [_sleep(folder)] if case.sleeps else []
    system, plan = by_lines(of.board, case.lines, case.duration, sources=sources)
    log = folder / "releases.log"
    side = measure_plan(
        system, plan, folder, None if of.board.port.is_process else RequestLog(log, of.clock)
    )
    seen = _from_trace(folder / _TRACE) if of.board.port.is_process else read_log(log)
    log.unlink(missing_ok=True)
    rows = []
    for line in case.lines:
        cell = of.board.cell(line.cell)
        nominal = Nominal(
            instants(line, of.board, case.duration),
            of.sources.get(line.cell),
            of.entry(line.cell),
        )
        bound = bound_counts(cell.device, of.board)
        rows.append(
            Row(
                board=name,
                case=case.name,
                cell=line.cell,
                device=cell.device,
                width=cell.width,
                kind=kind_of(cell),
                mode=line.mode.value,
                by_requests=of.time.requests,
                bound=bound,
                wraps=clock_wraps_in(system),
                turns=_turns(case, of, cell.width),
                overruns=side.overruns,
                found=judged(seen, nominal, of.time, bound),
            )
        )
    return rows


def _sleep(folder: Path) -> Path:
    path = folder.resolve() / "sleep.c"
    path.write_text(_SLEEP, encoding="ascii")
    return path


def _turns(case: Case, of: Target, width: int) -> int:
    """How often a counter of so many bits wraps meanwhile that counts as the clock does."""
    return int(case.duration * of.board.clock.hz) >> width


def _from_trace(path: Path) -> Seen:
    with path.open(encoding="ascii") as lines:
        return seen_of(words for words in map(str.split, lines) if words[1] in "ISE")
