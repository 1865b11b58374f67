# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The stores that generated code names: delay queues, and those of kernel/release/."""

from __future__ import annotations

from dataclasses import dataclass

from horolog.model import QUEUES

__all__ = ["SLOTS", "TIMEOUT_STORE", "Store", "slot_bits", "store"]

TIMEOUT_STORE = "leftist-heap"
"""The store of sleeps and time-outs. Their number is known at run time only; it is O(log n) at worst."""

SLOTS = 128
"""The number of slots of a queue that is a wheel."""

_MOST_BITS = 22  # of a slot: all slots together are shorter than what stamps can order


@dataclass(frozen=True, slots=True)
class Store:
    """A store as kernel/assemble/store.h takes it."""

    stem: str  # of its header, and of the names of its functions
    is_queue: bool
    has_init: bool  # it is made empty when the system starts, and is not laid out in full
    has_masks: bool  # its rows name release masks

    @property
    def kind(self) -> str:
        """QUEUE or STATIC, a part of the macros' names."""
        return "QUEUE" if self.is_queue else "STATIC"

    @property
    def data(self) -> str:
        """The macro of hrl_gen_static_stores.j2 that prints its data."""
        return "queue" if self.is_queue else self.stem


def store(name: str) -> Store:
    """Returns the store called `name`."""
    is_queue = name in (*QUEUES, TIMEOUT_STORE)
    return Store(
        stem=name.replace("-", "_"),
        is_queue=is_queue,
        has_init=is_queue or name == "unsorted-list",
        has_masks=name == "mask-table",
    )


def slot_bits(hz: int, shortest: int = 0) -> int:
    """Returns the bits of a slot's length in counts, on a clock of `hz`: a slot lasts about 1 ms.

    If the shortest period of the tasks, in counts, is longer than three of these, slots last about a
    third of that: so what a queue costs does not depend on how long the periods are, only on how they
    relate to each other, as costs.toml's curves take it to be.
    """
    return min(_MOST_BITS, max(1, (hz // 1000).bit_length(), (shortest // 3).bit_length()))
