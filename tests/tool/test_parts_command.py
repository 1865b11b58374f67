# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog board new and horolog board parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.cli.main import main
from horolog.data import data_root


@pytest.fixture(autouse=True)
def _inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards are written below the current folder."""
    monkeypatch.chdir(tmp_path)


SYSTEM = """\
[system]
name = "blink"
board = "./boards/{board}"
duration = "1 s"

[[task]]
name = "led"
period = "10 ms"
work = 100
"""


def test_a_board_in_one_command_and_a_system_on_it(workshop: Workshop) -> None:
    said = workshop.run("board", "new", "--part", "STM32F446RET6", "--name", "nucleo")
    assert said.code == 0, said.err
    for words in (
        "16 MHz, the HSI, as after reset",
        "clock   TIM2, 16 MHz, 32 bits",
        "Horolog's simulator runs it, and it was never tried on silicon",
    ):
        assert words in said.out
    system = workshop.directory / "blink.toml"
    system.write_text(SYSTEM.format(board="nucleo"), encoding="utf-8")
    assert workshop.run("check", "blink.toml").code == 0
    planned = workshop.run("plan", "blink.toml")
    assert planned.code == 0, planned.err
    assert "kernel time" in planned.out
    costs = (workshop.directory / "boards" / "nucleo" / "costs.toml").read_text(encoding="utf-8")
    shipped = (data_root() / "boards" / "nucleo-f446re" / "costs.toml").read_text(encoding="utf-8")
    assert costs.partition("[meta]")[2] == shipped.partition("[meta]")[2]
    assert costs.startswith("# Measured on the board nucleo-f446re, in the simulator")


@pytest.mark.parametrize("part", ["STM32F103C8", "STM32F072RB", "STM32U575ZI"])
def test_a_board_without_costs_says_what_to_do(workshop: Workshop, part: str) -> None:
    """Another core, or two timers as one clock: the code is another than what was measured."""
    said = workshop.run("board", "new", "--part", part, "--name", "own")
    assert "Horolog's simulator runs it once [runner] of board.toml says so" in said.out
    assert not (workshop.directory / "boards" / "own" / "costs.toml").exists()
    made = (workshop.directory / "boards" / "own" / "board.toml").read_text(encoding="utf-8")
    counter = "SysTick" if part == "STM32F072RB" else "DWT_CYCCNT"
    assert f" # of {counter}, by which firmware measures itself" in made
    system = workshop.directory / "blink.toml"
    system.write_text(SYSTEM.format(board="own"), encoding="utf-8")
    assert workshop.run("plan", "blink.toml").code == 0
    refused = workshop.run("run", "blink.toml")
    assert refused.code == 2
    assert "board.toml: runner.kind: no emulator runs the board own" in refused.err
    assert "horolog build" in refused.err
    refused = workshop.run("calibrate", "./boards/own")
    assert refused.code == 2
    for words in (
        "own/board.toml: runner.kind",
        'found:    "none"',
        'kind = "stm32", and cycles_hz',
    ):
        assert words in refused.err


def test_timers_that_the_simulator_lacks_come_last(workshop: Workshop) -> None:
    said = workshop.run("board", "new", "--part", "STM32F446RE", "--json").object
    assert said["cells"][-2:] == ["tim6", "tim7"]
    text = (workshop.directory / said["directory"] / "board.toml").read_text(encoding="utf-8")
    assert text.count("# The simulator lacks the line of this one") == 2


def test_new_says_it_all_in_json(workshop: Workshop) -> None:
    said = workshop.run(
        "board", "new", "--part", "STM32F103C8", "--out", "chip", "--timers", "TIM2,TIM3", "--json"
    ).object
    assert said["clock"] == "TIM2 and TIM3"
    assert said["cells"] == ["tim2-1", "tim2-2", "tim2-3", "tim2-4"]
    assert (said["hz"], said["after_reset"], said["board"]) == (8_000_000, True, "stm32f103c8")
    assert all((workshop.directory / "chip" / file).is_file() for file in said["files"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--part", "STM32F446"], "STM32F446RE"),
        (["--part", "STM32F446RE", "--name", "a b"], "a board cannot be called so"),
        (["--part", "STM32F446RE", "--name", ".."], "a board cannot be called so"),
        (["--part", "STM32F446RE", "--out", "."], "a folder that is new or empty"),
        (["--part", "STM32F446RE", "--out", "system.toml"], "found:    a file"),
        (["--part", "STM32F446RE", "--timers", ""], 'no timer ""'),
        ([], "Missing option '--part'"),
    ],
)
def test_what_new_refuses(workshop: Workshop, options: list[str], said: str) -> None:
    workshop.write()
    before = sorted(workshop.directory.rglob("*"))
    refused = workshop.run("board", "new", *options)
    assert refused.code == 2
    assert said in refused.err
    assert sorted(workshop.directory.rglob("*")) == before, "something half-written"


def test_parts_are_listed(workshop: Workshop) -> None:
    said = workshop.run("board", "parts", "f446r", "--json").object
    assert [row["part"] for row in said["parts"]] == ["STM32F446RC", "STM32F446RE"]
    assert said["parts"][1]["core"] == "Cortex-M4"
    assert (said["parts"][1]["flash_bytes"], said["parts"][1]["ram_bytes"]) == (524_288, 131_072)
    assert "STM32F446RE" in workshop.run("board", "parts", "F446RE").out
    refused = workshop.run("board", "parts", "F999")
    assert refused.code == 2
    assert "unknown part" in refused.err


def test_the_commands_have_help_and_json(workshop: Workshop) -> None:
    assert main.get_command(None, "board") is not None  # type: ignore[arg-type]
    for name in ("new", "parts"):
        said = workshop.run("board", name, "--help")
        assert said.code == 0
        assert "--json" in said.out
