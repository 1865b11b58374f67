# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts as sources of the analysis: the application's, and those by which other cores wake threads.

They have any phase, and are no closer than their gap and curve.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from horolog.model import System
from horolog.responses.kernel import lock_wait_steps
from horolog.responses.units import Units
from horolog.schedulability import Source

__all__ = ["doorbell_sources", "interrupt_sources"]


def interrupt_sources(
    system: System, levels: Sequence[int], gives: Sequence[int], with_kernel: bool, unit: int
) -> Iterator[Source]:
    """A source for each interrupt of `system`, at these levels of the analysis, in units of 1 / `unit` s.

    `with_kernel`: with the way to the handler and back, and what each takes for the tasks that it activates
    (`gives`).
    """
    ns = system.board.runner.ns_per_step
    steps = system.board.port.interrupt_steps
    entry = ceil(steps * ns * Fraction(unit, 10**9)) if with_kernel and ns is not None else 0
    for one, level, more in zip(system.interrupts, levels, gives, strict=True):
        yield Source(
            one.name,
            level,
            floor(one.gap * unit),
            ceil(one.wcet * unit) + entry + more,
            entry + more,
            offset=None,
            curve=tuple((point.count, floor(point.within * unit)) for point in one.arrivals),
        )


def doorbell_sources(system: System, level: int, units: Units) -> Iterator[Source]:
    """A source for each thread of `system`, a core's part, that other cores may activate.

    An activation wakes it at most once. The thread of a deferrable server is woken anew only when it has run
    the job before, with a token of a period, or of those left of the one before; and once more before it
    waits for a token.
    """
    if not system.sharing_services:
        return
    cost = units.steps(system.board.port.doorbell_steps + lock_wait_steps(system))
    for one in system.sporadic:
        by_description = one.interrupt is not None or one.after is not None
        if by_description or one.unbounded is not None or not one.has_thread or not cost:
            continue
        gap, name = units.least(one.task.period), f"doorbell for {one.task.name}"
        if one.server is not None:
            rung = (one.server.jobs + 1) * cost
            yield Source(name, level, gap, rung, rung, lag=gap)
            continue
        curve = tuple((some.count, units.least(some.within)) for some in one.task.arrivals)
        yield Source(name, level, gap, cost, cost, curve=curve)
