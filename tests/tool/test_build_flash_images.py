# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Intel HEX and plain images, of ELF files that are made here; and of firmware, beside what objcopy makes."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog

from horolog.build.flash_images import flash_images

ENTRY = 0x08000101


def elf(path: Path, *segments: tuple[int, int, bytes]) -> Path:
    """A file of 32 bits with segments: where they are stored, where they are used, and their bytes."""
    at = 52 + 32 * len(segments)
    headers, contents = b"", b""
    for stored, used, data in segments:
        offset = at + len(contents)
        headers += struct.pack(
            "<8I", 1, offset, used, stored, len(data), len(data) + 16 * (not data), 5, 4
        )
        contents += data
    ident = b"\x7fELF\x01\x01\x01" + bytes(9)
    rest = struct.pack("<2H5I6H", 2, 40, 1, ENTRY, 52, 0, 0, 52, 32, len(segments), 40, 0, 0)
    path.write_bytes(ident + rest + headers + contents)
    return path


def stored(hexadecimal: Path) -> dict[int, int]:
    """Each byte by its address, as a programmer reads the records; their sums are right."""
    found: dict[int, int] = {}
    upper = 0
    for line in hexadecimal.read_text(encoding="ascii").splitlines():
        record = bytes.fromhex(line.removeprefix(":"))
        assert sum(record) & 0xFF == 0, line
        count, address, kind, data = record[0], record[1:3], record[3], record[4:-1]
        assert count == len(data)
        if kind == 4:
            upper = int.from_bytes(data, "big") << 16
        elif kind == 0:
            low = upper + int.from_bytes(address, "big")
            assert low // 0x10000 == (low + len(data) - 1) // 0x10000
            found |= {low + index: value for index, value in enumerate(data)}
    assert line == ":00000001FF"
    return found


def test_both_hold_what_the_file_stores(tmp_path: Path) -> None:
    code, data = bytes(range(40)), b"first values"
    file = elf(
        tmp_path / "made.elf",
        (0x0800FFF0, 0x0800FFF0, code),
        (0x08010020, 0x20000000, data),  # copied to RAM at start
        (0x20000010, 0x20000010, b""),  # zeroed there
    )
    plain, hexadecimal = flash_images(file)
    assert (plain.name, hexadecimal.name) == ("made.bin", "made.hex")
    assert plain.read_bytes() == code + b"\xff" * 8 + data
    expected = {0x0800FFF0 + index: value for index, value in enumerate(code)}
    expected |= {0x08010020 + index: value for index, value in enumerate(data)}
    assert stored(hexadecimal) == expected
    assert f":04000005{ENTRY:08X}" in hexadecimal.read_text(encoding="ascii")


def test_pieces_far_apart_are_no_plain_image(tmp_path: Path) -> None:
    """It would be half a gigabyte; an older one is not left beside the new firmware."""
    (tmp_path / "made.bin").write_bytes(b"of before")
    file = elf(tmp_path / "made.elf", (0, 0, b"code"), (0x20000000, 0x20000000, b"data"))
    (hexadecimal,) = flash_images(file)
    assert stored(hexadecimal).keys() == {*range(4), *range(0x20000000, 0x20000004)}
    assert not (tmp_path / "made.bin").exists()


@pytest.mark.emulator
@pytest.mark.slow
def test_they_are_what_objcopy_makes(tmp_path: Path) -> None:
    example = ROOT / "examples" / "engine-20" / "system.toml"
    said = horolog("build", example, "--json", "--out", tmp_path)
    assert said.code == 0, said.err
    plain, hexadecimal = (Path(path) for path in said.object["flash"])
    firmware, other = Path(said.object["horolog"]), tmp_path / "other.bin"
    command = ["arm-none-eabi-objcopy", "-O", "binary", str(firmware), str(other)]
    subprocess.run(command, check=True)
    assert plain.read_bytes() == other.read_bytes()
    assert bytes(stored(hexadecimal).values()) == other.read_bytes()
