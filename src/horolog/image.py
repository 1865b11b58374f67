# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an ELF file says about where things are: the addresses that the measuring plugin watches."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.model import TargetFailed
from horolog.model.result import MemoryBytes

__all__ = [
    "CoreNames",
    "Function",
    "Image",
    "Layout",
    "MaskedThread",
    "Masks",
    "Symbol",
    "initial_words",
    "loaded_bytes",
    "memory_bytes",
    "occupied",
    "read_image",
    "symbols_of",
]

_LAYOUT_VERSION = 1
_LAYOUT_WORDS = {1: 4, 2: 8}  # by the version
_VECTORS, _RESET = "vectors", "Reset_Handler"  # ports/cortex-m/startup.c
_ALLOCATED = SH_FLAGS.SHF_ALLOC
_LAYOUT_WITH_MASKS = 2  # the first version, and behind it the release masks
# ELF's numbers: SHN_UNDEF; SHN_LORESERVE, from which on it is no section, such as of an absolute value;
# STB_LOCAL; STT_NOTYPE, STT_FUNC and STT_FILE.
_UNDEFINED, _RESERVED = 0, 0xFF00
_LOCAL = 0
_UNTYPED, _FUNCTION, _FILE = 0, 2, 4


class Symbol(NamedTuple):
    """A line of a symbol table; `section`, `kind` and `bind` by ELF's numbers."""

    name: str
    value: int
    size: int
    section: int
    kind: int
    bind: int


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
class MaskedThread:
    """A task that masks release: bit number `bit` of the words of `level`."""

    task: int
    level: int
    bit: int


@dataclass(frozen=True, slots=True)
class Masks:
    """Where a firmware that releases by masks keeps the bits of waiting tasks, and its masks."""

    waiting: int  # address of the words, one a level
    levels: int
    bit_offset: int  # of a thread's bit in it, in bytes
    parts: int  # address of the parts
    part: tuple[tuple[int, int], ...]  # of each, its level and bits
    threads: tuple[MaskedThread, ...]


@dataclass(frozen=True, slots=True)
class Image:
    """An ELF file's functions, in order of address without overlap, and all its symbols."""

    path: Path
    functions: tuple[Function, ...]
    symbols: dict[str, int]
    sizes: dict[str, int]  # bytes, by symbol
    layout: Layout | None
    masks: Masks | None = None
    pointer_bytes: int = 4
    memory: MemoryBytes | None = None  # None: of one core of several
    handlers: tuple[
        int, ...
    ] = ()  # of all exceptions but the reset's, if it has a Cortex-M's table

    @property
    def apart(self) -> int:
        """Bytes of code that is neither the kernel's nor generated: of bodies, and of libraries."""
        return sum(one.high - one.low for one in self.functions if one.owner in ("body", "library"))

    def address(self, name: str) -> int:
        """The address of symbol `name`, without the Thumb bit."""
        if name not in self.symbols:
            raise TargetFailed(
                f"{self.path.name} has no symbol {name}: it cannot be measured",
            )
        return self.symbols[name]


