# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Calibration of a chip itself, by firmware that measures itself: a known kernel's costs are found again.

The made-up kernel is that of test_calibrate_board.py, of which no more is seen than such firmware knows.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.test_calibrate_board import ARM, BASIC_BOARD, BOARD, TRUE, made_side

from horolog.calibrate import Calibration, by_probe, calibrate_by_probe, costs_toml
from horolog.calibrate.board import Experiments
from horolog.data import data_root
from horolog.model import Board, Exit, HorologError, Mode, Plan, System, TargetFailed
from horolog.model.board import Memory, Probing
from horolog.model.result import Side
from horolog.plan import Costs, StepCosts, read_prices
from horolog.read import read_board
from horolog.run import Probe, Remote
from horolog.run.by_debugger import CALLS, HANDLERS, SWITCHES

WHERE = Remote("here", 1)
RAM = (Memory("ram", 0x20000000, 1 << 20),)
PROBED = Probing(cycles_hz=25_000_000)
UNSEEN = ("switch", "step_basic", "wrap", "masks", "own_levels_one_shot", "longer")
"""Of TRUE: what other tests find, or what these boards have no experiment for."""


def of_itself(system: System, plan: Plan) -> Side:
    """What the made-up kernel's firmware says of itself."""
    side = made_side(system, plan, TRUE)
    spent = dict(side.counted.by_function)
    handlers = sum(spent.pop(cell.handler, 0) for cell in system.board.cells)
    if plan.releasers[0].mode is Mode.ONE_SHOT:  # what arms stands in the handler, or in the wait
        here = side.interrupts.taken * ARM
        handlers += here
        spent["cell_0_arm"] = spent.get("cell_0_arm", 0) + spent.pop("cell_0_disarm", 0) - here
    switches = spent.pop("PendSV_Handler", 0)
    parts = {HANDLERS: handlers, SWITCHES: switches, CALLS: sum(spent.values())}
    return replace(side, instructions=replace(side.counted, by_function=parts))


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> list[System]:
    """The systems that were measured behind the probe."""
    systems: list[System] = []

    @contextmanager
    def serving(board: Board, probe: object, folder: Path, say: object) -> Iterator[Remote]:
        yield WHERE

    def measure_by_probe(system: System, plan: Plan, out: Path, remote: Remote) -> Side:
        assert remote is WHERE
        systems.append(system)
        return of_itself(system, plan)

    monkeypatch.setattr(by_probe, "serving", serving)
    monkeypatch.setattr(by_probe, "measure_by_probe", measure_by_probe)
    return systems


def test_the_costs_of_a_known_kernel_are_found(measured: list[System]) -> None:
    said: list[str] = []
    found = calibrate_by_probe(replace(BOARD, probe=PROBED, memory=RAM), WHERE, said.append)
    assert found.unit == "cycles"
    for field in fields(Costs):
        if field.name not in UNSEEN:
            assert getattr(found.costs, field.name) == pytest.approx(
                getattr(TRUE, field.name), rel=0.02
            ), field.name
    assert TRUE.dispatch < found.costs.switch < 2 * TRUE.dispatch
    assert found.stores
    assert found.sharing is None  # systems that do not last equally long are not compared
    assert found.cooperation is None
    assert measured


def test_parts_that_the_chip_has_no_room_for_are_left_out_and_said(
    measured: list[System], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Experiments, costs: Costs, usual: Experiments) -> dict[str, StepCosts]:
        raise HorologError("region `ram' overflowed")

    monkeypatch.setattr(Experiments, "basic", fails)
    monkeypatch.setattr(Experiments, "deadlines", lambda self: {"made": Fraction(40)})
    monkeypatch.setattr(Experiments, "budgets", lambda self: {})
    monkeypatch.setattr(Experiments, "expiries", lambda self: None)
    said: list[str] = []
    found = calibrate_by_probe(replace(BASIC_BOARD, probe=PROBED, memory=RAM), WHERE, said.append)
    assert "left out, basic tasks: region `ram' overflowed" in said
    assert not found.basic
    assert found.deadlines == {"made": 40}
    assert found.stores


