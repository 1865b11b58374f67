# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a plan is estimated to take of the target's memory, before anything is built."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["ESTIMATE_ERROR", "BoughtTable", "MemoryEstimate"]

ESTIMATE_ERROR = 13
"""Per cent by which the estimate of flash was off at most, of four examples built for mps2-an385."""


@dataclass(frozen=True, slots=True)
class BoughtTable:
    """A read-only table of a releaser, and what it saves beside the cheapest store with less of one."""

    cell: str
    store: str
    bytes: int
    beside: str  # the other store
    saves: Fraction  # percent of the processor


@dataclass(frozen=True, slots=True)
class MemoryEstimate:
    """Bytes of kernel and generated code, without bodies and libraries; None: not known on the board.

    The figures of FreeRTOS are for a task each, as its stock side has them.
    """

    flash: Fraction | None
    tables: int  # of `flash`
    stacks: int  # of threads
    cells: int
    freertos_flash: Fraction | None
    freertos_stacks: int
    bought: tuple[BoughtTable, ...]
