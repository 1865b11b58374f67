# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems and boards made from the model directly, for tests of the stages behind `read`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from horolog.model import (
    Board,
    Cell,
    Clock,
    Controller,
    Kind,
    Line,
    Mode,
    Overrun,
    Place,
    Port,
    PriorityRule,
    Runner,
    System,
    Task,
)

__all__ = ["BOTH", "make_board", "make_cell", "make_system", "make_task", "ms"]

BOTH = frozenset({Mode.PERIODIC, Mode.ONE_SHOT})


def ms(value: int | str) -> Fraction:
    """Milliseconds: 5, "2.5", "1/3"."""
    return Fraction(value) / 1000


def make_cell(
    name: str,
    *,
    width: int = 32,
    min_counts: int = 1,
    modes: frozenset[Mode] = BOTH,
    hz: int = 25_000_000,
    whole_counts: bool = False,
) -> Cell:
    return Cell(name, "fake", 0, f"{name}_handler", hz, width, modes, min_counts, whole_counts)


def make_board(
    cells: Sequence[Cell] | None = None,
    *,
    hz: int = 25_000_000,
    levels: int = 31,
    ns_per_instruction: int | None = 32,
    directory: Path = Path("no-such-board"),
    basic_levels: int | None = None,
    lines: int = 0,
) -> Board:
    if cells is None:
        cells = [make_cell(f"cell{index}", min_counts=250, hz=hz) for index in range(3)]
        cells.append(make_cell("cell3", width=24, min_counts=250, hz=hz))
    return Board(
        name="fake",
        title="A board for tests",
        directory=directory,
        arch="host",
        cpu="none",
        levels=levels,
        work_ns=Fraction(64),
        clock=Clock("fake", hz, 32),
        cells=tuple(cells),
        memory=(),
        runner=Runner("host", "none", None, ns_per_instruction),
        port=Port("gcc", is_process=True),
        basic_levels=basic_levels,
        controller=Controller("nvic", tuple(Line(f"line{at}", at) for at in range(lines)))
        if lines
        else None,
    )


def make_task(
    name: str,
    period: Fraction,
    *,
    offset: Fraction = Fraction(0),
    deadline: Fraction | None = None,
    priority: int | None = None,
    line: int = 1,
    kind: Kind = Kind.THREAD,
    wcet: Fraction | None = None,
) -> Task:
    return Task(
        name=name,
        period=period,
        offset=offset,
        deadline=period if deadline is None else deadline,
        wcet=wcet,
        body="body",
        work=None,
        stack=512,
        overrun=Overrun.SKIP,
        kind=kind,
        priority=priority,
        place=Place("system.toml", line),
    )


def make_system(
    periods: Sequence[Fraction] = (),
    *,
    offsets: Sequence[Fraction] = (),
    tasks: Sequence[Task] = (),
    board: Board | None = None,
    cells: Sequence[str] | None = None,
    duration: Fraction = Fraction(2),
    priorities: PriorityRule = PriorityRule.RATE_MONOTONIC,
    kind: Kind = Kind.THREAD,
) -> System:
    """Tasks `tasks`, or t0, t1, ... with `periods` and `offsets` (default: none), all of `kind`."""
    board = board or make_board()
    if not tasks:
        shifts = offsets or [Fraction(0)] * len(periods)
        tasks = [
            make_task(f"t{index}", period, offset=offset, line=index + 1, kind=kind)
            for index, (period, offset) in enumerate(zip(periods, shifts, strict=True))
        ]
    return System(
        name="made",
        path=Path("system.toml"),
        board=board,
        cells=tuple(cell.name for cell in board.cells) if cells is None else tuple(cells),
        duration=duration,
        priorities=priorities,
        sources=(),
        tasks=tuple(tasks),
    )
