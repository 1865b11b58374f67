# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables that the application controls, on the boards: the order of jobs is that of a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from tests.system.support import Run

from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import duration_text, read_board, read_system
from horolog.trace import jobs

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

HEAD = """
[system]
name = "controlled"
board = "{board}"
duration = "{duration}"
sources = ["say.c"]
{more}
"""
TASK = '[[task]]\nname = "{name}"\nwork = {work}\n'
SAY = """
[[task]]
name = "say"
period = "{every}"
body = "say"
wcet = "20 us"
kind = "basic"
"""
SOURCE = """
#include <hrl/basic.h>
#include <hrl/dispatcher.h>
#include <hrl/hooks.h>
#include <hrl/time.h>
#include <stddef.h>

{declared}
static uint32_t said;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{{
    (void)task;
    hrl_assert_hook("a deadline is missed", __FILE__, __LINE__);
}}

static void expect(enum hrl_status status, enum hrl_status wanted)
{{
    if (status != wanted) {{
        hrl_assert_hook("another status", __FILE__, __LINE__);
    }}
}}

/* The n-th job of the task, from 0 on. */
void say(void);
void say(void)
{{
    switch (said++) {{
{cases}
    default:
        break;
    }}
}}
"""


@dataclass(frozen=True)
class Table:
    """A mode, its round and its points: (offset, task), in units of a grid."""

    mode: str
    round: int
    points: tuple[tuple[int, str], ...]


CRUISE = Table("cruise", 20, ((0, "sense"), (3, "log"), (7, "sense"), (15, "act")))
LAND = Table("land", 12, ((1, "sense"), (6, "flare"), (6, "act")))


