# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what execution budgets that hold cost (plan/prices/budget_costs.py).

Each figure is the difference of two runs of the same basic tasks by the same plan, with budgets and without.
What stands in front of the body is found by the responses, as it delays the body's end; of all jobs the
largest difference counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.calibrate.stores import MakeSystem, Run, Spec
from horolog.model import BudgetCells, Cell, Mode, Plan, System
from horolog.plan.choice import plan
from horolog.plan.prices.budget_costs import BudgetCosts
from horolog.plan.prices.costs import NOTHING

__all__ = ["calibrate_budgets"]

_MS = Fraction(1, 1000)
_TWO = (Spec(8 * _MS, priority=1), Spec(8 * _MS, 2 * _MS, priority=2))
_THREE = (*_TWO, Spec(8 * _MS, 2 * _MS, priority=3))
_SAME = (Spec(8 * _MS, priority=1), Spec(8 * _MS, 2 * _MS, priority=1))


def calibrate_budgets(make: MakeSystem, run: Run) -> dict[tuple[str, str], BudgetCosts]:
    """By the way and the device of the cell; none where the port has no budgets. `make` gives basic tasks."""
    board = make("budgets", _TWO).board
    if not board.port.redirects or len(board.cells) < 2:
        return {}
    measure = _Measure(make, run)
    if board.port.follows:
        able = [cell for cell in board.cells if cell.groups]
        cells = able[-2:]
        device = cells[0].device
        return {
            ("own", device): measure.own(_TWO, cells, "gcd"),
            ("own-line", device): measure.own(_SAME, cells, "gcd", lines=1),
            ("own-alone", device): measure.own(_TWO, cells, "sloth"),
        }
    found: dict[tuple[str, str], BudgetCosts] = {}
    for cell in board.cells[1:]:
        alone = board.has_own_interrupt(cell)
        if Mode.ONE_SHOT in cell.modes and alone and ("shared", cell.device) not in found:
            found["shared", cell.device] = measure.shared(cell)
    return found


@dataclass(frozen=True, slots=True)
class _Ran:
    """What a run came to, in the board's steps."""

    kernel: int
    jobs: int
    interrupts: int
    most: Mapping[str, Fraction]  # responses, by the task's name
    mean: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class _Measure:
    make: MakeSystem
    run: Run

    def own(
        self, specs: Sequence[Spec], cells: Sequence[Cell], mechanism: str, lines: int | None = None
    ) -> BudgetCosts:
        """With a cell for each task."""
        most = max(cell.groups for cell in cells)
        groups = tuple(range(most, most - len(specs), -1))
        given = BudgetCells(tuple(cell.name for cell in cells), each=True, groups=groups)
        title = f"budgets that hold, a cell for each, {mechanism}" + (", one line" if lines else "")
        system = self._system(title, specs, given, lines)
        without, held = self._both(title, system, mechanism, range(len(specs)))
        return self._job(without, held, [task.name for task in system.tasks], held.jobs)

    def shared(self, cell: Cell) -> BudgetCosts:
        """With `cell` for all."""
        given = BudgetCells((cell.name,))
        title = f"budgets that hold by {cell.name}"
        high = self._system(f"{title}, of the highest task", _TWO, given)
        without, held = self._both(high.name, high, "gcd", [1])
        job = self._job(without, held, ["task.1"], held.jobs // 2)
        each = job.before + job.after
        # The lowest has a budget, and nothing comes into its jobs: the others look. More interrupts do,
        # and then more lines at those that release.
        low = self._looking(f"{title}, of the lowest task", _TWO, cell, "gcd", each)
        ticking = self._looking(f"{title}, of the lowest task, a tick", _TWO, cell, "tick", each)
        three = self._looking(f"{title}, of the lowest of three tasks", _THREE, cell, "gcd", each)
        look = (ticking[0] - low[0]) / (ticking[1] - low[1])
        look_line = (three[0] - low[0]) / low[2]
        look_release = (low[0] - look * low[1] - look_line * low[2]) / (2 * low[2])
        # And now each of its jobs is preempted: by interrupts, and by the line of another task.
        title = f"{title}, of a task that is preempted"
        system = self._system(title, _TWO, given)
        low_task = system.tasks[0]
        turns = int(low_task.period * Fraction(3, 8) * 10**9 / system.board.work_ns)
        longer = replace(low_task, work=turns, wcet=turns * Fraction(system.board.work_ns, 10**9))
        system = replace(system, tasks=(longer, *system.tasks[1:]))
        plain, held = self._both(title, system, "gcd", [0])
        more = held.kernel - plain.kernel - each * (held.jobs // 2)
        more -= look * held.interrupts + (2 * look_release + look_line) * (held.jobs // 2)
        # An interrupt of the cell and one of the line come into each.
        pause = more / (2 * (held.jobs // 2))
        return replace(job, look=look, look_release=look_release, look_line=look_line, pause=pause)

    def _looking(
        self, title: str, specs: Sequence[Spec], cell: Cell, mechanism: str, job: Fraction
    ) -> tuple[Fraction, int, int]:
        """What a budget of the lowest task adds beside its jobs, the interrupts, and the jobs of a task."""
        system = self._system(title, specs, BudgetCells((cell.name,)))
        plain, looking = self._both(title, system, mechanism, [0])
        jobs = looking.jobs // len(specs)
        return looking.kernel - plain.kernel - job * jobs, looking.interrupts, jobs

    def _system(
        self, title: str, specs: Sequence[Spec], cells: BudgetCells, lines: int | None = None
    ) -> System:
        system = self.make(title, specs)
        others = tuple(cell.name for cell in system.board.cells if cell.name not in cells.names)
        board = system.board
        if lines is not None and board.controller is not None:
            few = replace(board.controller, lines=board.controller.lines[:lines])
            board = replace(board, controller=few)
        return replace(system, board=board, cells=others, budget_cells=cells)

    def _both(
        self, title: str, system: System, mechanism: str, budgeted: Sequence[int]
    ) -> tuple[_Ran, _Ran]:
        """Without budgets, and with those of the tasks `budgeted`."""
        some = [
            replace(task, budget=task.period / 2) if at in budgeted else task
            for at, task in enumerate(system.tasks)
        ]
        without = replace(system, budget_cells=None)
        given = system.budget_cells
        if given is not None and given.each:
            number = len(budgeted)
            given = replace(given, names=given.names[:number], groups=given.groups[:number])
        held = replace(system, tasks=tuple(some), budget_cells=given)
        chosen = plan(without, mechanism=mechanism, prices=NOTHING).choice
        return self._ran(f"{title}, none", without, chosen), self._ran(title, held, chosen)

    def _ran(self, title: str, system: System, chosen: Plan) -> _Ran:
        name = title.replace(" ", "-").replace(",", "").replace(":", "")
        side = self.run(title, replace(system, name=name), chosen)
        lasts = system.board.runner.ns_per_step
        assert lasts is not None
        return _Ran(
            side.counted.kernel,
            side.jobs,
            side.interrupts.taken,
            {task: one.max_ns / lasts for task, one in side.response.items()},
            {task: one.mean_ns / lasts for task, one in side.response.items()},
        )

    def _job(self, without: _Ran, held: _Ran, names: Sequence[str], jobs: int) -> BudgetCosts:
        each = Fraction(held.kernel - without.kernel, jobs)
        most = max((held.most[name] - without.most[name] for name in names), default=Fraction(0))
        mean = sum((held.mean[name] - without.mean[name] for name in names), Fraction(0))
        return BudgetCosts(most, each - mean / len(names))
