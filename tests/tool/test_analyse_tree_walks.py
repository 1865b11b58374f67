# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The nodes that insertions into a binary tree pass, against trees by hand and a tree of nested nodes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.analyse import Stream, tree_walk

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
    least = tree_walk(of, HZ, 10**6, groups=True, nodes=1)
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
