# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Firmware for Nordic's chips: the nRF52840's builds; an nRF51's timers are tried in QEMU."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from tests.system.support import horolog_process
from tests.system.test_port_conformance import check, conform
from tests.system.test_stm32_boards import SYSTEM
from tests.tool.nordic_svd import NRF51, put, svd

from horolog.parts import Wish, files_of, made_board


def built(folder: Path, kind: str, board: str = "nrf52840dk", *options: str) -> Path:
    text = SYSTEM.format(kind=kind, board=board)
    (folder / "system.toml").write_text(text, encoding="utf-8")
    done = horolog_process("build", "system.toml", *options, folder=folder)
    assert done.code == 0, done.err
    (elf,) = folder.rglob("horolog.elf")
    return elf


def image(elf: Path) -> tuple[list[int], dict[str, int]]:
    """The words at the beginning of flash, and the addresses of functions as vectors have them."""
    with elf.open("rb") as stream:
        text = ELFFile(stream).get_section_by_name(".text")
        assert text is not None
        assert text["sh_addr"] == 0
        data = text.data()
    done = subprocess.run(["arm-none-eabi-nm", elf], capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    words = [int.from_bytes(data[at : at + 4], "little") for at in range(0, 4 * 80, 4)]
    return words, {row[2]: int(row[0], 16) | 1 for row in rows if len(row) == 3}


@pytest.mark.parametrize("kind", [pytest.param("thread", marks=pytest.mark.soak), "basic"])
def test_an_nrf52840_has_its_vectors_and_its_timers(tmp_path: Path, kind: str) -> None:
    elf = built(tmp_path, kind, "nrf52840dk", "--checks")
    words, address = image(elf)
    assert words[0] == 0x2000_0000 + 256 * 1024
    assert words[16 + 8] == address["TIMER0_Handler"]
    assert words[16 + 47] == address["hrlp_cortex_m_line"]
    done = subprocess.run(
        ["arm-none-eabi-objdump", "-d", "--disassemble=hrlp_clock_start", elf],
        capture_output=True,
        text=True,
        check=True,
    )
    code = done.stdout
    assert "hrlp_clock_start" in code
    for base in ("40008000", "40009000", "4000a000", "4001a000", "4001b000"):
        low, high = int(base[4:], 16), int(base[:4], 16)
        whole = f"0x{base}" in code or (f"#{low}" in code and f"#{high}" in code)
        before = f"0x{int(base, 16) - 0x1000:08x}"  # which one instruction makes this one of
        assert whole or (before in code and "#4096" in code), base


def put_files(part: str, wish: Wish, file: Path, folder: Path, changes: dict[str, str]) -> None:
    """The board of `part` in `folder`, by an SVD file; `changes`: old words and new ones."""
    for path, text in files_of(made_board(part, wish, file), "mine").items():
        for old, new in changes.items():
            text = text.replace(old, new)
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


def test_a_board_with_an_rtc_is_compiled_and_linked(tmp_path: Path) -> None:
    """Nothing runs it. With checks, so that FreeRTOS is not built beside it."""
    put_files("nrf52840", Wish(timers=("RTC1",)), put(tmp_path, svd()), tmp_path / "board", {})
    words, address = image(built(tmp_path, "basic", "./board", "--checks"))
    assert words[16 + 17] == address["RTC1_Handler"]
    assert words[16 + 8] == address["hrlp_cortex_m_line"]
    assert "hrlp_nrf_rtc_next_half" in address


@pytest.mark.emulator
def test_the_timers_of_an_nrf51_keep_the_contract_in_qemu(tmp_path: Path) -> None:
    """All three, as `horolog board new` has them, but with 24 bits: a wrap of 32 takes too long."""
    cpu = "<name>CM0</name><fpuPresent>0</fpuPresent><nvicPrioBits>2</nvicPrioBits>"
    file = put(tmp_path, svd("nrf51", NRF51, cpu))
    folder = tmp_path / "board"
    changes = {
        'kind = "none"': 'kind = "qemu"\nicount_shift = 6\nns_per_instruction = 64',
        'machine = "nRF51822_xxAA"': 'machine = "microbit"',
        "width = 32": "width = 24",
        "CLOCK_BITS 32u": "CLOCK_BITS 24u",
    }
    put_files("nrf51822", Wish(), file, folder, changes)
    check(str(folder), conform(str(folder), tmp_path / "out", seconds=300))
