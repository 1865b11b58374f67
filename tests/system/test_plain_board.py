# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""CMake reads of every board.toml what the tool reads, for applications without Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.system.plain_cmake import must
from tests.system.support import ROOT

from horolog.emit.stores import slot_bits
from horolog.model import Board
from horolog.read import board_names, read_board

KEYS = ("ARCH", "CONTROLLER", "CPU", "FPU", "HZ", "DEVICES", "LINE_BASE", "HEADER")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """What hrl_plain_board says of every board, by board and key."""
    source = tmp_path_factory.mktemp("project")
    said = [
        f'file(WRITE "${{CMAKE_BINARY_DIR}}/${{board}}-{k}" "${{HRL_PLAIN_{k}}}")' for k in KEYS
    ]
    lines = [
        "cmake_minimum_required(VERSION 3.22)",
        "project(plain NONE)",
        f'set(HRL_ROOT "{ROOT}")',
        f'include("{ROOT}/cmake/plain_board.cmake")',
        f"foreach(board IN ITEMS {' '.join(board_names())})",
        "hrl_plain_board(${board})",
        *said,
        "endforeach()",
    ]
    (source / "CMakeLists.txt").write_text("\n".join(lines), encoding="utf-8")
    must("cmake", "-S", str(source), "-B", str(source / "out"))
    return {
        name: {key: (source / "out" / f"{name}-{key}").read_text(encoding="utf-8") for key in KEYS}
        for name in board_names()
    }


def driver(device: str) -> str:
    return f"hrlp_{device.replace('-', '_')}"


@pytest.mark.parametrize("name", board_names())
def test_cmake_reads_the_processor_and_the_clock(
    name: str, read: dict[str, dict[str, str]]
) -> None:
    board, said = read_board(name), read[name]
    assert said["ARCH"] == board.arch
    assert said["CPU"] == ("" if board.arch == "host" else board.cpu)
    assert said["FPU"] == (board.fpu or "")
    assert said["CONTROLLER"] == (board.controller.device if board.controller else "")
    assert int(said["HZ"]) == board.clock.hz
    devices = dict.fromkeys([board.clock.device, *(cell.device for cell in board.cells)])
    assert said["DEVICES"].split(";") == list(devices)


@pytest.mark.parametrize("name", board_names())
def test_cmake_reads_every_cell(name: str, read: dict[str, dict[str, str]]) -> None:
    board = read_board(name)
    macros = dict(re.findall(r"^#define PLAIN_(\S+) ?(.*)$", read[name]["HEADER"], re.MULTILINE))
    for cell in board.cells:
        assert macros[f"VERB_{cell.name}(verb)"] == f"{driver(cell.device)}_##verb"
        assert macros[f"CHANNEL_{cell.name}"] == str(cell.instance)
        assert macros[f"HANDLER_{cell.name}"] == cell.handler
        handlers = macros[f"HANDLERS_{cell.name}(...)"]
        assert re.findall(r"HRLI_HANDLER\((\w+)", handlers) == handlers_of(board, cell.handler)
        assert ("HRLI_IF_FIRED" in handlers) == (cell.handler == board.clock.handler)
    assert len(macros) == 4 * len(board.cells) + 2  # and SLOT_BITS, LINES
    assert int(macros["SLOT_BITS"]) == slot_bits(board.clock.hz)


def handlers_of(board: Board, handler: str) -> list[str]:
    """The handlers of a cell and of the clock, which may be one."""
    return list(dict.fromkeys([handler, *filter(None, [board.clock.handler])]))


@pytest.mark.parametrize("name", board_names())
def test_cmake_reads_the_lines_of_the_levels(name: str, read: dict[str, dict[str, str]]) -> None:
    board, said = read_board(name), read[name]
    lines = re.findall(r"LINE\((\d), (\d+), (\w+)\)", said["HEADER"])
    if board.controller is None:
        assert (lines, said["LINE_BASE"]) == ([], "")
        return
    numbered = [line for line in board.controller.lines if line.number > 0][:8]
    assert lines == [(str(at), str(x.number), x.handler) for at, x in enumerate(numbered, 1)]
    assert [x.number - int(said["LINE_BASE"]) for x in numbered] == list(range(1, 9))


def test_there_is_a_plain_system_for_every_board() -> None:
    files = {path.stem for path in Path(ROOT, "systems", "plain").glob("*.c")}
    assert files == set(board_names())
