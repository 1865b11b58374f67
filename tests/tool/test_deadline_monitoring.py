# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Monitored deadlines: when the kernel looks, which cell does it, which levels are left, what is refused."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horolog.analyse import MonitoredDeadline, levels, monitored_deadlines
from horolog.emit import generated
from horolog.emit.deadlines import emitted_deadlines
from horolog.model import (
    DeadlineCells,
    DispatcherTable,
    HorologError,
    Monitoring,
    Place,
    System,
    TablePoint,
)
from horolog.plan import plan
from horolog.read import read_system

SYSTEM = """\
[system]
name = "flight"
board = "mps2-an385"
duration = "100 ms"

[[task]]
name = "log"
period = "20 ms"
work = 400

[[task]]
name = "sense"
work = 1500

[[task]]
name = "control"
work = 5000

[[table]]
name = "flight"
kind = "dispatcher"
round = "5 ms"
deadline_monitoring = "stringent"
point = [
    { offset = "1 ms", activate = "control", deadline = "1.5 ms" },
    { offset = "0 ms", activate = "sense" },
]
"""


def read(folder: Path, text: str, **options: str) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, **options)  # type: ignore[arg-type]


def made(monitoring: Monitoring, *points: tuple[str, int, str | None]) -> DispatcherTable:
    """A round of 5 ms; offsets and deadlines in milliseconds."""
    return DispatcherTable(
        "made",
        Fraction(5, 1000),
        tuple(
            TablePoint(Fraction(offset) / 1000, task, None if due is None else Fraction(due) / 1000)
            for offset, task, due in points
        ),
        Place("made.toml"),
        monitoring,
        DeadlineCells(("timer1",)),
    )


def test_a_stringent_deadline_is_looked_at_when_it_passes() -> None:
    points = ("0", 0, "1.5"), ("2", 1, None), ("4", 2, "1.5")
    assert monitored_deadlines(made(Monitoring.STRINGENT, *points), 1000) == (
        MonitoredDeadline(2, 4, 6),  # 5.5 ms: the count behind it, in the next round
        MonitoredDeadline(0, 0, 2),
    )


def test_a_non_stringent_one_at_the_next_point_or_the_end_of_the_round() -> None:
    points = ("0", 0, "1"), ("2", 1, "2"), ("3", 2, "1.5"), ("4", 3, "3.5")
    found = monitored_deadlines(made(Monitoring.NON_STRINGENT, *points), 1000)
    assert found == (
        MonitoredDeadline(2, 3, 5),  # the end of the round
        MonitoredDeadline(0, 0, 2),  # a point
        MonitoredDeadline(3, 4, 8),  # 7.5 ms: a point of the next round
        MonitoredDeadline(1, 2, 4),  # that of the point of its own instant
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 49), st.integers(1, 50)),
        min_size=1,
        max_size=8,
        unique_by=lambda p: p[0],
    )
)
def test_non_stringent_instants_are_the_first_ones_behind(drawn: list[tuple[int, int]]) -> None:
    """Against all points and ends of three rounds, one by one."""
    ordered = sorted(drawn)
    table = replace(
        made(Monitoring.NON_STRINGENT),
        round=Fraction(50, 1000),
        points=tuple(
            TablePoint(Fraction(offset, 1000), task, Fraction(deadline, 1000))
            for task, (offset, deadline) in enumerate(ordered)
        ),
    )
    looks = {50 * number + offset for number in range(4) for offset, _ in ordered} | {
        50 * number for number in range(4)
    }
    for one in monitored_deadlines(table, 1000):
        offset, deadline = ordered[one.task]
        assert one.point == offset
        assert one.due == min(look for look in looks if look >= offset + deadline)


