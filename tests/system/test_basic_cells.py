# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks on the core's RTL, in true cycles: what they take, and which tasks are disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, Run, example, made_system, measured, ms, task

from horolog.analyse import jobs_in
from horolog.model import Kind, Plan, PriorityRule, System, Task
from horolog.model.result import CYCLES, Side
from horolog.plan import NOTHING, plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("rtl")]

RTL, SMALL = "ibex-cells", "ibex-cells-small"
Bench = Callable[[System, Plan], Run]
# 600 us of each millisecond and a half, and a moment of each 3 ms in the midst of it.
URGENT = task("urgent", Fraction(3, 2000), work=10_000)
TOP = task("top", Fraction(3, 4000), work=10)
OTHER = task("other", ms(3), offset=Fraction(3, 10_000), work=100)


def engine(board: str, out: Path, cells: int) -> tuple[System, Plan, Side]:
    """examples/engine-control as basic tasks, on so many cells, planned and measured."""
    system = read_system(example("engine-control"), board=board, kind=Kind.BASIC)
    names = [cell.name for cell in system.board.cells]
    system = replace(system, duration=ms(20), cells=tuple(names[:cells]))
    chosen = plan(system).choice
    return system, chosen, measure_plan(system, chosen, out)


@pytest.mark.parametrize("cells", [1, 12])
@pytest.mark.parametrize("board", [RTL, pytest.param(SMALL, marks=pytest.mark.soak)])
def test_engine_control_takes_what_was_predicted(board: str, cells: int, tmp_path: Path) -> None:
    system, chosen, side = engine(board, tmp_path, cells)
    assert side.jobs == sum(jobs_in(system))
    assert (side.deadline_misses, side.overruns) == (0, 0)
    assert side.interrupts.taken == chosen.prediction.interrupts
    counted = side.instructions
    assert counted is not None
    assert counted.unit == CYCLES
    assert "?" not in counted.by_function
    assert "(library)" not in counted.by_function
    error = chosen.prediction.kernel_instructions / counted.kernel - 1
    assert abs(error) <= Fraction(5, 100)


def run(bench: Bench, tasks: Sequence[Task], cells: int, mechanism: str) -> Run:
    rows = [replace(row, kind=Kind.BASIC, wcet=None) for row in tasks]  # a turn lasts 60 ns here
    names = [f"cell{number}" for number in range(cells)]
    system = made_system(rows, board=RTL, cells=names, duration=ms(15))
    return bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)


def test_with_a_cell_per_line_no_task_is_disturbed(bench: Bench) -> None:
    apart = run(bench, [TOP, URGENT, OTHER], 3, "sloth")
    assert [releaser.store for releaser in apart.plan.releasers] == ["none"] * 3
    assert apart.side.interruptions is not None
    assert (apart.side.interruptions.count, apart.side.interruptions.kernel) == (0, 0)
    assert apart.side.jobs == apart.side.interrupts.taken == 20 + 10 + 5
    # The less urgent one's expiry waits: it falls into every second job of the other.
    falls_into = [ns for ns, kind, index in apart.trace if (kind, index) == ("E", 1)][::2]
    starts = [ns for ns, kind, index in apart.trace if (kind, index) == ("S", 2)]
    assert all(0 < start - end < 1_000 for start, end in zip(starts, falls_into, strict=True))


def test_a_cell_that_serves_several_levels_disturbs_those_between(bench: Bench) -> None:
    together = run(bench, [TOP, URGENT, OTHER], 1, "one-shot")
    assert together.side.interruptions is not None
    assert together.side.interruptions.count == 5
    assert together.side.jobs == 20 + 10 + 5


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
def test_both_kinds_start_and_end_in_the_same_order_as_on_a_cortex_m(
    mechanism: str, tmp_path: Path
) -> None:
    """Threads below and above basic tasks; their entries leave one's stack for the other's."""
    rows = [
        ("fast", ms(1), 0, 2_000, Kind.BASIC),
        ("mid", ms(2), 0, 6_000, Kind.THREAD),
        ("served", ms(4), 1, 9_000, Kind.BASIC),
        ("back", ms(4), 0, 10_000, Kind.THREAD),
    ]
    tasks = [
        replace(
            task(name, period, offset=ms(offset), work=work, priority=len(rows) - at),
            kind=kind,
            wcet=None,
        )
        for at, (name, period, offset, work, kind) in enumerate(rows)
    ]
    orders = []
    for board in (BOARD, RTL):
        system = made_system(tasks, board=board, duration=ms(12))
        system = replace(system, priorities=PriorityRule.EXPLICIT)
        chosen = plan(system, mechanism=mechanism, prices=NOTHING).choice
        run = measured(system, chosen, tmp_path / board)
        assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
        assert run.side.jobs == sum(jobs_in(system))
        orders.append([(kind, index) for _, kind, index in run.trace if kind in "SE"])
    assert orders[0] == orders[1]
    assert len(orders[0]) >= 2 * (12 + 6 + 3 + 3)
