# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Odd systems with tables, budgets and counters, as a careless user writes them: each says what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import HorologError
from horolog.read import check, read_system

HEAD = """\
[system]
name = "t"
board = "mps2-an385"
duration = "100 ms"
{keys}
[[task]]
name = "log"
period = "20 ms"
work = 400
{low}
[[task]]
name = "a"
work = 100
{high}
"""
EXPLICIT = {
    "keys": 'priorities = "explicit"\ntimeouts = "timer1"\n',
    "low": "priority = 1\n",
    "high": 'priority = 5\nkind = "basic"\n',
}
NONE = {"keys": "", "low": "", "high": ""}


def dispatched(keys: str = "", point: str = "", system: str = "", task: str = "") -> str:
    head = HEAD.format(**NONE | {"keys": system, "high": task})
    return (
        f'{head}[[table]]\nname = "x"\nkind = "dispatcher"\nround = "5 ms"\n{keys}\n'
        f'point = [{{ offset = "1 ms", activate = "a"{point} }}]\n'
    )


def scheduled(keys: str = "", point: str = "") -> str:
    head = HEAD.format(**EXPLICIT)
    return (
        f'{head}[[table]]\nname = "x"\nkind = "schedule"\nround = "5 ms"\n{keys}\n'
        f'point = [{{ offset = "1 ms", activate = ["a"]{point} }}]\n'
    )


AGAIN = """\
[[table]]
name = "x"
kind = "dispatcher"
round = "5 ms"
mode = "n"
point = [{ offset = "1 ms", activate = "a" }]
"""
MONITORED = 'deadline_monitoring = "stringent"\n'
DEADLINE = ', deadline = "2 ms"'

