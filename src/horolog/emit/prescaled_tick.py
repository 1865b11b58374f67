# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Ticks of FreeRTOS where they come from a timer behind a prescaler: which rates are exact there."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from horolog.data import data_root
from horolog.model import Board

__all__ = ["exact_rate", "is_exact", "nearest_rate", "tick_clock_hz", "tick_prescaler", "timer_hz"]


def timer_hz(board: Board) -> int:
    """What the prescaler of the tick's timer divides: the processor's clock."""
    return board.runner.cycles_hz or board.clock.input_hz


def tick_clock_hz(board: Board) -> int:
    """What the timer of FreeRTOS's tick counts a second, where no prescaler is behind it.

    The port's own timer counts the processor's cycles, which may be more than the board's clock counts. One
    that is the clock or a cell counts as that does, and so does one that ticks in the port's place.
    """
    device = board.port.freertos_tick
    counted = {board.clock.device, *(cell.device for cell in board.cells)}
    others = data_root() / "baselines" / "freertos" / "ticks" / f"{board.clock.device}.c"
    if device is None or device in counted or others.is_file():
        return board.clock.hz
    return board.on_silicon.runner.cycles_hz or board.clock.hz


def is_exact(board: Board, rate: Fraction) -> bool:
    """Whether FreeRTOS can tick at `rate` on `board`, without a rounding."""
    if board.freertos is None:
        return rate.denominator == 1 and tick_clock_hz(board) % rate.numerator == 0
    return tick_prescaler(board, rate) is not None


def tick_prescaler(board: Board, rate: Fraction) -> int | None:
    """The smallest prescaler by which whole counts of the tick's timer are a tick; None: there is none."""
    assert board.freertos is not None
    counts = timer_hz(board) / rate
    return next(
        (
            prescaler
            for prescaler in board.freertos.prescalers
            if (counts / prescaler).denominator == 1
            and counts / prescaler <= 1 << board.freertos.bits
        ),
        None,
    )


def exact_rate(board: Board, step: Fraction, usual: int, highest: int) -> Fraction | None:
    """The exact rate nearest to `usual` that has a tick at each multiple of `step`; None: there is none.

    The highest up to `usual`, else the lowest from there on up to `highest`.
    """
    counts = step * timer_hz(board)
    if counts.denominator != 1:
        return None
    rates = [Fraction(timer_hz(board), one) for one in _divisors(int(counts))]
    able = [rate for rate in rates if rate <= highest and is_exact(board, rate)]
    slower = [rate for rate in able if rate <= usual]
    return max(slower) if slower else min(able, default=None)


def _divisors(number: int) -> set[int]:
    low = [one for one in range(1, isqrt(number) + 1) if number % one == 0]
    return {*low, *(number // one for one in low)}


def nearest_rate(board: Board, rate: int) -> Fraction:
    """The rate nearest to `rate`; FreeRTOS's port divides, and drops what is left of a count."""
    if board.freertos is None:
        hz = tick_clock_hz(board)
        return Fraction(hz, max(1, hz // rate))
    hz, most = timer_hz(board), 1 << board.freertos.bits
    able = [
        (prescaler, hz // (prescaler * rate))
        for prescaler in board.freertos.prescalers
        if 1 <= hz // (prescaler * rate) <= most
    ]
    return min((Fraction(hz, p * counts) for p, counts in able), default=Fraction(rate))
