# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Whether a vector table of the application's own has all that the kernel needs there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from elftools.elf.elffile import ELFFile

from horolog.image import read_image
from horolog.model import HorologError, System

__all__ = ["NO_FREERTOS_BESIDE", "check_own_vectors"]

NO_FREERTOS_BESIDE = (
    'its firmware starts by Horolog\'s vector table, which vectors = "own" of [build] leaves out'
)

_MOST_WORDS = 256
_HANDLER = re.compile(r"\b\w+_IRQHandler\b")


def check_own_vectors(system: System, generated: Path, elf: Path) -> None:
    """HorologError if `elf` has to have vectors of its own, and they are not there or lack a handler.

    Those are the handlers in the folder `generated`, of which a linker leaves out what no vector names.
    """
    vectors = system.board.port.own_vectors
    if not system.build.own_vectors or vectors is None:
        return
    symbols = read_image(elf).symbols
    needed = {place: name for name, place in vectors.places if name in vectors.needed}
    wanted = {at: symbols[name] | 1 for at, name in needed.items() if name in symbols}
    table = _table(elf, wanted) if len(wanted) == len(needed) else None
    if table is None:
        places = ", ".join(f"{name} as word {at}" for at, name in needed.items())
        raise HorologError(
            'no vector table: the sources have none, though [build] has vectors = "own"',
            found="no such words in the firmware",
            expected=f"{places}; kept by the linker (KEEP in linker_script, or the section .vectors)",
        )
    lines = set(table[vectors.lines :])
    handlers = _handlers(generated)
    missing = [one for one in handlers if one not in symbols or symbols[one] | 1 not in lines]
    if missing:
        raise HorologError(
            f"the vector table has no {', no '.join(missing)}",
            found="other functions for these interrupt lines",
            expected="each of them at its line, as in the startup file of the chip's vendor",
        )


def _handlers(generated: Path) -> list[str]:
    """The handlers of lines that the generated sources define, once each."""
    texts = [
        path.read_text(encoding="utf-8") for path in sorted(generated.glob("hrl_gen_*system*.c"))
    ]
    return list(dict.fromkeys(_HANDLER.findall("\n".join(texts))))


def _table(elf: Path, wanted: dict[int, int]) -> Sequence[int] | None:
    """The words of the table that has those `wanted`, by their places."""
    for words in _loaded(elf):
        for at in range(len(words)):
            if all(words[at + place : at + place + 1] == (word,) for place, word in wanted.items()):
                return words[at : at + _MOST_WORDS]
    return None


def _loaded(elf: Path) -> Iterator[tuple[int, ...]]:
    """The words of each part of the firmware that is loaded."""
    with elf.open("rb") as stream:
        for segment in ELFFile(stream).iter_segments():
            data = segment.data() if segment["p_type"] == "PT_LOAD" else b""
            yield tuple(
                int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data) - 3, 4)
            )