ODD = {
    "no kind": (
        dispatched().replace('kind = "dispatcher"\n', ""),
        'system.toml:15:1: table.x.kind: "kind" is missing\n  expected: "dispatcher" or "schedule"',
    ),
    "a number as a kind": (
        dispatched().replace('kind = "dispatcher"', "kind = 5"),
        "system.toml:17:8: table.x.kind: not one of the choices\n"
        "  found:    5\n"
        '  expected: "dispatcher" or "schedule"',
    ),
    "a name for a point": (
        dispatched().replace('[{ offset = "1 ms", activate = "a" }]', '["a"]'),
        "system.toml:20:10: table.x.point[0]: has to be a table\n"
        '  found:    "a"\n'
        "  expected: a table in braces: { ... }",
    ),
    "a word for a start": (
        scheduled('autostart = "relative"'),
        "system.toml:24:13: table.x.autostart: has to be a table\n"
        '  found:    "relative"\n'
        "  expected: a table in braces: autostart = { ... }",
    ),
    "two dispatcher tables of one name": (
        dispatched('mode = "m"') + AGAIN,
        'system.toml:22:8: table.x.name: the table name "x" is taken\n'
        '  found:    "x" a second time\n'
        "  expected: a name of its own for each table",
    ),
    "tables of two kinds of one name": (
        dispatched()
        + '[[counter]]\nname = "c"\nmaximum = 9\n'
        + '[[table]]\nname = "x"\nkind = "schedule"\ncounter = "c"\nround = 5\n'
        + 'point = [{ offset = 1, set = [{ event = "e", flags = 1 }] }]\n',
        'system.toml:25:8: table.x.name: the table name "x" is taken\n'
        '  found:    "x" a second time\n'
        "  expected: a name of its own for each table",
    ),
    "a mode alone": (
        dispatched('mode = "m"'),
        'system.toml:19:8: table.x.mode: the table "x" has a mode, and there is no other to change to\n'
        '  found:    mode = "m"\n'
        '  expected: no mode; or another [[table]] with a mode of its own, or start = "application"',
    ),
    "a round too short for every cell": (
        dispatched().replace('"5 ms"', '"8 us"').replace('"1 ms"', '"0 ms"'),
        'system.toml:18:9: table.x.round: the points of "a" come too soon after one another for every cell\n'
        "  found:    8 us\n"
        "  expected: at least 10 us, which timer0 can time",
    ),
    "a job longer than the round": (
        dispatched().replace("work = 100\n", 'wcet = "6 ms"\nwork = 100\n'),
        "system.toml:13:8: task.a.wcet: the WCET is above the time to its next point\n"
        "  found:    6 ms, with a time to its next point of 5 ms\n"
        "  expected: at most 5 ms",
    ),
    "one cell for points and for deadlines": (
        dispatched(
            f'{MONITORED}start = "application"\npoint_cell = "dual0"\ndeadline_cell = "dual0"',
            DEADLINE,
        ),
        'system.toml:22:17: table.x.deadline_cell: the cell "dual0" is to have points and deadlines\n'
        '  found:    point_cell = "dual0" and deadline_cell = "dual0"\n'
        "  expected: two cells, or one of the two keys",
    ),
    "the cell for time-outs": (
        dispatched(f'{MONITORED}deadline_cell = "timer1"', DEADLINE, 'timeouts = "timer1"\n'),
        'system.toml:21:17: table.x.deadline_cell: the cell "timer1" cannot monitor deadlines, as it is for '
        "time-outs\n"
        '  found:    "timer1"\n'
        "  expected: one of timer0, dual0 or systick, which can be armed for one instant",
    ),
    "an event that is a word of C": (
        scheduled(point=', set = [{ event = "while", flags = 1 }]'),
        "system.toml:25:64: table.x.point[0].set[0].event: an event cannot have its name in C: while has a "
        "meaning in C\n"
        '  found:    "while"\n'
        "  expected: a name that is no word of C",
    ),
    "an event of the kernel's": (
        scheduled(point=', set = [{ event = "hrl_now", flags = 1 }]'),
        "system.toml:25:64: table.x.point[0].set[0].event: an event cannot have its name in C: hrl_now is a "
        "name of the kernel\n"
        '  found:    "hrl_now"\n'
        "  expected: a name that does not begin with hrl or HRL",
    ),
    "a task that nothing activates": (
        dispatched() + '[[task]]\nname = "b"\nwork = 9\n',
        'system.toml:21:1: task.b: "period" is missing\n'
        '  expected: period = "5 ms"; or min_gap, of a task that something else activates; or activated_by = '
        '"task NAME"; or server = "NAME", of one without a least gap; or a point of a [[table]] that '
        "activates "
        "it",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_odd_is_refused(name: str, tmp_path: Path) -> None:
    text, said = ODD[name]
    path = tmp_path / "system.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(HorologError) as caught:
        read_system(path)
    assert str(caught.value).replace(f"{tmp_path}/", "") == said


def found_in(folder: Path, text: str) -> dict[str, str]:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return {one.code: one.message for one in check(read_system(path))}


def test_what_is_implausible_is_noted(tmp_path: Path) -> None:
    sync = 'sync = { precision = "1 us", maximum_advance = "0 ms", maximum_retard = "9 ns" }'
    said = (
        'the table "x" follows a global time, and may be moved by no count: it is never corrected'
    )
    for text in (dispatched(sync, DEADLINE), scheduled('sync = "explicit"')):
        assert found_in(tmp_path, text)["no-correction"] == said
    moved = sync.replace('"9 ns"', '"1 us"')
    assert "no-correction" not in found_in(tmp_path, dispatched(moved, DEADLINE))
    assert found_in(tmp_path, dispatched(task='budget = "6 ms"'))["long-budget"] == (
        "a budget of 6 ms, above the time from one job to the next, 5 ms: a job that uses it up has missed "
        "its "
        "deadline long before"
    )


def test_a_cell_that_is_named_need_not_be_one_for_tasks(tmp_path: Path) -> None:
    text = dispatched(
        f'{MONITORED}deadline_cell = "systick"', DEADLINE, 'cells = ["timer0", "dual0"]\n'
    )
    path = tmp_path / "system.toml"
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    assert system.cells == ("timer0", "dual0")
    assert system.tables[0].deadline_cells is not None
    assert system.tables[0].deadline_cells.names == ("systick",)
