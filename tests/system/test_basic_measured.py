# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is measured of basic tasks, from outside: the instructions of each, and which were disturbed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.system.support import Run, made_system, ms, task

from horolog.model import Kind, Plan, System, Task
from horolog.plan import NOTHING, plan

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]
CELLS = ("timer0", "timer1")
# 640 us of each millisecond and a half, and a moment of each 3 ms in the midst of it.
URGENT = task("urgent", Fraction(3, 2000), work=10_000)
TOP = task("top", Fraction(3, 4000), work=10)
OTHER = task("other", ms(3), offset=Fraction(3, 10_000), work=100)


def basic(tasks: Sequence[Task], cells: Sequence[str] = CELLS) -> System:
    rows = [replace(row, kind=Kind.BASIC) for row in tasks]
    return made_system(rows, cells=cells, duration=ms(30))


def run(bench: Bench, system: System, mechanism: str) -> Run:
    return bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)


def test_with_a_cell_per_line_no_task_is_disturbed(bench: Bench) -> None:
    apart = run(bench, basic([URGENT, OTHER]), "sloth")
    assert [releaser.direct for releaser in apart.plan.releasers] == [True, True]
    assert apart.side.interruptions is not None
    assert (apart.side.interruptions.count, apart.side.interruptions.kernel) == (0, 0)
    assert apart.side.jobs == 20 + 10
    assert apart.side.interrupts.taken == 20 + 10


def test_a_cell_that_serves_several_levels_disturbs_those_between(bench: Bench) -> None:
    """It interrupts at its most urgent task's, so it comes into the other's jobs for the least urgent one."""
    together = run(bench, basic([TOP, URGENT, OTHER], CELLS[:1]), "one-shot")
    found = together.side.interruptions
    assert found is not None
    assert found.count == 10
    assert found.kernel is not None
    assert 10 * 20 < found.kernel < 10 * 100
    assert together.side.jobs == 40 + 20 + 10


def test_bodies_are_the_same_under_each_dispatcher(bench: Bench) -> None:
    """And what an interrupted job has executed is what it executes alone, to the instruction."""
    low = task("low", ms(15), work=60_000)  # 3.84 ms
    both = [URGENT, low]
    threads = run(bench, made_system(both, cells=CELLS, duration=ms(30)), "one-shot")
    nested = run(bench, basic(both), "sloth")
    alone = run(bench, basic([low]), "sloth")
    assert threads.side.instructions is not None
    assert nested.side.instructions is not None
    assert nested.side.instructions.work == threads.side.instructions.work
    order = [(kind, index) for _, kind, index in nested.trace if kind in "SE"]
    assert order.count(("S", 0)) == 20
    inside = order[order.index(("S", 1)) : order.index(("E", 1))]
    assert inside.count(("S", 0)) >= 2
    assert nested.findings.longest[1] == threads.findings.longest[1] == alone.findings.longest[0]


def test_a_second_run_of_basic_tasks_counts_the_same(bench: Bench) -> None:
    first = run(bench, basic([URGENT, OTHER]), "sloth")
    again = run(bench, basic([URGENT, OTHER]), "sloth")
    assert again.findings == first.findings
    assert again.trace == first.trace
