# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Estimates what a plan takes of the target's memory, and what its tables buy.

Flash and variables are known on boards with figures of them in costs.toml; tables and stacks always are, to
the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from horolog.analyse import is_basic, streams
from horolog.model import Kind, Plan, System
from horolog.model.memory import BoughtTable, MemoryEstimate
from horolog.plan.prices.costs import Prices
from horolog.plan.prices.size_costs import (
    freertos_bytes,
    predicted_basic_flash,
    predicted_basic_variables,
    predicted_flash,
    predicted_variables,
)
from horolog.plan.stores.basic_tables import basic_constants
from horolog.plan.stores.sizes import constant_bytes

__all__ = ["flash_of", "is_estimated", "memory_of", "table_bytes_of"]

_WORTH_SAYING = 256  # bytes of a table


def table_bytes_of(system: System, plan: Plan) -> int:
    """Bytes of read-only tables of all releasers.

    A cell that releases nothing periodically has none: the tables that a description states, of points or by
    the clock, are in no estimate.
    """
    return sum(
        basic_constants(system, one)
        if is_basic(system, one)
        else constant_bytes(system, one, one.store)
        for one in plan.releasers
        if streams(system, one.tasks)
    )


def is_estimated(system: System) -> bool:
    """Whether `system` has nothing but periodic tasks that their cells release, on one core."""
    others = system.uses_services or system.has_guards or system.schedules or system.cell_schedules
    return not (others or system.tables or system.cores > 1)


def flash_of(system: System, plan: Plan, prices: Prices) -> Fraction:
    """Bytes of flash by which plans of a `system` are compared: as estimated, or of the tables alone.

    What the system has beside its periodic tasks is not in it, and the same in all plans.
    """
    flash, _ = _sizes(system, system, plan, prices, "flash")
    return Fraction(table_bytes_of(system, plan)) if flash is None else flash


def memory_of(system: System, threads: System, plan: Plan, prices: Prices) -> MemoryEstimate:
    """What the `plan` of `threads` takes, which have the tasks of `system`; and FreeRTOS with a task each."""
    flash = their_flash = variables = their_variables = None
    if is_estimated(system):
        flash, their_flash = _sizes(system, threads, plan, prices, "flash")
        variables, their_variables = _sizes(system, threads, plan, prices, "variables")
    return MemoryEstimate(
        flash=flash,
        variables=variables,
        tables=table_bytes_of(threads, plan),
        stacks=sum(task.stack for task in threads.tasks if task.kind is Kind.THREAD),
        cells=len(plan.releasers),
        freertos_flash=their_flash,
        freertos_variables=their_variables,
        freertos_stacks=sum(task.stack for task in system.tasks),
        bought=tuple(_bought(threads, plan)),
    )


def _sizes(
    system: System, threads: System, plan: Plan, prices: Prices, memory: str
) -> tuple[Fraction | None, Fraction | None]:
    """What the plan takes of `memory`, flash or variables, and FreeRTOS; None where it is not known.

    What a system takes for more than periodic tasks that their cells release is not in it (is_estimated).
    """
    costs = prices.flash if memory == "flash" else prices.variables
    if costs is None:
        return None, None
    basic = [is_basic(threads, one) for one in plan.releasers]
    if not any(basic):
        predicted = predicted_flash if memory == "flash" else predicted_variables
        return predicted(threads, plan.releasers, costs.threads, prices.queues)
    theirs = freertos_bytes(len(system.tasks), costs.threads)
    if costs.basic is None or any(task.kind is Kind.THREAD for task in system.all_tasks):
        return None, theirs
    if memory == "flash":
        return predicted_basic_flash(threads, plan.releasers, costs.basic, prices.queues), theirs
    return predicted_basic_variables(threads, plan.releasers, costs.basic), theirs


def _bought(system: System, plan: Plan) -> Iterator[BoughtTable]:
    ns = system.board.runner.ns_per_step
    if ns is None:
        return
    for choice in plan.queues:
        own = next((one for one in choice.options if one.store == choice.store), None)
        if own is None or own.constants < _WORTH_SAYING:
            continue
        others = [one for one in choice.options if one.constants < own.constants and one.admissible]
        other = min(others, key=lambda one: one.per_second, default=own)
        if other.per_second > own.per_second:
            saves = 100 * (other.per_second - own.per_second) * Fraction(ns) / 10**9
            yield BoughtTable(choice.cell, choice.store, own.constants, other.store, saves)
