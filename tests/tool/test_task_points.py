# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks with points that are no even steps: their releases, bounds and plans."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.support.dispatcher import dispatched, drawn_table, next_points

from horolog.analyse import jobs_in, release_rows
from horolog.emit import notify_tick
from horolog.model import DispatcherTable, HorologError, Kind, Mode, System, Task
from horolog.plan import plan
from horolog.read import duration_text, read_system
from horolog.responses import analysis_of
from horolog.trace import Calendar, release_count

US = Fraction(1, 10**6)
GRID = 100 * US


def described(
    folder: Path,
    table: DispatcherTable,
    wcets: list[Fraction],
    deadlines: list[Fraction],
    board: str = "host",
) -> System:
    """The system of `table`, in which bodies do nothing and have WCETs."""
    text = (
        f'[system]\nname = "p"\nboard = "{board}"\nduration = "{duration_text(3 * table.round)}"\n'
    )
    text += 'sources = ["bodies.c"]\n'
    for task, wcet in enumerate(wcets):
        text += f'[[task]]\nname = "t{task}"\nbody = "t{task}"\nwcet = "{duration_text(wcet)}"\n'
    text += f'[[table]]\nname = "d"\nkind = "dispatcher"\nround = "{duration_text(table.round)}"\n'
    for point, deadline in zip(table.points, deadlines, strict=True):
        text += f'[[table.point]]\noffset = "{duration_text(point.offset)}"\nactivate = "t{point.task}"\n'
        text += f'deadline = "{duration_text(deadline)}"\n'
    bodies = "".join(f"void t{task}(void) {{}}\n" for task in range(len(wcets)))
    (folder / "bodies.c").write_text(bodies, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def drawn(folder: Path, seed: int, board: str = "host") -> tuple[System, list[Fraction]]:
    """A system with a table of four tasks that can be dispatched, and the WCETs; seeds go on from `seed`."""
    while True:
        random = Random(seed)
        table = drawn_table(random, 4, 32 * GRID, GRID, even=False)
        wcets = [random.randint(1, 4) * GRID for _ in range(4)]
        deadlines = [
            random.randint(int(min(gap, wcets[point.task]) / GRID), int(gap / GRID)) * GRID
            for point, gap in zip(table.points, next_points(table), strict=True)
        ]
        try:
            system = described(folder, table, wcets, deadlines, board)
        except HorologError:
            seed += 1_000
            continue
        if any(task.points for task in system.tasks):
            return system, wcets
        seed += 1_000


@pytest.mark.parametrize("seed", range(4))
def test_releases_are_the_points_of_every_round(seed: int, tmp_path: Path) -> None:
    system, _ = drawn(tmp_path, seed)
    (table,) = system.tables
    hz = system.board.clock.hz
    instants = sorted(
        int((number * table.round + point.offset) * hz)
        for number in range(3)
        for point in table.points
    )
    assert sum(jobs_in(system)) == len(instants)
    rows = release_rows(system, range(len(system.tasks)))
    assert rows is not None
    at, seen = rows.first, []
    for _ in range(3):
        for gap, released in zip(rows.gaps, rows.released, strict=True):
            seen += [(at, task) for task in released]
            at += gap
    assert rows.lead == 0
    assert sorted(at for at, _ in seen) == instants
    for index, task in enumerate(system.tasks):
        own = [int(task.release(number) * hz) for number in range(jobs_in(system)[index])]
        assert [at for at, one in seen if one == index] == own
        assert release_count(task, 3 * table.round) == len(own)


@pytest.mark.parametrize("seed", range(3))
def test_a_calendar_finds_releases(seed: int, tmp_path: Path) -> None:
    system, _ = drawn(tmp_path, seed)
    for task in system.tasks:
        calendar = Calendar(task, system.duration, None)
        releases = [int(task.release(number) * 10**9) for number in range(calendar.count)]
        assert [calendar.release(number) for number in range(calendar.count)] == releases
        for ns in range(-150_000, releases[-1], 50_000):
            assert calendar.latest(ns) == sum(at <= ns for at in releases) - 1 or ns < releases[0]
            assert calendar.next(ns) == sum(at < ns for at in releases)
            assert calendar.latest(ns) < 0 or ns >= releases[0]


def longest_responses(
    system: System, wcets: list[Fraction]
) -> dict[tuple[int, Fraction], Fraction]:
    """By task and offset of the point, in the table's fifth round, by its definition."""
    (table,) = system.tables
    starts = [
        (number * table.round + point.offset, point.task)
        for number in range(6)
        for point in table.points
    ]
    ends: dict[int, list[Fraction]] = {}
    for step in dispatched(starts, wcets):
        if step.kind == "E":
            ends.setdefault(step.task, []).append(step.at)
    return {
        (task, at % table.round): end - at
        for (at, task), end in ((one, ends[one[1]].pop(0)) for one in starts)
        if at // table.round == 4
    }


@pytest.mark.parametrize("seed", range(1, 9))
def test_bounds_are_those_of_the_point_with_the_least_slack(seed: int, tmp_path: Path) -> None:
    """Without the kernel they are exact, as long as every job ends before its task's next point."""
    system, wcets = drawn(tmp_path, seed)
    (table,) = system.tables
    seen = longest_responses(system, wcets)
    slack: dict[int, Fraction] = {}
    for point, gap in zip(table.points, next_points(table), strict=True):
        response = seen[point.task, point.offset]
        assert response <= gap, "a point is passed over: draw another table"
        assert point.deadline is not None
        left = point.deadline - response
        slack[point.task] = min(left, slack.get(point.task, left))
    found = analysis_of(system, None)
    assert {one.task: one.slack for one in found.bounds} == slack
    assert found.holds == all(left >= 0 for left in slack.values())


def uneven(task: Task) -> bool:
    return not task.is_even


@pytest.mark.parametrize("seed", range(3))
def test_one_cell_that_is_armed_serves_any_points(seed: int, tmp_path: Path) -> None:
    system, _ = drawn(tmp_path, seed, "mps2-an385")
    assert any(map(uneven, system.tasks))
    made = plan(system, mechanism="one-shot").choice
    (releaser,) = made.releasers
    assert (releaser.mode, releaser.tasks) == (Mode.ONE_SHOT, (0, 1, 2, 3))
    with pytest.raises(HorologError, match="too few of the cells in use can be moved"):
        plan(system, mechanism="sloth")


@pytest.mark.parametrize("seed", range(3))
def test_each_task_has_a_cell_that_is_moved_from_point_to_point(seed: int, tmp_path: Path) -> None:
    system, _ = drawn(tmp_path, seed, "ibex-cells")
    made = plan(system, mechanism="sloth").choice
    by = {task: one for one in made.releasers for task in one.tasks}
    assert len(by) == len(made.releasers) == len(system.tasks)
    for index, task in enumerate(system.tasks):
        mode = Mode.ONE_SHOT if uneven(task) else Mode.PERIODIC
        assert (by[index].mode, by[index].store) == (mode, "none")


def test_points_that_are_too_near_have_no_cell_of_their_own(tmp_path: Path) -> None:
    points = "".join(
        f'{{ offset = "{at} us", activate = "t0", deadline = "1 us" }},' for at in (0, 4, 500)
    )
    (tmp_path / "system.toml").write_text(
        '[system]\nname = "p"\nboard = "ibex-cells"\nduration = "10 ms"\n[[task]]\nname = "t0"\n'
        'work = 1\nwcet = "1 us"\n[[table]]\nname = "d"\nkind = "dispatcher"\nround = "4 ms"\n'
        f"point = [{points}]\n",
        encoding="utf-8",
    )
    system = read_system(tmp_path / "system.toml")
    with pytest.raises(HorologError, match="two points of its task are 4 us apart, less than 5 us"):
        plan(system, mechanism="sloth")


def test_different_deadlines_at_even_steps_need_one_cell(tmp_path: Path) -> None:
    (tmp_path / "system.toml").write_text(
        '[system]\nname = "p"\nboard = "ibex-cells"\nduration = "10 ms"\n[[task]]\nname = "t0"\nwork = 100\n'
        '[[table]]\nname = "d"\nkind = "dispatcher"\nround = "4 ms"\npoint = ['
        '{ offset = "1 ms", activate = "t0", deadline = "1 ms" }, { offset = "3 ms", activate = "t0" }]\n',
        encoding="utf-8",
    )
    system = read_system(tmp_path / "system.toml")
    (releaser,) = plan(system, mechanism="sloth").choice.releasers
    assert (releaser.store, releaser.period) == ("none", Fraction(2, 1000))


def test_what_has_points_is_not_compared(tmp_path: Path) -> None:
    system, _ = drawn(tmp_path, 0, "mps2-an385")
    assert {task.kind for task in system.tasks} == {Kind.BASIC}
    assert "not evenly spaced" in str(notify_tick(system).note)
