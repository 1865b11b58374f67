# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables, as system.toml has them; and what is said where one cannot be."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horolog.analyse import Dispatcher, all_dispatchers, common_levels, levels
from horolog.model import HorologError, Kind, Overrun, System
from horolog.read import read_system

MS = Fraction(1, 1000)
HEAD = """\
[system]
name = "flight"
board = "mps2-an385"
duration = "50 ms"
"""
TASKS = """
[[task]]
name = "sense"
work = 2000

[[task]]
name = "estimate"
work = 20000

[[task]]
name = "control"
work = 8000
"""
TABLE = """
[[table]]
name = "flight"
kind = "dispatcher"
round = "5 ms"
point = [
    { offset = "0 ms", activate = "sense", deadline = "1 ms" },
    { offset = "0.5 ms", activate = "estimate" },
    { offset = "2.5 ms", activate = "sense", deadline = "1 ms" },
    { offset = "1 ms", activate = "control" },
]
"""
OTHERS = """
[[task]]
name = "log"
period = "20 ms"
work = 100

[[task]]
name = "blink"
period = "50 ms"
work = 100
kind = "basic"
"""


def read(folder: Path, text: str, *, kind: Kind | None = None, board: str | None = None) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, kind=kind, board=board)


def refused(folder: Path, text: str) -> str:
    with pytest.raises(HorologError) as caught:
        read(folder, text)
    assert caught.value.exit == 2
    return str(caught.value).replace(f"{folder}/", "")


def test_its_tasks_are_basic_and_released_each_round(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE + OTHERS)
    sense, estimate, control, log, blink = system.tasks
    assert (sense.period, sense.offset, sense.deadline) == (MS * 5 / 2, 0 * MS, MS)
    assert (estimate.period, estimate.offset, estimate.deadline) == (5 * MS, MS / 2, 5 * MS)
    assert (control.period, control.offset) == (5 * MS, MS)
    assert {task.kind for task in (sense, estimate, control, blink)} == {Kind.BASIC}
    assert {task.overrun for task in system.tasks} == {Overrun.SKIP}
    assert log.kind is Kind.THREAD
    (table,) = system.tables
    assert [point.task for point in table.points] == [0, 1, 2, 0]
    assert [point.offset / MS for point in table.points] == [0, Fraction(1, 2), 1, Fraction(5, 2)]
    assert (table.name, table.round, table.tasks) == ("flight", 5 * MS, (0, 1, 2))


def test_points_may_be_uneven_and_have_deadlines_of_their_own(tmp_path: Path) -> None:
    uneven = at(
        TABLE, '"2.5 ms", activate = "sense", deadline = "1 ms"', '"2 ms", activate = "sense"'
    )
    sense, estimate, *_ = read(tmp_path, HEAD + TASKS + uneven).tasks
    assert [(point.offset, point.deadline) for point in sense.points] == [(0, MS), (2 * MS, 3 * MS)]
    assert (sense.period, sense.offset, sense.deadline) == (5 * MS, 0 * MS, MS)
    assert (sense.rate, sense.least_gap, sense.is_even) == (2 / (5 * MS), 2 * MS, False)
    assert [sense.release(number) / MS for number in range(4)] == [0, 2, 5, 7]
    assert [sense.deadline_of(number) / MS for number in range(4)] == [1, 3, 1, 3]
    assert (estimate.points, estimate.offsets, estimate.is_even) == ((), (MS / 2,), True)


def test_of_even_points_with_different_deadlines_all_are_kept(tmp_path: Path) -> None:
    text = at(
        TABLE, '"2.5 ms", activate = "sense", deadline = "1 ms"', '"2.5 ms", activate = "sense"'
    )
    sense, *_ = read(tmp_path, HEAD + TASKS + text).tasks
    assert [point.deadline / MS for point in sense.points] == [1, Fraction(5, 2)]
    assert sense.is_even


@pytest.mark.parametrize("board", ["mps2-an385", "ibex-cells", "host"])
@pytest.mark.parametrize("rule", ["rate-monotonic", "explicit"])
def test_its_tasks_are_above_all_others(board: str, rule: str, tmp_path: Path) -> None:
    others = OTHERS
    if rule == "explicit":
        others = others.replace("work = 100", "work = 100\npriority = 7", 1)
        others = others.replace("work = 100\nkind", "work = 100\npriority = 3\nkind")
    text = HEAD + f'priorities = "{rule}"\n' + TASKS + TABLE + others
    system = read(tmp_path, text, board=board)
    assert [task.table_level for task in system.tasks] == [1, 1, 2, None, None]
    for found in (levels(system), common_levels(system)):
        sense, estimate, control, *others_levels = found
        assert control == sense + 1 == estimate + 1
        if board == "host" or found is not levels(system):
            assert sense > max(others_levels)
    by = all_dispatchers(system)
    software = board == "host"
    assert set(by[:3]) == {Dispatcher.LINE_THREAD if software else Dispatcher.CONTROLLER}


