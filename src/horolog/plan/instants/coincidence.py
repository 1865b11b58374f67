# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts that fall on one instant: of several cells, and of a cooperative one-shot cell.

A periodic cell interrupts at a residue class of counts, from its first instant on. Where two of them
meet, one interrupt would have done: those are *coincident*. A cooperative one-shot cell is armed only for
instants at which no periodic cell of the plan interrupts; the others are *shared*.

In the window both are counted instant by instant. In the long run they are densities of unions of residue
classes (density.py), exact where that is and all instants are whole counts; else they are counted over a
stretch of the hyperperiod, and say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, lcm

from horolog.analyse import Stream, cycle_counts, settled_counts
from horolog.analyse.releases import periodic_count, wake_sets
from horolog.model import Releaser, instants_between
from horolog.plan.instants.counts_and_rates import Amount
from horolog.plan.instants.density import union_density
from horolog.plan.instants.residue_classes import Residues

__all__ = ["PeriodicCell", "apart", "cells_of", "coincident", "whole_classes"]

PeriodicCell = tuple[int | Fraction, int | Fraction]
"""(period, first): it interrupts at the whole counts of first + k * period, k = 0, 1, ..."""

_STRETCH_INSTANTS = 1 << 15
_CHUNK_INSTANTS = 1 << 18  # about how many are held in memory at once


def cells_of(releasers: Sequence[Releaser]) -> tuple[PeriodicCell, ...]:
    """The periodic ones of `releasers`, as this module takes them."""
    return tuple((r.counts, r.origin) for r in releasers if r.cell_period is not None)


def coincident(cells: Sequence[PeriodicCell], hz: int, end: int) -> tuple[Amount, bool]:
    """Interrupts at an instant at which another of `cells` interrupts too, all but one of each.

    In [0, end), and per second in the long run; whether that is exact.
    """
    if len(cells) < 2:
        return Amount(Fraction(0), Fraction(0)), True

    def count(low: int, high: int) -> int:
        return sum(_shared_among(cells, *chunk) for chunk in _chunks(cells, low, high))

    settled, cycle = max(ceil(first) for _, first in cells), _cycle(cells)
    window = periodic_count(count, settled, cycle, end)
    classes = _classes(cells)
    density = None if classes is None else union_density(classes)
    if density is not None and density.exact:
        single = sum((1 / Fraction(period) for period, _ in cells), Fraction(0))
        return Amount(Fraction(window), (single - density.low) * hz), True
    length = min(_stretch(cells), cycle)
    rate = Fraction(count(settled, settled + length) * hz, length)
    return Amount(Fraction(window), rate), length == cycle


def apart(
    of: Sequence[Stream], cells: Sequence[PeriodicCell], hz: int, end: int
) -> tuple[Amount, bool]:
    """Wakes of the streams `of` at instants at which none of `cells` interrupts.

    In [0, end), and per second in the long run; whether that is exact.
    """

    def count(low: int, high: int) -> int:
        found = 0
        for some in wake_sets(of, hz, low, high):
            for period, first in cells:
                _take(period, first, some)
            found += len(some)
        return found

    settled = max(settled_counts(of, hz), *(ceil(first) for _, first in cells), 0)
    cycle = lcm(cycle_counts(of, hz), _cycle(cells))
    window = Fraction(periodic_count(count, settled, cycle, end))
    own, classes = whole_classes(of, hz), _classes(cells)
    if own is not None and classes is not None:
        every = union_density([*own, *classes])
        among = union_density(classes) if cells else None
        if every.exact and (among is None or among.exact):
            rate = every.low - (among.low if among is not None else 0)
            return Amount(window, rate * hz), True
    per_count = sum((1 / (stream.period * hz) for stream in of), Fraction(0))
    length = min(cycle, int(_STRETCH_INSTANTS / per_count) + 1)
    rate = Fraction(count(settled, settled + length) * hz, length)
    return Amount(window, rate), length == cycle


def _take(period: int | Fraction, first: int | Fraction, instants: set[int]) -> None:
    """Takes those of `instants` at which `comes_at` holds.

    By the cell's own instants, or where it comes much more often by looking at each, in integers.
    """
    if not instants:
        return
    low, high = min(instants), max(instants)
    if high - low < 2 * period * len(instants):
        instants.difference_update(instants_between(period, first, low, high + 1))
        return
    unit = lcm(period.denominator, first.denominator)
    start, origin, step = int(first), int(first * unit), int(period * unit)
    instants -= {at for at in instants if at >= start and (origin - at * unit) % step < unit}


def whole_classes(of: Sequence[Stream], hz: int) -> list[Residues] | None:
    """The streams' instants as residue classes of counts; None if some are no whole counts."""
    found = []
    for stream in of:
        period, offset = stream.period * hz, stream.offset * hz
        if period.denominator != 1 or offset.denominator != 1:
            return None
        found.append((period.numerator, offset.numerator % period.numerator))
    return found


def _classes(cells: Sequence[PeriodicCell]) -> list[Residues] | None:
    """The cells' interrupts as residue classes of counts; None if some period is no whole count."""
    if any(period.denominator != 1 for period, _ in cells):
        return None
    return [(int(period), int(first) % int(period)) for period, first in cells]


def _cycle(cells: Sequence[PeriodicCell]) -> int:
    """After how many counts the cells' interrupts repeat to the count."""
    return lcm(*(period.numerator for period, _ in cells))


def _shared_among(cells: Sequence[PeriodicCell], low: int, high: int) -> int:
    """Interrupts in [low, high) less the instants that they fall on."""
    interrupts = 0
    instants: set[int] = set()
    for period, first in cells:
        own = instants_between(period, first, low, high)
        interrupts += len(own)
        instants.update(own)
    return interrupts - len(instants)


def _chunks(cells: Sequence[PeriodicCell], low: int, high: int) -> list[tuple[int, int]]:
    length = max(1, int(_CHUNK_INSTANTS / sum(1 / period for period, _ in cells)))
    return [(at, min(at + length, high)) for at in range(low, high, length)]


def _stretch(cells: Sequence[PeriodicCell]) -> int:
    return int(_STRETCH_INSTANTS / sum(1 / period for period, _ in cells)) + 1
