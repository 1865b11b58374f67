# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Monitored deadlines on the boards: the hook is called for each one that is missed, and for no other."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.support.dispatcher import dispatched, drawn_table, next_points
from tests.system.support import Run

from horolog.analyse import monitored_deadlines
from horolog.model import HorologError, Monitoring, Plan, System
from horolog.plan import plan
from horolog.read import duration_text, read_board, read_system

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

ROUNDS, QUARTER, NEARLY_ALL = 3, Fraction(1, 4), 0.8
HEAD = """
[system]
name = "watched"
board = "{board}"
duration = "{duration}"
sources = ["hook.c"]

[[task]]
name = "check"
period = "1 s"
offset = "{checked}"
body = "check"
wcet = "10 us"

"""
HOOK = """
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/kernel.h>

static const struct {{ uint32_t task, due; }} expected[] = {{ {expected} {{ 0, 0xFFFFFFFFu }} }};
static uint32_t seen;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{{
    uint32_t now = (uint32_t)hrl_now();

    if (task != &hrl_gen_basic[expected[seen].task]) {{
        hrl_assert_hook("another task", __FILE__, __LINE__);
    }}
    if (now - expected[seen].due > {late}u) {{
        hrl_assert_hook("another instant", __FILE__, __LINE__);
    }}
    seen++;
}}

void check(void);
void check(void)
{{
    uint32_t misses = 0;

    for (uint32_t i = 0; i < {tasks}u; i++) {{
        misses += hrl_basic_deadline_misses(&hrl_gen_basic[i]);
    }}
    if (misses != seen || seen < {least}u) {{
        hrl_assert_hook("too few", __FILE__, __LINE__);
    }}
}}
"""


class _TooCloseError(Exception):
    """A job ends so near to an instant at which the kernel looks that its own time decides."""


