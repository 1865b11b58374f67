# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How many distinct instants a second release a job, in the long run.

No mechanism interrupts less often while instants lie further apart than the longest masked window.
The instants of a stream are a residue class, so this is the density of a union of residue classes, by
inclusion and exclusion: the instants that several classes share are again a residue class, modulo the
least common multiple, or none (Chinese remainder theorem). Equal intersections are counted together,
which keeps their number small for the usual periods. Streams with periods that share no factor, after the
common factor of all is divided out, coincide independently of each other:
1 - density = product of (1 - density of the part).

Where there are too many intersections only some of the streams are counted: the density of these is a
lower bound, and with what the others add at most, an upper one. A `tight` lower bound also counts of each of
the others what it does not share with any before it: its density less those of its intersections with each
(C. E. Bonferroni's inequality).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from horolog.plan.instants.counts_and_rates import exact_sum
from horolog.plan.instants.residue_classes import Residues, join

__all__ = ["Density", "union_density"]

_MOST_TERMS = 20_000
_MOST_WORK = 1_000_000  # intersections that are tried: about half a second
_SCALE = 1 << 128  # bounds that are not exact are whole multiples of 1 / _SCALE


@dataclass(frozen=True, slots=True)
class Density:
    """Between `low` and `high` distinct instants a unit of time."""

    low: Fraction
    high: Fraction

    @property
    def exact(self) -> bool:
        """Whether the two meet."""
        return self.low == self.high

    def __mul__(self, factor: int | Fraction) -> Density:
        return Density(self.low * factor, self.high * factor)


def union_density(
    rows: Sequence[Residues], most_terms: int = _MOST_TERMS, *, tight: bool = False
) -> Density:
    """The density of the union of residue classes.

    Where it would take more than `most_terms` it lies between bounds; `tight`: the lower one is closer, which
    takes a while.
    """
    everything = rows[0]
    for row in rows:
        everything = join(everything, row)
    period, offset = everything
    reduced = sorted(
        {(one // period, (at - offset) // period % (one // period)) for one, at in rows}
    )
    low = high = Fraction(1)  # of the instants left out
    for part in _independent(reduced):
        density = _included_and_excluded(part, most_terms, tight=tight)
        low *= 1 - density.high
        high *= 1 - density.low
    return Density((1 - high) / period, (1 - low) / period)


def _independent(rows: Sequence[Residues]) -> list[list[Residues]]:
    """The rows, divided so that periods of different parts have no factor in common."""
    parts: list[tuple[int, list[Residues]]] = []  # the product of a part's periods, or a multiple
    for row in rows:
        product, members = row[0], [row]
        apart = []
        for other, others in parts:
            if gcd(other, row[0]) == 1:
                apart.append((other, others))
            else:
                product *= other // gcd(product, other)
                members = others + members
        parts = [*apart, (product, members)]
    return [members for _, members in parts]


def _included_and_excluded(rows: Sequence[Residues], most_terms: int, *, tight: bool) -> Density:
    """Row by row, the shortest period first; the intersections with their signs summed up."""
    terms: dict[Residues, int] = {}
    rows, work = sorted(rows), 0
    for at, row in enumerate(rows):
        new = {row: 1}
        work += len(terms)
        for other, sign in terms.items():
            shared = _intersection(other, row)
            if shared is not None:
                new[shared] = new.get(shared, 0) - sign
        merged = dict(terms)
        for shared, sign in new.items():
            total = merged.get(shared, 0) + sign
            if total:
                merged[shared] = total
            else:
                merged.pop(shared, None)
        if len(merged) > most_terms or work > _MOST_WORK:
            low = _sum(terms)
            rest = exact_sum(Fraction(1, period) for period, _ in rows[at:])
            more = _beyond(rows[:at], rows[at:]) if tight else Fraction(0)
            return Density(low + more, min(Fraction(1), low + rest))
        terms = merged
    density = _sum(terms)
    return Density(density, density)


def _beyond(counted: Sequence[Residues], others: Sequence[Residues]) -> Fraction:
    """What the union of all has beyond that of those `counted`, at least."""
    before, found = list(counted), 0
    for period, offset in others:
        own = _SCALE // period
        for other, other_offset in before:
            shared = gcd(period, other)
            if (offset - other_offset) % shared == 0:
                own -= _SCALE * shared // (period * other) + 1
                if own <= 0:
                    break
        else:
            found += own
            before.append((period, offset))
    return Fraction(found, _SCALE)


def _sum(terms: dict[Residues, int]) -> Fraction:
    by_period: dict[int, int] = {}
    for (period, _), sign in terms.items():
        by_period[period] = by_period.get(period, 0) + sign
    unit = lcm(*by_period)
    return Fraction(sum(sign * (unit // period) for period, sign in by_period.items()), unit)


def _intersection(one: Residues, other: Residues) -> Residues | None:
    """The instants in both, by the Chinese remainder theorem."""
    (period, offset), (other_period, other_offset) = one, other
    shared = gcd(period, other_period)
    apart = other_offset - offset
    if apart % shared:
        return None
    step = other_period // shared
    times = 0 if step == 1 else apart // shared * pow(period // shared, -1, step) % step
    common = period * step
    return common, (offset + times * period) % common
