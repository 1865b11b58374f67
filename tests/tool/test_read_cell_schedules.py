# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables in timer cells, as system.toml has them; their cells and groups; and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horolog.analyse import lines_of
from horolog.data import data_root
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

[[table]]
name = "combustion"
kind = "schedule"
counter = "cells"
round = "1 ms"
point = [
    { offset = "0.25 ms", activate = ["inject"] },
    { offset = "0.5 ms", activate = ["report", "inject"], set = [{ event = "engine", flags = 4 }] },
    { offset = "0.75 ms", activate = ["ignite"] },
]

[[table]]
name = "last"
kind = "schedule"
counter = "cells"
round = "2 ms"
repeating = false
point = [{ offset = "2 ms", activate = ["report"] }]
"""


def read(folder: Path, text: str = TEXT, *, board: str | None = None) -> System:
    (folder / "engine.c").write_text(
        "void begin(void) {}\nHRL_EVENT_DEFINE(engine);\n", encoding="utf-8"
    )
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
        "HRLI_CELL_TABLE(table_combustion, 61u, 3u, HRLP_TIMER_CELLS_FORGET(61u), 1u, 50000u, true, false"
        in text
    )
    assert "HRLI_SERVE_CELL_TABLE_END(table_last)" in text
    assert all(system.task(task).limit == 1 for task in system.sporadic_basic)


def test_sources_find_tables_and_what_they_activate_in_one_header(tmp_path: Path) -> None:
    system = read(tmp_path)
    header = generate(system, plan(system).choice)["hrl_gen_tables.h"]
    for line in (
        "#include <hrl/cell_table.h>",
        "extern struct hrl_cell_table table_combustion;",
        "extern struct hrl_semaphore activate_report;",
        "extern const struct hrl_basic basic_inject;",
        "extern struct hrl_event engine;",
    ):
        assert line in header
    assert "ignite" not in header  # its cell is the task: nothing else activates it
    assert "counter_clock" not in header


def test_a_gap_follows_from_the_points_of_the_only_table(tmp_path: Path) -> None:
    text = TEXT.replace('min_gap = "1 ms"\npriority = 6', "priority = 6")
    system = read(tmp_path, text.replace('"0.75 ms", activate', '"0.75 ms", activate'))
    (ignite,) = (one for one in system.sporadic if one.task.name == "ignite")
    assert ignite.task.period == ignite.task.deadline == Fraction(1, 1000)
    assert "several tables activate" in refused(
        tmp_path, ('min_gap = "1 ms"\npriority = 4', "priority = 4")
    )


def test_the_example_has_its_tables_on_any_board() -> None:
    path = data_root() / "examples" / "cold-start" / "system.toml"
    for board, kind in (("ibex-cells", "cell"), ("mps2-an385", "schedule")):
        system = read_system(path, board=board)
        made = generate(system, plan(system).choice)["hrl_gen_tables.h"]
        for name in ("cold", "warm"):
            assert f"extern struct hrl_{kind}_table table_{name};" in made


def test_where_cells_have_no_groups_the_clock_drives_the_table(tmp_path: Path) -> None:
    text = TEXT.replace("start =", 'timeouts = "cell0"\nstart =')
    system = read(tmp_path, text, board="mps2-an385")
    assert not system.cell_schedules
    assert [table.name for table in system.clock_schedules] == ["combustion", "last"]
    assert system.cell_tasks == {}
    made = generate(system, plan(system).choice)
    assert (
        "HRLI_SCHEDULE_TABLE(last, clock, 50000u, false, HRL_SYNC_NONE, 0u)"
        in made["hrl_gen_system.c"]
    )
    assert "extern struct hrl_schedule_table table_last;" in made["hrl_gen_tables.h"]
    followed = text.replace('round = "1 ms"', 'round = "1 ms"\nfollowed = true')
    assert len(read(tmp_path, followed, board="mps2-an385").clock_schedules) == 2


def test_cells_without_groups_need_one_for_time_outs(tmp_path: Path) -> None:
    with pytest.raises(HorologError) as caught:
        read(tmp_path, board="mps2-an385")
    assert "goes by the clock, as the board's cells have no groups; that needs the cell" in str(
        caught.value
    )


def test_the_old_section_is_told_what_to_write(tmp_path: Path) -> None:
    text = TEXT.replace(
        '[[table]]\nname = "last"\nkind = "schedule"\ncounter = "cells"',
        '[[cell_table]]\nname = "last"',
    )
    with pytest.raises(HorologError) as caught:
        read(tmp_path, text)
    assert str(caught.value).replace(f"{tmp_path}/", "") == (
        "system.toml:46:1: cell_table: tables in timer cells are schedule tables now, of a counter that is "
        "called cells\n"
        "  found:    [[cell_table]]\n"
        '  expected: [[table]] with kind = "schedule" and counter = "cells", and points by ascending '
        "offsets; in C table_NAME of hrl_gen_tables.h, and hrl_schedule_table_start_relative and so on"
    )


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"0.25 ms"', '"0.25001 ms"', "no whole number of the clock's counts"),
        ('round = "1 ms"', 'round = "1.00001 ms"', "no whole number of the clock's counts"),
        ('round = "1 ms"', 'round = "30 s"', "is too long for its counter"),
        ('"0.75 ms"', '"1 ms"', "lies behind its round"),
        ('offset = "2 ms"', 'offset = "3 ms"', "lies behind its round"),
        ('"0.25 ms"', '"0.5 ms"', "does not come behind the one before"),
        ('["ignite"]', '["ignites"]', 'activates no task; did you mean "ignite"?'),
        ('["ignite"]', '["log"]', "which has no period of its own"),
        ('["ignite"]', '["ignite", "ignite"]', 'activates "ignite" twice'),
        (', activate = ["ignite"]', "", "does nothing"),
        ('"0.25 ms"', '"0.4 ms"', 'activates "inject" more often than it may be'),
        (
            '"1 ms"\npriority = 6',
            '"2 ms"\npriority = 6',
            "min_gap = 2 ms, and points that are 1 ms apart",
        ),
        ('name = "last"', 'name = "combustion"', 'the table name "combustion" is taken'),
        ("work = 100", 'body = "table_last"', "have one name in C: table_last"),
        ('round = "1 ms"', 'round = "1 ms"\nsync = "explicit"', "which follow no global time"),
        (
            'round = "1 ms"',
            'round = "1 ms"\nautostart = { relative = "1 ms" }',
            "hrl_schedule_table_start_relative(&table_combustion, ...) in a task",
        ),
        ('event = "engine"', 'event = "engin"', "sets an event that no source names"),
        ('counter = "cells"', 'counter = "cell"', 'no counter "cell"; did you mean "cells"?'),
        (
            'counter = "cells"',
            'counter = "clock"\nfollowed = true',
            'another table may follow the table "combustion" anyway',
        ),
        ("flags = 4", "flags = 0", "too small"),
        (
            "start =",
            f"cells = {[f'cell{at}' for at in range(60)]}\nstart =".replace("'", '"'),
            "4 are free",
        ),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert said in refused(tmp_path, (old, new))
