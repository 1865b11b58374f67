# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Releases that meet an unfinished job of a basic task: counted and told once each, on every controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.plain_cmake import must, run
from tests.system.running import command
from tests.system.support import BOARD, ROOT, made_system, ms, task

from horolog.build.firmware import build_firmware
from horolog.model import Kind, Place, PriorityRule, Resource, Task
from horolog.model.system import TaskPoint
from horolog.plan import NOTHING, plan
from horolog.read import read_board

pytestmark = pytest.mark.emulator

RTL = "ibex-cells"
SMALL = pytest.param("ibex-cells-small", marks=pytest.mark.soak)
SOURCES = ROOT / "tests" / "system" / "overruns"
FEW = """\
late 911
high 100
low 733
"""
"""Jobs, overruns, calls of the hook: `late` runs over one release of its own, which holds off one of
`low` for longer than its period, and `high` two more."""


def built(
    board: str,
    case: str,
    out: Path,
    *rows: tuple[str, str, str],
    checks: bool = False,
    mechanism: str = "sloth",
) -> Path:
    """The firmware whose tasks are these (name, period and offset in ms), the least urgent last.

    Each has a cell, which is its interrupt. By another mechanism one cell releases them all by a table; its
    interrupt has the level of the most urgent, which is `finish` then, so that it comes into all others'
    jobs. All may take the resource "bus".
    """
    tasks = [
        replace(
            task(
                name,
                ms(period),
                offset=ms(offset),
                priority=len(rows) + (1 if mechanism != "sloth" and name == "finish" else -at),
            ),
            kind=Kind.BASIC,
            body=name,
            work=None,
            wcet=None,
        )
        for at, (name, period, offset) in enumerate(rows)
    ]
    cells = [cell.name for cell in read_board(board).cells][: len(rows)]
    system = replace(
        made_system(tasks, board=board, cells=cells, duration=ms(20)),
        priorities=PriorityRule.EXPLICIT,
        sources=(SOURCES / f"{case}.c",),
        resources=(Resource("bus", tuple(range(len(rows))), Place("system.toml")),),
    )
    chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
    stores = ["none"] * len(rows) if mechanism == "sloth" else ["mask-table"]
    assert [releaser.store for releaser in chosen.releasers] == stores
    return build_firmware(system, chosen, out, None, checks=checks).horolog


ROWS = [("late", "1", "0"), ("high", "10", "5.3"), ("low", "1", "0.1"), ("finish", "20", "9.5")]


@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("board", [BOARD, RTL, SMALL])
def test_each_is_counted_and_told_once(board: str, checks: bool, tmp_path: Path) -> None:
    assert run(board, built(board, "few", tmp_path, *ROWS, checks=checks)) == FEW


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
@pytest.mark.parametrize("board", [BOARD, RTL, SMALL])
def test_a_table_finds_them_too(board: str, mechanism: str, tmp_path: Path) -> None:
    assert run(board, built(board, "few", tmp_path, *ROWS, mechanism=mechanism)) == FEW


@pytest.mark.parametrize("board", [RTL, SMALL])
def test_a_release_has_a_job_or_is_an_overrun(board: str, tmp_path: Path) -> None:
    """Also one that comes in the last instructions of a job, behind its body."""
    elf = built(board, "sweep", tmp_path, ("sweep", "0.02", "0"))
    jobs, overruns, neither = map(int, run(board, elf).split())
    assert jobs == 129
    assert 10 < overruns < 128 - 10
    assert neither == 0


@pytest.mark.parametrize("board", [BOARD, RTL])
def test_with_checks_a_body_has_to_give_back_what_it_takes(board: str, tmp_path: Path) -> None:
    elf = built(board, "keeps", tmp_path, ("keeps", "1", "0"), checks=True)
    words = command(read_board(board), elf)
    must(*words, fails="the end of a basic task that holds a resource")


def with_points(
    case: str,
    out: Path,
    round_us: Fraction,
    points: Sequence[Fraction],
    *others: Task,
    checks: bool = False,
) -> Path:
    """The firmware of a task with points, in us, that are not evenly spaced, beside others more urgent."""
    us = Fraction(1, 10**6)
    own = replace(
        task("points", round_us * us, offset=points[0] * us, priority=1),
        kind=Kind.BASIC,
        body="points",
        work=None,
        wcet=None,
        points=tuple(TaskPoint(at * us, round_us * us) for at in points),
    )
    first, *rest = (*others, own) if len(others) < 2 else (others[0], own, *others[1:])
    cells = [cell.name for cell in read_board(RTL).cells][: len(others) + 1]
    system = replace(
        made_system([first, *rest], board=RTL, cells=cells, duration=ms(20)),
        priorities=PriorityRule.EXPLICIT,
        sources=(SOURCES / f"{case}.c",),
    )
    chosen = plan(system, mechanism="sloth").choice
    assert {releaser.store for releaser in chosen.releasers} == {"none"}
    return build_firmware(system, chosen, out, None, checks=checks).horolog


def other(name: str, period: str, offset: str, priority: int) -> Task:
    return replace(
        task(name, ms(period), offset=ms(offset), priority=priority),
        kind=Kind.BASIC,
        body=name,
        work=None,
        wcet=None,
    )


@pytest.mark.parametrize("checks", [False, True])
def test_points_that_meet_a_job_or_are_held_off_are_passed_over(
    checks: bool, tmp_path: Path
) -> None:
    """A cell that is moved from point to point: no point is lost, and none comes at another time."""
    elf = with_points(
        "points",
        tmp_path,
        Fraction(1000),
        [Fraction(at) for at in (100, 200, 300, 700)],
        other("hog", "20", "3.05", 3),
        other("finish", "20", "5.5", 2),
        checks=checks,
    )
    jobs, overruns, hooks, late = map(int, run(RTL, elf).split())
    assert (jobs, overruns, hooks) == (20 + 3 - 3, 3, 3)
    assert late == 1


def test_a_point_has_a_job_or_is_an_overrun(tmp_path: Path) -> None:
    """Also one that comes in the last instructions of the job before it, behind its body."""
    elf = with_points("points_sweep", tmp_path, Fraction(46), [Fraction(0), Fraction(20)])
    rounds, overruns, neither = map(int, run(RTL, elf).split())
    assert rounds == 129
    assert 10 < overruns < 128 - 10
    assert neither == 0
