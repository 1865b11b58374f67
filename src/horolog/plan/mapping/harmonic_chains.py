# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The smallest number of harmonic chains that hold all streams.

In a harmonic chain every stream's instants are also the next shorter one's. CHRONOS-harmonic releases one
chain from one cell without a sorted queue (section V); a system of k chains needs k such stores.

"Its instants are also the other's" is a partial order, so by Dilworth's theorem the smallest number of
chains is the number of streams less the size of a largest matching between streams and their followers
(analyse.fewest_chains).
"""

from __future__ import annotations

from collections.abc import Sequence

from horolog.analyse import fewest_chains
from horolog.plan.instants.residue_classes import Residues, holds

__all__ = ["harmonic_chains"]


def harmonic_chains(streams: Sequence[Residues]) -> tuple[tuple[int, ...], ...]:
    """The fewest harmonic chains, as positions of `streams`, the shortest period of each chain first.

    Equal streams share a chain.
    """
    order = sorted(range(len(streams)), key=lambda at: (streams[at], at))
    followers = [
        [
            behind
            for behind in range(ahead + 1, len(order))
            if holds(streams[order[ahead]], streams[order[behind]])
        ]
        for ahead in range(len(order))
    ]
    return tuple(tuple(order[at] for at in chain) for chain in fewest_chains(followers))
