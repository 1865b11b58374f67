# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a linked program takes, in bytes, by its ELF file's sections and symbols."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.model import Exit, HorologError

__all__ = ["ram_objects", "ram_without_stacks", "rom", "symbol_size"]

_STACK = re.compile(r"_stack(\.\d+)?$")  # the compiler numbers those that are static in a function


def rom(elf: Path) -> int:
    """Bytes that go into the ROM: code, constants, and what data begin with."""
    with elf.open("rb") as stream:
        return sum(
            int(section["sh_size"])
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
        )


def ram_without_stacks(elf: Path) -> int:
    """Bytes of .data and .bss but for the stacks among them, the symbols that end in `_stack`."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        sections = [s for s in file.iter_sections() if s.name in (".data", ".bss")]
        whole = sum(int(section["sh_size"]) for section in sections)
        within = [
            range(section["sh_addr"], section["sh_addr"] + section["sh_size"])
            for section in sections
        ]
        return whole - sum(
            size
            for name, at, size in _objects(file)
            if _STACK.search(name) and any(at in addresses for addresses in within)
        )


def ram_objects(elf: Path) -> list[tuple[str, int]]:
    """The objects of .data and .bss and their bytes, the largest first, but for stacks."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        sections = [s for s in file.iter_sections() if s.name in (".data", ".bss")]
        found = [
            (name, size)
            for name, at, size in _objects(file)
            if size != 0
            and not _STACK.search(name)
            and any(0 <= at - one["sh_addr"] < one["sh_size"] for one in sections)
        ]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def symbol_size(elf: Path, name: str) -> int:
    """Bytes of the object `name`."""
    with elf.open("rb") as stream:
        sizes = [size for found, _, size in _objects(ELFFile(stream)) if found == name]
    if len(sizes) != 1:
        raise HorologError(
            f"{elf.name} cannot be measured",
            found=f"{len(sizes)} objects {name}",
            expected="one",
            exit=Exit.TARGET_FAILED,
        )
    return sizes[0]


def _objects(file: ELFFile) -> Iterator[tuple[str, int, int]]:
    """Name, address and bytes of each variable."""
    table = file.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection), "the bench links with symbols"
    for symbol in table.iter_symbols():
        if symbol["st_info"]["type"] == "STT_OBJECT":
            yield symbol.name, int(symbol["st_value"]), int(symbol["st_size"])
