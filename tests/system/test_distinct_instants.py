# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks that are due alone, on the board: the choice is near the best, and costs what the plan says.

Before queues had a curve for such tasks, the plan took a calendar at 493 instructions a job, where the
sorted list took 308.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import tools

from horolog.analyse import jobs_in, streams
from horolog.build.toolchains import other_tools
from horolog.model import Mode, Plan, System
from horolog.model.result import Side
from horolog.plan import NOTHING, plan
from horolog.plan.mapping.mixture import Parts, mixture_of
from horolog.plan.prediction.predict import forecast, predict
from horolog.read import read_board, read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

TASKS = 25
SHORTEST_NS, LONGEST_NS = 500_000, 62_000_000
OTHERS = ("sorted-list", "delta-list", "binary-tree", "calendar")
WITHIN = Fraction(5, 100)
HOST_CELLS = 8


def description(path: Path, seed: int, cells: str = '"timer0"', tidy: int = 0) -> System:
    """25 tasks of 0.5 to 62 ms with offsets to the nanosecond, drawn by a generator of Numerical Recipes'.

    `tidy`: so many of 1 ms and its multiples instead.
    """
    state = seed
    lines = [
        "[system]",
        'name = "alone"',
        'board = "mps2-an385"',
        f"cells = [{cells}]",
        'duration = "1 s"',
    ]
    for index in range(TASKS):
        drawn = []
        for _ in range(2):
            state = (state * 1664525 + 1013904223) % 2**32
            drawn.append(state)
        period = SHORTEST_NS + drawn[0] * (LONGEST_NS - SHORTEST_NS) // 2**32
        offset = drawn[1] * period // 2**32
        if index < tidy:
            period, offset = (index + 1) * 1_000_000, 0
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


@pytest.mark.parametrize("seed", [1, pytest.param(20, marks=pytest.mark.soak)])
def test_with_more_cells_they_wait_in_several_queues(tmp_path: Path, seed: int) -> None:
    system = description(tmp_path / "system.toml", seed, '"timer0", "timer1", "dual0", "systick"')
    choice = plan(system).choice
    alone = plan(system, mechanism="one-shot").choice
    assert [one.mode for one in choice.releasers] == [Mode.ONE_SHOT] * 2
    several, one = (measure_plan(system, made, tmp_path) for made in (choice, alone))
    for side in (several, one):
        made = side.interrupts
        assert made.predicted == made.taken + made.coalesced
        assert side.deadline_misses == 0
    assert several.jobs == one.jobs
    assert per_job(several) < per_job(one) * Fraction(97, 100)
    predicted = choice.prediction.kernel_instructions
    assert abs(predicted / several.counted.kernel - 1) <= WITHIN, float(predicted)


@pytest.mark.parametrize("board", ["mps2-an385", "host"])
@pytest.mark.parametrize("tidy", [0, 5])
def test_several_one_shot_cells_interrupt_as_predicted(
    tmp_path: Path, board: str, tidy: int
) -> None:
    """Two of them, or beside a periodic cell a cooperative one and another."""
    system = description(tmp_path / "system.toml", 20, '"timer0", "timer1", "dual0"', tidy)
    if board == "host":
        host = read_board("host")
        cells = tuple(
            replace(host.cells[0], name=f"cell{at}", instance=at, handler=f"host_cell{at}")
            for at in range(HOST_CELLS)
        )
        names = tuple(cell.name for cell in cells[:3])
        system = replace(system, board=replace(host, cells=cells), cells=names)
    of = streams(system)
    kept = tuple(one for one in of if one.offset == 0)
    lone = [one for one in of if one.offset]
    parts = Parts((kept,) if tidy else (), (tuple(lone[::2]),))
    releasers = mixture_of(system, parts, of)
    assert releasers is not None
    partners = [one for one in releasers if one.mode is Mode.PERIODIC]
    assert [len(partners), sum(one.cooperates for one in releasers)] == [tidy > 0, tidy > 0]
    forecasts = [
        forecast(system, one, NOTHING, partners if one.cooperates else ()) for one in releasers
    ]
    chosen = Plan("mixed", releasers, predict(system, forecasts, NOTHING))
    side = measure_plan(system, chosen, tmp_path)
    made = side.interrupts
    assert made.predicted == chosen.prediction.interrupts == made.taken + made.coalesced
    assert side.deadline_misses == 0
    assert side.jobs == sum(jobs_in(system))
