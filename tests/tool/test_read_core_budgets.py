# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Budgets on several cores: whose cells count them, and what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.tool.core_boards import system_on

from horolog.cli.main import main
from horolog.divide import plans_for_cores
from horolog.emit import generated_for_cores
from horolog.model import HorologError, parts_of, undivided
from horolog.read import read_system
from horolog.read.core_budgets import core_budget_problems
from horolog.read.document import read_document
from horolog.read.schema import SystemFile
from horolog.read.validation import validate

TASK = """
[[task]]
name = "{name}"
kind = "basic"
period = "{period}"
work = 100
budget = "50 us"
core = {core}
"""


def task(name: str, core: int | str, period: str = "1 ms") -> str:
    return TASK.format(name=name, core=core, period=period)


SOME = task("one", 0) + task("two", 1) + task("three", 1, "2 ms")


def refused(path: Path) -> str:
    with pytest.raises(HorologError) as caught:
        read_system(path)
    return str(caught.value)


def test_each_core_counts_its_own(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0", more=SOME)
    system = read_system(path)
    assert system.budget_cells is None
    first, second = (part.system for part in parts_of(system))
    assert first.budget_cells is not None
    assert second.budget_cells is not None
    assert (first.budget_cells.names, first.budget_cells.groups) == (("cell31",), (15,))
    assert second.budget_cells.names == ("cell62", "cell63")
    assert second.budget_cells.groups == (15, 14)
    assert {*second.cells} == {f"cell{n}" for n in range(32, 62)}
    done = CliRunner().invoke(main, ["check", str(path), "--json"])
    assert done.exit_code == 0, done.output
    budgets = json.loads(done.stdout)["budgets"]
    assert [(one["task"], one["cell"]) for one in budgets] == [
        ("one", "cell31"),
        ("two", "cell62"),
        ("three", "cell63"),
    ]
    shown = CliRunner().invoke(main, ["check", str(path)]).stdout
    assert (
        "core 1: budgets of two, three: counted by a cell for each task (cell62, cell63)" in shown
    )


def test_the_names_of_all_budgets_are_in_one_list(tmp_path: Path) -> None:
    found = plans_for_cores(read_system(system_on(tmp_path, core="0", more=SOME)))
    made = generated_for_cores(found.system, found.plans)
    common, one, other = (
        made.texts[f"hrl_gen_{name}.c"] for name in ("system", "core_0", "core_1")
    )
    assert '#include "budget_tasks.h"' in common
    assert common.count("extern const struct hrl_basic hrl_gen_basic_on_") == 2
    named = (
        "HRLI_BUDGET_TASKS(&hrl_gen_basic_on_0[0], &hrl_gen_basic_on_1[0], &hrl_gen_basic_on_1[1])"
    )
    assert named in common
    assert "HRLI_BUDGET_TASKS" not in one + other
    of = re.findall(r"HRLI_OWN_BUDGET\((\d+), (\d+), (\w+), (\w+)", one + other)
    cells = [("5", "0", "31u"), ("6", "1", "62u"), ("7", "2", "63u")]
    assert [(task, number, cell) for task, number, _, cell in of] == cells
    assert re.search(r"HRLI_COUNTED_ENTRY\(\w+, 5, hrl_gen_budgeted_5", one)
    assert re.search(r"BUDGET_HANDLER\(Cell_Handler62, 6, ", other)
    assert re.search(r"BUDGET_HANDLER\(Cell_Handler63, 7, ", other)


def test_without_budgets_there_is_no_list(tmp_path: Path) -> None:
    found = plans_for_cores(read_system(system_on(tmp_path, core="0")))
    text = generated_for_cores(found.system, found.plans).texts["hrl_gen_system.c"]
    assert "budget" not in text.lower()


def test_the_plan_divides_tasks_with_budgets(tmp_path: Path) -> None:
    """Each core could count them all, so whatever the plan chooses can be counted."""
    wcet = 'wcet = "20 us"'
    more = "".join(task(f"b{at}", '"auto"') for at in range(3)) + task("own", 1)
    path = system_on(tmp_path, core="0", more=more)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"work = \w+\n", rf"\g<0>{wcet}\n", text), encoding="utf-8")
    system = read_system(path)
    assert len(undivided(system)) == 3
    found = plans_for_cores(system)
    assert undivided(found.system) == ()
    counted = [part.system.budget_cells for part in parts_of(found.system)]
    on = [
        sum(task.core == core and task.budget is not None for task in found.system.tasks)
        for core in range(2)
    ]
    assert sum(on) == 4
    assert [0 if cells is None else len(cells.names) for cells in counted] == on
    made = generated_for_cores(found.system, found.plans).texts
    assert made["hrl_gen_core_0.c"].count("HRLI_OWN_BUDGET(") == on[0]
    assert made["hrl_gen_core_1.c"].count("HRLI_OWN_BUDGET(") == on[1]


