# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What takes the memory of a board, by the linker's map, which is written even if a program does not fit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.analyse import thread_of
from horolog.figures import count
from horolog.model import Kind, Memory, System, Task

__all__ = ["MemoryUse", "ThreadUse", "memory_use"]

_GENERATED = re.compile(r"hrl_gen_(?:system|freertos\w*)\.c\.o(?:bj)?$")
_STACKS = ".hrl_stacks"
_STACK = re.compile(r"hrl_gen_stack_(\d+)|server_stack_(\d+)")
_BLOCK = re.compile(r"hrl_gen_sporadic_(\d+)|server_(\d+)")
_BLOCKS = ("hrl_gen_threads", "baseline_control_blocks")  # an element for each of the other threads
_IDLE = ("idle", "idle_stack")
_NOT_LOADED = (".debug", ".stab", ".comment", ".note", ".hrl_layout", ".ARM.attr", ".riscv.attr")
_BEGIN = "Linker script and memory map\n"
_WRAPPED = re.compile(r"^( ?\S+)\n +(?=0x)", re.MULTILINE)  # a name that is too long for its column
_OUTPUT = re.compile(r"^(\.\S+) +(0x\w+) +(0x\w+)(?: load address (0x\w+))?$", re.MULTILINE)
_PART = re.compile(r"^ (\S+) +(0x\w+) +(0x\w+) ?(.*)$", re.MULTILINE)
_SYMBOL = re.compile(r"^ {8,}(0x\w+) +(\w+)(?: = .*)?$", re.MULTILINE)
_LEAST = re.compile(r"less than (\d+) bytes of (\w+) are left for the main stack")
_MOST_THREADS = 24
"""A table has at most so many; the others are summed up."""


@dataclass(frozen=True, slots=True)
class ThreadUse:
    """What a thread takes: its stack, and what the kernel keeps of it."""

    name: str
    task: Task | None  # the first of those that run on it; None: it is a server's
    stack: int
    control: int


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """The bytes of one memory, by what takes them."""

    threads: tuple[ThreadUse, ...]  # the largest first
    parts: Mapping[str, int]  # what else there is
    left: int | None  # for the main stack: it may be less than nothing; None: that is elsewhere
    main_stack: int  # the least that the linker script asks for it

    @property
    def stacks(self) -> int:
        """Bytes of the threads' stacks."""
        return sum(one.stack for one in self.threads)

    @property
    def bytes(self) -> int:
        """All of them, with the least main stack."""
        blocks = sum(one.control for one in self.threads)
        return self.stacks + blocks + sum(self.parts.values()) + self.main_stack

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """A table: what there is, its stack, and what else it takes."""
        if self.threads:
            yield "thread", "stack", "control block"
        for one in self.threads[:_MOST_THREADS]:
            yield one.name, count(one.stack), count(one.control)
        others = self.threads[_MOST_THREADS:]
        if others:
            stack, control = sum(one.stack for one in others), sum(one.control for one in others)
            yield f"{len(others)} more", count(stack), count(control)
        for name, size in sorted(self.parts.items(), key=lambda part: -part[1]):
            yield name, "", count(size)
        if self.main_stack:
            yield "main stack, at least", count(self.main_stack), ""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A section of an object, or of the program."""

    section: str
    address: int
    size: int
    object: str = ""


def memory_use(system: System, region: Memory, folder: Path, program: str) -> MemoryUse | None:
    """What takes `region` in the program that was to be linked in `folder`; None: there is no map of it."""
    path = folder / f"{program}.map"
    if not path.is_file():
        return None
    text = path.read_text(encoding="utf-8", errors="replace").partition(_BEGIN)[2]
    text = _WRAPPED.sub(r"\1 ", text)
    # A program that is too large goes on behind the region's end.
    end = min((x.origin for x in system.board.memory if x.origin > region.origin), default=None)
    held = range(region.origin, 1 << 64 if end is None else end)
    placed = [one for one in _parts(text) if one.address in held]
    sections, copies = ([x for x in found if x.address in held] for found in _outputs(text))
    generated = [one for one in placed if _GENERATED.search(one.object)]
    parts: dict[str, int] = defaultdict(int)
    threads = _threads(system, folder, generated, parts)
    for one in placed:
        if one not in generated:
            parts[_owner(one.object)] += one.size
    parts["initial values of variables"] = sum(one.size for one in copies)
    symbols = {name: int(at, 16) for at, name in _SYMBOL.findall(text)}
    low, top = (symbols.get(f"hrl_link_main_stack_{side}", 0) for side in ("low", "top"))
    if any(one.address <= low < top <= one.address + one.size for one in sections):
        parts["main stack"] = top - low
    used = sum(parts.values()) + sum(one.stack + one.control for one in threads)
    ends = [one.address + one.size for one in (*sections, *copies)]
    parts["alignment"] = max(ends, default=region.origin) - region.origin - used
    return MemoryUse(
        threads,
        {name: size for name, size in parts.items() if size > 0},
        top - low if region.origin < top <= region.end else None,
        max((int(least) for least, of in _LEAST.findall(text) if of == region.name), default=0),
    )


def _outputs(text: str) -> tuple[list[_Placed], list[_Placed]]:
    """The program's sections, and what those are copied from that have initial values."""
    sections, copies = [], []
    for name, address, size, loaded in _OUTPUT.findall(text):
        if name.startswith(_NOT_LOADED):
            continue
        sections.append(_Placed(name, int(address, 16), int(size, 16)))
        if loaded and name.startswith(".data"):
            copies.append(_Placed(name, int(loaded, 16), int(size, 16)))
    return sections, copies


