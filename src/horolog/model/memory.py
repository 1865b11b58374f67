# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a plan is estimated to take of the target's memory, before anything is built."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

__all__ = ["ESTIMATE_ERROR", "BoughtTable", "MemoryEstimate"]

ESTIMATE_ERROR = 15
"""Per cent by which estimates were off at most: six examples on mps2-an385, as threads and as basic tasks.

Up to 32 bytes of variables are not counted.
"""


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
    """Bytes of kernel and generated code, without bodies and libraries; None: not known.

    It is known where the board's costs have it, tasks are all threads or all basic, and nothing but cells
    releases them.

    The figures of FreeRTOS are for a task each, as its stock side has them.
    """

    flash: Fraction | None
    tables: int  # of `flash`
    stacks: int  # of threads
    cells: int
    variables: Fraction | None  # RAM without stacks
    freertos_flash: Fraction | None
    freertos_variables: Fraction | None
    freertos_stacks: int
    bought: tuple[BoughtTable, ...]