def test_more_budgets_than_a_core_has_groups_if_the_plan_puts_all_there(tmp_path: Path) -> None:
    more = "".join(task(f"b{at}", '"auto"') for at in range(16))
    said = refused(system_on(tmp_path, core="0", more=more))
    assert (
        "task.b15.budget: budgets of core 0, where the plan may put 16 tasks, need 16 cells, each in a group"
        in said
    )
    assert (
        "expected: at most 15 budgets there, or more of its cells in cells, or core = N of" in said
    )


def test_a_task_below_threads_if_the_plan_puts_both_on_one_core(tmp_path: Path) -> None:
    path = system_on(tmp_path, core='"auto"', more=task("low", 1))
    text = path.read_text(encoding="utf-8").replace('"demo"', '"demo"\npriorities = "explicit"')
    for work, level in (("500", 5), ("5_000", 2), ("4_000", 4), ("100", 3)):
        text = text.replace(f"work = {work}\n", f"work = {work}\npriority = {level}\n", 1)
    path.write_text(text, encoding="utf-8")
    said = refused(path)
    assert '"low" has a budget, and threads are above it' in said
    assert 'found:    above it: "late.0"' in said


def test_more_budgets_than_a_core_has_groups(tmp_path: Path) -> None:
    more = "".join(task(f"b{number}", 1) for number in range(16))
    said = refused(system_on(tmp_path, core="0", more=more))
    assert "task.b15.budget: budgets of core 1 need 16 cells, each in a group of its own" in said
    assert "found:    32 cells of that core, of which its tasks need 2" in said
    assert "expected: at most 15 budgets there, or more of its cells in cells" in said


def test_cells_of_that_core(tmp_path: Path) -> None:
    cores = 'cores = 2\ncells = ["cell0", "cell1", "cell32", "cell33", "cell34"]'
    said = refused(system_on(tmp_path, core="0", cores=cores, more=SOME))
    assert "task.three.budget: budgets of core 1 need 2 cells" in said
    assert "expected: at most 1 budget there" in said


@pytest.mark.parametrize(("priority", "refuses"), [(1, True), (3, False)])
def test_a_task_below_threads_of_its_core(tmp_path: Path, priority: int, refuses: bool) -> None:
    path = system_on(tmp_path, core="0", more=task("low", 1))
    text = path.read_text(encoding="utf-8").replace('"demo"', '"demo"\npriorities = "explicit"')
    for work, level in (("500", 5), ("5_000", 2), ("4_000", 4), ("100", priority)):
        text = text.replace(f"work = {work}\n", f"work = {work}\npriority = {level}\n", 1)
    path.write_text(text, encoding="utf-8")
    if refuses:
        said = refused(path)
        assert '"low" has a budget, and threads are above it' in said
        assert 'found:    above it: "slow"' in said
    else:  # those of core 0 that are above it do not count
        assert read_system(path).budgeted == (5,)


def test_a_port_whose_cells_follow_no_line(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0", more=SOME)
    document, system = read_document(path), read_system(path)
    board = replace(system.board, port=replace(system.board.port, follows=False))
    file = validate(SystemFile, document)
    (said,) = core_budget_problems(document, file, replace(system, board=board))
    assert 'the board "cells-x2" counts no budgets on several cores' in str(said)
    assert "expected: no budget, or a board with groups of cells" in str(said)
