# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which ranks share a priority level, where a board has fewer levels than a system has ranks.

Tasks on one level run in the order of their releases, so that a task waits for others of its level that are
less urgent. This hurts the more, the longer their deadlines are beside its own. The constant-ratio priority
grid (Lehoczky and Sha, "Performance of real-time bus scheduling algorithms", 1986) therefore bounds the ratio
of the deadlines that share a level. Here the bound is the smallest for which the levels suffice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm

__all__ = ["shared_levels"]

Span = tuple[int, int]
"""The shortest and the longest deadline of a rank or a level, in one unit."""


def shared_levels(deadlines: Sequence[Sequence[Fraction]], available: int) -> list[int]:
    """Returns the level of each rank, from 1 on; larger is more urgent, and all of `available` are used.

    Args:
        deadlines: for each rank, the most urgent first, the deadlines of its tasks; all above zero, and at
            least `available` ranks.
        available: the number of levels, at least 1.

    Neighbours share a level so that the largest ratio of two deadlines on one level is as small as possible;
    where several divisions have that ratio, the less urgent ranks share.
    """
    unit = lcm(*(one.denominator for rank in deadlines for one in rank))
    spans = [(int(min(rank) * unit), int(max(rank) * unit)) for rank in deadlines]
    parts = _split(spans, _smallest_ratio(spans, available), available)
    return [len(parts) - at for at, part in enumerate(parts) for _ in part]


def _smallest_ratio(spans: Sequence[Span], available: int) -> list[range]:
    """Returns the division into at most `available` levels that has the smallest largest ratio."""
    best = list(_divided(spans, _ratio(spans, range(len(spans))), strictly=False))
    low, high = Fraction(1), _largest(spans, best)
    for _ in range(32):  # narrows to few candidates; the loop below is exact
        middle = (low + high) / 2
        found = _at_most(spans, available, middle, strictly=False)
        if found is None:
            low = middle
        else:
            best, high = found, _largest(spans, found)
    while (found := _at_most(spans, available, _largest(spans, best), strictly=True)) is not None:
        best = found
    return best


def _at_most(
    spans: Sequence[Span], available: int, ratio: Fraction, *, strictly: bool
) -> list[range] | None:
    """Returns a division with ratios of at most (below) `ratio`, or None if the levels do not suffice."""
    if strictly and ratio <= max(Fraction(longest, shortest) for shortest, longest in spans):
        return None
    parts = list(_divided(spans, ratio, strictly=strictly))
    return parts if len(parts) <= available else None


def _divided(spans: Sequence[Span], ratio: Fraction, *, strictly: bool) -> Iterator[range]:
    """Yields levels, the most urgent first, that are filled from the least urgent rank on."""
    parts = []
    end = len(spans)
    shortest, longest = spans[-1]
    for at in range(len(spans) - 2, -1, -1):
        short, long = min(shortest, spans[at][0]), max(longest, spans[at][1])
        here, limit = long * ratio.denominator, short * ratio.numerator
        if here < limit or (here == limit and not strictly):
            shortest, longest = short, long
        else:
            parts.append(range(at + 1, end))
            end = at + 1
            shortest, longest = spans[at]
    parts.append(range(end))
    return reversed(parts)


def _split(spans: Sequence[Span], parts: list[range], available: int) -> list[range]:
    """Splits the levels with the largest ratios until all of `available` are used."""
    while len(parts) < available:
        of = max((part for part in parts if len(part) > 1), key=lambda part: _ratio(spans, part))
        cut = min(
            range(of.start + 1, of.stop),
            key=lambda cut: max(
                _ratio(spans, range(of.start, cut)), _ratio(spans, range(cut, of.stop))
            ),
        )
        at = parts.index(of)
        parts[at : at + 1] = [range(of.start, cut), range(cut, of.stop)]
    return parts


def _largest(spans: Sequence[Span], parts: Sequence[range]) -> Fraction:
    return max(_ratio(spans, part) for part in parts)


def _ratio(spans: Sequence[Span], part: range) -> Fraction:
    """Returns the longest deadline of a level divided by its shortest."""
    return Fraction(max(spans[at][1] for at in part), min(spans[at][0] for at in part))
