# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How periodic tasks wait in a binary search tree and in a timing wheel: the nodes an insertion passes.

The shape of a tree that is never balanced follows from the order in which keys came. Tasks that start
together come by period, which makes a chain of them that later releases loosen; tasks at distinct instants
make a bush. In a wheel an insertion passes those of its slot that are later, or those beyond the wheel.
Neither is a function of how many tasks wait, so both are simulated from the start of the window on, as the
kernel has them (kernel/queue/).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Protocol

from horolog.analyse.releases import Stream

__all__ = ["WHEEL_SLOTS", "tree_walk", "wheel_slot_bits", "wheel_walk"]

WHEEL_SLOTS = 128
"""The number of slots of a queue that is a wheel, in generated code."""

_MOST_BITS = 22  # of a slot: all slots together are shorter than what stamps can order
_STEPS = 1 << 20
"""Nodes that are passed, and eight for each insertion, before a simulation ends: at most some 50 ms."""


def wheel_slot_bits(hz: int, shortest: int = 0) -> int:
    """Returns the bits of a slot's length in counts, on a clock of `hz`: a slot lasts about 1 ms.

    If the shortest period of the tasks, in counts, is longer than three of these, slots last about a
    third of that: so what a queue costs does not depend on how long the periods are, only on how they
    relate to each other.
    """
    return min(_MOST_BITS, max(1, (hz // 1000).bit_length(), (shortest // 3).bit_length()))


@lru_cache(maxsize=256)
def tree_walk(
    of: tuple[Stream, ...], hz: int, end: int, *, groups: bool, steps: int = _STEPS
) -> Fraction:
    """The nodes that an insertion of `of` into a binary tree passes, on average over `end` counts.

    `groups`: whether each stream is one node, put back at once when it is released, or each task is one, put
    back when all that are due with it are out. After so many `steps`, each a node that is passed or an eighth
    of an insertion, the simulation ends before the window does. It takes no less than one insertion of each
    node.
    """
    return _mean_walk(_Tree(), of, hz, end, groups=groups, steps=steps)


@lru_cache(maxsize=256)
def wheel_walk(
    of: tuple[Stream, ...],
    hz: int,
    end: int,
    *,
    groups: bool,
    bits: int | None = None,
    steps: int = _STEPS,
) -> Fraction:
    """The same for a timing wheel with slots of 2^`bits` counts, by default those of generated code."""
    if bits is None:
        shortest = min(stream.period for stream in of)
        bits = wheel_slot_bits(hz, int(shortest * hz))
    return _mean_walk(_Wheel(bits), of, hz, end, groups=groups, steps=steps)


class _Queue(Protocol):
    """Nodes by number, each with a key. Of equal keys the one that came first is the first."""

    passed: int  # nodes, by all insertions

    def insert(self, node: int, key: int) -> None: ...

    def first(self) -> int:
        """The key of the first node; -1: there is none."""

    def pop(self) -> int:
        """Takes out the first."""


def _mean_walk(
    queue: _Queue, of: Sequence[Stream], hz: int, end: int, *, groups: bool, steps: int
) -> Fraction:
    streams = [stream for stream in of for _ in range(1 if groups else len(stream.tasks))]
    # A count has `unit` parts, of which steps and instants are whole numbers.
    unit = lcm(*((time * hz).denominator for one in of for time in (one.period, one.offset)))
    every = [int(stream.period * hz * unit) for stream in streams]
    exact = [int(stream.offset * hz * unit) for stream in streams]
    for node, at in enumerate(exact):
        queue.insert(node, at // unit)
    queue.passed = made = 0
    while made < len(streams) or 8 * made + queue.passed < steps:
        due = queue.first()
        if due >= end and made >= len(streams):
            break
        taken = [queue.pop()]
        while not groups and queue.first() == due:
            taken.append(queue.pop())
        for node in sorted(taken):
            exact[node] += every[node]
            queue.insert(node, exact[node] // unit)
        made += len(taken)
    return Fraction(queue.passed, made)


class _Tree:
    """Equals go to the right; the first is the leftmost."""

    def __init__(self) -> None:
        self._keys: dict[int, int] = {}
        self._left: dict[int, int] = {}
        self._right: dict[int, int] = {}
        self._parent: dict[int, int] = {}
        self._root = self._first = -1
        self.passed = 0

    def first(self) -> int:
        return self._keys[self._first] if self._first >= 0 else -1

    def insert(self, node: int, key: int) -> None:
        keys, left, right = self._keys, self._left, self._right
        keys[node] = key
        left[node] = right[node] = -1
        below, parent, is_first, before = self._root, -1, True, False
        while below >= 0:
            self.passed += 1
            parent = below
            before = keys[below] > key
            below = left[below] if before else right[below]
            is_first &= before
        self._parent[node] = parent
        if parent < 0:
            self._root = node
        elif before:
            left[parent] = node
        else:
            right[parent] = node
        if is_first:
            self._first = node

    def pop(self) -> int:
        node = self._first  # which has nothing on its left
        below, parent = self._right[node], self._parent[node]
        if parent < 0:
            self._root = below
        else:
            self._left[parent] = below
        if below < 0:
            self._first = parent
            return node
        self._parent[below] = parent
        while self._left[below] >= 0:
            below = self._left[below]
        self._first = below
        return node


_Entry = tuple[int, int, int]  # key, number of the insertion, node


class _Wheel:
    """Slots from that of the node that was taken last on; beyond them is a list, which nodes do not leave."""

    def __init__(self, bits: int) -> None:
        self._bits = bits
        self._slots: dict[int, list[_Entry]] = defaultdict(list)  # by key >> bits
        self._late: list[_Entry] = []
        self._start: int | None = None  # of the window, in slots; None: the wheel is empty
        self._number = 0
        self.passed = 0

    def first(self) -> int:
        return min(self._ends())[0] if self._late or self._slots else -1

    def insert(self, node: int, key: int) -> None:
        slot = key >> self._bits
        if not self._slots:
            self._start = slot if not self._late else min(slot, self._late[0][0] >> self._bits)
        assert self._start is not None
        while self._slots and slot < self._start:
            self._move_back(slot)
        near = slot - self._start < WHEEL_SLOTS
        entries = self._slots[slot] if near else self._late
        self._number += 1
        entry = (key, self._number, node)
        at = bisect_right(entries, entry)
        self.passed += len(entries) - at
        entries.insert(at, entry)

    def pop(self) -> int:
        entry = min(self._ends())
        slot = entry[0] >> self._bits
        if self._late and self._late[0] == entry:
            self._late.pop(0)
        else:
            entries = self._slots[slot]
            entries.pop(0)
            if not entries:
                del self._slots[slot]
        if self._start is not None and slot >= self._start:
            self._start = slot
        return entry[2]

    def _ends(self) -> list[_Entry]:
        ends = [self._late[0]] if self._late else []
        if self._slots:
            ends.append(self._slots[min(self._slots)][0])
        return ends

    def _move_back(self, slot: int) -> None:
        """Moves the window back to `slot`; what falls out of it joins those beyond it."""
        self._start = slot
        for out in [one for one in self._slots if one - slot >= WHEEL_SLOTS]:
            self._late += self._slots.pop(out)
        self._late.sort()
