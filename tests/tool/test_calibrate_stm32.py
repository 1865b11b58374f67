# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration of boards for an STM32. Some cells are compare channels, which are one-shot only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.calibrate import board as module
from horolog.calibrate.roomy_chip import roomy_chip
from horolog.calibrate.stores import calibrate_cooperation, calibrate_masks
from horolog.model import Board, HorologError, Mode, Plan, System
from horolog.model.result import CYCLES, Instructions, Interrupts, Side
from horolog.parts import Wish, board_files, chosen, find_part
from horolog.plan import FREE, Prices
from horolog.read import read_board

Measure = Callable[[str, System, Plan], Side]


def made(part: str, folder: Path, timers: str = "") -> Board:
    """The board that `horolog board new --part` writes, as the simulator runs it."""
    wish = Wish(timers=tuple(timers.split(",")) if timers else None)
    for path, text in board_files(chosen(find_part(part), wish), "made").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(
            text.replace('kind = "none"', 'kind = "stm32"\ncycles_hz = 16_000_000'),
            encoding="utf-8",
        )
    return read_board(str(folder))


def refused(system: System, plan: Plan) -> list[str]:
    """The releasers of `plan` whose cells cannot do what they are for."""
    return [
        f"{one.mode.value} on {one.cell}"
        for one in plan.releasers
        if one.mode not in system.board.cell(one.cell).modes
    ]


def recorded(found: list[str], titles: list[str]) -> Measure:
    """A run of each experiment that takes the same, and notes what no cell of the board can do."""

    def run(title: str, system: System, plan: Plan) -> Side:
        titles.append(title)
        found.extend(f"{title}: {fault}" for fault in refused(system, plan))
        taken = plan.prediction.interrupts
        return Side(
            mechanism=plan.mechanism,
            jobs=1000,
            deadline_misses=0,
            overruns=0,
            interrupts=Interrupts(taken, taken, 0),
            instructions=Instructions(20_000, 4_000, 6_000, {"handler": 10_000}, CYCLES, 1),
            response={},
        )

    return run


@pytest.fixture
def experiments(tmp_path: Path) -> module.Experiments:
    board = made("STM32F446RE", tmp_path / "board", "TIM2,TIM3,TIM4,TIM5,TIM9")
    board = replace(board, cells=(*board.cells[-4:], *board.cells[:-4]))
    assert board.cells[0].modes == {Mode.ONE_SHOT}
    return module.Experiments(board, tmp_path, lambda _: None)


def test_no_experiment_of_tables_starts_a_period_on_a_compare_channel(
    experiments: module.Experiments, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, titles = list[str](), list[str]()
    monkeypatch.setattr(experiments, "_measured", recorded(found, titles))
    assert experiments.expiries() is not None
    assert len(titles) > 5
    assert found == []


def test_nor_does_one_of_several_cells(experiments: module.Experiments) -> None:
    found, titles = list[str](), list[str]()
    run, prices = recorded(found, titles), Prices(FREE)
    calibrate_masks(experiments._system, run, prices)
    calibrate_cooperation(experiments._system, run, prices)
    assert len(titles) > 10
    assert found == []


def test_a_board_without_another_cell_says_so(tmp_path: Path) -> None:
    board = made("STM32F446RE", tmp_path, "TIM2")
    with pytest.raises(HorologError, match="no cell that can be periodic and one-shot"):
        module.Experiments(board, tmp_path, lambda _: None)


def test_experiments_have_room_whatever_the_chip_has(tmp_path: Path) -> None:
    board = made("STM32F446RE", tmp_path / "board")
    roomy = roomy_chip(board, tmp_path)
    chip = (roomy.directory / "chip.txt").read_text(encoding="utf-8")
    assert {cell.width for cell in roomy.cells} == {32}
    assert chip.count("\ntimer ") == chip.count(" 32 ") == 14
    assert (board.directory / "chip.txt").read_text(encoding="utf-8").count(" 32 ") == 2
    lengths = {one.name: one.length for one in roomy.memory}
    assert lengths == {"flash": 0x100000, "ram": 0x40000}
    assert "memory 0x20000000 0x40000 rw" in chip
    assert read_board(str(roomy.directory)).clock == board.clock


def test_a_clock_of_two_timers_stays_one(tmp_path: Path) -> None:
    board = made("STM32F103CB", tmp_path / "board", "TIM1,TIM2,TIM3,TIM4")
    roomy = roomy_chip(board, tmp_path)
    lines = (roomy.directory / "chip.txt").read_text(encoding="utf-8").splitlines()
    bits = {line.split("# ")[1]: line.split()[2] for line in lines if line.startswith("timer ")}
    assert bits == {"TIM1": "32", "TIM2": "16", "TIM3": "16", "TIM4": "32"}
    widths = {cell.name: cell.width for cell in roomy.cells}
    assert widths == {**dict.fromkeys(("tim2-1", "tim2-2", "tim2-3", "tim2-4"), 16)} | {
        "tim1": 32,
        "tim4": 32,
    }


def test_an_stm32_is_made_no_faster_than_experiments_need(tmp_path: Path) -> None:
    board = made("STM32F446RE", tmp_path)
    assert module._with_room(board, whole=True).runner.cycles_hz == 64_000_000
    fast = replace(board, runner=replace(board.runner, cycles_hz=168_000_000))
    assert module._with_room(fast).work_ns == Fraction(board.work_ns)
