# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which sources of a lower rank may block a job: only those that can be released shortly before it.

On a level with Order.RANK a job of a lower rank blocks one of a higher rank if it has begun just before. Let
a job of `lower`, released at b, block a window in which a job of `source` is released at a. Then b < a, and
from b to the end of that job there is always work of the level or above to do: `lower`'s until the window
begins, the window's from then on. So the level has a busy window that is longer than a - b, with jobs of all
ranks in it. If the nominal instants of both are known, they differ by (offset of `source` - offset of
`lower`) plus a multiple of g, the greatest common divisor of the two periods: Goossens, "Scheduling of
offset free systems" (2003), uses the same distances. If the least a - b that is possible is no shorter than
the longest busy window of the level, `lower` never blocks `source`.

The job of `lower` may be early, and that of `source`, too. Where one releaser releases both, that does not
change their order: what is released at the same instant or later has not begun.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd

from horolog.schedulability.demand import Source

__all__ = ["longest_block", "may_block"]


def may_block(lower: Source, source: Source, longest: int | None) -> bool:
    """Whether a job of `lower` may have begun just before one of `source` on a level with Order.RANK.

    `longest`: the longest busy window of the level, jobs of all ranks in it; None: it is not known.
    """
    if longest is None or not all(
        one.is_fixed and not one.lag and not one.streams for one in (lower, source)
    ):
        return True
    assert lower.offset is not None
    assert source.offset is not None
    ordered = lower.releaser is not None and lower.releaser == source.releaser
    early = 0 if ordered else lower.early
    # The least nominal distance above -early.
    least = 1 - early
    grid = gcd(lower.period, source.period)
    distance = least + (source.offset - lower.offset - least) % grid
    return distance - source.early < longest


def longest_block(source: Source, level: Iterable[Source], longest: int | None) -> int:
    """What a job of a lower rank of its level takes at most from `source`."""
    lower = [one for one in level if one.rank > source.rank and may_block(one, source, longest)]
    return max((one.cost for one in lower), default=0)
