# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems with budgets and schedule tables: no response is longer than its bound.

And what is predicted of them beside what is measured: interrupts at points, and the kernel's instructions.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from tests.system.support import BOARD, horolog

from horolog.build.toolchains import other_tools
from horolog.plan import plan, read_prices
from horolog.read import read_board, read_system
from horolog.responses import analysis_of

pytestmark = pytest.mark.emulator

WITHIN_PERCENT = 12
"""How far off the prediction of the kernel's instructions may be; tasks preempt one another, and budgets."""
EVENTS = (
    "#include <hrl/event.h>\nHRL_EVENT_DEFINE(done);\nvoid nothing(void);\nvoid nothing(void) {}\n"
)
DURATION_MS = {BOARD: 200, "ibex-cells": 20}
CELLS = {BOARD: "timer1", "ibex-cells": "cell1"}
MANY = 60
LONG_POINT = """\
[system]
name = "long-point"
board = "{board}"
duration = "50 ms"
priorities = "explicit"
timeouts = "{cell}"
sources = ["events.c"]

[[task]]
name = "beat"
period = "10 ms"
work = 10
priority = 1

[[task]]
name = "urgent"
work = 10
priority = 3

[[table]]
name = "long"
kind = "schedule"
round = "5 ms"
autostart = {{ relative = "1 ms" }}
point = [{{ offset = "0 ms", activate = ["urgent"], set = [{events}] }}]
"""
ROUNDS_MS = (4, 5, 8, 10)


def described(seed: int, board: str) -> str:
    """Threads and basic tasks with periods, some with budgets, and one to three tables by the clock."""
    random = Random(seed)
    scale = 1 if board == BOARD else Fraction(1, 4)
    lines = [
        "[system]",
        f'name = "random-{seed}"',
        f'board = "{board}"',
        f'duration = "{DURATION_MS[board]} ms"',
        'priorities = "explicit"',
        f'timeouts = "{CELLS[board]}"',
        'sources = ["events.c"]',
    ]

    def task(name: str, basic: bool, period_ms: int | None) -> None:
        work = random.randint(20, 2500 if period_ms is None else 3000) * scale
        lines.extend(["", "[[task]]", f'name = "{name}"', f"work = {int(work)}"])
        lines.append(f"priority = {random.randint(1, 3) + 3 * basic}")
        if basic:
            lines.append('kind = "basic"')
        if period_ms is not None:
            lines.append(f'period = "{float(period_ms * scale)} ms"')
            lines.append(f'offset = "{float(random.randint(0, 3) * scale)} ms"')
            if basic and random.random() < 0.7:
                lines.append(f'budget = "{float(1 * scale)} ms"')

    for at in range(random.randint(1, 2)):
        task(f"thread_{at}", False, random.choice((10, 20)))
    for at in range(random.randint(1, 3)):
        task(f"basic_{at}", True, random.choice((5, 10, 20)))
    tables = []
    for table in range(random.randint(1, 3)):
        lasts = random.choice(ROUNDS_MS)
        names = [f"from_{table}_{at}" for at in range(random.randint(1, 3))]
        for name in names:
            task(name, random.random() < 0.5, None)
        offsets = sorted(random.sample(range(2 * lasts), random.randint(1, 3)))
        points = []
        for offset in offsets:
            some = ", ".join(f'"{name}"' for name in names if random.random() < 0.7)
            act = f"activate = [{some}], " if some else ""
            act += (
                'set = [{ event = "done", flags = 1 }]' if not some or random.random() < 0.3 else ""
            )
            points.append(
                f'    {{ offset = "{float(offset * scale / 2)} ms", {act.rstrip(", ")} }},'
            )
        # Each task has a point.
        all_names = ", ".join(f'"{name}"' for name in names)
        points[-1] = (
            f'    {{ offset = "{float(offsets[-1] * scale / 2)} ms", activate = [{all_names}] }},'
        )
        start = random.choice((Fraction(1), Fraction(7, 3), Fraction(1, 2)))
        counts = int(start * scale * 1000) * 25  # whole counts of either clock
        tables += [
            "",
            "[[table]]",
            f'name = "table_{table}"',
            'kind = "schedule"',
            f'round = "{float(lasts * scale)} ms"',
            f'autostart = {{ relative = "{counts * 40} ns" }}',
            "point = [",
            *points,
            "]",
        ]
    return "\n".join([*lines, *tables]) + "\n"