def drawn_rounds() -> st.SearchStrategy[list[tuple[int, int, int]]]:
    """Of each task the number of its even points in a round of 24, the first offset, and the deadline."""
    one = st.sampled_from((1, 1, 2, 3, 4)).flatmap(
        lambda n: st.tuples(st.just(n), st.integers(0, 24 // n - 1), st.integers(1, 24 // n))
    )
    return st.lists(one, min_size=1, max_size=5)


@given(drawn_rounds(), st.permutations(range(5)), st.sampled_from(Monitoring), st.randoms())
def test_the_rows_are_the_deadlines_of_every_round(
    drawn: list[tuple[int, int, int]], names: list[int], monitoring: Monitoring, random: Random
) -> None:
    """Walked as kernel/guard/deadline.h does: jobs end just before their deadlines, or miss them."""
    unit = Fraction(1, 1_000_000)
    points = [
        TablePoint((first + at * 24 // number) * unit, names[task], deadline * unit)
        for task, (number, first, deadline) in enumerate(drawn)
        for at in range(number)
    ]
    points.sort(key=lambda point: point.offset)
    table = replace(made(monitoring), round=24 * unit, points=tuple(points))
    with TemporaryDirectory() as folder:
        system = replace(read(Path(folder), SYSTEM), tables=(table,))
    found = emitted_deadlines(system)
    assert found is not None
    hz, start = system.board.clock.hz, system.board.start_counts
    counts = int(table.round * hz)
    monitored = monitored_deadlines(table, hz)
    if not found.arrays:  # those of one task, as kernel/guard/single_deadline.h walks
        (single,) = found.macros
        assert single.macro == "HRLI_SINGLE_DEADLINE"
        first, step, after = (_number(one) for one in single.arguments[4:7])
        assert {one.due - one.point for one in monitored} == {after}
        dues = sorted(
            start + due for one in monitored for due in range(one.due, 4 * counts, counts)
        )
        assert dues == list(range(first, dues[-1] + 1, step))
        return
    rows = [[_number(one) for one in row.arguments] for row in found.arrays[0][1]]
    jobs = [[_number(one) for one in job.arguments] for job in found.arrays[1][1]]
    begin = next(one for one in found.macros if one.macro == "HRLI_DEADLINES")
    watch, at = (_number(one) for one in begin.arguments[-2:])

    def next_deadline() -> tuple[int, int]:
        due, row = watch, at
        for _ in range(2 * len(rows)):
            due, row = due + rows[row][0], rows[row][3]
            if jobs[rows[row][5]][0] == due:
                return due, row
        raise AssertionError("no deadline in two rounds")

    events = sorted(
        (start + due, random.random() < 0.5, found.tasks.index(one.task))
        for one in monitored
        for due in range(one.due, 4 * counts, counts)
    )
    for due, misses, job in events:
        if misses:
            assert watch == due
            job = rows[at][5]  # of equal ones that of the first row, which must not be left out
        due_of_job, row = jobs[job]
        assert due_of_job == due
        jobs[job] = [due + rows[row][1], rows[row][4]]
        if row == at:
            watch, at = next_deadline()


def test_even_deadlines_of_one_task_need_a_word(tmp_path: Path) -> None:
    """Their rows are constants in code; those of two tasks, or at uneven steps, are rows."""
    unit = Fraction(1, 1000)

    def emitted(*points: tuple[int, int, int]) -> str:
        made_of = tuple(TablePoint(at * unit, task, due * unit) for at, task, due in points)
        table = replace(made(Monitoring.STRINGENT), round=24 * unit, points=made_of)
        found = emitted_deadlines(replace(read(tmp_path, SYSTEM), tables=(table,)))
        assert found is not None
        return found.header

    assert emitted((3, 0, 5)) == "single_deadline_task"
    assert emitted((3, 0, 5), (15, 0, 5)) == "single_deadline_task"
    assert emitted((3, 0, 5), (15, 0, 6)) == "deadlines"
    assert emitted((3, 0, 5), (14, 0, 5)) == "deadlines"
    assert emitted((3, 0, 5), (15, 1, 5)) == "deadlines"


def _number(argument: object) -> int:
    return int(str(argument).rstrip("u"))


def test_the_cell_is_taken_from_those_for_tasks(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM)
    (table,) = system.tables
    assert table.monitoring is Monitoring.STRINGENT
    assert table.deadline_cells == DeadlineCells(
        ("systick",)
    )  # the last one with an interrupt of its own
    assert system.cells == ("timer0", "timer1", "dual0")
    named = read(tmp_path, SYSTEM.replace("point =", 'deadline_cell = "timer0"\npoint ='))
    assert (named.tables[0].deadline_cells, named.cells) == (
        DeadlineCells(("timer0",)),
        ("timer1", "dual0", "systick"),
    )
    assert {one.cell for one in plan(named).choice.releasers} <= set(named.cells)


def test_another_board_lends_a_cell(tmp_path: Path) -> None:
    text = SYSTEM.replace("point =", 'deadline_cell = "timer0"\npoint =')
    system = read(tmp_path, text, board="ibex-cells")
    assert system.tables[0].deadline_cells == DeadlineCells(("cell3",))
    assert system.cells == ("cell0", "cell1", "cell2")


EACH = """\
[system]
name = "flight"
board = "ibex-cells"
duration = "1 s"
cells = [{cells}]

[[task]]
name = "a"
work = 10

[[task]]
name = "b"
work = 10

[[table]]
name = "round"
kind = "dispatcher"
round = "{round}"
deadline_monitoring = "{monitoring}"
{key}point = [
    {{ offset = "0 ms", activate = "a", deadline = "{deadline}" }},
    {{ offset = "1 ms", activate = "b" }},
    {{ offset = "{half}", activate = "a", deadline = "{deadline}" }},
]
"""


def each(folder: Path, **other: str) -> DeadlineCells | None:
    """What monitors the deadlines of `a`, on cells that can monitor those of a task each."""
    words = {
        "cells": '"cell0", "cell1", "cell2"',
        "round": "10 ms",
        "half": "5 ms",
        "deadline": "5 ms",
        "monitoring": "stringent",
        "key": "",
    } | other
    return read(folder, EACH.format(**words)).tables[0].deadline_cells


def test_each_task_has_a_cell_where_there_are_so_many(tmp_path: Path) -> None:
    assert each(tmp_path) == DeadlineCells(("cell2",), each=True)
    # Without a cell left for each task, or where the user says so, one monitors all.
    assert each(tmp_path, cells='"cell0", "cell1"') == DeadlineCells(("cell1",))
    assert each(tmp_path, key='deadline_cell = "cell0"\n') == DeadlineCells(("cell0",))


@pytest.mark.parametrize(
    ("mechanism", "store", "behind"),
    [
        ("sloth", None, ["late_0"]),
        ("gcd", "mask-table", []),
        ("gcd", "period-groups", ["late_0"]),
    ],
)
def test_entries_ask_for_frames_that_are_made(
    mechanism: str, store: str | None, behind: list[str], tmp_path: Path
) -> None:
    """Of a task that is its cell's interrupt, of one of several that a cell runs, and of one on a line."""
    assert each(tmp_path) == DeadlineCells(("cell2",), each=True)
    system = read_system(tmp_path / "system.toml")
    made_of = generated(system, plan(system, mechanism=mechanism, queue=store).choice)
    asked = set(re.findall(r"\bHRL_GEN_FRAME_\w+", made_of.texts["hrl_gen_system.c"]))
    assert set(made_of.framed) == asked
    late = {name: of for name, of in made_of.framed.items() if "_LATE_" in name}
    assert sorted(late.values()) == behind


def test_deadlines_that_are_not_evenly_spaced_are_monitored_by_one_cell(tmp_path: Path) -> None:
    assert each(tmp_path, monitoring="non-stringent") == DeadlineCells(("cell2",))
    # Of 10.00001 ms and 50 MHz a half is no whole number of counts.
    odd = {"round": "10.00002 ms", "half": "5.00001 ms"}
    assert each(tmp_path, **odd) == DeadlineCells(("cell2",))


def test_its_interrupt_has_the_highest_level(tmp_path: Path) -> None:
    """The table's tasks leave it one above them, if they need all the others."""
    tasks = "".join(f'[[task]]\nname = "t{i}"\nwork = {20000 - 1000 * i}\n' for i in range(8))
    points = ", ".join(
        f'{{ offset = "{i} us", activate = "t{i}", deadline = "40 ms" }}' for i in range(8)
    )
    head = SYSTEM.split("[[task]]")[0]
    table = '[[table]]\nname = "deep"\nkind = "dispatcher"\nround = "50 ms"\n'
    text = f"{head}{tasks}{table}point = [{points}]\n"
    assert max(levels(read(tmp_path, text))) == 8
    with pytest.raises(HorologError) as refused:
        read(tmp_path, text.replace("point =", 'deadline_monitoring = "stringent"\npoint ='))
    said = str(refused.value)
    assert "at most 7" in said
    assert "which has 8, one of them for the interrupt of deadlines" in said


def at(old: str, new: str) -> str:
    assert old in SYSTEM
    return SYSTEM.replace(old, new)


BAD = {
    "no deadline": (
        at(', deadline = "1.5 ms"', ""),
        'no point of the table "flight" has a deadline that could be monitored',
    ),
    "a cell for nothing": (
        at('deadline_monitoring = "stringent"', 'deadline_cell = "timer0"'),
        "has a cell for deadlines, which are not monitored",
    ),
    "unknown cell": (
        at("point =", 'deadline_cell = "timer7"\npoint ='),
        'the cell "timer7" cannot monitor deadlines; did you mean',
    ),
    "the only cell": (
        at('duration = "100 ms"', 'duration = "100 ms"\ncells = ["timer0"]'),
        "cells are needed, and 1 can be had",
    ),
    "early ends": (
        at("work = 5000", "work = 5000\nterminates = true"),
        'a deadline of "control" is monitored, so its jobs do not end early',
    ),
    "releases": (
        at('duration = "100 ms"', 'duration = "100 ms"\nreleases = 5'),
        "deadlines are monitored for ever, and tasks have so many releases",
    ),
    "no whole count": (
        at('round = "5 ms"', 'round = "5000001 ns"'),
        "a round with monitored deadlines is a whole number of the clock's counts",
    ),
    "a long round": (
        at('round = "5 ms"', 'round = "30 s"'),
        "the round is too long for deadlines to be monitored",
    ),
    "a word": (at('"stringent"', '"strict"'), "table.flight.deadline_monitoring"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_is_said(name: str, tmp_path: Path) -> None:
    text, said = BAD[name]
    with pytest.raises(HorologError) as refused:
        read(tmp_path, text)
    message = str(refused.value)
    assert said in message
    assert "system.toml:" in message
