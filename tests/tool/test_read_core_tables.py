# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables on several cores: which core has one, with which cells, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.tool.core_boards import system_on

from horolog.cli.main import main
from horolog.divide import plans_for_cores
from horolog.emit import generated_for_cores
from horolog.model import HorologError, parts_of
from horolog.read import read_system

TASK = '[[task]]\nname = "{name}"\nwork = 100\n{core}\n'
TABLE = """
[[table]]
name = "round"
kind = "dispatcher"
round = "4 ms"
{keys}
[[table.point]]
offset = "0 ms"
activate = "sense"
deadline = "1 ms"
[[table.point]]
offset = "{second}"
activate = "sense"
deadline = "1 ms"
[[table.point]]
offset = "1 ms"
activate = "act"
deadline = "1 ms"
"""
MONITORED = 'deadline_monitoring = "stringent"\n'


def described(
    first: str = "core = 1", other: str = "core = 1", *, keys: str = MONITORED, second: str = "2 ms"
) -> str:
    """Two tasks on these cores, and a table of them."""
    tasks = TASK.format(name="sense", core=first) + TASK.format(name="act", core=other)
    return tasks + TABLE.format(keys=keys, second=second)


def refused(path: Path) -> str:
    with pytest.raises(HorologError) as caught:
        read_system(path)
    return str(caught.value)


def test_the_core_of_its_tasks_has_it(tmp_path: Path) -> None:
    path = system_on(tmp_path, core="0", more=described())
    first, second = (part.system for part in parts_of(read_system(path)))
    assert first.tables == ()
    assert first.monitored is None
    (table,) = second.tables
    assert [(point.task, second.tasks[point.task].name) for point in table.points] == [
        (1, "sense"),
        (2, "act"),
        (1, "sense"),
    ]
    assert table.deadline_cells is not None
    assert table.deadline_cells.each
    assert table.deadline_cells.names == ("cell62", "cell63")
    assert {*second.cells} == {f"cell{n}" for n in range(32, 62)}
    shown = CliRunner().invoke(main, ["check", str(path)])
    assert shown.exit_code == 0, shown.output
    assert "stringent deadline monitoring by a cell for each task (cell62, cell63)" in shown.stdout
    made = json.loads(CliRunner().invoke(main, ["check", str(path), "--json"]).stdout)
    assert made["tables"][0]["deadline_cells"] == ["cell62", "cell63"]


def test_names_have_the_numbers_of_the_whole(tmp_path: Path) -> None:
    found = plans_for_cores(read_system(system_on(tmp_path, core="0", more=described())))
    made = generated_for_cores(found.system, found.plans)
    one, other = (made.texts[f"hrl_gen_core_{core}.c"] for core in range(2))
    assert "deadline" not in one.lower()
    assert "HRLI_DEADLINE_TASKS(&hrl_gen_basic[0], &hrl_gen_basic[1])" in other
    assert re.findall(r"HRLI_OWN_DEADLINE\((\d+), \w+, (\w+), .*(hrl_gen_body_\d+)", other) == [
        ("5", "62u", "hrl_gen_body_5"),
        ("6", "63u", "hrl_gen_body_6"),
    ]
    assert re.findall(r"HRLI_SERVE_OWN_DEADLINE\((\d+), (\d+)", other) == [("5", "0"), ("6", "1")]
    assert sorted(re.findall(r"HRLI_WATCHED_ENTRY\(\w+, (\d+)", other)) == ["5", "6"]
    late = sorted(name for name in made.framed.values() if name.startswith("late_"))
    assert late == ["late_5", "late_6"]


def test_a_budget_beside_a_monitored_deadline(tmp_path: Path) -> None:
    more = described('core = 1\nbudget = "50 us"')
    found = plans_for_cores(read_system(system_on(tmp_path, core="0", more=more)))
    other = generated_for_cores(found.system, found.plans).texts["hrl_gen_core_1.c"]
    assert re.search(r"HRLI_COUNTED_ENTRY\(\w+, 5, .*, step_5, late_5, ", other)
    assert "HRLI_OWN_BUDGET(5, 0, hrlp_timer_cells, 61u" in other


