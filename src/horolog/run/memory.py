# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a firmware lies in the memory that its board has, whatever its linker script says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile

from horolog.model import Board, HorologError, Place

__all__ = ["check_memory", "occupied"]


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


def occupied(elf: Path) -> Iterator[tuple[str, int, int]]:
    """Name, address and bytes of each section on the target, and of what it is copied from at the start."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        segments = [one for one in file.iter_segments() if one["p_type"] == "PT_LOAD"]
        for section in file.iter_sections():
            low, size = section["sh_addr"], section["sh_size"]
            if not section["sh_flags"] & SH_FLAGS.SHF_ALLOC or size == 0:
                continue
            yield section.name, low, size
            for segment in segments:
                if section["sh_type"] != "SHT_NOBITS" and segment.section_in_segment(section):
                    loaded = segment["p_paddr"] + section["sh_offset"] - segment["p_offset"]
                    yield section.name, loaded, size
