# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The smallest number of harmonic chains that hold all streams.

In a harmonic chain every stream's instants are also the next shorter one's. CHRONOS-harmonic releases one
chain from one cell without a sorted queue (section V); a system of k chains needs k such stores.

"Its instants are also the other's" is a partial order, so by Dilworth's theorem the smallest number of
chains is the number of streams less the size of a largest matching between streams and their followers
(R. P. Dilworth 1950; the reduction is D. R. Fulkerson's, 1956). The matching: J. E. Hopcroft and
R. M. Karp 1973.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from horolog.plan.classes import Residues, holds

__all__ = ["harmonic_chains"]


def harmonic_chains(streams: Sequence[Residues]) -> tuple[tuple[int, ...], ...]:
    """As few chains as there can be: positions of `streams`, the shortest period of each chain first.

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
    follower = _matching(followers)
    heads = set(range(len(order))) - set(follower.values())
    chains = []
    for head in sorted(heads):
        chain, at = [order[head]], head
        while at in follower:
            at = follower[at]
            chain.append(order[at])
        chains.append(tuple(chain))
    return tuple(chains)


def _matching(edges: Sequence[Sequence[int]]) -> dict[int, int]:
    """A largest matching of a bipartite graph: for each left vertex that has one, its right vertex."""
    right_of: dict[int, int] = {}
    left_of: dict[int, int] = {}
    while True:
        depth = _layers(edges, right_of, left_of)
        if depth is None:
            return right_of
        nexts = [iter(one) for one in edges]
        for start in range(len(edges)):
            if start not in right_of:
                _augment(start, nexts, depth, right_of, left_of)


def _layers(
    edges: Sequence[Sequence[int]], right_of: dict[int, int], left_of: dict[int, int]
) -> dict[int, int] | None:
    """The distance of each left vertex from a free one; None if no augmenting path is left."""
    depth = {left: 0 for left in range(len(edges)) if left not in right_of}
    waiting = deque(depth)
    found = False
    while waiting:
        left = waiting.popleft()
        for right in edges[left]:
            if right not in left_of:
                found = True
            elif left_of[right] not in depth:
                depth[left_of[right]] = depth[left] + 1
                waiting.append(left_of[right])
    return depth if found else None


def _augment(
    start: int,
    nexts: Sequence[Iterator[int]],
    depth: dict[int, int],
    right_of: dict[int, int],
    left_of: dict[int, int],
) -> None:
    """Match `start` along a path through the layers, if there is one; each edge is tried once."""
    path: list[tuple[int, int]] = []  # left, and the right vertex it is to get
    left = start
    while True:
        for right in nexts[left]:
            if right not in left_of:
                path.append((left, right))
                for one, other in path:
                    right_of[one], left_of[other] = other, one
                return
            if depth.get(left_of[right]) == depth[left] + 1:
                path.append((left, right))
                left = left_of[right]
                break
        else:
            if not path:
                return
            left, _ = path.pop()
