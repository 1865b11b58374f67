# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The window of a run: [0, duration), in nominal instants of the clock's counts.

What is predicted and what is measured is counted over the same instants: those before the end. An
interrupt comes some counts after its instant, or a little before it, as time begins with the first one's.
So its time alone does not say to which side of the end it belongs. The first so many instants that each
releaser serves are those of the window; an interrupt belongs to it if one of these is not served yet, or if
it comes before its cell's first instant outside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from horolog.analyse import (
    count_instant,
    distinct_instants,
    expiry_from,
    streams,
    wakes,
    window_counts,
)
from horolog.measure.handlers import aside_numbers, clock_number, interrupt_numbers
from horolog.model import Mode, Plan, Releaser, System

__all__ = [
    "Window",
    "one_shot_instants",
    "one_shot_window",
    "tick_window",
    "ticks_in",
    "window_of",
]


@dataclass(frozen=True, slots=True)
class Window:
    """In counts after t = 0.

    `outside` has, by the number of a handler, the first instant at or after the end at which it may be
    entered; `following` is that of any. `near`: the last instant before the end, if that is near it.
    """

    end: int
    following: Fraction
    near: Fraction | None
    outside: Mapping[int, Fraction] = field(default_factory=dict)


def window_of(system: System, plan: Plan, near: int) -> Window:
    """The window of Horolog's run by `plan`. An instant at most `near` counts before the end is near it."""
    end = window_counts(system)
    found: dict[int, list[int]] = {}
    last: list[int] = []
    for number, releaser in zip(interrupt_numbers(system, plan), plan.releasers, strict=True):
        found.setdefault(number, []).append(_from(system, releaser, end))
        last += _between(system, releaser, max(0, end - near), end)
    clock = clock_number(system.board)
    if clock is not None:
        found.setdefault(clock, []).append(_wrap_from(system, end))
    for cell, number in aside_numbers(system, plan).items():
        if cell == system.timeouts:
            found[number] = [expiry_from(system, end)]
    outside = {number: Fraction(min(instants)) for number, instants in found.items()}
    following = min(outside[number] for number in interrupt_numbers(system, plan))
    return Window(end, following, Fraction(max(last)) if last else None, outside)


def tick_window(system: System, hz: Fraction | int, number: int, near: int) -> Window:
    """The window of a kernel that ticks with `hz` from t = 0 on, by handler `number`."""
    end, tick = window_counts(system), Fraction(system.board.clock.hz, hz)
    ticks = ticks_in(system, hz)
    last = (ticks - 1) * tick
    return Window(end, ticks * tick, last if end - last <= near else None, {number: ticks * tick})


def one_shot_window(system: System, number: int, near: int) -> Window:
    """The window of a kernel that interrupts at t = 0 and at release instants, by handler `number`."""
    end = window_counts(system)
    every = Releaser("", Mode.ONE_SHOT, "", tuple(range(len(system.tasks))), 0)
    following = Fraction(_from(system, every, end))
    last = [*_between(system, every, max(0, end - near), end)]
    return Window(end, following, Fraction(last[-1]) if last else None, {number: following})


def one_shot_instants(system: System) -> int:
    """How often a kernel interrupts in the window that does so at t = 0 and at release instants."""
    at_start = any(not count_instant(task.offset, system.board.clock.hz) for task in system.tasks)
    return distinct_instants(system) + (0 if at_start else 1)


def ticks_in(system: System, hz: Fraction | int) -> int:
    """How many ticks of `hz` lie in the window, the one at t = 0 among them."""
    return int(-(-window_counts(system) * hz // system.board.clock.hz))


def _from(system: System, releaser: Releaser, start: int) -> int:
    """The first instant of a releaser's cell at or after `start`."""
    if releaser.mode is Mode.PERIODIC:
        return releaser.between(
            start, start + max(0, releaser.first - start) + int(releaser.counts) + 2
        )[0]
    far = start + system.board.clock.hz  # nothing that could be mistaken comes later
    return next(wakes(streams(system, releaser.tasks), system.board.clock.hz, start, far), far)


def _between(system: System, releaser: Releaser, start: int, end: int) -> Sequence[int]:
    """The instants of a releaser's cell in [start, end), which is short."""
    if releaser.mode is Mode.PERIODIC:
        return releaser.between(start, end)
    return [*wakes(streams(system, releaser.tasks), system.board.clock.hz, start, end)]


def _wrap_from(system: System, start: int) -> int:
    """The first instant at or after `start` at which the clock's counter, of at most 32 bits, is 0."""
    return start + -(system.board.start_counts + start) % (1 << system.board.clock.stamp_bits)
