# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""--probe and the commands beside it, as far as they are refused: nothing is built, loaded or started."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.model import Exit
from horolog.run import gdb_session

REMOTE = "remote=localhost:1"


@pytest.mark.parametrize(
    "probe", ["", "remote", "remote=", "localhost:1", "remote=1", "OpenOCD", "auto="]
)
@pytest.mark.parametrize("command", ["run", "flash", "gdb"])
def test_a_probe_that_is_none_is_refused(workshop: Workshop, command: str, probe: str) -> None:
    said = workshop.run(command, str(workshop.write()), "--probe", probe)
    assert said.code == Exit.BAD_INPUT
    assert "--probe: no such probe" in said.err
    assert f'"{probe}"' in said.err
    assert "remote=HOST:PORT" in said.err


@pytest.mark.parametrize(
    "option", [("--gdb",), ("--gdb-port", "5"), ("--vcd", "x.vcd"), ("--verify",)]
)
def test_a_probe_is_alone(workshop: Workshop, option: tuple[str, ...]) -> None:
    said = workshop.run("run", str(workshop.write()), "--probe", REMOTE, *option)
    assert said.code == Exit.BAD_INPUT
    assert f"both --probe and {option[0]}" in said.err


def test_to_stream_needs_a_probe(workshop: Workshop) -> None:
    said = workshop.run("run", str(workshop.write()), "--stream")
    assert said.code == Exit.BAD_INPUT
    assert "--stream is of a firmware that measures itself" in said.err
    assert "found:    no --probe" in said.err


@pytest.mark.parametrize(
    ("board", "found"),
    [("qemu-virt-rv32", '"rv32"'), ("host", '"host"'), ("ibex-cells-x2", '"rv32", 2 cores')],
)
def test_a_board_with_firmware_that_cannot_measure_itself_is_refused(
    workshop: Workshop, board: str, found: str
) -> None:
    text = workshop.text.replace('board = "mps2-an385"', f'board = "{board}"')
    cells = '"cell0", "cell1"' if board != "qemu-virt-rv32" else '"mtimecmp"'
    lines = [f"cells = [{cells}]" if one.startswith("cells") else one for one in text.splitlines()]
    path = workshop.write("\n".join(lines) + "\n")
    said = workshop.run("run", str(path), "--probe", REMOTE, "--out", str(workshop.directory / "o"))
    assert said.code == Exit.BAD_INPUT, said.err
    if board == "ibex-cells-x2":
        assert "--probe on several cores: not yet supported" in said.err
    else:
        assert f"--probe: firmware for {board} cannot measure itself yet" in said.err
        assert found in said.err
        assert "board.toml" in said.err


def test_flash_needs_a_server(workshop: Workshop) -> None:
    said = workshop.run("flash", str(workshop.write()))
    assert said.code == Exit.BAD_INPUT
    assert "--probe auto, openocd, probe-rs, pyocd or remote=HOST:PORT" in said.err


@pytest.mark.parametrize("command", ["run", "flash", "gdb"])
def test_a_board_without_the_key_of_a_server_is_refused_before_it_is_built(
    workshop: Workshop, command: str
) -> None:
    said = workshop.run(command, str(workshop.write()), "--probe", "openocd")
    assert said.code == Exit.BAD_INPUT
    assert "mps2-an385 does not say how a gdb server reaches it" in said.err
    assert "board.toml: probe" in said.err
    assert "openocd = [" in said.err
    assert "building" not in said.err


def test_gdb_needs_an_emulator_or_a_server(workshop: Workshop) -> None:
    path = workshop.write_changed(('board = "mps2-an385"', 'board = "host"'))
    said = workshop.run("gdb", str(path))
    assert said.code == Exit.BAD_INPUT
    assert "host has the runner host" in said.err


def test_gdb_that_is_missing_is_said(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = workshop.run("gdb", str(workshop.write()))
    assert said.code == Exit.NOT_INSTALLED
    assert gdb_session.GDB in said.err
