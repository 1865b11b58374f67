# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a firmware lies in the memory that its board has, whatever its linker script says."""

from __future__ import annotations

from pathlib import Path

from horolog.image import occupied
from horolog.model import Board, HorologError, Place

__all__ = ["check_memory"]


def check_memory(board: Board, elf: Path) -> None:
    """HorologError if a section of `elf`, or what it is loaded from, is outside `board.memory`."""
    for name, low, size in occupied(elf):
        if any(one.origin <= low <= low + size <= one.origin + one.length for one in board.memory):
            continue
        regions = ", ".join(
            f"{one.name} from {one.origin:#010x} to {one.origin + one.length:#010x}"
            for one in board.memory
        )
        raise HorologError(
            f"the firmware does not lie in the memory of {board.name}",
            place=Place(str(board.directory / "board.toml")),
            found=f"{name} from {low:#010x} to {low + size:#010x}, by {board.directory / 'link.ld'}",
            expected=f"{regions}; INCLUDE hrl_memory.ld brings these regions into link.ld",
        )
