# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How generated code sets up and calls the stores: delay queues, and those of kernel/release/."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from horolog.model import MASK_STORES, QUEUES, Mode

__all__ = ["TIMEOUT_STORE", "PutStore", "Store", "put_store", "store"]

TIMEOUT_STORE = "leftist-heap"
"""The store of sleeps and time-outs. Their number is known at run time only; it is O(log n) at worst."""

_WHEEL_SLOTS = 128
_MOST_BITS = 22  # of a slot: all slots together are shorter than what stamps can order


@dataclass(frozen=True, slots=True)
class Store:
    """C for one queue: `pop` takes queue and first, `remove` queue and node.

    `storage` and `arguments` have {i} and {n}, and are a releaser's: stores that differ in them only
    are equal, as their functions are.
    """

    stem: str  # of its header, and of the names of its functions
    pop: str
    remove: str  # as `pop`, with the node to be taken out
    # declarations beside the queue of releaser i, with n tasks
    storage: tuple[str, ...] = field(compare=False)
    arguments: str = field(compare=False)  # of init, behind the queue


@dataclass(frozen=True, slots=True)
class PutStore:
    """C for a store that takes a waiting task in constant time; no task leaves it before its release."""

    stem: str  # of its header, and of the names of its functions
    name: str  # of its struct hrli_store
    put: str  # the function that hrli_releaser_hold_at_once is given
    due: str | None  # the store's functions; None: not asked for its first instant
    release_due: str


def put_store(name: str, mode: Mode) -> PutStore | None:
    """The store called `name` for a releaser of `mode`; None: it is a delay queue."""
    if name in (*QUEUES, TIMEOUT_STORE):
        return None
    stem = name.replace("-", "_")
    masked = name in MASK_STORES
    made = PutStore(
        stem=stem,
        name=stem,
        put="hrli_release_by_mask_put" if masked else f"hrli_{stem}_put",
        due=f"hrli_{stem}_due" if masked and mode is Mode.ONE_SHOT else None,
        release_due=f"hrli_{stem}_release_due",
    )
    if mode is Mode.ONE_SHOT and name == "period-groups":
        made = replace(made, release_due="hrli_period_groups_release_and_find")
    return made if made.due is None else replace(made, name=f"{stem}_one_shot")


def store(name: str, hz: int, shortest: int = 0) -> Store:
    """The queue called `name`, of kernel/queue, on a clock of `hz`: slots last about 1 ms.

    If the shortest period of its tasks, in counts, is longer than three of these, they last about a
    third of that: so what a queue costs does not depend on how long the periods are, only on how they
    relate to each other, as costs.toml's curves take it to be.
    """
    stem = name.replace("-", "_")
    pop = f"hrli_{stem}_pop(queue, first)"
    remove = f"hrli_{stem}_remove(queue, node)"
    storage: tuple[str, ...] = ()
    arguments = ""
    bits = min(_MOST_BITS, max(1, (hz // 1000).bit_length(), (shortest // 3).bit_length()))
    if name == "sorted-list":
        pop = "hrli_sorted_list_remove(first)"
    elif name in ("bucket", "hashed-wheel"):
        pop = f"hrli_{stem}_remove(queue, first)"
    if name in ("sorted-list", "delta-list", "binary-tree"):
        remove = f"hrli_{stem}_remove(node)"
    if name == "array-heap":
        storage = ("static struct hrli_queue_node *heap_{i}[{n}];",)
        arguments = ", heap_{i}, {n}u"
    elif name == "tree-234":
        storage = ("static struct hrli_tree_234_node nodes_{i}[HRLI_TREE_234_NODES({n}u)];",)
        arguments = ", nodes_{i}, {n}u"
    elif name == "timing-wheel":
        storage = (f"static struct hrli_queue_node *slots_{{i}}[{_WHEEL_SLOTS}];",)
        arguments = f", {bits}u, slots_{{i}}, {_WHEEL_SLOTS}u"
    elif name == "hashed-wheel":
        storage = (
            "static struct hrli_queue_node *slots_{i}"
            f"[HRLI_HASHED_WHEEL_STORAGE({_WHEEL_SLOTS}u)];",
        )
        arguments = f", {bits}u, slots_{{i}}, {_WHEEL_SLOTS}u"
    elif name == "hierarchical-wheel":
        slots = f"HRLI_HIERARCHICAL_WHEEL_SLOTS({bits}u)"
        storage = (f"static struct hrli_queue_node *slots_{{i}}[{slots}];",)
        arguments = f", {bits}u, slots_{{i}}, {slots}"
    elif name == "calendar":
        storage = (
            f"static hrli_instant_link slots_{{i}}[{_WHEEL_SLOTS}];",
            f"static uint32_t occupied_{{i}}[HRLI_CALENDAR_WORDS({_WHEEL_SLOTS}u)];",
        )
        arguments = f", slots_{{i}}, occupied_{{i}}, {_WHEEL_SLOTS}u, {bits}u"
    return Store(stem, pop, remove, storage, arguments)
