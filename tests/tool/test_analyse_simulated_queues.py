# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The nodes that insertions into a binary tree and a timing wheel pass, against plain ones by hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.analyse import WHEEL_SLOTS, Stream, tree_walk, wheel_walk

HZ = 1000


def streams(*pairs: tuple[int, int], tasks: int = 1) -> tuple[Stream, ...]:
    """Of (period, offset) in counts, with so many tasks each."""
    return tuple(
        Stream(Fraction(period, HZ), Fraction(offset, HZ), tuple(range(tasks)))
        for period, offset in pairs
    )


def test_one_node_passes_none() -> None:
    assert tree_walk(streams((7, 3)), HZ, 100, groups=True) == 0


def test_tasks_of_one_instant_make_a_chain() -> None:
    """All are out before the first is put back: the k-th passes k - 1."""
    assert tree_walk(streams((10, 0), tasks=9), HZ, 1000, groups=False) == 4


def test_two_groups_of_one_period_pass_each_other() -> None:
    assert tree_walk(streams((10, 0), (10, 5)), HZ, 1000, groups=True) == 1


def test_an_early_end_takes_each_node_once() -> None:
    of = streams(*((100 + at, at) for at in range(20)))
    least = tree_walk(of, HZ, 10**6, groups=True, steps=1)
    assert least == tree_walk(of, HZ, 20, groups=True)
    assert least != tree_walk(of, HZ, 10**6, groups=True)


@dataclass
class Node:
    key: int
    which: int
    left: Node | None = None
    right: Node | None = None


def put(tree: Node | None, node: Node) -> tuple[Node, int]:
    if tree is None:
        return node, 0
    if tree.key > node.key:
        tree.left, passed = put(tree.left, node)
    else:
        tree.right, passed = put(tree.right, node)
    return tree, passed + 1


def first_of(tree: Node) -> Node:
    return tree if tree.left is None else first_of(tree.left)


def take(tree: Node) -> tuple[Node | None, Node]:
    if tree.left is None:
        return tree.right, tree
    tree.left, first = take(tree.left)
    return tree, first


@given(
    st.lists(st.tuples(st.integers(3, 60), st.integers(0, 80)), min_size=1, max_size=9),
    st.booleans(),
)
@settings(max_examples=60)
def test_it_is_the_tree_of_nested_nodes(pairs: list[tuple[int, int]], groups: bool) -> None:
    of, end = streams(*pairs), 400
    tree: Node | None = None
    for which, (_, offset) in enumerate(pairs):
        tree, _ = put(tree, Node(offset, which))
    passed = made = 0
    while tree is not None and (first_of(tree).key < end or made < len(pairs)):
        tree, first = take(tree)
        due = [first]
        while not groups and tree is not None and first_of(tree).key == first.key:
            tree, other = take(tree)
            due.append(other)
        for one in sorted(due, key=lambda node: node.which):
            tree, more = put(tree, Node(one.key + pairs[one.which][0], one.which))
            passed += more
            made += 1
    assert tree_walk(of, HZ, end, groups=groups) == Fraction(passed, made)


def test_a_wheel_passes_none_that_are_in_other_slots() -> None:
    of = streams((64, 0), (64, 20), (64, 40))
    assert wheel_walk(of, HZ, 10_000, groups=True, bits=3) == 0


def test_a_wheel_passes_the_later_ones_of_a_slot() -> None:
    """Of two in one slot the earlier is put back first: no other is there. The third goes before both."""
    assert wheel_walk(streams((64, 1), (64, 2)), HZ, 10_000, groups=True, bits=6) == 0
    of = streams(
        (16, 0), (64, 1)
    )  # once in four times the fast one finds the slow one in its slot, later
    assert wheel_walk(of, HZ, 16_000, groups=True, bits=3) == Fraction(1, 5)


def test_what_is_beyond_the_wheel_is_passed_in_its_list() -> None:
    """Periods of more slots than the wheel has: a list, in which the shorter period passes the longer."""
    of = streams((3, 0), (300, 1), (900, 2))
    insertions = 900 // 3 + 3 + 1
    assert wheel_walk(of, HZ, 9_000, groups=True, bits=1) == pytest.approx(2 / insertions, rel=0.1)


@dataclass
class Slots:
    """A wheel of one list: what of it is in the window's slots, and what was beyond them when it came."""

    bits: int
    entries: list[
        tuple[int, int, int, bool]
    ]  # key, number of the insertion, node, whether it is late
    start: int = 0


@given(
    st.lists(st.tuples(st.integers(3, 900), st.integers(0, 400)), min_size=1, max_size=8),
    st.integers(0, 4),
)
@settings(max_examples=60)
def test_it_is_the_wheel_of_a_plain_list(pairs: list[tuple[int, int]], bits: int) -> None:
    """As kernel/queue/timing_wheel.c has it, but for what a slot and a list are kept in."""
    of, end = streams(*pairs), 5000
    wheel = Slots(bits, [])
    made = passed = number = 0

    def put_in(node: int, key: int) -> int:
        nonlocal number
        slot, entries = key >> bits, wheel.entries
        near = [entry for entry in entries if not entry[3]]
        if not near:
            wheel.start = min([key, *(entry[0] for entry in entries)]) >> bits
        elif slot < wheel.start:
            wheel.start = slot
            entries[:] = [
                (k, n, w, late or (k >> bits) - slot >= WHEEL_SLOTS) for k, n, w, late in entries
            ]
        late = slot - wheel.start >= WHEEL_SLOTS
        number += 1
        same = [e for e in entries if e[3] == late and (late or e[0] >> bits == slot)]
        entries.append((key, number, node, late))
        return sum(e[0] > key for e in same)

    for node, (_, offset) in enumerate(pairs):
        put_in(node, offset)
    while min(wheel.entries)[0] < end or made < len(pairs):
        first = min(wheel.entries)
        wheel.entries.remove(first)
        wheel.start = max(wheel.start, first[0] >> bits)
        passed += put_in(first[2], first[0] + pairs[first[2]][0])
        made += 1
    assert wheel_walk(of, HZ, end, groups=True, bits=bits) == Fraction(passed, made)
