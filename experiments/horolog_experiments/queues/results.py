# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What was measured, as data: rows, what follows from them, and the file that keeps them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from typing import Any

from horolog.calibrate.workloads import OPERATIONS, Case
from horolog_experiments.harness import plain_value, text_of, typed
from horolog_experiments.queues.cases import ORDERS

__all__ = [
    "Results",
    "Row",
    "SystemRow",
    "Whole",
    "measured_from",
    "measured_text",
    "rows_of",
]


@dataclass(frozen=True, slots=True)
class Row:
    """What one operation of one queue cost in one family, in instructions; `total` over all calls.

    `by_order`: in the family `worst`, the dearest call under each of ORDERS; else empty.
    """

    queue: str
    level: str
    family: str
    tasks: int
    operation: str
    calls: int
    best: int
    worst: int
    total: int
    by_order: tuple[int, ...] = ()

    @property
    def average(self) -> Fraction:
        """Instructions a call."""
        return Fraction(self.total, self.calls)

    @property
    def dearest_orders(self) -> tuple[str, ...]:
        """The orders of keys under which the dearest call was seen."""
        return tuple(
            order for order, most in zip(ORDERS, self.by_order, strict=False) if most == self.worst
        )


@dataclass(frozen=True, slots=True)
class SystemRow:
    """One kernel with one queue running a whole system, by ADR 0009.

    `queue` is None for FreeRTOS. `kernel`, `bodies` and `total` are instructions while counting;
    `refused` says why there is no ratio to FreeRTOS's. Of a system that was never idle again nothing is
    known but that: all its figures are 0.
    """

    queue: str | None
    tasks: int
    jobs: int
    deadline_misses: int
    overruns: int
    interrupts: int
    kernel: int
    bodies: int
    total: int
    refused: str | None = None

    @property
    def overloaded(self) -> bool:
        """Whether the system was never idle again."""
        return self.jobs == 0

    @property
    def per_job(self) -> Fraction | None:
        """Kernel instructions for each job; None if overloaded."""
        return Fraction(self.kernel, self.jobs) if self.jobs else None

    @property
    def overhead_percent(self) -> Fraction | None:
        """The kernel's share of all instructions, idle included; None if overloaded."""
        return Fraction(100 * self.kernel, self.total) if self.total else None


@dataclass(frozen=True, slots=True)
class Whole:
    """The whole-system points: `windows_s` by number of tasks; `missing`: why FreeRTOS is not there."""

    rows: tuple[SystemRow, ...] = ()
    mechanism: str = ""
    windows_s: tuple[tuple[int, int], ...] = ()
    freertos: str | None = None  # its version
    missing: str | None = None

    @property
    def sizes(self) -> list[int]:
        """The numbers of tasks measured, ascending."""
        return sorted({row.tasks for row in self.rows})

    def row(self, queue: str | None, tasks: int) -> SystemRow:
        """The one row; KeyError if it was not measured."""
        for row in self.rows:
            if (row.queue, row.tasks) == (queue, tasks):
                return row
        raise KeyError((queue, tasks))

    def ratio(self, queue: str, tasks: int) -> Fraction | None:
        """FreeRTOS's kernel instructions for each of Horolog's; None if refused or not measured."""
        ours = self.row(queue, tasks)
        if ours.refused is not None or all(row.queue is not None for row in self.rows):
            return None
        return Fraction(self.row(None, tasks).kernel, ours.kernel)


