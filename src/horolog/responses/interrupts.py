# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The application's interrupts as sources of the analysis: any phase, no closer than their gap and curve."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from horolog.model import System
from horolog.schedulability import Source

__all__ = ["interrupt_sources"]


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
