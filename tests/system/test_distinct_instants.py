# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks that are due alone, on the board: the choice is near the best, and costs what the plan says.

Before queues had a curve for such tasks, the plan took a calendar at 493 instructions a job, where the
sorted list took 308.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import tools

from horolog.build.toolchains import other_tools
from horolog.model import System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

TASKS = 25
SHORTEST_NS, LONGEST_NS = 500_000, 62_000_000
OTHERS = ("sorted-list", "delta-list", "binary-tree", "calendar")
WITHIN = Fraction(5, 100)


def description(path: Path, seed: int) -> System:
    """25 tasks of 0.5 to 62 ms with offsets to the nanosecond, drawn by a generator of Numerical Recipes'."""
    state = seed
    lines = [
        "[system]",
        'name = "alone"',
        'board = "mps2-an385"',
        'cells = ["timer0"]',
        'duration = "1 s"',
    ]
    for index in range(TASKS):
        drawn = []
        for _ in range(2):
            state = (state * 1664525 + 1013904223) % 2**32
            drawn.append(state)
        period = SHORTEST_NS + drawn[0] * (LONGEST_NS - SHORTEST_NS) // 2**32
        offset = drawn[1] * period // 2**32
        lines += ["[[task]]", f'name = "task.{index}"', f'period = "{period} ns"']
        lines += [f'offset = "{offset} ns"', "work = 20"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_system(path)


def per_job(side: Side) -> Fraction:
    return Fraction(side.counted.kernel, side.jobs)


@pytest.mark.parametrize("seed", [1, 20])
def test_the_choice_is_near_the_best_and_costs_what_was_predicted(
    tmp_path: Path, seed: int
) -> None:
    system = description(tmp_path / "system.toml", seed)
    planned = plan(system)
    assert planned.costs is not None
    assert planned.costs.toolchain is not None
    if other_tools(planned.costs.toolchain):
        pytest.skip(f"the costs hold for {planned.costs.toolchain}, here is {tools()}")
    choice = planned.choice
    chosen = measure_plan(system, choice, tmp_path)
    measured = {
        store: per_job(
            measure_plan(system, plan(system, mechanism="one-shot", queue=store).choice, tmp_path)
        )
        for store in OTHERS
    }
    figures = {store: round(float(cost), 1) for store, cost in measured.items()}
    best = min(measured.values())
    assert per_job(chosen) <= best * (1 + WITHIN), (choice.releasers[0].store, figures)
    predicted = choice.prediction.kernel_instructions
    assert abs(predicted / chosen.counted.kernel - 1) <= WITHIN, float(predicted)
