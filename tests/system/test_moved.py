# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts, jobs and responses with releases moved and without: what the plan says is what is measured."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST, horolog, made_system, ms, task

from horolog.model import Kind, Planned, System, Task
from horolog.model.result import Side
from horolog.plan import plan, plan_moving
from horolog.run import measure_plan

_JITTER = Fraction(300, 10**6)


def drawn(seed: int, board: str, kind: Kind = Kind.THREAD) -> System:
    """Tasks at up to a millisecond from each other; some may move, most of them far enough."""
    draw = random.Random(seed)

    def one(index: int) -> Task:
        offset = Fraction(draw.randrange(1000), 10**6)
        made = task(f"t{index}", ms(draw.choice((5, 10, 20, 59, 61))), offset=offset)
        made = replace(made, kind=kind, jitter=draw.choice((Fraction(0), _JITTER, 3 * _JITTER)))
        shorter = draw.random() < 0.4
        return replace(made, least_period=made.period * Fraction(4, 5)) if shorter else made

    return made_system([one(index) for index in range(8)], board=board, duration=ms(610))


def check(system: System, out: Path) -> tuple[Planned, Side]:
    """Run `system` as it is and moved, and compare the interrupts; the plan and the run of the latter."""
    moved, planned = plan_moving(system)
    assert planned.moves is not None
    assert planned.moves.moves, "nothing is moved, so nothing is tested"
    assert planned.moves.interrupts is not None
    before = measure_plan(system, plan(system).choice, out).interrupts
    side = measure_plan(moved, planned.choice, out)
    after = side.interrupts
    assert before.excess == after.excess == 0
    saved = before.taken + before.coalesced - after.taken - after.coalesced
    assert planned.moves.interrupts == saved > 0
    assert side.jobs == planned.jobs
    assert side.deadline_misses == side.overruns == 0
    for (
        one
    ) in moved.tasks:  # nothing is late by more than its delay, and what comes before it in its way
        found = side.response[one.name]
        assert one.delay <= found.min_ns / 10**9
    return planned, side


@pytest.mark.parametrize("seed", range(4))
def test_the_saving_is_measured_on_the_host(seed: int, tmp_path: Path) -> None:
    check(drawn(seed, HOST), tmp_path)


@pytest.mark.emulator
@pytest.mark.parametrize("kind", Kind)
def test_the_saving_is_measured_on_the_board(kind: Kind, tmp_path: Path) -> None:
    planned, side = check(drawn(1, BOARD, kind), tmp_path)
    assert side.instructions is not None
    kernel = planned.choice.prediction.kernel_instructions
    assert abs(side.instructions.kernel - kernel) <= kernel / 20


DESCRIPTION = """
[system]
name = "near"
board = "mps2-an385"
duration = "200 ms"

[[task_group]]
name = "early"
tasks = 3
period = "10 ms"
jitter = "200 us"
work = 100

[[task_group]]
name = "late"
tasks = 2
period = "20 ms"
offset = "150 us"
work = 100
"""


@pytest.mark.emulator
def test_freertos_has_the_same_jobs_at_the_same_instants(tmp_path: Path) -> None:
    """The moved ones, of which all responses count from the nominal release; basic tasks are moved alike."""
    path = tmp_path / "system.toml"
    path.write_text(DESCRIPTION, encoding="utf-8")
    said = horolog("compare", path, "--out", tmp_path / "out", "--baseline", "notify", "--json")
    assert said.code == 0, said.err
    theirs = said.object["baselines"]["notify"]["side"]
    ours, basic = said.object["horolog"], said.object["basic"]
    assert ours["jobs"] == theirs["jobs"] == basic["jobs"] == 80
    assert ours["interrupts"]["taken"] == 20
    assert any("3 tasks are released up to 150 us later" in note for note in said.object["notes"])
    for name in ("early.0", "early.1"):
        assert min(side["response"][name]["min_ns"] for side in (ours, theirs, basic)) >= 150_000