def test_a_kind_for_all_leaves_them_basic(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE + OTHERS, kind=Kind.THREAD)
    assert [task.kind.value for task in system.tasks] == ["basic"] * 3 + ["thread"] * 2


def test_levels_without_wcet_go_by_deadlines_and_the_round(tmp_path: Path) -> None:
    source = tmp_path / "bodies.c"
    source.write_text("void sense(void) {}\nvoid estimate(void) {}\nvoid control(void) {}\n")
    text = HEAD + 'sources = ["bodies.c"]\n' + TASKS + TABLE
    for name, work in (("sense", 2000), ("estimate", 20000), ("control", 8000)):
        text = text.replace(f"work = {work}\n", f'body = "{name}"\n')
    text = text.replace('"1 ms", activate = "control"', '"1.5 ms", activate = "control"')
    system = read(tmp_path, text.replace('"0.5 ms"', '"1 ms"'))
    # sense has ended after 1 ms; estimate and control may run until the round ends: sense preempts both.
    assert [task.table_level for task in system.tasks] == [3, 1, 2]


def at(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


SYSTEM = HEAD + TASKS + TABLE

BAD = {
    "behind": (
        at(SYSTEM, '"1 ms", activate = "control"', '"5 ms", activate = "control"'),
        "system.toml:26:16: table.flight.point[3].offset: "
        'a point of the table "flight" lies behind its round\n'
        "  found:    5 ms, in a round of 5 ms\n"
        "  expected: less than 5 ms",
    ),
    "unknown": (
        at(SYSTEM, 'activate = "control"', 'activate = "contrl"'),
        'a point of the table "flight" activates no task; did you mean "control"?',
    ),
    "periodic": (
        at(SYSTEM, "work = 8000", 'work = 8000\nperiod = "5 ms"'),
        'the table "flight" starts the task "control", which has no period of its own',
    ),
    "priority": (
        at(SYSTEM, "work = 8000", "work = 8000\npriority = 3"),
        'the table "flight" starts the task "control", which has no priority of its own',
    ),
    "thread": (
        at(SYSTEM, "work = 8000", 'work = 8000\nkind = "thread"'),
        'the table "flight" starts the task "control", which never waits',
    ),
    "queue": (
        at(SYSTEM, "work = 8000", 'work = 8000\noverrun = "queue"'),
        'the table "flight" passes over a point of "control" if its job has not ended',
    ),
    "twice": (
        at(SYSTEM, '"2.5 ms"', '"0 ms"'),
        'two points of "sense" are at one offset\n  found:    0 ms\n  expected: one point, or another offset',
    ),
    "late": (
        SYSTEM.replace('deadline = "1 ms"', 'deadline = "3 ms"'),
        'a point of "sense" has a deadline behind the task\'s next point\n'
        "  found:    3 ms, at the point at 0 ms, with 2.5 ms to the next point",
    ),
    "late in the next round": (
        at(
            at(SYSTEM, '"2.5 ms"', '"4 ms"'),
            'deadline = "1 ms" },\n    { offset = "1',
            'deadline = "2 ms" },\n    { offset = "1',
        ),
        "2 ms, at the point at 4 ms, with 1 ms to the next point",
    ),
    "long job": (
        at(at(SYSTEM, '"2.5 ms"', '"4 ms"'), "work = 2000", "work = 16000"),
        "the time that 16000 turns take is above the deadline",
    ),
    "kind": (at(SYSTEM, '"dispatcher"', '"schedules"'), "table.flight.kind"),
    "circle": (
        at(at(SYSTEM, "work = 8000", "work = 40000"), "work = 2000\n", "work = 10000\n"),
        'tasks of the table "flight" preempt one another in a circle',
    ),
    "no table": (HEAD + TASKS, '"period" is missing'),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_said(name: str, tmp_path: Path) -> None:
    text, said = BAD[name]
    assert said in refused(tmp_path, text)


def test_more_levels_than_the_board_has(tmp_path: Path) -> None:
    tasks = "".join(f'[[task]]\nname = "t{i}"\nwork = {20000 - 1000 * i}\n' for i in range(9))
    points = ", ".join(f'{{ offset = "{i} us", activate = "t{i}" }}' for i in range(9))
    table = f'[[table]]\nname = "deep"\nkind = "dispatcher"\nround = "50 ms"\npoint = [{points}]\n'
    said = refused(tmp_path, HEAD + tasks + table)
    assert "the table needs 9 levels, as its tasks preempt one another" in said
    assert 'at most 8 on the board "mps2-an385"' in said
    one_less = table.replace(', { offset = "8 us", activate = "t8" }', "")
    system = read(tmp_path, HEAD + tasks.rpartition("[[task]]")[0] + one_less)
    assert sorted(levels(system)) == [1, 2, 3, 4, 5, 6, 7, 8]
    said = refused(tmp_path, HEAD + tasks.rpartition("[[task]]")[0] + one_less + OTHERS)
    assert "at most 7" in said
    assert "which has 8, one of them for all other basic tasks" in said
