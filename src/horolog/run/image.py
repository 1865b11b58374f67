# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an ELF file says about where things are: the addresses that the measuring plugin watches."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.model import Exit, HorologError

__all__ = ["Function", "Image", "Layout", "read_image"]

_LAYOUT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Function:
    """Code from `low` up to `high`; `owner` is kernel, body, idle or library."""

    name: str
    low: int
    high: int
    owner: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes and offsets that the generated code states about its objects, in bytes."""

    thread_bytes: int
    released_offset: int
    served_offset: int


@dataclass(frozen=True, slots=True)
class Image:
    """An ELF file's functions, in order of address without overlap, and all its symbols."""

    path: Path
    functions: tuple[Function, ...]
    symbols: dict[str, int]
    sizes: dict[str, int]  # bytes, by symbol
    layout: Layout | None

    def address(self, name: str) -> int:
        """The address of symbol `name`, without the Thumb bit."""
        if name not in self.symbols:
            raise HorologError(
                f"{self.path.name} has no symbol {name}: it cannot be measured",
                exit=Exit.TARGET_FAILED,
            )
        return self.symbols[name]


def read_image(path: Path) -> Image:
    """Read the ELF file at `path`."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise HorologError(f"{path.name} has no symbols", exit=Exit.TARGET_FAILED)
        thumb = 1 if elf["e_machine"] == "EM_ARM" else 0
        symbols: dict[str, int] = {}
        sizes: dict[str, int] = {}
        spans: list[tuple[int, int, str]] = []
        for symbol in table.iter_symbols():
            if not symbol.name or symbol["st_shndx"] == "SHN_UNDEF":
                continue
            value, kind = symbol["st_value"], symbol["st_info"]["type"]
            if kind == "STT_FUNC":
                value &= ~thumb
                if symbol["st_size"]:
                    spans.append((value, value + symbol["st_size"], symbol.name))
            symbols.setdefault(symbol.name, value)
            sizes.setdefault(symbol.name, symbol["st_size"])
        section = elf.get_section_by_name(".hrl_layout")
        layout = None
        if section is not None:
            words = struct.unpack("<4I" if elf.little_endian else ">4I", section.data()[:16])
            if words[0] == _LAYOUT_VERSION:
                layout = Layout(*words[1:])
    return Image(path, _functions(spans, symbols), symbols, sizes, layout)


def _functions(spans: list[tuple[int, int, str]], symbols: dict[str, int]) -> tuple[Function, ...]:
    """Functions in order of address; of aliases at one address the first by name stands."""
    found: list[Function] = []
    for low, high, name in sorted(spans):
        if found and low < found[-1].high:
            continue
        found.append(Function(name, low, high, _owner(name, low, symbols)))
    return tuple(found)


def _owner(name: str, address: int, symbols: dict[str, int]) -> str:
    if name == "hrlp_idle_loop":
        return "idle"
    for part, owner in (("bodies", "body"), ("library", "library")):
        low = symbols.get(f"hrl_link_{part}_start", 0)
        if low <= address < symbols.get(f"hrl_link_{part}_end", 0):
            return owner
    return "kernel"