def _parts(text: str) -> Iterator[_Placed]:
    """The objects' sections that were put in."""
    for name, address, size, where in _PART.findall(text):
        if not name.startswith(_NOT_LOADED) and name != "*fill*" and int(size, 16):
            yield _Placed(name, int(address, 16), int(size, 16), where)


def _owner(of: str) -> str:
    """Which part of the program an object belongs to, by its file."""
    if "libhrl_bodies.a(" in of:
        return "bodies"
    return "kernel" if "CMakeFiles/" in of or "libhrl_" in of else "library"


def _threads(
    system: System, folder: Path, generated: Sequence[_Placed], parts: dict[str, int]
) -> tuple[ThreadUse, ...]:
    """The threads among the `generated` data; what is no thread's is added to `parts`."""
    stacks: dict[str, int] = {}
    blocks: dict[str, int] = {}
    shared = 0  # of all blocks that are an array's
    for one in generated:
        name = one.section.rpartition(".")[2]
        block = _BLOCK.fullmatch(name)
        if one.section == _STACKS:
            stacks |= _symbols(folder / one.object, _STACKS)
        elif block is not None:
            blocks[f"hrl_gen_stack_{block[1]}" if block[1] else f"server_stack_{block[2]}"] = (
                one.size
            )
        elif name in _BLOCKS:
            shared += one.size
        else:
            parts[_kind(one.section, name)] += one.size
    if shared and not stacks:  # they lie in another memory
        stacks = {f"hrl_gen_stack_{index}": 0 for index in _periodic(system)}
    of_array = sum(name not in blocks for name in stacks)
    found = [
        ThreadUse(
            *_thread_of(system, name),
            stacks.get(name, 0),
            blocks[name] if name in blocks else shared // of_array,
        )
        for name in sorted({**stacks, **blocks}, key=_number)
    ]
    return tuple(sorted(found, key=lambda one: (-one.stack, -one.control)))


def _kind(section: str, name: str) -> str:
    """What generated code or data is that is no thread's."""
    if name in _IDLE:
        return "idle thread"
    if section.startswith(".text"):
        return "generated code"
    return "constant tables" if section.startswith((".rodata", ".progmem")) else "tables, releasers"


def _periodic(system: System) -> Iterator[int]:
    """The first tasks of periodic threads."""
    for index, first in enumerate(thread_of(system)):
        if index == first and system.tasks[index].kind is Kind.THREAD:
            yield index


def _symbols(path: Path, section: str) -> dict[str, int]:
    """The sizes of the stacks in an object, by their names."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        table, number = elf.get_section_by_name(".symtab"), elf.get_section_index(section)
        assert isinstance(table, SymbolTableSection)
        return {
            symbol.name: int(symbol["st_size"])
            for symbol in table.iter_symbols()
            if symbol["st_shndx"] == number and _STACK.fullmatch(symbol.name)
        }


def _number(stack: str) -> int:
    return int(stack.rpartition("_")[2])


def _thread_of(system: System, stack: str) -> tuple[str, Task | None]:
    """The name of the thread with that stack, and its first task."""
    found = _STACK.fullmatch(stack)
    assert found is not None
    if found[2]:
        return f"server of level {found[2]}", None
    number = int(found[1])
    if number >= len(system.tasks):
        behind = range(len(system.tasks), len(system.all_tasks))
        task = next(system.task(index) for index in behind if system.job(index) == number)
        return task.name, task
    others = sum(first == number for first in thread_of(system)) - 1
    task = system.tasks[number]
    return f"{task.name} and {others} more" if others else task.name, task
