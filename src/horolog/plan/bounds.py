# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What holds for every plan of a system: distinct release instants, and harmonic chains."""

from __future__ import annotations

from horolog.analyse import streams
from horolog.model import Bounds, System
from horolog.plan.chains import harmonic_chains
from horolog.plan.density import instant_density
from horolog.plan.grouping import frame

__all__ = ["bounds_of"]


def bounds_of(system: System) -> Bounds:
    """The bounds of all tasks of `system`."""
    problem = frame(streams(system), system.board.clock.hz, len(system.cells), 1)
    density = instant_density(problem)
    rows = zip(problem.periods, problem.offsets, strict=True)
    chains = harmonic_chains([(period, offset % period) for period, offset in rows])
    return Bounds(density.low, density.high, len(chains))
