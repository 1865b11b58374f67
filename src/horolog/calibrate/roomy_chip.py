# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An STM32 with room for experiments: the simulator takes chip.txt at its word.

Timers that are cells get 32 bits, so that no experiment counts a period in software unless it is about that:
the driver is the same for 16 and 32 bits. A clock of two timers stays as it is.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from horolog.model import Board, Memory, Mode
from horolog.model.board import CHIP_FILE

__all__ = ["roomy_chip"]

_LEAST = {"ram": 0x40000, "flash": 0x100000}  # bytes
_WIDTH = 32
_MEMORY = re.compile(r"(?m)^memory (\S+) (\S+)")
_TIMER = re.compile(r"(?m)^timer (\S+) 16\b")
_TRIGGER = re.compile(r"(?m)^trigger (\S+) \S+ (\S+)")


def roomy_chip(board: Board, folder: Path) -> Board:
    """`board` with such a chip; its files are a copy below `folder`."""
    directory = folder / "roomy" / board.name
    shutil.copytree(board.directory, directory, dirs_exist_ok=True)
    memory = tuple(
        replace(one, length=max(one.length, _LEAST.get(one.name, 0))) for one in board.memory
    )
    cells = tuple(
        replace(cell, width=_WIDTH) if Mode.PERIODIC in cell.modes else cell for cell in board.cells
    )
    chip = directory / CHIP_FILE
    chip.write_text(_roomy(chip.read_text(encoding="utf-8"), memory), encoding="utf-8")
    return replace(board, directory=directory, memory=memory, cells=cells)


def _roomy(chip: str, memory: Sequence[Memory]) -> str:
    """The text of chip.txt with memory of these lengths, and timers of 32 bits but for those of a clock."""
    lengths = {one.origin: one.length for one in memory}
    chained = {int(base, 0) for found in _TRIGGER.finditer(chip) for base in found.groups()}

    def lengthened(found: re.Match[str]) -> str:
        origin, length = (int(number, 0) for number in found.groups())
        return f"memory {found[1]} {lengths.get(origin, length):#x}"

    def widened(found: re.Match[str]) -> str:
        return found[0] if int(found[1], 0) in chained else f"timer {found[1]} {_WIDTH}"

    return _TIMER.sub(widened, _MEMORY.sub(lengthened, chip))
