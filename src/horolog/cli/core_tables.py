# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What several commands say of each core of a system of several: which tasks, which cells, how busy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from horolog.analyse import all_digits
from horolog.cli import plain_table, right
from horolog.figures import first_names, numbered, plural
from horolog.model import CorePlan, System, Task

if TYPE_CHECKING:
    from horolog.responses import CoreBounds

__all__ = ["core_heading", "core_objects", "core_table"]

_MOST_NAMES = 4


def core_table(system: System, plans: Sequence[CorePlan]) -> Table:
    """A row for each core. `system` is that of the description, where the plan may have to choose cores."""
    table = plain_table(
        "core", *right("tasks", "divided by the plan", "utilisation", whole=True), "cells", ""
    )
    chosen = {index for index, task in enumerate(system.all_tasks) if task.core is None}
    for one in plans:
        tasks = one.system.all_tasks
        table.add_row(
            str(one.core),
            str(len(tasks)),
            str(len(chosen.intersection(one.part.tasks))),
            _utilisation(one.system),
            numbered(one.system.cells),
            escape(", ".join(first_names(_entries(tasks), _MOST_NAMES))),
        )
    return table


def core_heading(one: CorePlan) -> str:
    """A line over what follows about a core."""
    tasks = plural(len(one.part.tasks), "task")
    return f"core {one.core}: {tasks}, utilisation {_utilisation(one.system)}"


def core_objects(
    system: System, plans: Sequence[CorePlan], bounds: Sequence[CoreBounds]
) -> list[dict[str, Any]]:
    """The same for programs, with the verdict on the deadlines of each core."""
    return [
        {
            "core": one.core,
            "tasks": [task.name for task in one.system.all_tasks],
            "divided": [
                system.task(task).name for task in one.part.tasks if system.task(task).core is None
            ],
            "cells": list(one.system.cells),
            "utilisation": float(one.system.utilisation),
            "utilisation_exact": all_digits(one.system.utilisation),
            "deadlines": None if found.deadlines is None else found.deadlines.to_data(),
        }
        for one, found in zip(plans, bounds, strict=True)
    ]


def _utilisation(system: System) -> str:
    least = "at least " if any(task.wcet is None for task in system.tasks) else ""
    return f"{least}{100 * float(system.utilisation):.2f} %"


def _entries(tasks: Sequence[Task]) -> list[str]:
    """The names of tasks; those of one group together, by its name and their number."""
    counts: dict[str, int] = {}
    for task in tasks:
        counts[task.entry] = counts.get(task.entry, 0) + 1
    return [name if count == 1 else f"{name} ({count})" for name, count in counts.items()]
