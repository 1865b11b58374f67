# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of tasks that a schedule table activates at known offsets of its round."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.analyse import of_threads, shared_threads
from horolog.model import System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import Analysis, TaskBound, analysis_of

SYSTEM = """\
[system]
name = "phases"
board = "mps2-an385"
duration = "100 ms"
priorities = "explicit"
timeouts = "timer1"
sources = ["events.c"]

[[task]]
name = "beat"
period = "10 ms"
work = 1000
priority = 1

[[task]]
name = "first"
work = 15_000                 # 0.96 ms
priority = 3

[[task]]
name = "second"
work = 15_000
priority = 2

[[table]]
name = "pair"
kind = "schedule"
round = "10 ms"
autostart = { relative = "2 ms" }
point = [
    { offset = "0 ms", activate = ["first"] },
    { offset = "2 ms", activate = ["second"] },
    { offset = "4 ms", activate = ["first"] },
]
"""


def analysed(folder: Path, text: str = SYSTEM, source: str = "") -> tuple[System, Analysis]:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "events.c").write_text(f"int nothing;\n{source}", encoding="utf-8")
    system = read_system(path)
    return system, analysis_of(system, plan(system).choice, read_prices(system.board))


def bound(found: tuple[System, Analysis], name: str) -> TaskBound:
    system, analysis = found
    (one,) = (one for one in analysis.bounds if system.all_tasks[one.task].name == name)
    assert one.response is not None
    return one


def response_us(found: tuple[System, Analysis], name: str) -> float:
    response = bound(found, name).response
    assert response is not None
    return float(response * 10**6)


def test_points_that_are_apart_do_not_hold_one_another_off(tmp_path: Path) -> None:
    found = analysed(tmp_path)
    assert 960 < response_us(found, "second") < 1100
    assert bound(found, "second").by_offsets
    # Released at 0: no point comes until its end.
    assert response_us(found, "beat") < 150
    assert bound(found, "beat").by_offsets


@pytest.mark.parametrize(
    ("before", "after", "source"),
    [
        ("", "", "extern int table_pair;"),
        ('autostart = { relative = "2 ms" }', "", ""),
        ('round = "10 ms"', 'round = "10 ms"\nrepeating = false', ""),
        (
            'round = "10 ms"',
            'round = "10 ms"\nsync = "explicit"\nprecision = "1 us"',
            "",
        ),
    ],
)
def test_a_table_that_the_application_moves_has_no_phase(
    before: str, after: str, source: str, tmp_path: Path
) -> None:
    assert before in SYSTEM
    found = analysed(tmp_path, SYSTEM.replace(before, after) if before else SYSTEM, source)
    assert response_us(found, "second") > 2 * 960
    assert response_us(found, "beat") > 2 * 960


def test_points_that_come_together_hold_one_another_off(tmp_path: Path) -> None:
    near = SYSTEM.replace('offset = "2 ms", activate', 'offset = "0.5 ms", activate')
    found = analysed(tmp_path, near)
    # `first` has begun half a millisecond before.
    assert 1400 < response_us(found, "second") < 1600
    at_start = SYSTEM.replace('relative = "2 ms"', 'relative = "10 ms"')
    assert response_us(analysed(tmp_path, at_start), "beat") > 960


def test_another_table_has_a_phase_to_it(tmp_path: Path) -> None:
    other = (
        SYSTEM.replace('"second"]', '"first"]')
        + """
[[table]]
name = "other"
kind = "schedule"
round = "5 ms"
autostart = { relative = "4 ms" }
point = [{ offset = "0 ms", activate = ["second"] }]
"""
    )
    other = other.replace('{ offset = "2 ms", activate = ["first"] },\n    ', "")
    # At 4, 9, 14, ...; the other one at 2, 6, 12, ...
    assert 960 < response_us(analysed(tmp_path, other), "second") < 1100
    later = other.replace('relative = "4 ms"', 'relative = "1 ms"')  # at 1, 6, 11, ...
    assert response_us(analysed(tmp_path, later), "second") > 2 * 960


def test_a_task_that_a_table_in_cells_activates_too_has_no_phase(tmp_path: Path) -> None:
    """And one with a min_gap of its own: the application may activate it between the points."""
    cells = (
        SYSTEM.replace('"mps2-an385"', '"ibex-cells"\ncells = ["cell0"]')
        .replace('"timer1"', '"cell1"')
        .replace("priority = 3", 'priority = 3\nmin_gap = "2 ms"')
    )
    both = f"""{cells}
[[table]]
name = "cells"
kind = "schedule"
counter = "cells"
round = "5 ms"
point = [{{ offset = "1 ms", activate = ["first"] }}]
"""
    # Those of the table by the clock are at 2 and 6 ms of ten.
    assert response_us(analysed(tmp_path, both), "beat") > 900
    own = SYSTEM.replace("priority = 3", 'priority = 3\nmin_gap = "3 ms"')
    assert response_us(analysed(tmp_path, own), "second") > 2 * 960


def test_tables_in_cells_activate_the_same_tasks_beside_a_shared_thread(tmp_path: Path) -> None:
    """In a system of threads the sporadic tasks have other numbers, and points with them."""
    twice = SYSTEM.replace('name = "beat"', 'name = "{}"\nbody = "{}"').replace(
        "work = 1000", 'wcet = "50 us"\nwaits = false'
    )
    head, behind = twice.partition("\n[[task]]")[0], twice.partition("\n[[task]]")[2]
    (first, rest) = behind.split("\n[[task]]", 1)
    beats = "".join(f"\n[[task]]{first.format(name, name)}" for name in ("beat", "other"))
    text = f"{head}{beats}\n[[task]]{rest}"
    text = text.replace('"mps2-an385"', '"ibex-cells"').replace('"timer1"', '"cell1"')
    text = text.replace('autostart = { relative = "2 ms" }', 'counter = "cells"')
    text = text.replace("priority = 2", 'priority = 2\nkind = "basic"')
    system, analysis = analysed(tmp_path, text, "void beat(void) {} void other(void) {}")
    assert shared_threads(system)
    names = [task.name for task in system.all_tasks]
    fewer = of_threads(system)
    for table, other in zip(system.cell_schedules, fewer.cell_schedules, strict=True):
        for point, same in zip(table.points, other.points, strict=True):
            assert [names[at] for at in point.tasks] == [
                fewer.all_tasks[at].name for at in same.tasks
            ]
    assert [fewer.all_tasks[at].name for at in fewer.cell_tasks] == ["second"]
    assert all(one.response is not None for one in analysis.bounds)
