# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables on the boards: jobs start and end in the order that the table says, by any plan."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.support.dispatcher import dispatched, drawn_table, next_points
from tests.system.support import Run

from horolog.analyse import jobs_in, levels
from horolog.model import DispatcherTable, HorologError, Plan, System
from horolog.plan import plan
from horolog.read import duration_text, read_system

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

ROUNDS, MARGIN = 3, Fraction(1, 2)  # of the grid: what the kernel takes is far below it
HEAD = """
[system]
name = "table"
board = "{board}"
duration = "{duration}"

[[task]]
name = "log"
period = "{period}"
work = 40

[[task]]
name = "blink"
period = "{period}"
work = 20
kind = "basic"

"""


def described(
    folder: Path, board: str, table: DispatcherTable, longest: list[Fraction], turn: Fraction
) -> System:
    """The system of a drawn table, as a user would write it, beside a thread and a basic task."""
    text = HEAD.format(
        board=board,
        duration=duration_text(ROUNDS * table.round),
        period=duration_text(2 * table.round),
    )
    for task, work in enumerate(longest):
        text += f'[[task]]\nname = "t{task}"\nwork = {int(work / turn)}\n'
    text += (
        f'[[table]]\nname = "drawn"\nkind = "dispatcher"\nround = "{duration_text(table.round)}"\n'
    )
    for point in table.points:
        text += f'[[table.point]]\noffset = "{duration_text(point.offset)}"\nactivate = "t{point.task}"\n'
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path)


def drawn(
    seed: int, grid: Fraction, tasks: int, *, even: bool = True
) -> tuple[DispatcherTable, list[Fraction], list[tuple[str, int]]]:
    """A table in which jobs end by their tasks' next points, and none near a point; and their order."""
    random = Random(seed)
    while True:
        table = drawn_table(random, tasks, 32 * grid, grid, even=even)
        longest = [(random.randint(0, 5) + MARGIN) * grid for _ in range(tasks)]
        starts = [
            (
                number * table.round + point.offset,
                point.task,
                number * table.round + point.offset + gap,
            )
            for number in range(ROUNDS)
            for point, gap in zip(table.points, next_points(table), strict=True)
        ]
        steps = list(dispatched([(at, task) for at, task, _ in starts], longest))
        if steps[-1].at > ROUNDS * table.round or sum(s.kind == "E" for s in steps) != len(starts):
            continue
        ends = {
            task: [s.at for s in steps if (s.kind, s.task) == ("E", task)] for task in table.tasks
        }
        if all(ends[task].pop(0) <= following for _, task, following in starts):
            return table, longest, [(step.kind, step.task) for step in steps]


@pytest.mark.parametrize(
    ("board", "mechanism", "grid_us", "even"),
    [
        ("host", None, 100, True),
        ("host", None, 100, False),
        ("mps2-an385", None, 100, True),
        ("mps2-an385", "gcd", 100, True),
        ("mps2-an385", "gcd", 100, False),
        ("mps2-an385", "one-shot", 100, True),
        ("mps2-an385", "one-shot", 100, False),
        ("ibex-cells", "sloth", 20, True),
        ("ibex-cells", "sloth", 20, False),
        ("ibex-cells", "gcd", 40, True),
        ("ibex-cells", "one-shot", 40, False),
    ],
)
def test_jobs_start_and_end_as_the_table_says(
    board: str, mechanism: str | None, grid_us: int, even: bool, bench: Bench, tmp_path: Path
) -> None:
    grid = Fraction(grid_us, 10**6)
    for seed in range(20):
        table, longest, order = drawn(seed, grid, tasks=6, even=even)
        turn = Fraction(60 if board == "ibex-cells" else 64, 10**9)
        with suppress(HorologError):  # a circle, or too many levels: test_read_dispatch_tables.py
            system = described(tmp_path, board, table, longest, turn)
            assert any(task.points for task in system.tasks) != even
            break
    else:
        pytest.fail("no table drawn can be dispatched")
    chosen = plan(system, mechanism=mechanism).choice
    run = bench(system, chosen)
    assert run.side.jobs == sum(jobs_in(system))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    tabled = {system.tasks.index(t): int(t.name[1:]) for t in system.tasks if t.table_level}
    seen = [(kind, tabled[i]) for _, kind, i in run.events("SE") if i in tabled]
    assert seen == order, f"seed {seed}"


def test_what_runs_in_the_idle_time_disturbs_no_table(bench: Bench, tmp_path: Path) -> None:
    """A thread and a basic task that never rest leave the responses of the table as they were."""
    table, longest, _ = drawn(3, Fraction(100, 10**6), tasks=4)
    system = described(tmp_path, "mps2-an385", table, longest, Fraction(64, 10**9))
    log, blink, *tasks = system.tasks
    alone = bench(system, plan(system, mechanism="gcd").choice)
    busy = replace(
        system,
        tasks=(replace(log, work=9000, wcet=None), replace(blink, work=9000, wcet=None), *tasks),
    )
    beside = bench(busy, plan(busy, mechanism="gcd").choice)
    assert max(levels(busy)) == max(levels(system))
    for task in tasks:
        quiet, loud = (run.side.response[task.name].max_ns for run in (alone, beside))
        assert loud - quiet < 10_000, task.name  # the kernel's own time, and no body's
