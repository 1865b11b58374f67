# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration of budgets and of tables' points, against made-up kernels whose costs are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.analyse import jobs_in
from horolog.calibrate.board import Experiments
from horolog.calibrate.budgets import calibrate_budgets
from horolog.calibrate.cell_points import calibrate_points
from horolog.calibrate.dispatched import calibrate_dispatched
from horolog.calibrate.expiries import calibrate_expiries
from horolog.model import Board, Plan, System
from horolog.model.result import CYCLES, INSTRUCTIONS, Instructions, Interrupts, Response, Side
from horolog.plan.prices.budget_costs import BudgetCosts
from horolog.plan.prices.expiry_costs import EXPIRY_STEPS
from horolog.read import read_board

BUDGET = BudgetCosts(*map(Fraction, (68, 18, 7, 8, 5, 44)))
EXPIRY = dict(zip(EXPIRY_STEPS, (378, 123, 43, 55, 179, 75, 37), strict=True))
IN_INTERRUPT = {**EXPIRY, "thread": 76, "basic": 60}
LATER = 21  # of the most urgent task's response: the switch to it
POINT = {"thread": 200, "basic": 150, "alone": 40, "event": 100}
FURTHER = {"thread": 400, "basic": 130, "event": 30}


def experiments(board: Board, folder: Path) -> Experiments:
    return Experiments(board, folder, lambda _: None)


def side(
    system: System, plan: Plan, kernel: Fraction | int, steps: dict[str, Fraction], jobs: int
) -> Side:
    """A side with so much of the kernel, and responses in the board's steps."""
    lasts, unit = system.board.runner.ns_per_step, system.board.runner.unit
    assert lasts is not None
    taken = plan.prediction.interrupts
    spent = Counter({"handler": int(kernel)})
    retired = None if unit == INSTRUCTIONS else 1
    return Side(
        mechanism=plan.mechanism,
        jobs=jobs,
        deadline_misses=0,
        overruns=0,
        interrupts=Interrupts(taken, taken, 0),
        instructions=Instructions(int(kernel) + 10_000, 4_000, 6_000, dict(spent), unit, retired),
        response={name: Response(*[of * lasts] * 3) for name, of in steps.items()},
    )


def budgeted(title: str, system: System, plan: Plan) -> Side:
    """A kernel with the costs BUDGET."""
    jobs, (releaser,) = jobs_in(system), plan.releasers[:1]
    kernel = Fraction(10_000 + 50 * plan.prediction.interrupts)
    cells = system.budget_cells
    for task in system.budgeted:
        kernel += jobs[task] * (BUDGET.before + BUDGET.after)
    if cells is not None and not cells.each and system.budgeted == (0,):
        assert releaser.level is not None
        above = sum(jobs[1:])
        kernel += plan.prediction.interrupts * BUDGET.look
        kernel += plan.prediction.required * BUDGET.look_release + above * BUDGET.look_line
        if (system.tasks[0].work or 0) > 10:
            kernel += 2 * jobs[0] * BUDGET.pause
    steps = {
        task.name: 500 + (BUDGET.before if at in system.budgeted else Fraction(0))
        for at, task in enumerate(system.tasks)
    }
    return side(system, plan, kernel, steps, sum(jobs))


def test_what_budgets_cost_is_found_with_one_cell_for_all(tmp_path: Path) -> None:
    found = calibrate_budgets(
        experiments(read_board("mps2-an385"), tmp_path)._basic_system, budgeted
    )
    assert found == {("shared", device): BUDGET for device in ("cmsdk-timer", "systick")}


def test_what_budgets_cost_is_found_with_a_cell_for_each(tmp_path: Path) -> None:
    found = calibrate_budgets(
        experiments(read_board("ibex-cells"), tmp_path)._basic_system, budgeted
    )
    own = BudgetCosts(BUDGET.before, BUDGET.after)
    assert found == {(way, "timer-cells"): own for way in ("own", "own-line", "own-alone")}


def test_a_board_without_budgets_has_no_price_of_them(tmp_path: Path) -> None:
    board = read_board("mps2-an385")
    few = replace(board, cells=board.cells[:1])
    assert calibrate_budgets(experiments(few, tmp_path)._basic_system, budgeted) == {}
    assert calibrate_expiries(experiments(few, tmp_path)._system, tabled, tmp_path) is None
    assert calibrate_points(experiments(board, tmp_path)._system, tabled, tmp_path) == {}