def read_image(path: Path, core: CoreNames | None = None) -> Image:
    """Read the ELF file at `path`; of one for several cores, as it looks from a `core`."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        table = elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise TargetFailed(f"{path.name} has no symbols")
        thumb = 1 if elf["e_machine"] == "EM_ARM" else 0
        symbols: dict[str, int] = {}
        sizes: dict[str, int] = {}
        spans: list[tuple[int, int, str]] = []
        unsized: list[tuple[int, int, str]] = []  # address, end of its section, name
        tables: list[tuple[int, int]] = []  # address and bytes
        file = ""
        for symbol in symbols_of(table):
            if symbol.kind == _FILE:
                file = symbol.name
            if not symbol.name or symbol.section == _UNDEFINED:
                continue
            value, name = symbol.value, _name_on(symbol, file, core)
            if thumb and symbol.name == _VECTORS:
                tables.append((value, symbol.size))
            if _is_function(elf, symbol):
                value &= ~thumb
                known = symbol.name if name is None else name
                if symbol.size:
                    spans.append((value, value + symbol.size, known))
                else:
                    unsized.append((value, _section_end(elf, symbol.section), known))
            if name is not None:
                symbols.setdefault(name, value)
                sizes.setdefault(name, symbol.size)
        layout, masks = _layout(elf, symbols, sizes, 0 if core is None else core.layout)
        handlers = _handlers(elf, tables, symbols)
        small = elf["e_machine"] == "EM_AVR"
    spans += _sized(spans, unsized, symbols)
    if small:
        spans = _filled(_cut(spans), symbols)
    functions = _functions(spans, symbols)
    memory = memory_bytes(path) if core is None else None
    return Image(
        path, functions, symbols, sizes, layout, masks, 2 if small else 4, memory, handlers
    )


def initial_words(path: Path, address: int, count: int) -> tuple[int, ...]:
    """So many words at `address` as the ELF file at `path` loads them. HorologError (4) if it does not."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        return _words(elf, _initial(elf, address, 4 * count))


@dataclass(frozen=True, slots=True)
class CoreNames:
    """Which of a firmware's names for several cores are a core's, and what they are there.

    What the core's generated file defines has no number of a core in its name then. Its jobs and handlers,
    and its releasers, are numbered from 0 on; in the image they have the numbers of the whole system.
    """

    core: int
    jobs: tuple[int, ...]
    releasers: range
    layout: int = 0  # so many cores before it have threads, and describe their objects

    def of(self, name: str, file: str) -> str | None:
        """What `name`, if local from `file`, else "", is on the core; None: it is another core's."""
        if _OF_A_CORE.fullmatch(file) and file != f"hrl_gen_core_{self.core}.c":
            return None
        suffixed = _ON_A_CORE.fullmatch(name)
        if suffixed is not None:
            if int(suffixed[2]) != self.core:
                return None
            name = suffixed[1] + (suffixed[3] or "")
        numbered = _NUMBERED.fullmatch(name)
        if numbered is None:
            return name
        numbers = self.jobs if numbered[1] in ("body", "stack") else self.releasers
        number = int(numbered[2])
        if number not in numbers:
            return None
        return f"hrl_gen_{numbered[1]}_{numbers.index(number)}{numbered[3] or ''}"


_OF_A_CORE = re.compile(r"hrl_gen_core_\d+\.c")
_ON_A_CORE = re.compile(r"((?:hrl_gen_|(?:Software|Overrun)_Handler)\w*?)_on_(\d+)(_entry|_ended)?")
_NUMBERED = re.compile(r"hrl_gen_(body|stack|releaser|rows|served|due)_(\d+)(_end)?")


def symbols_of(table: SymbolTableSection) -> Iterator[Symbol]:
    """All symbols of `table`: five times as fast as pyelftools, which parses field by field."""
    elf, data, names = table.elffile, table.data(), table.stringtable.data()
    order = "<" if elf.little_endian else ">"
    if elf.elfclass == 32:
        for name, value, size, info, _, section in struct.iter_unpack(f"{order}IIIBBH", data):
            yield Symbol(_text(names, name), value, size, section, info & 15, info >> 4)
    else:
        for name, info, _, section, value, size in struct.iter_unpack(f"{order}IBBHQQ", data):
            yield Symbol(_text(names, name), value, size, section, info & 15, info >> 4)


def _text(names: bytes, at: int) -> str:
    return names[at : names.index(0, at)].decode("utf-8", errors="replace")


