# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets on several cores: each core counts those of its tasks, by cells of its own."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.figures import plural
from horolog.model import HorologError, Kind, Place, System, budget_cells_of, part_of, undivided
from horolog.read.budgets import order_problems
from horolog.read.document import Document
from horolog.read.schema import SystemFile

__all__ = ["core_budget_problems"]


def core_budget_problems(
    document: Document, file: SystemFile, system: System
) -> Iterator[HorologError]:
    """Budgets that no cells of their cores count, and tasks below threads of their cores.

    Tasks without a core may be on any, all of them: so whatever the plan chooses is right.
    """
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
    else:
        for core in range(system.cores_with_tasks):
            tasks = tuple(
                number
                for number, task in enumerate(system.all_tasks)
                if task.core == core or number in left
            )
            alone = part_of(system, core, tasks).system
            yield from _part_problems(core, alone, system, places, len(left))


def _part_problems(
    core: int, alone: System, system: System, places: dict[str, Place], left: int
) -> Iterator[HorologError]:
    """What is wrong with budgets of `core` with all that it can have: the plan places `left` tasks."""
    names = [task.name for task in alone.tasks if task.budget is not None]
    cells = [cell for cell in alone.board.cells if cell.name in system.cells]
    kinds = {task.kind for task in alone.all_tasks}
    beside = len(kinds) if Kind.THREAD in kinds else 1
    most = min(len(cells) - beside, max((cell.groups for cell in cells), default=0))
    if names and (budget_cells_of(cells, len(names)) is None or len(names) > most):
        where = f", where the plan may put {plural(left, 'task')}," if left else ""
        yield HorologError(
            f"budgets of core {core}{where} need {plural(len(names), 'cell')}, each in a group of its own",
            place=places[names[max(0, most)]],
            found=f"{plural(len(cells), 'cell')} of that core, of which its tasks need {beside}",
            expected=f"at most {plural(max(0, most), 'budget')} there, or more of its cells in cells"
            + (", or core = N of tasks with budgets" if left else ""),
        )
    else:
        yield from order_problems(alone)