def watched(
    folder: Path,
    board: str,
    kind: str,
    seed: int,
    grid: Fraction,
    by: str = "",
    *,
    even: bool = True,
) -> tuple[System, int]:
    """A table of 5 tasks in which some deadlines are missed, with a hook that knows which; and how many.

    Not `even`: points of a task at any offsets, some with a deadline of their own and some with none.
    """
    random = Random(seed)
    table = drawn_table(random, 5, 32 * grid, grid, even=even)
    turn = Fraction(60 if board == "ibex-cells" else 64, 10**9)
    longest = [(random.randint(0, 5) + Fraction(1, 2)) * grid for _ in range(5)]
    deadlines: list[Fraction | None] = []
    of_task: dict[int, Fraction] = {}
    for point, gap in zip(table.points, next_points(table), strict=True):
        wcet = longest[point.task]
        most = (gap - wcet) // grid
        if most < 0:
            raise _TooCloseError
        drawn = wcet + (random.randint(0, min(6, int(most))) - QUARTER) * grid
        drawn = max(drawn, wcet + QUARTER * grid)
        if even:
            drawn = of_task.setdefault(point.task, drawn)
        deadlines.append(drawn if even or random.random() < NEARLY_ALL else None)
    text = HEAD.format(
        board=board,
        duration=duration_text(ROUNDS * table.round + grid),
        checked=duration_text(ROUNDS * table.round),
    )
    for task, work in enumerate(longest):
        text += f'[[task]]\nname = "t{task}"\nwork = {int(work / turn)}\n'
    text += (
        f'[[table]]\nname = "drawn"\nkind = "dispatcher"\nround = "{duration_text(table.round)}"\n'
    )
    text += f'deadline_monitoring = "{kind}"\n{by}'
    for point, deadline in zip(table.points, deadlines, strict=True):
        text += f'[[table.point]]\noffset = "{duration_text(point.offset)}"\nactivate = "t{point.task}"\n'
        if deadline is not None:
            text += f'deadline = "{duration_text(deadline)}"\n'
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    (folder / "hook.c").write_text("void check(void);\nvoid check(void) {}\n", encoding="utf-8")
    system = read_system(path)
    expected = missed(system, longest, grid)
    least = sum(due < ROUNDS * table.round for due, _ in expected)
    hz, start = system.board.clock.hz, system.board.start_counts
    listed = [f"{{ {task}, {start + int(due * hz)}u }}," for due, task in expected]
    hook = HOOK.format(expected=" ".join(listed), late=hz // 50_000, tasks=5, least=least)
    (folder / "hook.c").write_text(hook, encoding="utf-8")
    return system, least


def missed(system: System, longest: list[Fraction], grid: Fraction) -> list[tuple[Fraction, int]]:
    """When the hook is to be called, and for which task of the table, by the model without levels.

    Of equal instants the rows' order decides, or with a cell for each task that of the tasks.
    """
    (table,) = system.tables
    first, hz = min(table.tasks), system.board.clock.hz
    starts = [
        (number * table.round + point.offset, point.task - first)
        for number in range(ROUNDS + 2)
        for point in table.points
    ]
    following = next_points(table) * (ROUNDS + 2)
    ends: dict[int, list[Fraction]] = {}
    for step in dispatched(starts, longest):
        if step.kind == "E":
            ends.setdefault(step.task, []).append(step.at)
    monitored = monitored_deadlines(table, hz)
    rows = {(one.task - first, one.point): at for at, one in enumerate(monitored)}
    found = []
    for (at, task), gap in zip(starts, following, strict=True):
        end = ends[task].pop(0) if ends[task] else None
        if end is not None and end > at + gap - QUARTER * grid:  # so a point may be passed over
            raise _TooCloseError
        if (task, int(at % table.round * hz)) not in rows:
            continue
        row = rows[task, int(at % table.round * hz)]
        due = at + Fraction(monitored[row].due - monitored[row].point, hz)
        if end is not None and abs(end - due) < QUARTER * grid:
            raise _TooCloseError
        if end is None or end > due:
            found.append((due, row, task))
    assert table.deadline_cells is not None
    if table.deadline_cells.each:
        found = [(due, task, task) for due, _, task in found]
    return [(due, task) for due, _, task in sorted(found)]


BY = 'deadline_cell = "cell9"\n'
MISSED = [
    ("host", None, "", 100, True),
    ("host", None, "", 100, False),
    ("mps2-an385", "gcd", "", 100, True),
    ("mps2-an385", "one-shot", "", 100, False),
    ("ibex-cells", "sloth", "", 40, True),  # if stringent, each task by a cell of its own
    ("ibex-cells", "gcd", "", 160, True),
    ("ibex-cells", "one-shot", "", 80, False),
    ("ibex-cells", "sloth", BY, 40, True),
]
SOAK = {("gcd", "", "stringent"), ("one-shot", "", "non-stringent"), ("sloth", BY, "stringent")}
"""RTL takes long: of each mechanism one kind, but both where each task has a cell of its own if stringent."""


def _marks(board: str, mechanism: str | None, by: str, kind: str) -> list[pytest.MarkDecorator]:
    is_soak = board == "ibex-cells" and (mechanism, by, kind) in SOAK
    return [pytest.mark.soak] if is_soak else []


@pytest.mark.parametrize(
    ("board", "mechanism", "by", "grid_us", "even", "kind"),
    [
        pytest.param(*one, kind.value, marks=_marks(*one[:3], kind.value))
        for kind in Monitoring
        for one in MISSED
    ],
)
def test_the_hook_is_called_for_each_missed_deadline(
    board: str,
    mechanism: str | None,
    by: str,
    grid_us: int,
    even: bool,
    kind: str,
    bench: Bench,
    tmp_path: Path,
) -> None:
    tried = 0
    for seed in range(40 if even else 200):
        try:
            grid = Fraction(grid_us, 10**6)
            system, least = watched(tmp_path, board, kind, seed, grid, by, even=even)
        except (HorologError, _TooCloseError):  # of a circle: test_read_dispatch_tables.py
            continue
        uneven = any(task.points and task.monitored for task in system.tasks)
        if not 3 <= least <= 12 or uneven == even:
            continue
        cells = system.tables[0].deadline_cells
        assert cells is not None
        assert cells.each == (board == "ibex-cells" and kind == "stringent" and not by and even)
        run = bench(system, plan(system, mechanism=mechanism).choice)
        assert run.side.overruns == 0, f"seed {seed}"
        tried += 1
        if tried == 1 + even:
            return
    pytest.fail("no table drawn misses a few deadlines")


@pytest.mark.parametrize("board", ["mps2-an385", "ibex-cells"])
def test_deadlines_that_hold_cause_no_interrupt(board: str, bench: Bench, tmp_path: Path) -> None:
    """The cell's handler is never entered: no instruction of it is counted."""
    path = tmp_path / "system.toml"
    path.write_text(
        HEAD.format(board=board, duration="100 ms", checked="99 ms").replace(
            'body = "check"', "work = 20"
        )
        + '[[task]]\nname = "t"\nwork = 200\n[[table]]\nname = "r"\nkind = "dispatcher"\n'
        'round = "1 ms"\ndeadline_monitoring = "stringent"\n'
        'point = [{ offset = "0 ms", activate = "t", deadline = "0.5 ms" }]\n',
        encoding="utf-8",
    )
    (tmp_path / "hook.c").write_text("", encoding="utf-8")
    system = read_system(path)
    (table,) = system.tables
    assert table.deadline_cells is not None
    handler = read_board(board).cell(table.deadline_cells.names[0]).handler
    run = bench(system, plan(system).choice)
    assert run.side.jobs == 101
    assert handler not in run.side.counted.by_function


@pytest.mark.parametrize("board", ["host", "mps2-an385"])
def test_of_equal_deadlines_the_first_is_monitored_too(
    board: str, bench: Bench, tmp_path: Path
) -> None:
    """In the first round as in all others; the task with the earlier point is the later one of the file."""
    text = HEAD.format(board=board, duration="30 ms", checked="29 ms")
    works = 9_000, 25_000  # 0.58 ms, and 1.6 ms about it
    text += "".join(f'[[task]]\nname = "t{i}"\nwork = {work}\n' for i, work in enumerate(works))
    text += '[[table]]\nname = "r"\nkind = "dispatcher"\nround = "10 ms"\n'
    text += 'deadline_monitoring = "stringent"\npoint = [\n'
    text += '{ offset = "0 ms", activate = "t1", deadline = "2 ms" },\n'
    text += '{ offset = "1 ms", activate = "t0", deadline = "1 ms" }]\n'
    path = tmp_path / "system.toml"
    path.write_text(text, encoding="utf-8")
    (tmp_path / "hook.c").write_text("void check(void);\nvoid check(void) {}\n", encoding="utf-8")
    system = read_system(path)
    hz, start = system.board.clock.hz, system.board.start_counts
    expected = " ".join(f"{{ 1, {start + (10 * at + 2) * hz // 1000}u }}," for at in range(3))
    hook = HOOK.format(expected=expected, late=hz // 50_000, tasks=2, least=3)
    (tmp_path / "hook.c").write_text(hook, encoding="utf-8")
    run = bench(system, plan(system).choice)
    assert run.side.overruns == 0


@pytest.mark.parametrize(
    ("board", "mechanism", "by"),
    [
        ("mps2-an385", None, ""),
        ("ibex-cells", None, ""),
        ("ibex-cells", "gcd", ""),
        ("ibex-cells", None, 'deadline_cell = "cell9"\n'),
        pytest.param("ibex-cells-small", None, "", marks=pytest.mark.soak),
    ],
)
def test_what_it_costs_is_predicted(
    board: str, mechanism: str | None, by: str, bench: Bench, tmp_path: Path
) -> None:
    """With other periods than calibration had, and jobs that end out of their deadlines' order."""
    path = tmp_path / "system.toml"
    (tmp_path / "hook.c").write_text("", encoding="utf-8")
    text = (
        HEAD.format(board=board, duration="30 ms", checked="29 ms").replace(
            'body = "check"', "work = 20"
        )
        + "".join(f'[[task]]\nname = "t{i}"\nwork = 200\n' for i in range(4))
        + '[[table]]\nname = "r"\nkind = "dispatcher"\nround = "3 ms"\n'
    )
    points = """point = [
        { offset = "0 ms", activate = "t0", deadline = "2.5 ms" },
        { offset = "0.5 ms", activate = "t1", deadline = "0.5 ms" },
        { offset = "2 ms", activate = "t1", deadline = "0.5 ms" },
        { offset = "1 ms", activate = "t2", deadline = "0.8 ms" },
        { offset = "2.2 ms", activate = "t3", deadline = "2 ms" }]
        """

    def run(monitoring: str) -> tuple[Fraction, int]:
        path.write_text(text + monitoring + points, encoding="utf-8")
        system = read_system(path)
        choice = plan(system, mechanism=mechanism).choice
        counted = bench(system, choice).side.counted
        return choice.prediction.kernel_instructions, counted.kernel

    before, without = run("")
    predicted, measured = run(f'deadline_monitoring = "stringent"\n{by}')
    assert measured > without
    assert abs((predicted - before) - (measured - without)) <= measured / 20
