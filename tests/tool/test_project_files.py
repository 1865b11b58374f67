# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""`horolog new --board`: the files of a project; its commands and the debugger name the same firmware."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.tool.conftest import Workshop
from tests.tool.test_cli_setup import LICENCE

from horolog.model import Exit
from horolog.read import board_names, read_board

PRICED = [
    name
    for name in board_names()
    if read_board(name).runner.ns_per_step is None
    or (read_board(name).directory / "costs.toml").is_file()
]


def read(path: Path) -> Any:
    """JSON with comments, as VS Code reads it."""
    return json.loads(re.sub(r"^//.*$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE))


def commands(tasks: Any) -> set[str]:
    return {" ".join([one["command"], *one["args"]]) for one in tasks["tasks"]}


@pytest.mark.parametrize("board", [*PRICED, "STM32L476RG", "STM32G071RB"])
def test_a_project_is_valid_and_holds_on_every_board(workshop: Workshop, board: str) -> None:
    folder = workshop.directory / "mine"
    said = workshop.run("new", str(folder), "--board", board, "--json")
    assert said.code == 0, said.err
    files = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    assert said.object["files"] == sorted(files)
    checked = workshop.run("check", "--json", str(folder / "system.toml"))
    assert (checked.code, checked.object["findings"]) == (0, [])
    assert workshop.run("plan", str(folder / "system.toml")).code == 0
    for path in files:
        text = (folder / path).read_text(encoding="utf-8")
        assert LICENCE.search(text) or "0BSD" in text, path
        assert "Apache" not in text


def test_a_chip_is_debugged_by_a_probe(workshop: Workshop) -> None:
    folder = workshop.directory / "mine"
    assert workshop.run("new", str(folder), "--board", "nucleo-f446re").code == 0
    (launch,) = read(folder / ".vscode" / "launch.json")["configurations"]
    assert launch["type"] == "cortex-debug"
    assert launch["configFiles"] == ["interface/stlink.cfg", "target/stm32f4x.cfg"]
    assert launch["device"] == "STM32F446RE"
    tasks = read(folder / ".vscode" / "tasks.json")
    assert launch["preLaunchTask"] in {one["label"] for one in tasks["tasks"]}
    assert commands(tasks) == {
        f"horolog {one} system.toml" for one in ("build", "check", "plan", "run", "compare")
    }


@pytest.mark.parametrize(
    ("board", "kind"),
    [("microbit", "cortex-debug"), ("arduino-uno", "cppdbg"), ("qemu-virt-rv32", "cppdbg")],
)
def test_an_emulated_board_is_halted_for_the_debugger(
    workshop: Workshop, board: str, kind: str
) -> None:
    folder = workshop.directory / "mine"
    assert workshop.run("new", str(folder), "--board", board).code == 0
    (launch,) = read(folder / ".vscode" / "launch.json")["configurations"]
    assert launch["type"] == kind
    tasks = read(folder / ".vscode" / "tasks.json")
    halt = next(one for one in tasks["tasks"] if one["label"] == launch["preLaunchTask"])
    assert halt["args"] == ["run", "system.toml", "--gdb"]
    assert halt["isBackground"]
    assert "1234" in json.dumps(launch)


@pytest.mark.parametrize("board", ["host", "ibex-cells"])
def test_what_nothing_halts_has_no_debugger(workshop: Workshop, board: str) -> None:
    folder = workshop.directory / "mine"
    assert workshop.run("new", str(folder), "--board", board).code == 0
    assert not (folder / ".vscode" / "launch.json").exists()


@pytest.mark.parametrize(
    ("name", "board", "message"),
    [
        ("mine", "microbitt", 'unknown board or part "microbitt"'),
        ("mine", "mps2-an521", "board mps2-an521 has no costs.toml"),
        ("2nd", "microbit", "cannot be called so"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_written(
    workshop: Workshop, name: str, board: str, message: str
) -> None:
    folder = workshop.directory / name
    said = workshop.run("new", str(folder), "--board", board)
    assert said.code == Exit.BAD_INPUT
    assert message in said.err
    assert not folder.exists()


def test_a_folder_in_use_is_refused_before_all_else(workshop: Workshop) -> None:
    workshop.write()
    said = workshop.run("new", str(workshop.directory), "--board", "nowhere")
    assert said.code == Exit.BAD_INPUT
    assert "is not empty" in said.err


@pytest.mark.emulator
@pytest.mark.slow
def test_two_commands_lead_to_a_file_to_flash(workshop: Workshop) -> None:
    folder = workshop.directory / "blink"
    assert workshop.run("new", str(folder), "--board", "nucleo-f446re").code == 0
    said = workshop.run("build", str(folder / "system.toml"), "--out", str(folder / "build/blink"))
    assert said.code == 0, said.err
    (launch,) = read(folder / ".vscode" / "launch.json")["configurations"]
    firmware = Path(launch["executable"].replace("${workspaceFolder}", str(folder)))
    assert firmware.is_file()
    image = firmware.with_suffix(".bin").read_bytes()
    stack, entry = (int.from_bytes(image[at : at + 4], "little") for at in (0, 4))
    assert stack == 0x20000000 + 128 * 1024
    assert 0x08000000 < entry < 0x08000000 + len(image)
    presets = subprocess.run(
        ["cmake", "--list-presets=all"], cwd=folder, capture_output=True, text=True, check=True
    )
    assert '"firmware"' in presets.stdout
