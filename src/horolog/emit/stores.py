# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The stores that generated code names: delay queues, and those of kernel/release/."""

from __future__ import annotations

from dataclasses import dataclass

from horolog.model import QUEUES

__all__ = ["TIMEOUT_STORE", "Store", "store"]

TIMEOUT_STORE = "leftist-heap"
"""The store of sleeps and time-outs. Their number is known at run time only; it is O(log n) at worst."""


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
