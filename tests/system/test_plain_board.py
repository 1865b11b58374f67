# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""CMake reads of every board.toml what the tool reads, for applications without Python."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from tests.system.plain_cmake import must
from tests.system.support import ROOT

from horolog.model import Board, Cell
from horolog.read import board_names, read_board

KEYS = ("ARCH", "CONTROLLER", "CPU", "FPU", "HZ", "DEVICES", "LINE_BASE", "SLICES", "HEADER")


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
    devices = [board.clock.device, *(cell.device for cell in board.cells)]
    devices += [cell.device for cell in own_cells(name).values()]
    assert said["DEVICES"].split(";") == list(dict.fromkeys(devices))


@pytest.mark.parametrize("name", board_names())
def test_cmake_reads_the_cells_of_plain_systems(name: str, read: dict[str, dict[str, str]]) -> None:
    board, plain = read_board(name), plain_of(name)
    macros = dict(re.findall(r"^#define PLAIN_(\S+) ?(.*)$", read[name]["HEADER"], re.MULTILINE))
    cells = {cell.name: cell for cell in board.cells} | own_cells(name)
    time = cells[plain["time"]]
    channel = f"{driver(time.device)}, {time.instance}"
    assert macros["TIME_CELL"] == channel
    handlers = macros["TIME_HANDLERS(...)"]
    shared = time.handler == board.clock.handler  # else the timing model defines the cell's handler
    assert (f"PLAIN_ACKNOWLEDGE({channel})" in handlers) == shared
    named = re.findall(r"(?:HRLI|PLAIN_CELL)_HANDLER\((\w+)", handlers)
    assert named == handlers_of(board, time.handler)
    assert ("HRLI_IF_FIRED" in handlers) == shared
    assert macros["REACH"] == f"((uint32_t)1 << {min(time.width, 32) - 1})"
    assert macros["ARM"] == plain.get("arm", "arm")
    kernel = plain.get("priority") == "kernel"
    assert macros["PRIORITY"] == ("HRL_INTERRUPT_KERNEL" if kernel else "TIMING_PRIORITY")
    begin = f"{driver(time.device)}_{plain.get('begin')}({time.instance});"
    assert macros["BEGIN"] == (begin if "begin" in plain else "")
    assert read[name]["SLICES"] == plain.get("slices", "")
    slices = cells[plain["slices"]] if "slices" in plain else None
    assert macros["SLICE_CELL"] == (
        f"{driver(slices.device)}, {slices.instance}, {slices.handler}" if slices else ""
    )
    assert set(macros) == {
        *("TIME_CELL", "TIME_HANDLERS(...)", "REACH", "ARM", "BEGIN", "PRIORITY", "SLICE_CELL"),
        "LINES(LINE)",
    }


def plain_of(name: str) -> dict[str, str]:
    """The table [plain] of board `name`, which every board of the repository has."""
    text = (ROOT / "boards" / name / "board.toml").read_text(encoding="utf-8")
    found: dict[str, str] = tomllib.loads(text)["plain"]
    return found


def own_cells(name: str) -> dict[str, Cell]:
    """Those that each core of a board of several has, which the tool leaves out."""
    text = (ROOT / "boards" / name / "board.toml").read_text(encoding="utf-8")
    return {
        one["name"]: Cell(
            **{key: one[key] for key in ("name", "device", "instance", "handler", "width")},
            hz=0,
            modes=frozenset(),
            min_counts=one["min_counts"],
        )
        for one in tomllib.loads(text)["cell"]
        if one.get("own")
    }


def handlers_of(board: Board, handler: str) -> list[str]:
    """The handlers of a cell and of the clock, which may be one."""
    return list(dict.fromkeys([handler, *filter(None, [board.clock.handler])]))


@pytest.mark.parametrize("name", board_names())
def test_cmake_reads_the_lines_of_the_levels(name: str, read: dict[str, dict[str, str]]) -> None:
    board, said = read_board(name), read[name]
    lines = re.findall(r"LINE\((\d), (\d+), (\w+)\)", said["HEADER"])
    if board.controller is None or (board.basic_levels or 8) < 8:  # then threads serve
        assert (lines, said["LINE_BASE"]) == ([], "")
        return
    numbered = [line for line in board.controller.lines if line.number > 0][:8]
    assert lines == [(str(at), str(x.number), x.handler) for at, x in enumerate(numbered, 1)]
    assert [x.number - int(said["LINE_BASE"]) for x in numbered] == list(range(1, 9))


@pytest.mark.parametrize("key", ["time", "slices"])
def test_a_cell_that_the_board_has_not(key: str, tmp_path: Path) -> None:
    board = tmp_path / "boards" / "made"
    board.mkdir(parents=True)
    text = (ROOT / "boards" / "mps2-an385" / "board.toml").read_text(encoding="utf-8")
    made = re.sub(rf'^({key}) = "\w+"', r'\1 = "none"', text, flags=re.MULTILINE)
    (board / "board.toml").write_text(made, encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(plain NONE)\n"
        f'set(HRL_ROOT "{tmp_path}")\ninclude("{ROOT}/cmake/plain_board.cmake")\n'
        "hrl_plain_board(made)\n",
        encoding="utf-8",
    )
    said = "names the cell 'none', which the board has not"
    must("cmake", "-S", str(tmp_path), "-B", str(tmp_path / "out"), fails=said)
