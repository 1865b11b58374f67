# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The residue classes that a cell may interrupt at, as candidates of a weighted set cover.

A cell that serves the streams S best interrupts at the smallest residue class that holds all of them:
(P, phi), with P the greatest common divisor of their periods and of the differences of their offsets.
So the candidates are the joins of sets of streams, join((P1, phi1), (P2, phi2)) = gcd(P1, P2, phi1 - phi2),
and there are far fewer of these than sets: many sets have the same join. A candidate costs 1 / P and
covers every stream with instants that it holds. No candidate dominates another (covers a superset at no
higher cost): a candidate that covers more has a smaller P. What costs as much as a known solution is left
out while the joins are made, as a join never costs less than its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

__all__ = ["Candidates", "Residues", "TooMany", "bits", "candidates", "holds", "join"]

Residues = tuple[int, int]
"""The instants congruent to the second modulo the first; 0 <= second < first."""


class TooMany(Exception):
    """There are more candidates than wanted."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Residue classes, those with the longest period first, and which of the rows each one covers."""

    classes: tuple[Residues, ...]
    covers: tuple[int, ...]  # bit i: row i
    rows: int  # how many there are

    @property
    def everything(self) -> int:
        """All rows."""
        return (1 << self.rows) - 1


def join(one: Residues, other: Residues) -> Residues:
    """The smallest residue class that holds the instants of both classes."""
    period = gcd(one[0], other[0], one[1] - other[1])
    return period, one[1] % period


def holds(outer: Residues, inner: Residues) -> bool:
    """Whether every instant of `inner` is one of `outer`."""
    return inner[0] % outer[0] == 0 and (inner[1] - outer[1]) % outer[0] == 0


def bits(mask: int) -> list[int]:
    """The positions of the bits that are set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def candidates(rows: Sequence[Residues], grain: int, shortest: int, most: int) -> Candidates:
    """The joins of sets of `rows` with a period that is a multiple of `grain` and at least `shortest`.

    TooMany if there are more than `most`. Row by row: the joins of sets that have row i as their last
    are those of sets of the rows before, joined with it. What a join covers is collected on the way: of
    the covered rows up to i, those before i have a join too, and were collected with it.
    """
    found: dict[Residues, int] = {}
    for at, (period, offset) in enumerate(rows):
        bit = 1 << at
        new = {(period, offset % period): bit}
        for (other, other_offset), mask in found.items():
            joined = gcd(period, other, offset - other_offset)
            if joined >= shortest and joined % grain == 0:
                key = (joined, offset % joined)
                new[key] = new.get(key, 0) | mask | bit
        for key, mask in new.items():
            found[key] = found.get(key, 0) | mask
        if len(found) > most:
            raise TooMany
    order = sorted(found, key=lambda key: (-key[0], key[1]))
    return Candidates(tuple(order), tuple(found[key] for key in order), len(rows))
