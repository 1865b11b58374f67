# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tables that follow a global time, on the host port: their errors over time (Figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board
from horolog.read import read_board, read_system
from horolog_experiments.tables.host import counts_of, run_host, starts_in

__all__ = [
    "CASES",
    "DISPATCHER",
    "DURATION",
    "PRECISION",
    "SCHEDULE",
    "Following",
    "error_of",
    "follow",
    "following_of",
    "sync_text",
]

DURATION = 50_000
PRECISION = 75
"""Counts; bench/tables/bench_synchronised.h says the same."""
SCHEDULE = "schedule"
DISPATCHER = "dispatcher"
"""Which table follows."""
_SOURCES = {SCHEDULE: "synchronised.c", DISPATCHER: "dispatched.c"}
_DISPATCHER_TABLE = """
[[table]]
name = "table"
kind = "dispatcher"
start = "application"
round = "2 ms"
deadline_monitoring = "stringent"
point = [
    { offset = "0 ms", activate = "served", deadline = "0.5 ms" },
    { offset = "1 ms", activate = "other", deadline = "0.5 ms" },
]

[table.sync]
precision = "3 us"
maximum_advance = "8 us"
maximum_retard = "8 us"
"""
_EVERY_MS = 10
_SHOWN_MS = 400
_SETTLED_MS = 200
_MASTER = 0
_MILLION = 1_000_000
CASES = ((200, True), (-200, True), (200, False), (-200, False))
"""Parts in a million by which the global time is faster; and whether the table is given it."""


@dataclass(frozen=True, slots=True)
class Following:
    """The errors of the table, in counts: its position less the global time.

    `shown`: of the first rounds, as counts behind t = 0 and error. `settled`: when the error was above the
    precision last, in counts; None: at the end it still was. `worst`: the largest in `rounds` rounds behind
    the first 200 ms.
    """

    shown: tuple[tuple[int, int], ...]
    settled: int | None
    worst: int
    rounds: int


def sync_text(board: Board, sources: Sequence[Path], table: str) -> str:
    """The description of the system with that table; a dispatcher table and its deadlines have cells."""
    names = [one.name for one in board.cells]
    cells, timeouts = (names[:1], names[1]) if table == SCHEDULE else (names[:-1], names[-1])
    lines = [
        "[system]",
        'name = "table-synchronised"',
        f'board = "{board.name}"',
        f"cells = [{_listed(cells)}]",
        f'timeouts = "{timeouts}"',
        'duration = "1 s"',
        'priorities = "explicit"',
        f"sources = [{_listed(sources)}]",
        "",
        "[[task]]",
        'name = "master"',
        "priority = 1",
        f'period = "{_EVERY_MS} ms"',
        'body = "bench_master"',
        'wcet = "1 us"',
    ]
    for name in ("served", "other"):
        lines += ["", "[[task]]", f'name = "{name}"', f'body = "bench_{name}"', 'wcet = "1 us"']
        if table == SCHEDULE:
            lines += ['kind = "basic"', "priority = 8", 'min_gap = "1 ms"']
    return "\n".join(lines) + "\n" + (_DISPATCHER_TABLE if table == DISPATCHER else "")


def _listed(some: Sequence[object]) -> str:
    return ", ".join(f'"{one}"' for one in some)


def follow(table: str, ppm: int, given: bool, seconds: int, folder: Path) -> Following:
    """Run the system so long with a global time that is faster by `ppm`."""
    board = read_board("host")
    folder.mkdir(parents=True, exist_ok=True)
    bench = (data_root() / "bench" / "tables").resolve()
    header = bench / "bench_synchronised.h"
    case = folder / "case.c"
    case.write_text(
        f'#include "{header}"\n\n'
        f"const int32_t bench_ppm = {ppm};\nconst bool bench_says_it = {str(given).lower()};\n",
        encoding="utf-8",
    )
    sources = [bench / "master.c", bench / _SOURCES[table], case.resolve()]
    path = folder / "system.toml"
    path.write_text(sync_text(board, sources, table), encoding="utf-8")
    hz = board.clock.hz
    run = run_host(read_system(path), seconds * hz, folder)
    began, served = None, []
    for ns, task in starts_in(run.trace):
        if task == _MASTER:
            began = counts_of(ns, hz) if began is None else began
        elif task == _MASTER + 1:
            served.append(counts_of(ns, hz))
    run.trace.unlink()
    assert began is not None
    return following_of([at - began for at in served], ppm, hz)


def error_of(at: int, ppm: int) -> int:
    """How far the table is ahead, in counts, if its point at 0 comes `at` counts behind global time 0."""
    exact = Fraction(at * (_MILLION + ppm), _MILLION) % DURATION
    ahead = -exact if exact <= DURATION // 2 else DURATION - exact
    return round(ahead)


def following_of(served: Sequence[int], ppm: int, hz: int) -> Following:
    """Of the instants of the table's first point."""
    errors = [(at, error_of(at, ppm)) for at in served]
    late = [at for at, error in errors if abs(error) > PRECISION]
    behind = [abs(error) for at, error in errors if at >= hz * _SETTLED_MS // 1000]
    still = not late or late[-1] == errors[-1][0]
    return Following(
        tuple((at, error) for at, error in errors if at < hz * _SHOWN_MS // 1000),
        None if still else late[-1],
        max(behind),
        len(behind),
    )
