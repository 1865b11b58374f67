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
        unsized: list[tuple[int, int, str]] = []  # address, end of its section, name
        for symbol in table.iter_symbols():
            if not symbol.name or symbol["st_shndx"] == "SHN_UNDEF":
                continue
            value, kind = symbol["st_value"], symbol["st_info"]["type"]
            if kind == "STT_FUNC":
                value &= ~thumb
                if symbol["st_size"]:
                    spans.append((value, value + symbol["st_size"], symbol.name))
                else:
                    unsized.append((value, _section_end(elf, symbol["st_shndx"]), symbol.name))
            symbols.setdefault(symbol.name, value)
            sizes.setdefault(symbol.name, symbol["st_size"])
        section = elf.get_section_by_name(".hrl_layout")
        layout = None
        if section is not None:
            words = struct.unpack("<4I" if elf.little_endian else ">4I", section.data()[:16])
            if words[0] == _LAYOUT_VERSION:
                layout = Layout(*words[1:])
    spans += _sized(spans, unsized, symbols)
    return Image(path, _functions(spans, symbols), symbols, sizes, layout)


def _section_end(elf: ELFFile, index: int | str) -> int:
    if not isinstance(index, int):
        return 0
    section = elf.get_section(index)
    return int(section["sh_addr"] + section["sh_size"])


def _sized(
    spans: list[tuple[int, int, str]],
    unsized: list[tuple[int, int, str]],
    symbols: dict[str, int],
) -> list[tuple[int, int, str]]:
    """Functions whose symbol states no size, as some of libgcc's assembly: each up to what follows."""
    borders = sorted(
        {low for low, _, _ in spans}
        | {low for low, _, _ in unsized}
        | {value for name, value in symbols.items() if name.startswith("hrl_link_")}
    )
    found = []
    for low, end, name in unsized:
        if any(other <= low < high for other, high, _ in spans):
            continue  # a second name, or an entry in the middle
        found.append((low, min([at for at in borders if at > low] + [end]), name))
    return [span for span in found if span[0] < span[1]]


def _functions(spans: list[tuple[int, int, str]], symbols: dict[str, int]) -> tuple[Function, ...]:
    """Functions in order of address; of aliases at one address the first by name stands."""
    found: list[Function] = []
    for low, high, name in sorted(spans):
        if found and low < found[-1].high:
            continue
        found.append(Function(name, low, high, _owner(name, low, symbols)))
    return tuple(found)


_IDLE = ("hrlp_idle_loop", "baseline_sleep", "prvIdleTask")
"""The loop that both kernels share; the tickless baseline's sleep, and FreeRTOS's own loop around it."""


def _owner(name: str, address: int, symbols: dict[str, int]) -> str:
    if name in _IDLE:
        return "idle"
    for part, owner in (("bodies", "body"), ("library", "library")):
        low = symbols.get(f"hrl_link_{part}_start", 0)
        if low <= address < symbols.get(f"hrl_link_{part}_end", 0):
            return owner
    return "kernel"
