# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables: what starting and stopping one costs, and what one activates (Tables II and III)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, product
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.scenarios import IDLE, SAMPLES, Job, Span, SystemImage
from horolog_experiments.dispatch.systems import build_planned
from horolog_experiments.dispatch.visits import Log, Spans, spans_of
from horolog_experiments.dispatch.watching import Built, owner_numbers
from horolog_experiments.tables.scenarios import STEP
from horolog_experiments.tables.systems import ONCE, duration

__all__ = [
    "ACTIVATIONS",
    "CALL_COUNTS",
    "CALL_OWNERS",
    "CELLS",
    "CELLS_FOLLOWED",
    "CELLS_ONCE",
    "CELL_CALL_OWNERS",
    "COUNTERS",
    "IN_CELLS",
    "STORE",
    "Activation",
    "activation_name",
    "build_activation",
    "build_calls",
    "call_spans",
    "calls_name",
    "schedule_text",
]

CELLS = "cells"
CELLS_ONCE = "cells, run once"
CELLS_FOLLOWED = "cells, followed"
IN_CELLS = (CELLS, CELLS_ONCE, CELLS_FOLLOWED)
"""A timer cell for each point, on boards with groups of cells. A table that runs once, or that another may
follow, has one more, for the end of its round."""
COUNTERS = ("software", "clock", *IN_CELLS)
"""What drives a table: a counter, or cells."""
STORE = "store"
CALL_OWNERS = {
    "start": ("bench_start_table",),
    "state": ("bench_read_state",),
    "stop": ("bench_stop_table",),
}
"""The functions of bench/tables/calls.c and of FreeRTOS's timer_calls.c, each of which makes one call."""
CELL_CALL_OWNERS = {**CALL_OWNERS, STORE: ("bench_stop_by_store",)}
"""Those of bench/tables/cell_calls.c."""
CALL_COUNTS = 6_000_000
"""A run for as many counts has all of them."""


@dataclass(frozen=True, slots=True)
class Activation:
    """A table that activates `kind`, a basic task or a thread, past the code `past`.

    `by` is what drives it, one of COUNTERS.
    """

    name: str
    title: str
    kind: str
    past: str
    by: str = "clock"

    @property
    def system(self) -> SystemImage:
        """As the bench dispatch sees it."""
        starts = _STARTS[self.past]
        low = () if self.past == IDLE else (Job("low", starts, "thread", 1),)
        high = Job("high", "bench_short", self.kind, 3)
        past = IDLE if self.past == IDLE else "low"
        return SystemImage(self.name, self.title, (high, *low), (Span.START, Span.END), past)


_STARTS = {
    "idle": "bench_starts",
    "thread": "bench_starts_and_works",
    "thread-div": "bench_starts_and_divides",
}
_KINDS = {"basic": "a basic task", "thread": "a thread"}
_PASTS = {"idle": "idle", "thread": "a thread", "thread-div": "a thread that divides"}


def activation_name(kind: str, past: str, by: str = "clock") -> str:
    """The name of one of ACTIVATIONS."""
    return f"schedule-{past}-{kind}" + ("" if by == "clock" else f"-{by}")


ACTIVATIONS: Sequence[Activation] = tuple(
    Activation(activation_name(kind, past, by), f"{_PASTS[past]} to {_KINDS[kind]}", kind, past, by)
    for by, kind, past in product(("clock", CELLS), _KINDS, _STARTS)
)


def schedule_text(
    board: Board, name: str, sources: Sequence[str], boss: str, tasks: Sequence[str]
) -> str:
    """A description with a thread that does `boss` once, and `tasks` that a table activates."""
    bench, hz = (data_root() / "bench").resolve(), board.clock.hz
    files = ", ".join(f'"{bench / source}"' for source in sources)
    cell, timeouts = (one.name for one in board.cells[:2])
    lines = [
        "[system]",
        f'name = "{name}"',
        f'board = "{board.name}"',
        f'cells = ["{cell}"]',
        f'timeouts = "{timeouts}"',
        'duration = "1 s"',
        'priorities = "explicit"',
        f"sources = [{files}]",
        *_task("boss", "thread", 1, f'period = "{ONCE}"', boss, hz),
    ]
    return "\n".join([*lines, *tasks]) + "\n"


def _task(name: str, kind: str, priority: int, every: str, body: str, hz: int) -> list[str]:
    return [
        "",
        "[[task]]",
        f'name = "{name}"',
        f'kind = "{kind}"',
        f"priority = {priority}",
        every,
        f'body = "{body}"',
        f'wcet = "{duration(50, hz)}"',
    ]


