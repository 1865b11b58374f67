# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How tests run a firmware that is not measured, on any board, and which boards they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.build.rtl import simulator
from horolog.model import Board
from horolog.read import board_names, read_board
from horolog.run.qemu import qemu_command

__all__ = ["BOARDS", "EMULATED", "command"]

_MOST_CYCLES = 100_000_000  # two seconds of a 50 MHz board, and about one minute of a slow machine

BOARDS = [
    pytest.param(name, marks=pytest.mark.soak) if name == "ibex-cells-small" else name
    for name in board_names()
]
"""All boards; of two that differ in the core's options only, continuous integration takes one."""

EMULATED = [name for name in board_names() if read_board(name).runner.kind != "ibex"]
"""Those on which a simulated second is no matter of a minute."""


def command(board: Board, elf: Path) -> list[str]:
    """What runs `elf` to its end."""
    if board.runner.kind == "host":
        return [str(elf)]
    if board.runner.configuration is not None:
        program = simulator(board.runner.configuration)
        return [str(program), "--elf", str(elf), "--max-cycles", str(_MOST_CYCLES)]
    return qemu_command(board, elf)
