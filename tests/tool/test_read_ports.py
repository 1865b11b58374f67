# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""port.toml: every port has one, and it is where the tool learns what it must know about ports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from horolog.data import data_root
from horolog.model import Port, StackSizes
from horolog.read import board_names, read_board
from horolog.read.ports import find_port, ports

SOURCE = Path(__file__).resolve().parents[2] / "src" / "horolog"
FILES = sorted([*SOURCE.rglob("*.py"), *SOURCE.rglob("*.j2")])
PORTS = r"armv7m|rv32|nvic|plic|clint|systick"
KNOWS_A_PORT = re.compile(
    rf"\barch [!=]= |\bdevice [!=]= \"|\b(?i:(?:hrlp_)?(?:{PORTS})(?:_\w*)?)\b|HRLP_HOST|PendSV|SVC_Handler|"
    r"Overrun_Handler"
)
"""A condition on a port's name, or a name that only one port has."""


def test_every_architecture_has_one_usual_port() -> None:
    for arch in {arch for arch, _ in ports()}:
        assert [port.usual for (its, _), port in ports().items() if its == arch].count(True) == 1
        usual = find_port(arch, None)
        assert usual is not None
        assert usual.usual


def test_folders_of_ports_have_a_port_or_are_parts() -> None:
    others = {"cell", "cortex-m", "include", "report"}
    folders = {path.name for path in (data_root() / "ports").iterdir()} - others
    assert folders == {arch for arch, _ in ports()}


def test_a_board_names_its_port_by_its_controller() -> None:
    assert find_port("rv32", "cells") == ports()["rv32", "cells"]
    assert find_port("rv32", None) == ports()["rv32", "plic"]
    assert find_port("rv32", "nvic") is None
    assert find_port("z80", None) is None


@pytest.mark.parametrize("name", board_names())
def test_a_board_has_what_its_port_says(name: str) -> None:
    board = read_board(name)
    device = None if board.controller is None else board.controller.device
    assert board.port == find_port(board.arch, device)
    assert (board.runner.kind in ("host", "simavr", "rp2040-emu")) == (board.port.emulator is None)
    assert board.port.frame_bytes > 0 or board.runner.kind == "host"
    assert board.fpu is None or board.port.fpu_frame_bytes > board.port.frame_bytes
    assert board.port.context_bytes > 0 or board.runner.kind == "host"
    assert board.fpu is None or board.port.fpu_context_bytes > board.port.fpu_frame_bytes


def test_what_a_port_says_is_read() -> None:
    cells = ports()["rv32", "cells"]
    assert (cells.has_entries, cells.ends_with_switch, cells.has_freertos) == (True, True, True)
    assert cells.around_handlers == ("hrlp_vectors", "hrlp_timer_entry")
    assert (cells.stacks, cells.main_stack_from_top) == (StackSizes(), False)
    small = ports()["avr", "vectors"]
    assert small.stacks == StackSizes(usual=192, least=96, idle=80, server=112, shared=16)
    assert small.main_stack_from_top
    assert (small.pointer_bytes, small.table_bytes) == (2, 8192)
    assert (cells.pointer_bytes, cells.table_bytes) == (4, 128 * 1024)
    assert small.switch_calls[:2] == ("hrlp_avr_give_way", "hrlp_avr_wait")
    assert ports()["host", "servers"] == Port(
        "gcc", is_process=True, redirects=True, constructs=False
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_no_code_of_the_tool_knows_a_port_by_its_name(path: Path) -> None:
    assert KNOWS_A_PORT.findall(path.read_text(encoding="utf-8")) == []


def test_the_check_sees_a_port() -> None:
    seen = (
        'device == "cells"',
        "arch != X",
        "hrlp_rv32_overran(",
        "HRLP_RV32_BASIC_ENTRY(",
        "an NVIC",
    )
    assert all(KNOWS_A_PORT.search(text) for text in seen)