def _sporadic(name: str, kind: str, priority: int, body: str, hz: int) -> list[str]:
    return _task(name, kind, priority, f'min_gap = "{duration(STEP, hz)}"', body, hz)


def _build(image: SystemImage, board: Board, text: str, out: Path) -> Built:
    path = out / "systems" / f"{image.name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    return build_planned(image, system, plan(system).choice, out).built


def calls_name(counter: str) -> str:
    """The name of the image that makes the calls, by a table on one of COUNTERS."""
    return f"calls-{counter.replace(', ', '-').replace(' ', '-')}"


def has_groups(board: Board) -> bool:
    """Whether one store starts and stops cells of the board."""
    return any(cell.groups for cell in board.cells)


_MORE_LINES = {CELLS: (), CELLS_ONCE: ("repeating = false",), CELLS_FOLLOWED: ("followed = true",)}


def _cell_table(
    offsets: Sequence[int], duration_counts: int, name: str, hz: int, by: str = CELLS
) -> list[str]:
    points = (f'{{ offset = "{duration(at, hz)}", activate = ["{name}"] }}' for at in offsets)
    return [
        "",
        "[[table]]",
        'name = "bench_cells"',
        'kind = "schedule"',
        'counter = "cells"',
        f'round = "{duration(duration_counts, hz)}"',
        *_MORE_LINES[by],
        f"point = [{', '.join(points)}]",
    ]


def build_calls(counter: str, board_name: str, out: Path) -> Built:
    """The image that starts a table on the counter, or in cells, and stops it, many times."""
    board = read_board(board_name)
    name, hz = calls_name(counter), board.clock.hz
    sources: tuple[str, ...] = ("tables/cell_calls.c",)
    if counter not in IN_CELLS:
        sources = ("tables/calls.c", f"tables/by_{counter}.c")
    served = _sporadic("served", "basic", 9, "bench_short", hz)
    if counter in IN_CELLS:
        offsets = [at * _CALL_STEP - 1 for at in range(1, _CALL_POINTS + 1)]
        served += _cell_table(offsets, _CALL_POINTS * _CALL_STEP, "served", hz, counter)
    text = schedule_text(board, name, (*sources, "dispatch/bodies.c"), "bench_calls", served)
    jobs = (Job("boss", "bench_calls", "thread", 1),)
    return _build(SystemImage(name, name, jobs, ()), board, text, out)


_CALL_POINTS, _CALL_STEP = 8, 10_000
"""As in bench/tables/calls.c."""


def call_spans(built: Built, log: Log, wanted: int = SAMPLES) -> dict[str, Spans]:
    """From the call instruction to the one behind it, both not counted, by call.

    A function that calls twice (macros do) counts from its first call until the last one has returned.
    """
    numbers, owners = owner_numbers(built), log.of_owners()
    found: dict[str, Spans] = {}
    for call in built.owners:
        lengths = []
        for number, group in groupby(owners.visits, key=lambda visit: visit.owner):
            visits = list(group)
            if number == numbers[call] and len(visits) > 1:
                lengths.append(visits[-1].first - visits[0].last - 1)
        found[call] = spans_of(lengths, wanted)
    return found


def build_activation(image: Activation, board_name: str, out: Path) -> Built:
    """The image in which a table activates `high`.

    Expiries are those of the cell for time-outs, or of that of the table's only point: the board's last.
    """
    board = read_board(board_name)
    by = "activates" if image.kind == "basic" else "gives"
    in_cells = image.by == CELLS
    files: tuple[str, ...] = (f"tables/{by}.c", "tables/by_clock.c", "tables/started.c")
    high = _sporadic(
        "high", image.kind, 9 if image.kind == "basic" else 2, "bench_short", board.clock.hz
    )
    if in_cells:
        files = ("tables/cells_started.c",)
        high += _cell_table([0], STEP, "high", board.clock.hz)
    files = (*files, "dispatch/bodies.c")
    text = schedule_text(board, image.name, files, _STARTS[image.past], high)
    built = _build(image.system, board, text, out)
    cell = board.cells[-1 if in_cells else 1]
    expiry = cell.handler if board.runner.kind == "qemu" else f"cell {cell.instance}"
    owners: dict[str, tuple[str, ...]] = {"high": ("hrl_gen_body_1", "bench_short")}
    if image.past != IDLE:
        owners["low"] = (_WORKS[image.past],)
    return Built(built.elf, owners, (expiry,))


_WORKS = {"thread": "bench_background", "thread-div": "bench_dividing"}
