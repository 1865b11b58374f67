# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The boards nucleo-f446re and pico2 in our simulator, from the description to each job looked for."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import horolog, horolog_process, made_system, measured, ms, task

from horolog.analyse import jobs_in
from horolog.model import Kind, Plan, System
from horolog.parts import Wish, board_files, chosen, find_part
from horolog.plan import NOTHING, plan
from horolog.read import read_board
from horolog.run import measure_plan

pytestmark = [pytest.mark.emulator, pytest.mark.stm32, pytest.mark.xdist_group("stm32")]

NUCLEO, PICO2 = "nucleo-f446re", "pico2"
MIXED = [task(f"t{p}", ms(p), work=20) for p in (2, 3, 5, 7, 11)]


def one_shot(system: System) -> Plan:
    return plan(system, mechanism="one-shot", prices=NOTHING).choice


@pytest.mark.parametrize("kind", [Kind.THREAD, Kind.BASIC])
@pytest.mark.parametrize(("board", "work"), [(NUCLEO, 20), (PICO2, 200)])
def test_no_job_is_lost_and_the_prediction_holds(
    board: str, work: int, kind: Kind, tmp_path: Path
) -> None:
    """Tasks and periods that their costs were not measured with."""
    tasks = [replace(one, kind=kind, work=work) for one in MIXED]
    system = made_system(tasks, board=board, duration=Fraction(1, 5))
    best = plan(system).choice
    run = measured(system, best, tmp_path)
    assert run.side.jobs == sum(jobs_in(system)) == len(run.times("E"))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    assert run.side.interrupts.taken == best.prediction.interrupts
    predicted = float(best.prediction.kernel_instructions)
    assert predicted == pytest.approx(run.side.counted.kernel, rel=0.1)


@pytest.mark.parametrize(
    ("board", "title"), [(NUCLEO, "Nucleo-F446RE"), (PICO2, "Raspberry Pi Pico 2")]
)
def test_two_commands_from_nothing_to_a_report(board: str, title: str, tmp_path: Path) -> None:
    assert horolog("new", tmp_path / "blink", "--board", board).code == 0
    said = horolog_process("run", "system.toml", folder=tmp_path / "blink")
    assert said.code == 0, said.err
    assert "Worst responses" in said.out
    report = tmp_path / "blink" / "build" / "blink" / "run.html"
    assert title in report.read_text(encoding="utf-8")


def test_tasks_that_end_early_save_the_registers_of_the_fpu(tmp_path: Path) -> None:
    """VPUSH of D8 to D15, which the crate does not know."""
    tasks = [replace(one, kind=Kind.BASIC, terminates=True, priority=1) for one in MIXED]
    system = made_system(tasks, board=NUCLEO, duration=Fraction(1, 20))
    run = measured(system, one_shot(system), tmp_path)
    assert run.side.jobs == sum(jobs_in(system))
    assert run.side.deadline_misses == 0


def test_costs_of_another_part_with_the_same_core_are_the_same(tmp_path: Path) -> None:
    """To the cycle, so that a board for such a part has those of nucleo-f446re."""
    made = chosen(find_part("STM32L476RG"), Wish())
    assert made.measured == NUCLEO
    for path, text in board_files(made, "other").items():
        (tmp_path / "other" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "other" / path).write_text(text, encoding="utf-8")
    found = []
    for board in (read_board(NUCLEO), read_board(str(tmp_path / "other"))):
        system = replace(made_system(MIXED, board=NUCLEO, duration=ms(100)), board=board)
        system = replace(system, cells=("tim2-1",))
        counted = measure_plan(system, one_shot(system), tmp_path / board.name).counted
        found.append((counted.kernel, counted.bodies, dict(counted.by_function)))
    assert found[0] == found[1]
    assert found[0][0] > 0
