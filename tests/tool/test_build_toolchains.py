# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which programs serve a board: one row an architecture, and none without its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.factory import make_board

from horolog.build.toolchains import TOOLCHAINS, programs_of, tool_versions
from horolog.data import data_root
from horolog.model import HorologError, Runner
from horolog.read import board_names, read_board
from horolog.run.qemu import qemu_command


def test_every_port_has_its_toolchain() -> None:
    assert set(TOOLCHAINS) == {path.name for path in (data_root() / "ports" / "arch").iterdir()}


@pytest.mark.parametrize("name", board_names())
def test_every_board_has_its_programs(name: str) -> None:
    board = read_board(name)
    assert set(tool_versions(board)) >= {programs_of(board).compiler}
    assert board.runner.kind != "qemu" or programs_of(board).emulator is not None
    assert board.runner.kind != "host" or programs_of(board).emulator is None


def test_a_measurement_in_rtl_depends_on_the_rtl() -> None:
    board = make_board()
    runner = replace(board.runner, kind="ibex")
    named = tool_versions(replace(board, arch="rv32", runner=runner))
    assert set(named) == {"riscv64-unknown-elf-gcc", "verilator", "pythondata-cpu-ibex"}
    assert named["pythondata-cpu-ibex"].startswith("0.0.post")


def test_the_command_for_risc_v_boots_without_firmware_and_prints_on_its_serial_line() -> None:
    command = qemu_command(read_board("qemu-virt-rv32"), Path("a.elf"))
    assert command[:3] == ["qemu-system-riscv32", "-M", "virt"]
    assert command[command.index("-bios") + 1] == "none"
    assert command[command.index("-serial") + 1] == "stdio"


def test_what_has_no_port_is_refused() -> None:
    with pytest.raises(HorologError, match='there is no port for arch "z80"') as caught:
        programs_of(replace(make_board(), arch="z80"))
    assert "armv7m or host or rv32" in str(caught.value)


def test_a_process_is_not_emulated() -> None:
    board = replace(make_board(), arch="host", runner=Runner("qemu", "linux", 5, 32))
    with pytest.raises(HorologError, match="no emulator runs arch host"):
        qemu_command(board, Path("a.elf"))