def look(seed: int, board: str, folder: Path) -> tuple[int, float]:
    """Run a system; returns how many tasks were held against bounds, and how far off the prediction was."""
    folder.mkdir()
    path = folder / "system.toml"
    path.write_text(described(seed, board), encoding="utf-8")
    (folder / "events.c").write_text(EVENTS, encoding="utf-8")
    said = horolog("run", path, "--json", "--out", folder / "out")
    assert said.code in (0, 1), said.err  # a deadline may be missed: that is no fault of a bound
    ours = said.object["horolog"]
    system = read_system(path)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    bounds = {system.all_tasks[one.task].name: one.response for one in found.bounds}
    assert len(ours["response"]) == len(system.all_tasks)
    for name, response in ours["response"].items():
        bound = bounds[name]
        assert bound is None or Fraction(response["max_ns"]) <= bound * 10**9, (seed, name)
    for one in ours["beside"]:
        if one["interrupts_taken"] is not None:
            # An interrupt that comes late serves a point of another table, too.
            late = one["interrupts_predicted"] - one["interrupts_taken"]
            assert 0 <= late <= one["interrupts_predicted"] / 4, (seed, one)
    counted = ours["instructions"] or ours["cycles"]
    return len(bounds), 100 * (ours["kernel_predicted"] / counted["kernel"] - 1)


def test_a_bound_has_all_that_a_point_does(tmp_path: Path) -> None:
    """The task that runs last after a point with many actions: nothing else in its bound is so long."""
    events = ", ".join('{ event = "done", flags = 1 }' for _ in range(MANY))
    text = LONG_POINT.format(board=BOARD, cell=CELLS[BOARD], events=events)
    (tmp_path / "system.toml").write_text(text, encoding="utf-8")
    (tmp_path / "events.c").write_text(EVENTS, encoding="utf-8")
    said = horolog("run", tmp_path / "system.toml", "--json", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    measured = Fraction(said.object["horolog"]["response"]["urgent"]["max_ns"]) / 10**9
    system = read_system(tmp_path / "system.toml")
    prices = read_prices(system.board)
    chosen = plan(system).choice
    (one,) = (
        one.response
        for one in analysis_of(system, chosen, prices).bounds
        if system.all_tasks[one.task].name == "urgent"
    )
    assert one is not None
    assert prices.expiries is not None
    lasts = Fraction(system.board.runner.ns_per_step or 0, 10**9)
    assert measured > MANY * prices.expiries.typical("event") * lasts
    assert measured <= one < 2 * measured


def test_no_response_is_longer_than_its_bound(tmp_path: Path) -> None:
    origin = read_prices(read_board(BOARD)).origin
    _, off = look(1, BOARD, tmp_path / "run")
    assert origin is not None
    assert origin.toolchain is not None
    if not other_tools(origin.toolchain):
        assert abs(off) < WITHIN_PERCENT


@pytest.mark.soak
@pytest.mark.parametrize(("board", "systems"), [(BOARD, 60), ("ibex-cells", 10)])
def test_no_response_of_many_systems_is(board: str, systems: int, tmp_path: Path) -> None:
    looked = [look(seed, board, tmp_path / str(seed)) for seed in range(100, 100 + systems)]
    print(  # noqa: T201
        f"{board}: {systems} systems, {sum(tasks for tasks, _ in looked)} tasks, "
        f"predictions {min(o for _, o in looked):+.1f} to {max(o for _, o in looked):+.1f} %"
    )
