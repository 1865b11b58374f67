# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware in the formats of programmers: a plain image (.bin) and Intel HEX (.hex), beside its ELF file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

from elftools.elf.elffile import ELFFile

from horolog.cache import write_whole

__all__ = ["flash_images"]

_ERASED = 0xFF
_LONGEST_GAP = 0x10000
"""Bytes between two pieces that a plain image fills: in it everything is at its distance from the first."""

_ROW = 16
_DATA, _END, _UPPER, _START = 0, 1, 4, 5


def flash_images(elf: Path) -> tuple[Path, ...]:
    """Write what `elf` puts into memory: NAME.hex, and NAME.bin where that has no long gaps. Returns both."""
    pieces, entry = _loaded(elf)
    hexadecimal = elf.with_suffix(".hex")
    write_whole(hexadecimal, "".join(f"{row}\n" for row in _rows(pieces, entry)))
    plain = elf.with_suffix(".bin")
    if any(gap > _LONGEST_GAP for gap in _gaps(pieces)):
        plain.unlink(missing_ok=True)
        return (hexadecimal,)
    plain.write_bytes(_plain(pieces))
    return (plain, hexadecimal)


def _loaded(elf: Path) -> tuple[list[tuple[int, bytes]], int]:
    """The pieces that have contents, by the address where they are stored, and the first instruction."""
    with elf.open("rb") as stream:
        file = ELFFile(stream)
        found = [
            (int(one["p_paddr"]), bytes(one.data()))
            for one in file.iter_segments("PT_LOAD")
            if one["p_filesz"]
        ]
        return sorted(found), int(file["e_entry"])


def _gaps(pieces: list[tuple[int, bytes]]) -> Iterator[int]:
    for (low, data), (following, _) in pairwise(pieces):
        yield following - low - len(data)


def _plain(pieces: list[tuple[int, bytes]]) -> bytes:
    made = bytearray()
    for low, data in pieces:
        made += bytes([_ERASED]) * (low - pieces[0][0] - len(made))
        made += data
    return bytes(made)


def _rows(pieces: Iterable[tuple[int, bytes]], entry: int) -> Iterator[str]:
    upper = 0
    for low, data in pieces:
        at = 0
        while at < len(data):
            address = low + at
            if address >> 16 != upper:
                upper = address >> 16
                yield _row(_UPPER, 0, upper.to_bytes(2, "big"))
            length = min(_ROW - address % _ROW, len(data) - at)
            yield _row(_DATA, address & 0xFFFF, data[at : at + length])
            at += length
    yield _row(_START, 0, entry.to_bytes(4, "big"))
    yield _row(_END, 0, b"")


def _row(kind: int, address: int, data: bytes) -> str:
    """A record: how many bytes, where, of which kind, the bytes, and what makes their sum 0."""
    record = bytes([len(data), *address.to_bytes(2, "big"), kind]) + data
    return f":{record.hex()}{-sum(record) & 0xFF:02x}".upper()