@pytest.mark.parametrize(
    ("tasks", "macro"),
    [
        ("", r"HRLI_MONITORED_TASK\((\d+), \d+, (hrl_gen_body_\d+)\)"),
        ("one", r"HRLI_SINGLE_DEADLINE\((\d+), .*, (hrl_gen_body_\d+)\)"),
    ],
)
def test_deadlines_by_one_cell(tmp_path: Path, tasks: str, macro: str) -> None:
    keys = MONITORED + 'deadline_cell = "cell40"\n'
    more = described(keys=keys, second="2 ms" if tasks else "1500 us")
    if tasks:
        at = more.rindex("[[table.point]]")
        more = (more[:at]).replace(TASK.format(name="act", core="core = 1"), "")
    system = read_system(system_on(tmp_path, core="0", more=more))
    second = parts_of(system)[1].system
    assert second.tables[0].deadline_cells is not None
    assert second.tables[0].deadline_cells.names == ("cell40",)
    assert "cell40" not in second.cells
    found = plans_for_cores(system)
    other = generated_for_cores(found.system, found.plans).texts["hrl_gen_core_1.c"]
    of = [("5", "hrl_gen_body_5")] + ([] if tasks else [("6", "hrl_gen_body_6")])
    assert re.findall(macro, other) == of


def test_without_monitoring_it_takes_no_cell(tmp_path: Path) -> None:
    system = read_system(system_on(tmp_path, core="0", more=described(keys="")))
    second = parts_of(system)[1].system
    assert second.tables[0].deadline_cells is None
    assert len(second.cells) == 32


def test_tasks_of_two_cores(tmp_path: Path) -> None:
    said = refused(system_on(tmp_path, core="0", more=described(other="core = 0")))
    assert 'table.round: the table "round" has tasks of several cores, and belongs to one' in said
    assert 'found:    "act", which is on core 0, and "sense", on core 1' in said
    assert "expected: one core for all its tasks, as core = 0" in said


def test_the_plan_chooses_no_core_of_it(tmp_path: Path) -> None:
    auto = 'core = "auto"'
    said = refused(system_on(tmp_path, core="0", more=described(auto, auto)))
    assert (
        'the table "round" belongs to one core, and the plan is to choose that of "sense"' in said
    )
    assert "found:    no core of sense and act" in said
    assert "expected: core = N, the same one for each task of the table" in said
    silent = refused(system_on(tmp_path, core="0", more=described("", "")))
    assert 'the task "sense" does not say on which of 2 cores it runs' in silent
    there_is_none = refused(system_on(tmp_path, core="0", more=described("core = 2", "core = 2")))
    assert "there is no core 2" in there_is_none


def test_cells_of_that_core(tmp_path: Path) -> None:
    keys = MONITORED + 'deadline_cell = "cell3"\n'
    said = refused(system_on(tmp_path, core="0", more=described(keys=keys)))
    assert 'the cell "cell3" cannot monitor deadlines' in said
    assert "expected: one of cell32, cell33, ... or cell63" in said
    cores = 'cores = 2\ncells = ["cell0", "cell1", "cell2", "cell32", "cell33"]'
    said = refused(system_on(tmp_path, core="0", cores=cores, more=described()))
    assert "3 cells are needed, and 2 can be had" in said
    timeouts = 'cores = 2\ntimeouts = "cell31"'
    path = system_on(
        tmp_path, core="0", cores=timeouts, more=described(keys=keys.replace("3", "63"))
    )
    said = refused(path)
    assert 'the cell "cell63" cannot monitor deadlines, as it is for time-outs' in said


@pytest.mark.parametrize(
    ("more", "found"),
    [
        (described() + TABLE.format(keys="", second="2 ms").replace('"round"', '"other"'),
         "2 dispatcher tables"),
        (described(keys='start = "application"\n'), 'start = "application"'),
        (described(keys='sync = { strategy = "implicit" }\n'), "sync"),
    ],
)  # fmt: skip
def test_what_the_application_controls(tmp_path: Path, more: str, found: str) -> None:
    said = refused(system_on(tmp_path, core="0", more=more))
    assert "modes, a start by the application and a global time on a board of several" in said
    assert f"found:    {found}" in said
    assert "expected: one dispatcher table, which starts with the system" in said


def test_schedule_tables(tmp_path: Path) -> None:
    more = (
        TASK.format(name="opened", core="core = 1")
        + '[[table]]\nname = "plan"\nkind = "schedule"\ncounter = "clock"\nround = "10 ms"\n'
        'repeating = true\n[[table.point]]\noffset = "1 ms"\nactivate = ["opened"]\n'
    )
    cores = 'cores = 2\ntimeouts = "cell31"'
    said = refused(system_on(tmp_path, core="0", cores=cores, more=more))
    assert "schedule tables on a board of several cores: not yet supported" in said
    assert 'expected: a board of one core, or kind = "dispatcher"' in said
