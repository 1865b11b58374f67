# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a plan's system takes of flash and RAM, and FreeRTOS with the same tasks.

That is kernel, tables and generated code. The tasks' own code and variables, and the C library's, are the
same on both sides, and not in it; nor are stacks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from horolog.analyse import is_basic, lines, streams
from horolog.model import GROUP_STORES, MASK_STORES, QUEUES, Mode, Releaser, System
from horolog.plan.prices.curves import QueueCosts
from horolog.plan.stores.basic_tables import basic_constants, basic_ram
from horolog.plan.stores.sizes import constant_bytes, static_ram

__all__ = [
    "FLASH_NOTE",
    "FLASH_RATIO",
    "BasicSizes",
    "SizeCosts",
    "ThreadSizes",
    "basic_parts",
    "flash_note",
    "freertos_bytes",
    "predicted_basic_flash",
    "predicted_basic_variables",
    "predicted_flash",
    "predicted_variables",
    "store_bytes",
    "thread_parts",
]

_CHAINS = "harmonic-array"

FLASH_RATIO = Fraction(5, 4)
"""Above so many times FreeRTOS's flash a plan says so."""

FLASH_NOTE = "flash:"
"""How the note begins that says so."""


@dataclass(frozen=True, slots=True)
class ThreadSizes:
    """Bytes where all tasks are threads. Counted in firmware; a mean may be a fraction."""

    base: Fraction  # the kernel with a periodic cell and a sorted list
    thread: Fraction  # each thread
    body: Fraction  # each further task of a thread that several share
    cell: Fraction  # each cell beyond the first
    one_shot: Fraction  # if a cell is one-shot
    masks: Fraction  # if masks release threads
    chains: Fraction  # if harmonic arrays do
    freertos: Fraction  # FreeRTOS without a task
    freertos_task: Fraction  # each of its tasks


@dataclass(frozen=True, slots=True)
class BasicSizes:
    """The same where all tasks are basic."""

    base: Fraction  # the kernel with a periodic cell
    task: Fraction  # each task
    line: Fraction  # each line of the controller that has tasks
    cell: Fraction  # each cell beyond the first
    one_shot: Fraction  # if a cell is one-shot
    alone: Fraction  # each cell that releases one task alone
    table: Fraction  # if a mask table releases
    groups: Fraction  # if period groups are in a list or a heap
    chains: Fraction  # if harmonic arrays release


@dataclass(frozen=True, slots=True)
class SizeCosts:
    """Bytes of one kind of memory; `basic` is None where no runs tell what basic tasks take."""

    threads: ThreadSizes
    basic: BasicSizes | None = None


def thread_parts(system: System, releasers: Sequence[Releaser]) -> dict[str, int]:
    """How often each of ThreadSizes applies to `releasers` of `system`, which is one of threads."""
    stores = {one.store for one in releasers}
    return {
        "base": 1,
        "thread": len(system.tasks),
        "body": sum(task.bodies - 1 for task in system.tasks),
        "cell": len(releasers) - 1,
        "one_shot": int(any(one.mode is Mode.ONE_SHOT for one in releasers)),
        "masks": int(not stores.isdisjoint(MASK_STORES)),
        "chains": int(_CHAINS in stores),
    }


def basic_parts(system: System, releasers: Sequence[Releaser]) -> dict[str, int]:
    """How often each of BasicSizes applies to `releasers` of `system`, all tasks of which are basic."""
    stores = {one.store for one in releasers}
    return {
        "base": 1,
        "task": len(system.tasks),
        "line": len(lines(system)),
        "cell": len(releasers) - 1,
        "one_shot": int(any(one.mode is Mode.ONE_SHOT for one in releasers)),
        "alone": sum(one.store == "none" for one in releasers),
        "table": int("mask-table" in stores),
        "groups": int(not stores.isdisjoint({*GROUP_STORES} - {_CHAINS})),
        "chains": int(_CHAINS in stores),
    }


