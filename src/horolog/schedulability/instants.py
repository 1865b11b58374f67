# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts of one releaser that are due at one instant are one interrupt, whose fixed part is taken once.

Without phases each of them may come at an instant of its own, and takes all of its cost. Where the phases
are known, the instants of all of them are multiples of one grid apart: the greatest common divisor of their
periods and of the differences of their offsets. So a time of length w holds at most ceil((w + jitter) / grid)
instants, and never more than the interrupts ask for by themselves. `with_common_instants` makes of such a
group sources without the shared part, and one more for it, whose instants are the union of theirs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import gcd

from horolog.schedulability.demand import Demand, Source

__all__ = ["with_common_instants"]


def with_common_instants(demand: Demand) -> Demand:
    """`demand` with the shared parts of its interrupts as sources of their own, at the end.

    Not where the grid is no longer than the shared part: then a window does not end before all of them came.
    """
    groups: dict[tuple[int, int, int, int], list[int]] = defaultdict(list)
    for at, one in enumerate(demand.sources):
        if one.is_interrupt and one.shared and one.releaser is not None and one.is_fixed:
            groups[one.releaser, one.level, one.early, one.shared].append(at)
    sources, common = list(demand.sources), []
    for group in groups.values():
        together = _common([sources[at] for at in group])
        if len(group) > 1 and together.period > together.cost:
            common.append(together)
            for at in group:
                sources[at] = _alone(sources[at])
    return demand.replaced((*sources, *common)) if common else demand


def _alone(one: Source) -> Source:
    return replace(
        one, cost=one.cost - one.shared, kernel=max(0, one.kernel - one.shared), shared=0
    )


def _common(group: Sequence[Source]) -> Source:
    """What the sources of `group`, of one releaser, take once at each of their instants."""
    first, streams = group[0], [(one.period, one.offset or 0) for one in group]
    grid = 0
    for period, offset in streams:
        grid = gcd(grid, period, offset - streams[0][1])
    return replace(
        first,
        period=grid,
        cost=first.shared,
        kernel=first.shared,
        shared=0,
        offset=max(offset for _, offset in streams),
        streams=tuple(streams),
    )
