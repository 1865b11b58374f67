# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How much flash a plan's system takes, and FreeRTOS with the same tasks: kernel, tables and generated code.

The tasks' own code and the C library's are the same on both sides, and not in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import is_basic
from horolog.model import MASK_STORES, QUEUES, Mode, Releaser, System
from horolog.plan.prices.curves import QueueCosts
from horolog.plan.stores.sizes import constant_bytes

__all__ = [
    "FLASH_NOTE",
    "FLASH_RATIO",
    "FlashCosts",
    "flash_note",
    "flash_parts",
    "predicted_flash",
]

FLASH_RATIO = Fraction(5, 4)
"""Above so many times FreeRTOS's flash a plan says so."""

FLASH_NOTE = "flash:"
"""How the note begins that says so."""


@dataclass(frozen=True, slots=True)
class FlashCosts:
    """Bytes of flash. Counted in firmware; a mean may be a fraction."""

    base: Fraction  # the kernel with a periodic cell and a sorted list
    thread: Fraction  # each thread
    body: Fraction  # each further task of a thread that several share
    cell: Fraction  # each cell beyond the first
    one_shot: Fraction  # if a cell is one-shot
    masks: Fraction  # if masks release threads
    chains: Fraction  # if harmonic arrays do
    freertos: Fraction  # FreeRTOS without a task
    freertos_task: Fraction  # each of its tasks


def flash_parts(system: System, releasers: Sequence[Releaser]) -> dict[str, int]:
    """How often each of FlashCosts applies to `releasers` of `system`, which is one of threads."""
    stores = {one.store for one in releasers}
    return {
        "base": 1,
        "thread": len(system.tasks),
        "body": sum(task.bodies - 1 for task in system.tasks),
        "cell": len(releasers) - 1,
        "one_shot": int(any(one.mode is Mode.ONE_SHOT for one in releasers)),
        "masks": int(not stores.isdisjoint(MASK_STORES)),
        "chains": int("harmonic-array" in stores),
    }


def flash_note(
    system: System,
    releasers: Sequence[Releaser],
    costs: FlashCosts | None,
    queues: Mapping[str, QueueCosts],
) -> str | None:
    """That the plan takes more than FLASH_RATIO times FreeRTOS's flash, with both figures; None: it does not.

    `system` is one of threads. Nothing is said of basic tasks, or where the board's costs do not hold it.
    """
    if costs is None or any(is_basic(system, one) for one in releasers):
        return None
    ours, theirs = predicted_flash(system, releasers, costs, queues)
    if ours <= FLASH_RATIO * theirs:
        return None
    return (
        f"{FLASH_NOTE} about {_rounded(ours)} bytes of kernel and tables, {float(ours / theirs):.2f} times "
        f"the {_rounded(theirs)} of FreeRTOS with the same tasks; a smaller table_bytes, or --queue, saves "
        "flash"
    )


def predicted_flash(
    system: System,
    releasers: Sequence[Releaser],
    costs: FlashCosts,
    queues: Mapping[str, QueueCosts],
) -> tuple[Fraction, Fraction]:
    """Bytes of flash of `releasers`, and of FreeRTOS with the tasks of `system`, which is one of threads."""
    parts = flash_parts(system, releasers)
    ours = sum((getattr(costs, name) * count for name, count in parts.items()), Fraction(0))
    stores = {one.store for one in releasers} & {*QUEUES} & {*queues}
    ours += sum((queues[store].rom for store in stores), Fraction(0))
    ours += sum(constant_bytes(system, one, one.store) for one in releasers)
    tasks = sum(task.bodies for task in system.tasks)
    return ours, costs.freertos + tasks * costs.freertos_task


def _rounded(value: Fraction) -> str:
    return f"{round(value, -2).numerator:,}"
