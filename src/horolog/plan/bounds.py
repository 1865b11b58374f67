# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What holds for every plan of a system: distinct release instants, and harmonic chains."""

from __future__ import annotations

from fractions import Fraction

from horolog.analyse import streams
from horolog.model import Bounds, System
from horolog.plan.instants.coincidence import whole_classes
from horolog.plan.instants.density import Density, union_density
from horolog.plan.mapping.grouping import Problem, frame
from horolog.plan.mapping.harmonic_chains import harmonic_chains

__all__ = ["bounds_of", "instant_density", "least_interrupts"]


def bounds_of(system: System) -> Bounds:
    """The bounds of all tasks of `system`."""
    if not streams(system):  # the application says when
        return Bounds(Fraction(0), Fraction(0), 0)
    problem = frame(streams(system), system.board.clock.hz, len(system.cells), 1)
    density = instant_density(problem)
    rows = zip(problem.periods, problem.offsets, strict=True)
    chains = harmonic_chains([(period, offset % period) for period, offset in rows])
    return Bounds(density.low, density.high, len(chains))


def least_interrupts(system: System, bounds: Bounds) -> Fraction:
    """No plan interrupts less often a second in the long run: each distinct release instant takes one.

    Instants that are no whole counts may share a count with others; of them only the most frequent stream is
    certain to be apart.
    """
    hz = system.board.clock.hz
    of = streams(system)
    if whole_classes(of, hz) is not None:
        return bounds.instants_low
    whole = [one for one in of if whole_classes([one], hz) is not None]
    classes = whole_classes(whole, hz) or []
    known = union_density(classes, tight=True).low * hz if classes else Fraction(0)
    return max(known, 1 / of[0].period)


def instant_density(problem: Problem) -> Density:
    """Distinct release instants a second once every offset has passed."""
    heads = [group[0] for group in problem.joined]
    rows = [(problem.periods[at], problem.offsets[at] % problem.periods[at]) for at in heads]
    return union_density(rows, tight=True) * problem.unit