def _is_function(elf: ELFFile, symbol: Symbol) -> bool:
    """Whether code begins there that is called; those of AVR's compiler library do not say what they are."""
    if symbol.kind == _FUNCTION:
        return True
    untyped = elf["e_machine"] == "EM_AVR" and symbol.kind == _UNTYPED
    if not untyped or not symbol.size or symbol.section >= _RESERVED:
        return False
    return bool(elf.get_section(symbol.section)["sh_flags"] & SH_FLAGS.SHF_EXECINSTR)


def _name_on(symbol: Symbol, file: str, core: CoreNames | None) -> str | None:
    """The symbol's name, on a `core` if there are several; None: it is another core's."""
    if core is None:
        return symbol.name
    return core.of(symbol.name, file if symbol.bind == _LOCAL else "")


def _layout(
    elf: ELFFile, symbols: dict[str, int], sizes: dict[str, int], number: int
) -> tuple[Layout | None, Masks | None]:
    """What the generated code states of its objects; None: it states nothing.

    Each core states it, in order: `number` is that of the one to be read.
    """
    section = elf.get_section_by_name(".hrl_layout")
    words = () if section is None else _words(elf, section.data())
    for _ in range(number):
        words = words[_LAYOUT_WORDS.get(words[0], len(words)) if words else 0 :]
    if not words or words[0] not in (_LAYOUT_VERSION, _LAYOUT_WITH_MASKS):
        return None, None
    layout = Layout(*words[1:4])
    parts = "hrl_gen_mask_parts"
    if words[0] == _LAYOUT_VERSION or parts not in symbols:  # of a core that releases none by masks
        return layout, None
    level_offset, bit_offset, waiting_offset, levels = words[4:8]
    values = _words(elf, _initial(elf, symbols[parts], sizes[parts]))
    threads = []
    for task in range(sizes["hrl_gen_threads"] // layout.thread_bytes):
        at = symbols["hrl_gen_threads"] + task * layout.thread_bytes
        (level,) = _words(elf, _initial(elf, at + level_offset, 4))
        (bit,) = _words(elf, _initial(elf, at + bit_offset, 4))
        if bit:
            threads.append(MaskedThread(task, level, bit.bit_length() - 1))
    masks = Masks(
        waiting=symbols["hrli_core"] + waiting_offset,
        levels=levels,
        bit_offset=bit_offset,
        parts=symbols[parts],
        part=tuple(zip(values[::2], values[1::2], strict=True)),
        threads=tuple(threads),
    )
    return layout, masks


def _handlers(
    elf: ELFFile, tables: list[tuple[int, int]], symbols: dict[str, int]
) -> tuple[int, ...]:
    """The addresses in the vector table: that one of `tables` that has the reset in its second word."""
    for address, size in tables:
        try:
            words = _words(elf, _initial(elf, address, size))
        except TargetFailed:
            continue  # another's, without initial values
        if len(words) > 2 and words[1] & ~1 == symbols.get(_RESET):
            return tuple(sorted({word & ~1 for word in words[2:] if word}))
    return ()


def _words(elf: ELFFile, data: bytes) -> tuple[int, ...]:
    count = len(data) // 4
    return struct.unpack(f"{'<' if elf.little_endian else '>'}{count}I", data[: 4 * count])


def _initial(elf: ELFFile, address: int, size: int) -> bytes:
    """What stands at `address` before the start."""
    for section in elf.iter_sections():
        low = section["sh_addr"]
        if (
            section["sh_type"] == "SHT_PROGBITS"
            and section["sh_flags"] & _ALLOCATED
            and low <= address
            and address + size <= low + section["sh_size"]
        ):
            return bytes(section.data()[address - low : address - low + size])
    raise TargetFailed(f"nothing is loaded at {address:#x}")


def _section_end(elf: ELFFile, index: int) -> int:
    if index >= _RESERVED:
        return 0
    section = elf.get_section(index)
    return int(section["sh_addr"] + section["sh_size"])


def _sized(
    spans: list[tuple[int, int, str]],
    unsized: list[tuple[int, int, str]],
    symbols: dict[str, int],
) -> list[tuple[int, int, str]]:
    """Functions with no size in their symbols, such as some of libgcc's: each ends where the next begins."""
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


def _cut(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """AVR's libraries are assembly, with functions that begin in others: each ends where the next begins."""
    lows = sorted({low for low, _, _ in spans})
    following = dict(pairwise([*lows, max((high for _, high, _ in spans), default=0)]))
    return [(low, min(high, following[low]), name) for low, high, name in spans]


def _filled(
    spans: list[tuple[int, int, str]], symbols: dict[str, int]
) -> list[tuple[int, int, str]]:
    """With the code of libraries that no symbol covers, as it lies before the symbol of its function."""
    low, end = (symbols.get(f"hrl_link_library_{at}", 0) for at in ("start", "end"))
    found = list(spans)
    for at, high, _ in [*sorted(spans), (end, end, "")]:
        if low < min(at, end):
            found.append((low, min(at, end), f"library_{low:x}"))
        low = max(low, high)
    return found


def _functions(spans: list[tuple[int, int, str]], symbols: dict[str, int]) -> tuple[Function, ...]:
    """Functions in order of address; of aliases at one address the first by name stands."""
    found: list[Function] = []
    for low, high, name in sorted(spans):
        if found and low < found[-1].high:
            continue
        found.append(Function(name, low, high, _owner(name, low, symbols)))
    return tuple(found)


_IDLE = (
    "hrlp_idle_loop",
    "hrlp_idle",
    "hrl_idle_hook",
    "baseline_sleep",
    "prvIdleTask",
    "prvPassiveIdleTask",
)
"""The loop that both kernels share; an application's own, and what calls it; the tickless baseline's sleep,
and FreeRTOS's own loops around it.
"""


_CLZ, _FREERTOS = "__clzsi2", "pxCurrentTCB"
"""FreeRTOS's scheduler calls that of libgcc, which link.ld has with the kernel; else software floats do."""


def _owner(name: str, address: int, symbols: dict[str, int]) -> str:
    if name in _IDLE:
        return "idle"
    if name == _CLZ and _FREERTOS not in symbols:
        return "library"
    for part, owner in (("bodies", "body"), ("bodies_in_ram", "body"), ("library", "library")):
        low = symbols.get(f"hrl_link_{part}_start", 0)
        if low <= address < symbols.get(f"hrl_link_{part}_end", 0):
            return owner
    return "kernel"


_MAIN_STACK = ".main_stack"  # of start-up and handlers, where a linker script places it
"""In no row of memory: on other boards it is what is left over."""


def loaded_bytes(elf: Path) -> int:
    """Bytes of flash that `elf` takes: what is loaded, initialised data included."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        loads = [one for one in file.iter_segments() if one["p_type"] == "PT_LOAD"]
        spans = [(one["p_vaddr"], one["p_vaddr"] + one["p_filesz"]) for one in loads]
        # What has no content may lie between what has, and is then in the segment's part of the file.
        empty = 0
        for one in file.iter_sections():
            low, size = int(one["sh_addr"]), int(one["sh_size"])
            if one["sh_type"] == "SHT_NOBITS" and any(
                a <= low and low + size <= b for a, b in spans
            ):
                empty += size
        return sum(int(one["p_filesz"]) for one in loads) - empty


def memory_bytes(elf: Path) -> MemoryBytes:
    """What `elf` takes of the target's memory."""
    with elf.open("rb") as stream:
        held: dict[bool, int] = {False: 0, True: 0}
        for section in ELFFile(stream).iter_sections():
            flags = section["sh_flags"]
            if section.name == _MAIN_STACK:
                continue
            if flags & SH_FLAGS.SHF_ALLOC and flags & SH_FLAGS.SHF_WRITE:
                held[section.name == ".hrl_stacks"] += section["sh_size"]
    return MemoryBytes(loaded_bytes(elf), held[False], held[True])


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
