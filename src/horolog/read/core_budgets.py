# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets on several cores: each core counts those of its tasks, by cells of its own."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.figures import plural
from horolog.model import HorologError, Kind, System, budget_cells_of, parts_of, undivided
from horolog.read.budgets import order_problems
from horolog.read.document import Document
from horolog.read.schema import SystemFile

__all__ = ["core_budget_problems"]


def core_budget_problems(
    document: Document, file: SystemFile, system: System
) -> Iterator[HorologError]:
    """Budgets that no cells of their cores count, and tasks below threads of their cores."""
    at = {table.name: at for at, table in enumerate(file.task)}
    places = {
        name: document.place("task", index, "budget")
        for name, index in at.items()
        if file.task[index].budget is not None
    }
    if system.cores == 1 or not places:
        return
    first = next(iter(places))
    left = undivided(system)
    if not system.board.port.follows:
        yield HorologError(
            f'the board "{system.board.name}" counts no budgets on several cores',
            place=places[first],
            found=f"the port {system.board.arch}, where no cell counts by itself while its task runs",
            expected="no budget, or a board with groups of cells, such as ibex-cells-x2",
        )
    elif left:
        yield HorologError(
            f'"{first}" has a budget, and the plan is to choose the core of "{system.task(left[0]).name}"',
            place=places[first],
            found=f"{plural(len(left), 'task')} without a core of {'its' if len(left) == 1 else 'their'} own",
            expected="core = N of each task, in a system with budgets on several cores",
        )
    else:
        for part in parts_of(system):
            alone = part.system
            names = [task.name for task in alone.tasks if task.budget is not None]
            cells = [cell for cell in alone.board.cells if cell.name in system.cells]
            kinds = {task.kind for task in alone.all_tasks}
            beside = len(kinds) if Kind.THREAD in kinds else 1
            most = min(len(cells) - beside, max((cell.groups for cell in cells), default=0))
            if names and (budget_cells_of(cells, len(names)) is None or len(names) > most):
                yield HorologError(
                    f"budgets of core {part.core} need {plural(len(names), 'cell')}, each in a group of its "
                    "own",
                    place=places[names[max(0, most)]],
                    found=f"{plural(len(cells), 'cell')} of that core, of which its tasks need {beside}",
                    expected=f"at most {plural(max(0, most), 'budget')} there, or more of its cells in cells",
                )
            else:
                yield from order_problems(alone)
