# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems of basic tasks on the emulated board: what the planner predicts is what is counted.

However it releases them: jobs are those of arithmetic, every interrupt is foretold, and the kernel's
instructions are, within 5 %.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from tests.system.conftest import LOUD
from tests.system.support import Run, made_system, ms, task, tools

from horolog.analyse import jobs_in
from horolog.build.toolchains import other_tools
from horolog.model import Kind, Plan, PriorityRule, System, Task
from horolog.plan import plan
from horolog_experiments.costs import WITHIN_PERCENT

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("basic-random")]

Bench = Callable[[System, Plan], Run]
PERIODS_MS = (1, 2, 4, 5, 8, 10, 20)
CELLS = ("timer0", "timer1", "dual0", "systick")
CASES = [  # tasks, levels, cells; and how they are released, None being the planner's choice
    (2, 2, 2, "sloth"),
    (4, 4, 4, "sloth"),
    (4, 2, 4, None),
    (12, 1, 1, "gcd"),
    (12, 4, 4, None),
    (12, 4, 4, "mixed"),
    (40, 2, 1, "one-shot"),
    (40, 7, 2, "gcd"),
]


def random_system(many: int, levels: int, cells: int) -> System:
    """Some are released together; they take a third of the time at most."""
    random = Random(f"{many} tasks on {levels} levels")
    rows: list[Task] = []
    for number in range(many):
        period, offset = ms(random.choice(PERIODS_MS)), ms(random.randint(0, 6)) / 2
        if rows and random.random() < 0.3:
            period, offset = rows[-1].period, rows[-1].offset
        most = int(period / many / 3 / Fraction(64, 10**9))
        made = task(
            f"t{number}",
            period,
            offset=offset,
            work=random.randint(5, max(5, most)),
            priority=random.randint(1, levels),
        )
        rows.append(replace(made, kind=Kind.BASIC))
    system = made_system(rows, cells=CELLS[:cells], duration=ms(100), name=f"basic{many}")
    return replace(system, priorities=PriorityRule.EXPLICIT)


@pytest.mark.parametrize(("many", "levels", "cells", "mechanism"), CASES)
def test_predicted_and_counted(
    many: int, levels: int, cells: int, mechanism: str | None, bench: Bench
) -> None:
    system = random_system(many, levels, cells)
    made = plan(system, mechanism=mechanism)
    assert made.costs is not None
    chosen = made.choice
    run = bench(system, chosen)
    assert run.side.jobs == sum(jobs_in(system))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    if made.costs.toolchain is None or other_tools(made.costs.toolchain):
        pytest.skip(f"{LOUD}: the costs hold for {made.costs.toolchain}, here is {tools()}")
    assert run.side.instructions is not None
    off = 100 * (chosen.prediction.kernel_instructions / run.side.instructions.kernel - 1)
    assert abs(off) <= WITHIN_PERCENT, f"{float(off):.2f} % by {chosen.mechanism}"
