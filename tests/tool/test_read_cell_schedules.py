# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables in timer cells, as system.toml has them; their cells and groups; and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.analyse import lines_of
from horolog.emit import generate
from horolog.model import HorologError, System
from horolog.plan import plan
from horolog.read import read_system

TEXT = """\
[system]
name = "engine"
board = "ibex-cells"
duration = "50 ms"
priorities = "explicit"
start = "begin"
sources = ["engine.c"]

[[task]]
name = "log"
period = "20 ms"
priority = 1
work = 100

[[task]]
name = "inject"
min_gap = "200 us"
priority = 5
kind = "basic"
work = 10

[[task]]
name = "ignite"
min_gap = "1 ms"
priority = 6
kind = "basic"
work = 10

[[task]]
name = "report"
min_gap = "1 ms"
priority = 4
work = 10

[[cell_table]]
name = "combustion"
round = "1 ms"
point = [
    { offset = "0.5 ms", activate = ["report", "inject"], set = [{ event = "engine", flags = 4 }] },
    { offset = "0.25 ms", activate = ["inject"] },
    { offset = "0.75 ms", activate = ["ignite"] },
]

[[cell_table]]
name = "last"
round = "2 ms"
repeating = false
point = [{ offset = "2 ms", activate = ["report"] }]
"""


def read(folder: Path, text: str = TEXT, *, board: str | None = None) -> System:
    (folder / "engine.c").write_text("void begin(void) {}\n", encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, board=board)


def refused(folder: Path, *changes: tuple[str, str]) -> str:
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.raises(HorologError) as caught:
        read(folder, text)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def test_each_point_has_a_cell_and_each_table_a_group(tmp_path: Path) -> None:
    system = read(tmp_path)
    first, last = system.cell_schedules
    assert (first.duration, first.repeats, first.has_end, first.group) == (50_000, True, False, 1)
    assert [point.offset for point in first.points] == [12_500, 25_000, 37_500]
    names = [[system.task(task).name for task in point.tasks] for point in first.points]
    assert names == [["inject"], ["report", "inject"], ["ignite"]]
    assert first.points[1].events == (("engine", 4),)
    assert first.cells == ("cell61", "cell62", "cell63")
    assert (last.repeats, last.has_end, last.group) == (False, True, 2)
    assert last.cells == ("cell59", "cell60")
    assert not {*first.cells, *last.cells} & {*system.cells}
    assert len(system.cells) == 59


def test_the_cells_of_a_table_lie_in_one_word(tmp_path: Path) -> None:
    points = ", ".join(f'{{ offset = "{at} us", activate = ["report"] }}' for at in range(30))
    text = TEXT.replace(
        'point = [{ offset = "2 ms", activate = ["report"] }]', f"point = [{points}]"
    )
    first, last = read(
        tmp_path, text.replace('"1 ms"\npriority = 4', '"1 us"\npriority = 4')
    ).cell_schedules
    assert first.cells[0] == "cell61"
    assert (last.cells[0], last.cells[-1]) == ("cell1", "cell31")


def test_a_basic_task_of_one_point_is_its_interrupt(tmp_path: Path) -> None:
    system = read(tmp_path)
    assert {system.task(task).name: cell for task, cell in system.cell_tasks.items()} == {
        "ignite": "cell63"
    }
    made = plan(system).choice
    cells = {system.task(line.tasks[0]).name: line.cell for line in lines_of(system, made)}
    assert cells == {"ignite": "cell63", "inject": None}
    text = generate(system, made)["hrl_gen_system.c"]
    assert (
        "HRLI_ALONE_ENTRY(Cell_Handler63, hrl_gen_body_2, HRL_GEN_FRAME_Cell_Handler63, 1)" in text
    )
    assert "HRLI_ACKNOWLEDGE(hrlp_timer_cells, 61u) HRLI_ACTIVATE_BASIC(inject)" in text
    assert (
        "HRLI_CELL_TABLE(combustion, 61u, 3u, HRLP_TIMER_CELLS_FORGET(61u), 1u, 50000u, true, false"
        in text
    )
    assert "HRLI_SERVE_CELL_TABLE_END(last)" in text
    assert all(system.task(task).limit == 1 for task in system.sporadic_basic)


def test_cells_without_groups_have_a_clock_counter(tmp_path: Path) -> None:
    text = TEXT.replace("start =", 'timeouts = "cell0"\nstart =')
    system = read(tmp_path, text, board="mps2-an385")
    assert [table.cells for table in system.cell_schedules] == [(), ()]
    assert system.cell_tasks == {}
    made = generate(system, plan(system).choice)["hrl_gen_system.c"]
    assert "HRLI_CELL_TABLES_CLOCK" in made
    assert (
        "HRLI_CELL_TABLE_BY_CLOCK(last, 50000u, false, HRL_EXPIRY_POINT(50000u, last_actions_0))"
        in made
    )


def test_cells_without_groups_need_one_for_time_outs(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="have no groups: a table needs a cell for time-outs"):
        read(tmp_path, board="mps2-an385")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"0.25 ms"', '"0.25001 ms"', "is no whole number of the clock's counts"),
        (
            'round = "1 ms"',
            'round = "1.00001 ms"',
            "is no whole number of the clock's counts",
        ),
        ('round = "1 ms"', 'round = "30 s"', "lasts too long"),
        ('"0.25 ms"', '"1 ms"', "lies behind its round"),
        ('offset = "2 ms"', 'offset = "3 ms"', "lies behind its round"),
        ('"0.25 ms"', '"0.5 ms"', "have one offset"),
        ('["ignite"]', '["ignites"]', 'activates no task; did you mean "ignite"?'),
        ('["ignite"]', '["log"]', 'activates "log", which something else does'),
        ('["ignite"]', '["ignite", "ignite"]', "activates a task twice"),
        (', activate = ["ignite"]', "", "does nothing"),
        ('"0.25 ms"', '"0.4 ms"', 'activates "inject" more often than it may be'),
        (
            '"1 ms"\npriority = 6',
            '"2 ms"\npriority = 6',
            "points that are 1 ms apart, and a min_gap of 2 ms",
        ),
        ('name = "last"', 'name = "combustion"', 'the table name "combustion" is taken'),
        ('name = "last"', 'name = "begin"', "have one name in C"),
        ('name = "last"', 'name = "hrl_last"', "is a name of the kernel"),
        ("flags = 4", "flags = 0", "too small"),
        (
            "start =",
            f"cells = {[f'cell{at}' for at in range(60)]}\nstart =".replace("'", '"'),
            "of 4 that are free",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in refused(tmp_path, (old, new))
