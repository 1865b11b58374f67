# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what an interrupt of the clock's counter takes, on boards whose counter has fewer than 32 bits.

A task with a periodic cell takes the same for each job. Where the clock has prescalers, runs behind two of
them differ by the wraps alone. Elsewhere of three runs each is as many jobs longer than the one before, and
the counter wraps in the last one only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from horolog.analyse import clock_wraps_in
from horolog.calibrate.stores import Run
from horolog.model import Board, System
from horolog.plan import NOTHING, plan

__all__ = ["calibrate_wrap"]

_RUNS = 3
_WRAPS_IN = 2  # so many parts


def calibrate_wrap(make: Callable[[str], System], cell: str, run: Run) -> Fraction:
    """What a wrap takes. `make` gives a system, named so, of one task with a period that `cell` times.

    0 where the counter has 32 bits, or where the period is whole counts behind one prescaler only.
    """
    board = make("a clock").board
    if board.clock.width >= 32:
        return Fraction(0)

    def one(title: str) -> System:
        return replace(make(title), cells=(cell,))

    if not board.clock.prescalers:
        return _by_duration(one, run)
    (period,) = {task.period for task in make("a clock").tasks}
    boards = [each for each in board.with_each_prescaler() if _times(each, cell, period)]
    return Fraction(0) if len(boards) < 2 else _by_prescaler(one, (boards[0], boards[-1]), run)


def _times(board: Board, cell: str, period: Fraction) -> bool:
    counts, its = period * board.clock.hz, board.cell(cell)
    return counts.denominator == 1 and its.min_counts <= counts <= its.max_counts


def _by_prescaler(make: Callable[[str], System], boards: tuple[Board, Board], run: Run) -> Fraction:
    found = []
    for board in boards:
        title = f"a clock behind {board.clock.prescaler}"
        found.append(_kernel(title, replace(make(title), board=board), run))
    (fine, often), (coarse, seldom) = found
    return Fraction(fine - coarse, often - seldom)


def _by_duration(make: Callable[[str], System], run: Run) -> Fraction:
    system = make("a clock")
    (period,) = {task.period for task in system.tasks}
    wraps = Fraction(1 << system.board.clock.width, system.board.clock.hz)
    part = (wraps / _WRAPS_IN - period) // period * period
    found = []
    for parts in range(1, _RUNS + 1):
        title = f"a clock that wraps, {parts} of {_RUNS} parts"
        found.append(_kernel(title, replace(make(title), duration=parts * part), run))
    (first, none), (second, still_none), (third, wrapped) = found
    assert none == still_none == 0, "they are shorter than the counter"
    return Fraction(third - 2 * second + first, wrapped)


def _kernel(title: str, system: System, run: Run) -> tuple[int, int]:
    """The kernel's instructions, and the wraps among them."""
    side = run(title, system, plan(system, mechanism="gcd", prices=NOTHING).choice)
    return side.counted.kernel, clock_wraps_in(system)