def test_a_target_that_fails_is_no_part_that_is_left_out(
    measured: list[System], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Experiments, made: Calibration) -> Calibration:
        raise TargetFailed("no gdb server answers at here:1")

    monkeypatch.setattr(Experiments, "with_stores", fails)
    with pytest.raises(TargetFailed, match="no gdb server answers"):
        calibrate_by_probe(replace(BOARD, probe=PROBED, memory=RAM), WHERE, lambda _: None)


def test_systems_last_as_long_as_the_ring_has_room(measured: list[System]) -> None:
    ram = 64 * 1024
    small = (Memory("ram", 0x20000000, ram),)
    with suppress(HorologError):  # the made-up kernel's figures are those of a second
        calibrate_by_probe(replace(BOARD, probe=PROBED, memory=small), WHERE, lambda _: None)
    assert len(measured) > 5
    for one in measured:
        rate = 3000 + sum(13 / task.period for task in one.tasks)  # a tick, and what a job writes
        assert one.duration * rate <= ram // 2 // 8
    assert min(one.duration for one in measured) < Fraction(1, 20)


def test_a_chip_with_too_little_ram_is_refused_before_anything_is_built(
    measured: list[System],
) -> None:
    small = (Memory("ram", 0x20000000, 20 * 1024),)
    with pytest.raises(HorologError, match="has no room for the experiments") as caught:
        calibrate_by_probe(replace(BOARD, probe=PROBED, memory=small), WHERE, lambda _: None)
    assert caught.value.found == "RAM for 1,280 records of 8 bytes, which may take half of it"
    assert caught.value.expected == "RAM for 4,096 or more in one piece"
    assert not measured


def test_costs_of_a_chip_that_no_emulator_runs_price_its_plans(tmp_path: Path) -> None:
    """In cycles of [probe] of its board.toml; without costs it counts nothing."""
    shutil.copytree(data_root() / "boards" / "nrf52840dk", tmp_path / "mine")
    path = tmp_path / "mine" / "board.toml"
    text = path.read_text(encoding="utf-8").replace('name = "nrf52840dk"', 'name = "mine"')
    path.write_text(text, encoding="utf-8")
    assert read_board(str(path)).runner.ns_per_step is None
    made = costs_toml(Calibration("mine", TRUE, "gcc 1", unit="cycles"))
    (tmp_path / "mine" / "costs.toml").write_text(made, encoding="utf-8")
    board = read_board(str(path))
    assert board.runner.kind == "none"
    assert board.runner.cycles_hz == 64_000_000
    assert read_prices(board).costs.release == TRUE.release


def test_a_chip_of_ones_own_is_no_board_of_all_users(workshop: Workshop) -> None:
    said = workshop.run("calibrate", "nrf52840dk", "--probe", "remote=here:1", "--shipped")
    assert said.code == Exit.BAD_INPUT
    assert "--shipped is for what all users have" in said.err


def test_a_board_has_to_say_what_counts_cycles(workshop: Workshop) -> None:
    said = workshop.run("calibrate", "mps2-an385", "--probe", "remote=here:1")
    assert said.code == Exit.BAD_INPUT
    assert "nothing to calibrate on mps2-an385 itself" in said.err
    assert "found:    no cycles_hz in [probe]" in said.err
    assert "expected: cycles_hz, the frequency of the core" in said.err


def test_the_command_measures_behind_the_probe(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measure(board: Board, probe: Probe, say: object) -> Calibration:
        assert probe == Remote("here", 1, "reset halt")
        return Calibration(board.name, TRUE, "gcc 1", unit="cycles")

    monkeypatch.setattr("horolog.cli.calibrate.calibrate_by_probe", measure)
    out = workshop.directory / "costs.toml"
    said = workshop.run("calibrate", "mps2-an385", "--probe", "remote=here:1", "--out", str(out))
    assert said.code == 0, said.err
    text = out.read_text(encoding="utf-8")
    assert "[costs]  # cycles" in text
    assert 'toolchain = "gcc 1"' in text
