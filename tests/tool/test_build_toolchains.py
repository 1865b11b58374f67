# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which programs serve a board, as its port says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.tool.factory import make_board

from horolog.build.toolchains import tool_versions
from horolog.model import HorologError, Runner
from horolog.read import board_names, read_board
from horolog.run.qemu import qemu_command


@pytest.mark.parametrize("name", board_names())
def test_every_board_has_its_programs(name: str) -> None:
    board = read_board(name)
    assert set(tool_versions(board)) >= {board.port.compiler}
    assert board.runner.kind != "qemu" or board.port.emulator is not None
    assert board.runner.kind != "host" or board.port.emulator is None


def test_a_measurement_in_rtl_depends_on_the_rtl() -> None:
    board = make_board()
    runner = replace(board.runner, kind="ibex")
    port = replace(board.port, compiler="riscv64-unknown-elf-gcc")
    named = tool_versions(replace(board, port=port, runner=runner))
    assert set(named) == {"riscv64-unknown-elf-gcc", "verilator", "pythondata-cpu-ibex"}
    assert named["pythondata-cpu-ibex"].startswith("0.0.post")


def test_the_command_for_risc_v_boots_without_firmware_and_prints_on_its_serial_line() -> None:
    command = qemu_command(read_board("qemu-virt-rv32"), Path("a.elf"))
    assert command[:3] == ["qemu-system-riscv32", "-M", "virt"]
    assert command[command.index("-bios") + 1] == "none"
    assert command[command.index("-serial") + 1] == "stdio"


def test_a_process_is_not_emulated() -> None:
    board = replace(make_board(), arch="host", runner=Runner("qemu", "linux", 5, 32))
    with pytest.raises(HorologError, match="no emulator runs arch host"):
        qemu_command(board, Path("a.elf"))
