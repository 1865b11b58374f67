# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The smallest number of chains that hold every element of a partial order.

By Dilworth's theorem that is the number of elements less the size of a largest matching between
elements and those that may follow them (R. P. Dilworth 1950; the reduction is D. R. Fulkerson's,
1956). The matching: J. E. Hopcroft and R. M. Karp 1973.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

__all__ = ["fewest_chains"]


def fewest_chains(followers: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The fewest chains that hold 0, 1, ... len(followers) - 1, in order of their first elements.

    `followers[i]`: all that may come behind i in a chain, directly or not; none of them before i.
    """
    follower = _matching(followers)
    heads = set(range(len(followers))) - set(follower.values())
    chains = []
    for head in sorted(heads):
        chain, at = [head], head
        while at in follower:
            at = follower[at]
            chain.append(at)
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