def described(
    folder: Path,
    board: str,
    grid: Fraction,
    tables: Sequence[Table],
    calls: dict[int, str],
    *,
    until: int,
    every: int = 5,
    keys: str = "",
    monitored: bool = True,
    more: str = "",
    work: int = 20,
) -> System:
    """Tables on a grid, whose deadlines are one step, and a task that makes `calls` at its jobs."""

    def at(steps: int) -> str:
        return duration_text(steps * grid)

    text = HEAD.format(board=board, duration=at(until), more=more)
    names = dict.fromkeys(name for table in tables for _, name in table.points)
    text += "".join(TASK.format(name=name, work=work) for name in names) + SAY.format(
        every=at(every)
    )
    for number, table in enumerate(tables):
        text += (
            f'[[table]]\nname = "{table.mode}-table"\nkind = "dispatcher"\nmode = "{table.mode}"\n'
        )
        text += f'round = "{at(table.round)}"\n' + (keys if number == 0 else "")
        text += 'deadline_monitoring = "stringent"\n' if monitored else ""
        for offset, name in table.points:
            text += f'[[table.point]]\noffset = "{at(offset)}"\nactivate = "{name}"\n'
            text += f'deadline = "{at(1)}"\n'
        if number == 0 and "[table.sync]" in keys:
            text = text.replace(keys, "")
            text += keys
    declared = "".join(
        f"extern const struct hrl_dispatcher_mode mode_{table.mode};\n" for table in tables
    )
    cases = "".join(
        f"    case {number}:\n        {call}\n        break;\n" for number, call in calls.items()
    )
    (folder / "say.c").write_text(SOURCE.format(declared=declared, cases=cases), encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def seen(run: Run, grid: Fraction) -> list[tuple[int, str]]:
    """(instant in counts of a tenth of the grid, task) of the jobs of tables that began."""
    tasks = run.system.tasks
    return [
        (int(Fraction(ns, 10**9) * 10 / grid), tasks[i].name)
        for ns, _, i in run.events("S")
        if tasks[i].table_level is not None
    ]


def rounds(*of: tuple[int, Table], until: int) -> list[tuple[int, str]]:
    """What is to be seen: each (begin, table) until the next begins, or `until`; equal offsets backwards."""
    found = []
    ends = [begin for begin, _ in of[1:]] + [until]
    for (begin, table), end in zip(of, ends, strict=True):
        while begin < end:
            in_order = sorted(enumerate(table.points), key=lambda one: (one[1][0], -one[0]))
            found += [(10 * (begin + at), name) for _, (at, name) in in_order if begin + at < end]
            begin += table.round
    return [(at, name) for at, name in found if at < 10 * until]


def assert_same(found: Sequence[tuple[int, str]], expected: Sequence[tuple[int, str]]) -> None:
    """To a fifth of the grid: a job begins behind the kernel's instructions, and one of the same instant."""
    assert [name for _, name in found] == [name for _, name in expected]
    pairs = zip(found, expected, strict=True)
    late = [(at, wanted, name) for (at, name), (wanted, _) in pairs if not 0 <= at - wanted <= 2]
    assert not late


def assert_judged(
    run: Run, grid: Fraction, begins: Sequence[tuple[int, int]], *, exact: bool
) -> None:
    """The run tells its rounds: (begin in steps, table); exactly, or to a fifth of a step.

    Each job of a point in the window is judged by its round's begin, and begins as late behind it as any.
    """
    system, counts = run.system, int(grid * run.hz)
    found = run.rounds
    assert found is not None
    until = system.duration / grid
    expected = [(begin, table) for begin, table in begins if begin < until]
    assert [one.table for one in found] == [table for _, table in expected]
    for one, (begin, _) in zip(found, expected, strict=True):
        assert abs(one.begin - begin * counts) <= (0 if exact else counts // 5), (one, begin)
    due = [
        (one.begin + point.offset * run.hz, point.task)
        for one in found
        for point in system.tables[one.table].points
    ]
    due = [(at, task) for at, task in due if at < until * counts]
    judged = jobs(replace(run.trace, rounds=found), system)
    tabled = [one for one in judged if system.tasks[one.task].table_level is not None]
    assert sorted((one.release_ns * run.hz / 10**9, one.task) for one in tabled) == sorted(due)
    late = [one.start_ns - one.release_ns for one in tabled if one.start_ns is not None]
    assert len(late) == len(tabled)
    assert all(0 <= ns < grid * 10**9 * 3 / 10 for ns in late), "as `assert_same`"
    assert run.side.jobs == len(judged)
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)


BOARDS = [("host", 100), ("mps2-an385", 100), ("ibex-cells", 40)]


@pytest.mark.parametrize(("board", "grid_us"), BOARDS)
def test_a_mode_follows_at_the_end_of_the_round(
    board: str, grid_us: int, bench: Bench, tmp_path: Path
) -> None:
    """Asked for in the middle of rounds, between them, twice, and for the mode that runs."""
    grid = Fraction(grid_us, 10**6)
    calls = {
        1: "expect(hrl_dispatcher_set_mode(&mode_land), HRL_OK);",  # at 5: from 20 on
        7: "expect(hrl_dispatcher_set_mode(&mode_land), HRL_OK);",  # at 35
        8: "expect(hrl_dispatcher_set_mode(&mode_cruise), HRL_OK);",  # at 40: the round from 32 ends at 44
        12: "expect(hrl_dispatcher_set_mode(&mode_land), HRL_OK);",  # at 60, behind the last point at 59
        13: "expect(hrl_dispatcher_set_mode(&mode_cruise), HRL_OK);",  # at 65: cruise's round ends at 64
    }
    system = described(tmp_path, board, grid, (CRUISE, LAND), calls, until=100)
    run = bench(system, plan(system).choice)
    expected = rounds((0, CRUISE), (20, LAND), (44, CRUISE), (64, LAND), (76, CRUISE), until=99)
    assert_same([one for one in seen(run, grid) if one[0] < 990], expected)
    begins = [(0, 0), (20, 1), (32, 1), (44, 0), (64, 1), (76, 0), (96, 0)]
    assert_judged(run, grid, begins, exact=True)


@pytest.mark.parametrize(("board", "grid_us"), BOARDS)
def test_the_application_starts_and_stops(
    board: str, grid_us: int, bench: Bench, tmp_path: Path
) -> None:
    grid = Fraction(grid_us, 10**6)
    counts = int(grid * read_board(board).clock.hz)
    start = "expect(hrl_dispatcher_start_{}, {});"
    calls = {
        0: start.format("relative(0)", "HRL_VALUE")
        + start.format("absolute(hrl_now())", "HRL_VALUE"),
        1: start.format(f"absolute({read_board(board).start_counts + 10 * counts}u)", "HRL_OK"),
        2: "expect(hrl_dispatcher_stop(), HRL_OK);",
        3: start.format("relative(1)", "HRL_STATE"),
        9: "expect(hrl_dispatcher_stop(), HRL_NOT_RUNNING);",
        10: start.format(f"relative({10 * counts})", "HRL_OK"),
    }
    keys = 'start = "application"\n'
    system = described(tmp_path, board, grid, (CRUISE,), calls, until=80, keys=keys)
    assert system.control is not None
    assert system.control.by_application
    run = bench(system, plan(system).choice)
    found = seen(run, grid)
    first = rounds((10, CRUISE), until=30)
    assert_same(found[: len(first)], first)
    again = [
        one for one in found[len(first) :] if one[0] < 800
    ]  # the next round begins behind the end
    assert [name for _, name in again] == ["sense", "log", "sense", "act"]
    assert [at - again[0][0] for at, _ in again] == [0, 30, 70, 150]
    assert 600 <= again[0][0] <= 602
    assert_judged(run, grid, [(10, 0), (60, 0)], exact=board == "host")


@pytest.mark.parametrize(("board", "grid_us"), BOARDS)
def test_a_global_time_moves_the_rounds(
    board: str, grid_us: int, bench: Bench, tmp_path: Path
) -> None:
    """First it is 3 steps ahead of the table, then 2 behind; deadlines move with it."""
    grid = Fraction(grid_us, 10**6)
    counts = int(grid * read_board(board).clock.hz)
    keys = (
        f'[table.sync]\nprecision = "{duration_text(grid)}"\nmaximum_advance = "{duration_text(2 * grid)}"\n'
        f'maximum_retard = "{duration_text(grid)}"\n'
    )
    calls = {
        1: f"expect(hrl_dispatcher_synchronise({8 * counts}u), HRL_OK);",  # at 5
        13: f"expect(hrl_dispatcher_synchronise({6 * counts}u), HRL_OK);",  # at 65, in the round from 57
    }
    system = described(tmp_path, board, grid, (CRUISE,), calls, until=120, keys=keys)
    run = bench(system, plan(system).choice)
    # Shorter by 2 and by 1; then longer by 1 and by 1. A call takes its time, so instants are nearly these.
    begins = (0, 18, 37, 57, 78, 99)
    expected = [
        (10 * (begin + at), name)
        for begin in begins
        for at, name in CRUISE.points
        if begin + at < 118
    ]
    found = [one for one in seen(run, grid) if one[0] < 1180]
    assert [name for _, name in found] == [name for _, name in expected]
    assert all(abs(at - wanted) <= 1 for (at, _), (wanted, _) in zip(found, expected, strict=True))
    assert_judged(run, grid, [(at, 0) for at in (*begins, 119)], exact=board == "host")


@pytest.mark.parametrize(("board", "grid_us"), BOARDS[:2])
def test_a_clock_that_is_the_global_time(
    board: str, grid_us: int, bench: Bench, tmp_path: Path
) -> None:
    """It has absolute starts alone, to the count, and is synchronous for as long as it runs."""
    grid = Fraction(grid_us, 10**6)
    counts, start = int(grid * read_board(board).clock.hz), read_board(board).start_counts

    def state(name: str) -> str:
        wanted = f"(enum hrl_status)HRL_DISPATCHER_{name}"
        return f"expect((enum hrl_status)hrl_dispatcher_state(), {wanted});"

    calls = {
        0: state("STOPPED")
        + "expect(hrl_dispatcher_start_relative(1000), HRL_ID);"
        + f"expect(hrl_dispatcher_start_absolute({start + 10 * counts}u), HRL_OK);"
        + state("WAITING"),
        3: state("RUNNING_AND_SYNCHRONOUS")
        + "expect(hrl_dispatcher_synchronise(1), HRL_ID);"
        + "expect(hrl_dispatcher_set_asynchronous(), HRL_ID);"
        + "expect(hrl_dispatcher_stop(), HRL_OK);",
        8: state("STOPPED")
        + f"expect(hrl_dispatcher_start_absolute({start + 51 * counts}u), HRL_OK);",
        14: state("RUNNING_AND_SYNCHRONOUS"),
    }
    keys = 'start = "application"\nsync = { strategy = "implicit" }\n'
    system = described(tmp_path, board, grid, (CRUISE,), calls, until=80, keys=keys)
    run = bench(system, plan(system).choice)
    assert_judged(run, grid, [(10, 0), (51, 0), (71, 0)], exact=True)


def test_a_large_deviation_is_made_up_for_in_several_rounds(bench: Bench, tmp_path: Path) -> None:
    """A table that is 9 steps behind is advanced by 2 of each round, then by the last; deadlines hold."""
    grid = Fraction(100, 10**6)
    counts = int(grid * read_board("host").clock.hz)
    keys = (
        f'[table.sync]\nprecision = "{duration_text(grid)}"\nmaximum_advance = "{duration_text(2 * grid)}"\n'
        f'maximum_retard = "{duration_text(grid)}"\n'
    )
    calls = {1: f"expect(hrl_dispatcher_synchronise({14 * counts}u), HRL_OK);"}  # at 5
    system = described(tmp_path, "host", grid, (CRUISE,), calls, until=150, keys=keys)
    run = bench(system, plan(system).choice)
    begins = [at for at, name in seen(run, grid) if name == "log"]  # 3 steps into each round
    rounds_in_tenths = [after - at for at, after in pairwise(begins)]
    assert rounds_in_tenths == [180, 180, 180, 180, 190, 200, 200]
