# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems in which each cell has tasks of its own, so that its nominal instants are known to the count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from pathlib import Path

from horolog.analyse import count_instant
from horolog.model import (
    Board,
    Cell,
    Kind,
    Mode,
    Overrun,
    Place,
    Plan,
    Prediction,
    PriorityRule,
    Releaser,
    System,
    Task,
)

__all__ = ["Line", "by_lines", "instants"]

_PLACE = Place("system.toml")
_STACK_BYTES = 256


@dataclass(frozen=True, slots=True)
class Line:
    """What one cell does: the offsets of its tasks, which have one period; all in seconds.

    A periodic cell interrupts `divider` times in a period, and has one task.
    """

    cell: str
    mode: Mode
    period: Fraction
    offsets: tuple[Fraction, ...]
    divider: int = 1
    prescaler: int | None = None  # of a cell with prescalers of its own

    @property
    def interval(self) -> Fraction:
        """Of the cell's instants, where there is one task."""
        return self.period / self.divider


def instants(line: Line, board: Board, duration: Fraction) -> list[int]:
    """The counts of all instants of `line` within `duration`, ascending: the kernel rounds down."""
    hz, start = board.clock.hz, board.start_counts

    def of(offset: Fraction) -> list[int]:
        number = -((offset - duration) // line.interval)
        return [start + count_instant(offset + n * line.interval, hz) for n in range(int(number))]

    return list(merge(*(of(offset) for offset in line.offsets)))


def by_lines(
    board: Board,
    lines: Sequence[Line],
    duration: Fraction,
    work: int = 1,
    sources: Sequence[Path] = (),
) -> tuple[System, Plan]:
    """A system with these cells alone, and its plan. A job turns the work loop `work` times.

    `sources`: files of C that the application has, absolute.
    """
    tasks: list[Task] = []
    releasers = []
    for line in lines:
        first = len(tasks)
        tasks += [
            _task(line, offset, len(tasks) + n, work) for n, offset in enumerate(line.offsets)
        ]
        releasers.append(_releaser(board, line, tuple(range(first, len(tasks)))))
    system = System(
        name="releases",
        path=Path("system.toml"),
        board=board,
        cells=tuple(line.cell for line in lines),
        duration=duration,
        priorities=PriorityRule.RATE_MONOTONIC,
        sources=tuple(sources),
        tasks=tuple(tasks),
    )
    return system, Plan("by hand", tuple(releasers), _prediction(board, lines, duration))


def _task(line: Line, offset: Fraction, number: int, work: int) -> Task:
    return Task(
        name=f"t{number}",
        period=line.period,
        offset=offset,
        deadline=line.period,
        wcet=Fraction(1, 10**6),
        body=None,
        work=work,
        stack=_STACK_BYTES,
        overrun=Overrun.SKIP,
        kind=Kind.THREAD,
        priority=None,
        place=_PLACE,
    )


def _releaser(board: Board, line: Line, tasks: tuple[int, ...]) -> Releaser:
    hz, is_periodic = board.clock.hz, line.mode is Mode.PERIODIC
    counts, first = line.interval * hz, min(line.offsets) * hz
    steps = is_periodic and counts.denominator > 1
    return Releaser(
        cell=line.cell,
        mode=line.mode,
        store="sorted-list",
        tasks=tasks,
        first=int(first),
        cell_period=int(counts) if is_periodic else None,
        divider=line.divider,
        prescaler=line.prescaler,
        period=line.period if is_periodic else None,
        part=counts % 1 if steps else Fraction(0),
        first_part=first % 1 if steps else Fraction(0),
    )


def _prediction(board: Board, lines: Sequence[Line], duration: Fraction) -> Prediction:
    """Only how many interrupts come in the window: as many as instants, and hops of narrow cells."""
    by_cell = tuple(
        (line.cell, len(instants(line, board, duration)) * (1 + _hops(board.cell(line.cell), line)))
        for line in lines
    )
    return Prediction(
        interrupts=sum(number for _, number in by_cell),
        interrupts_by_cell=by_cell,
        required=0,
        interrupts_per_second=Fraction(0),
        kernel_instructions=Fraction(0),
        overhead_percent=Fraction(0),
    )


def _hops(cell: Cell, line: Line) -> int:
    """Interrupts of a one-shot cell between two instants, further apart than half of what it times."""
    if line.mode is Mode.PERIODIC or cell.width >= 32 or len(line.offsets) > 1:
        return 0
    return int(line.period * cell.hz) >> (cell.width - 1)
