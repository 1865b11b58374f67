# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How periodic tasks wait in a binary search tree that is never balanced: the nodes an insertion passes.

The tree's shape follows from the order in which keys came. Tasks that start together come by period, which
makes a chain of them that later releases loosen; tasks at distinct instants make a bush. So the height is no
function of how many tasks wait, and the tree (kernel/queue/binary_tree.h) is simulated from the start of the
window on.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm

from horolog.analyse.releases import Stream

__all__ = ["tree_walk"]

_NODES = 1 << 18
"""Nodes that are passed or put in before a simulation ends: some 30 ms."""


@lru_cache(maxsize=256)
def tree_walk(
    of: tuple[Stream, ...], hz: int, end: int, *, groups: bool, nodes: int = _NODES
) -> Fraction:
    """The nodes that an insertion of `of` passes, on average over the window of `end` counts.

    `groups`: whether each stream is one node, put back at once when it is released, or each task is one, put
    back when all that are due with it are out. When about so many `nodes` have been passed or put in, the
    simulation ends before the window does. It takes no less than one insertion of each node.
    """
    streams = [stream for stream in of for _ in range(1 if groups else len(stream.tasks))]
    unit = lcm(*((time * hz).denominator for one in of for time in (one.period, one.offset)))
    steps = [int(stream.period * hz * unit) for stream in streams]
    exact = [int(stream.offset * hz * unit) for stream in streams]
    tree = _Tree([at // unit for at in exact])
    tree.passed = 0
    made, least = 0, len(streams)
    while made < least or 8 * made + tree.passed < nodes:
        due = tree.keys[tree.first]
        if due >= end and made >= least:
            break
        taken = [tree.pop()]
        while not groups and tree.first >= 0 and tree.keys[tree.first] == due:
            taken.append(tree.pop())
        for node in sorted(taken):
            exact[node] += steps[node]
            tree.insert(node, exact[node] // unit)
        made += len(taken)
    return Fraction(tree.passed, made)


class _Tree:
    """The tree as the kernel has it: equals go to the right, and the first is the leftmost."""

    def __init__(self, keys: Sequence[int]) -> None:
        self.keys = list(keys)
        self._left = [-1] * len(keys)
        self._right = [-1] * len(keys)
        self._parent = [-1] * len(keys)
        self._root = -1
        self.first = -1
        self.passed = 0
        for node, key in enumerate(keys):
            self.insert(node, key)

    def insert(self, node: int, key: int) -> None:
        keys, left, right = self.keys, self._left, self._right
        keys[node] = key
        left[node] = right[node] = -1
        below, parent, leftmost, passed = self._root, -1, True, 0
        before = False
        while below >= 0:
            passed += 1
            parent = below
            before = keys[below] > key
            if before:
                below = left[below]
            else:
                below = right[below]
                leftmost = False
        self._parent[node] = parent
        if parent < 0:
            self._root = node
        elif before:
            left[parent] = node
        else:
            right[parent] = node
        if leftmost:
            self.first = node
        self.passed += passed

    def pop(self) -> int:
        """Takes out the first, which has nothing on its left."""
        node = self.first
        below, parent = self._right[node], self._parent[node]
        if parent < 0:
            self._root = below
        else:
            self._left[parent] = below
        if below < 0:
            self.first = parent
            return node
        self._parent[below] = parent
        while self._left[below] >= 0:
            below = self._left[below]
        self.first = below
        return node