def flash_note(
    system: System,
    releasers: Sequence[Releaser],
    costs: SizeCosts | None,
    queues: Mapping[str, QueueCosts],
) -> str | None:
    """That the plan takes more than FLASH_RATIO times FreeRTOS's flash, with both figures; None: it does not.

    `system` is one of threads. Nothing is said of basic tasks, or where the board's costs do not hold it.
    """
    if costs is None or any(is_basic(system, one) for one in releasers):
        return None
    ours, theirs = predicted_flash(system, releasers, costs.threads, queues)
    if ours <= FLASH_RATIO * theirs:
        return None
    tables = any(constant_bytes(system, one, one.store) for one in releasers)
    advice = "a smaller table_bytes, or --queue, saves flash" if tables else "--queue may save some"
    return (
        f"{FLASH_NOTE} about {_rounded(ours)} bytes of kernel and tables, {float(ours / theirs):.2f} times "
        f"the {_rounded(theirs)} of FreeRTOS with the same tasks; {advice}"
    )


def predicted_flash(
    system: System,
    releasers: Sequence[Releaser],
    costs: ThreadSizes,
    queues: Mapping[str, QueueCosts],
) -> tuple[Fraction, Fraction]:
    """Bytes of flash of `releasers`, and of FreeRTOS with the tasks of `system`, which is one of threads."""
    ours = _whole(thread_parts(system, releasers), costs) + _queue_code(releasers, queues)
    ours += sum(constant_bytes(system, one, one.store) for one in releasers)
    return ours, freertos_bytes(sum(task.bodies for task in system.tasks), costs)


def predicted_variables(
    system: System,
    releasers: Sequence[Releaser],
    costs: ThreadSizes,
    queues: Mapping[str, QueueCosts],
) -> tuple[Fraction, Fraction]:
    """Bytes of variables of `releasers`, without stacks, and of FreeRTOS, as predicted_flash."""
    ours = _whole(thread_parts(system, releasers), costs)
    ours += sum(store_bytes(system, one, queues) for one in releasers)
    return ours, freertos_bytes(sum(task.bodies for task in system.tasks), costs)


def freertos_bytes(tasks: int, costs: ThreadSizes) -> Fraction:
    """What FreeRTOS takes with so many tasks."""
    return costs.freertos + tasks * costs.freertos_task


def store_bytes(
    system: System, releaser: Releaser, queues: Mapping[str, QueueCosts]
) -> Fraction | int:
    """Bytes of RAM of what a releaser of threads keeps its tasks in, beside their own nodes."""
    if releaser.store not in QUEUES:
        return static_ram(system, releaser, releaser.store)
    known = queues.get(releaser.store)
    return 0 if known is None else known.bytes(len(releaser.tasks))


def predicted_basic_flash(
    system: System,
    releasers: Sequence[Releaser],
    costs: BasicSizes,
    queues: Mapping[str, QueueCosts],
) -> Fraction:
    """Bytes of flash of `releasers` of `system`, all tasks of which are basic."""
    tables = sum(basic_constants(system, one) for one in releasers if streams(system, one.tasks))
    return _whole(basic_parts(system, releasers), costs) + tables + _queue_code(releasers, queues)


def predicted_basic_variables(
    system: System, releasers: Sequence[Releaser], costs: BasicSizes
) -> Fraction:
    """The same of variables."""
    ram = sum(basic_ram(system, one) for one in releasers if streams(system, one.tasks))
    return _whole(basic_parts(system, releasers), costs) + ram


def _whole(parts: Mapping[str, int], costs: ThreadSizes | BasicSizes) -> Fraction:
    return sum((getattr(costs, name) * count for name, count in parts.items()), Fraction(0))


def _queue_code(releasers: Sequence[Releaser], queues: Mapping[str, QueueCosts]) -> Fraction:
    """Bytes of the code of other queues than the sorted list, each once."""
    stores = {one.store for one in releasers} & {*QUEUES} & {*queues}
    return sum((queues[store].rom for store in stores), Fraction(0))


def _rounded(value: Fraction) -> str:
    return f"{round(value, -2).numerator:,}"