def tabled(title: str, system: System, plan: Plan) -> Side:
    """A kernel with the costs EXPIRY, of which IN_INTERRUPT delays the most urgent task."""
    every = 2 * system.board.clock.hz // 1000
    window = int(system.duration * system.board.clock.hz)
    kernel, response = Fraction(10_000), Fraction(0)
    due = [table for table in system.schedules if table.duration == every]
    listed = len(system.schedules) - 1
    for costs, in_kernel in ((EXPIRY, True), (IN_INTERRUPT, False)):
        if not due:
            continue
        (point,) = due[-1].points
        apart = point.offset != 0
        each = costs["interrupt"] + listed * costs["listed"]
        each += (len(due) - 1) * costs["table"]
        each += sum(len(table.points[0].events) for table in due) * costs["event"]
        if not apart:
            each += len(due) * costs["round"]
        basic = any(one.is_basic for one in system.sporadic)
        each += len(point.tasks) * costs["basic" if basic else "thread"]
        if in_kernel:
            first = due[0].points[0].offset + (due[0].autostart.steps if due[0].autostart else 0)
            rounds = len(range(first, window, every))
            kernel += rounds * (each + (costs["interrupt"] if apart else 0))
        else:
            response = each + LATER + Fraction(10 * system.board.work_ns, 32)
    steps = {"urgent": response} if system.sporadic else {}
    return side(system, plan, kernel, steps, sum(jobs_in(system)))


def test_what_points_by_the_clock_cost_is_found(tmp_path: Path) -> None:
    found = calibrate_expiries(
        experiments(read_board("mps2-an385"), tmp_path)._system, tabled, tmp_path
    )
    assert found is not None
    assert set(found.steps) == set(EXPIRY_STEPS)
    for name in EXPIRY_STEPS:
        more = LATER if name == "interrupt" else 0
        assert found.typical(name) == EXPIRY[name], name
        assert found.most(name) == IN_INTERRUPT[name] + more, name


def in_cells(title: str, system: System, plan: Plan) -> Side:
    """A kernel with the costs POINT and FURTHER."""
    (table,) = system.cell_schedules
    kernel = Fraction(10_000)
    if table.duration == 2 * system.board.clock.hz // 1000:
        rounds = int(system.duration * 500)
        basic = any(one.is_basic for one in system.sporadic)
        kind = "basic" if basic else "thread" if system.sporadic else "event"
        number = len(system.sporadic) or len(table.points[0].events)
        first = "alone" if basic and len(table.points) == 1 else kind
        each = POINT[first] + (number - 1) * FURTHER[kind]
        kernel += rounds * len(table.points) * each
    return side(system, plan, kernel, {}, sum(jobs_in(system)))


def test_what_points_in_cells_cost_is_found(tmp_path: Path) -> None:
    found = calibrate_points(
        experiments(read_board("ibex-cells"), tmp_path)._system, in_cells, tmp_path
    )
    assert found == POINT | {f"further_{kind}": cost for kind, cost in FURTHER.items()}


@pytest.mark.parametrize("unit", [INSTRUCTIONS, CYCLES])
def test_all_steps_have_a_meaning(unit: str) -> None:
    from horolog.calibrate.costs_text import budget_lines
    from horolog.plan.prices.budget_costs import BUDGET_MEANING

    assert tuple(BUDGET_MEANING) == tuple(field.name for field in fields(BudgetCosts))
    lines = budget_lines({("shared", "systick"): BUDGET}, unit)
    assert lines[1] == f"[budget.shared.systick]  # {unit}"
    assert len(lines) == 2 + len(BUDGET_MEANING)


def dispatched(title: str, system: System, plan: Plan) -> Side:
    """A kernel that takes 40 more for each point of controlled tables, and 70 for each monitored job."""
    jobs = sum(jobs_in(system))
    kernel = 10_000 + 50 * plan.prediction.interrupts
    kernel += 40 * plan.prediction.interrupts * (system.control is not None)
    kernel += 70 * jobs * (system.monitored is not None)
    return side(system, plan, kernel, {}, jobs)


@pytest.mark.parametrize(
    ("board", "devices"),
    [("mps2-an385", ["cmsdk-timer", "systick"]), ("ibex-cells", ["timer-cells"])],
)
def test_what_controlled_tables_cost_is_found(
    board: str, devices: list[str], tmp_path: Path
) -> None:
    points, moving = calibrate_dispatched(read_board(board), dispatched, tmp_path)
    assert points == dict.fromkeys(devices, 40)
    assert moving == dict.fromkeys(devices, 70)
