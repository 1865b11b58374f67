# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a vector table of the application's own has all that the kernel needs there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from horolog.data import data_root
from horolog.emit import with_threads
from horolog.image import Symbol, symbols_of
from horolog.model import Board, HorologError, OwnVectors, System
from horolog.read.own_vectors import handler_words

__all__ = ["NO_FREERTOS_BESIDE", "check_own_vectors"]

NO_FREERTOS_BESIDE = (
    'its firmware starts by Horolog\'s vector table, which vectors = "own" of [build] leaves out'
)

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
# ELF's numbers: STT_NOTYPE and STT_FUNC, and how symbols are bound.
_UNTYPED, _FUNCTION = 0, 2
_LOCAL, _GLOBAL, _WEAK = 0, 1, 2


@dataclass(frozen=True, slots=True)
class _Functions:
    """What the firmware's symbols say of functions."""

    words: Mapping[str, int]  # by the name of those that are not local: what a table has for them
    strong: frozenset[str]  # those of them that stand against weak ones
    names: Mapping[int, str]  # by that word
    starts: tuple[int, ...]  # the addresses, in order


@dataclass(frozen=True, slots=True)
class _Table:
    """A vector table in the firmware, up to the first function behind it."""

    address: int
    words: tuple[int, ...]
    behind: str | None  # that function


def check_own_vectors(system: System, generated: Path, elf: Path) -> None:
    """HorologError if `elf` has to have vectors of its own, and they are not there or lack a handler.

    Each handler that the sources in the folder `generated` or the clock's driver define has to stand at its
    word, for a linker leaves out what no vector names; and the port's that switch threads, where they are
    needed.
    """
    vectors = system.board.port.own_vectors
    if not system.build.own_vectors or vectors is None:
        return
    functions = _functions(elf)
    wanted = _wanted(system, generated, functions)
    tables = _tables(elf, vectors, functions)
    if not tables:
        raise HorologError(
            'no vector table: the sources have none, though [build] has vectors = "own"',
            found=f"no word of the firmware that is the address of {vectors.reset}",
            expected=f"{vectors.reset} as word {dict(vectors.places)[vectors.reset]} of a table, kept by the "
            "linker (KEEP in linker_script, or the section .vectors)",
        )
    missing = [
        [
            (name, place)
            for name, place in wanted
            if table.words[place : place + 1] != (functions.words.get(name),)
        ]
        for table in tables
    ]
    nearest = min(range(len(tables)), key=lambda at: len(missing[at]))
    if missing[nearest]:
        raise _lacking(tables[nearest], missing[nearest], functions)


def _lacking(table: _Table, missing: list[tuple[str, int]], functions: _Functions) -> HorologError:
    """What to say of a `table` without those handlers."""
    absent = [f"no {name} as word {place}" for name, place in missing]
    there = [f"{_there(table, place, functions)} as word {place}" for _, place in missing]
    return HorologError(
        f"the vector table has {', '.join(absent)}",
        found=", ".join(there),
        expected="each at its word, as in the startup file of the chip's vendor; word 0 of the table is at "
        f"{table.address:#010x}",
    )


def _there(table: _Table, place: int, functions: _Functions) -> str:
    """What stands there."""
    if place >= len(table.words):
        return (
            "nothing" if table.behind is None else f"nothing (behind the table is {table.behind})"
        )
    word = table.words[place]
    return functions.names.get(word, f"{word:#010x}")


def _wanted(system: System, generated: Path, functions: _Functions) -> list[tuple[str, int]]:
    """The handlers that the firmware needs, each with its word of the table."""
    port, words = system.board.port, handler_words(system.board)
    switching = [
        name
        for name in port.switch_handlers
        if name in functions.strong or (name == port.switch and with_threads(system))
    ]
    defined = _names_in(
        [*sorted(generated.glob("hrl_gen_*system*.c")), *_clock_sources(system.board)]
    )
    return [(name, words[name]) for name in dict.fromkeys((*switching, *defined)) if name in words]


def _clock_sources(board: Board) -> list[Path]:
    """Those of the clock's driver, which may have a handler that is not generated."""
    return sorted((data_root() / "ports" / "cell" / board.clock.device).glob("*.c"))


def _names_in(sources: list[Path]) -> list[str]:
    """All names in `sources`."""
    texts = [_COMMENT.sub("", path.read_text(encoding="utf-8")) for path in sources]
    return _NAME.findall("\n".join(texts))


def _functions(elf: Path) -> _Functions:
    with elf.open("rb") as stream:
        table = ELFFile(stream).get_section_by_name(".symtab")
        symbols = symbols_of(table) if isinstance(table, SymbolTableSection) else ()
        every = [one for one in symbols if one.section and not one.name.startswith("$")]
    found = [one for one in every if one.kind == _FUNCTION]
    public = [one for one in found if one.bind != _LOCAL]
    labels = [one for one in every if one.kind == _UNTYPED and (one.size or one.bind == _LOCAL)]
    return _Functions(
        words={one.name: one.value | 1 for one in public},
        strong=frozenset(one.name for one in public if one.bind == _GLOBAL),
        names={one.value | 1: one.name for one in sorted((*found, *labels), key=_telling)},
        starts=tuple(sorted({one.value & ~1 for one in found})),
    )


def _telling(symbol: Symbol) -> tuple[int, bool, bool]:
    """Sorts the symbols of an address by how much they tell: a function may have many weak names."""
    bound = (_WEAK, _LOCAL, _GLOBAL).index(symbol.bind)
    return bound, symbol.kind == _FUNCTION, symbol.size > 0


def _tables(elf: Path, vectors: OwnVectors, functions: _Functions) -> list[_Table]:
    """All that may be the table: where the address of what begins after reset stands as its word."""
    reset, place = functions.words.get(vectors.reset), dict(vectors.places)[vectors.reset]
    tables = []
    for address, words in _loaded(elf):
        for at in range(len(words) - place):
            if words[at + place] == reset:
                start = address + 4 * at
                end = address + 4 * len(words)
                behind = next((one for one in functions.starts if start < one < end), None)
                name = None if behind is None else functions.names[behind | 1]
                till = len(words) if behind is None else (behind - address) // 4
                tables.append(_Table(start, words[at:till], name))
    return tables


def _loaded(elf: Path) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The address and the words of each part of the firmware that is loaded."""
    with elf.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments():
            data = segment.data() if segment["p_type"] == "PT_LOAD" else b""
            yield (
                int(segment["p_vaddr"]),
                tuple(
                    int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) - 3, 4)
                ),
            )