@dataclass(frozen=True)
class Results:
    """All rows; RAM beside the nodes and ROM by level, in bytes, for 1,500 nodes; what they hold for."""

    rows: tuple[Row, ...]
    ram: Mapping[str, int]
    rom: Mapping[tuple[str, str], int]
    platform: str
    toolchain: str
    whole: Whole = Whole()

    @cached_property
    def _index(self) -> Mapping[tuple[str, str, int, str, str], Row]:
        return {(r.queue, r.family, r.tasks, r.operation, r.level): r for r in self.rows}

    def row(self, queue: str, family: str, tasks: int, operation: str, level: str = "O2") -> Row:
        """The one row; KeyError if it was not measured."""
        return self._index[queue, family, tasks, operation, level]

    def sizes(self, family: str) -> list[int]:
        """The numbers of tasks measured in `family`, ascending."""
        return sorted({row.tasks for row in self.rows if row.family == family})

    def per_job(self, queue: str, family: str, tasks: int, level: str = "O2") -> Fraction:
        """Insert, first and pop of one job, on average; first as often as it is called for a pop."""
        insert, first, pop = (self.row(queue, family, tasks, o, level) for o in OPERATIONS)
        return insert.average + pop.average + Fraction(first.total, pop.calls)

    def insertion(self, queue: str, family: str, tasks: int, level: str = "O2") -> Fraction:
        """Insert alone, on average."""
        return self.row(queue, family, tasks, "insert", level).average

    def worst_job(self, queue: str, family: str, tasks: int, level: str = "O2") -> Fraction:
        """The dearest insert, first and pop together, one of each."""
        return Fraction(sum(self.row(queue, family, tasks, o, level).worst for o in OPERATIONS))

    def crossover(
        self,
        queue: str,
        other: str,
        family: str,
        level: str = "O2",
        cost: Callable[[Results, str, str, int, str], Fraction] | None = None,
    ) -> int | None:
        """From which number of tasks measured on `queue` is never dearer than `other`; None: never.

        `cost` is one of the three methods above, unbound; by default a job's.
        """
        measure = Results.per_job if cost is None else cost
        found = None
        for tasks in reversed(self.sizes(family)):
            mine = measure(self, queue, family, tasks, level)
            if mine > measure(self, other, family, tasks, level):
                break
            found = tasks
        return found


def rows_of(
    queue: str,
    level: str,
    cases: Sequence[Case],
    calls: Mapping[tuple[int, str], tuple[int, int, int, int]],
) -> list[Row]:
    """One row an operation, family and number of tasks: the orders of the worst case are one row."""
    groups: dict[tuple[str, int, str], list[tuple[str, tuple[int, int, int, int]]]] = {}
    for index, case in enumerate(cases):
        for operation in OPERATIONS:
            if calls[index, operation][0]:
                key = case.family, case.tasks, operation
                groups.setdefault(key, []).append((case.order, calls[index, operation]))
    rows = []
    for (family, tasks, operation), found in groups.items():
        most = {order: counted[2] for order, counted in found}
        rows.append(
            Row(
                queue,
                level,
                family,
                tasks,
                operation,
                calls=sum(counted[0] for _, counted in found),
                best=min(counted[1] for _, counted in found),
                worst=max(most.values()),
                total=sum(counted[3] for _, counted in found),
                by_order=tuple(most.get(order, 0) for order in ORDERS) if family == "worst" else (),
            )
        )
    return rows


def measured_text(results: Results) -> str:
    """`results` as JSON, one row a line: what the page and the figures are made from."""
    whole = results.whole
    head = {
        "platform": results.platform,
        "toolchain": results.toolchain,
        "orders": list(ORDERS),
        "mechanism": whole.mechanism,
        "windows_s": whole.windows_s,
        "freertos": whole.freertos,
        "missing": whole.missing,
        "ram": plain_value(results.ram),
        "rom": plain_value(results.rom),
        "call": [field.name for field in fields(Row)],
        "system": [field.name for field in fields(SystemRow)],
    }
    rows = {"calls": plain_value(results.rows), "systems": plain_value(whole.rows)}
    return text_of(head, rows, separators=(",", ":"))


def measured_from(text: str) -> Results:
    """The results that `measured_text` wrote. ValueError if the orders of keys are not today's."""
    data: dict[str, Any] = json.loads(text)
    if data["orders"] != list(ORDERS):
        raise ValueError("measured with other orders of keys: run horolog bench queues again")
    whole = Whole(
        rows=typed(tuple[SystemRow, ...], data["systems"]),
        mechanism=data["mechanism"],
        windows_s=typed(tuple[tuple[int, int], ...], data["windows_s"]),
        freertos=data["freertos"],
        missing=data["missing"],
    )
    return Results(
        rows=typed(tuple[Row, ...], data["calls"]),
        ram=data["ram"],
        rom=typed(dict[tuple[str, str], int], data["rom"]),
        platform=data["platform"],
        toolchain=data["toolchain"],
        whole=whole,
    )
