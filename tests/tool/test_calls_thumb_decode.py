# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Thumb instructions as data: operands, write-back, IT blocks, and what is no instruction."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from tests.tool.call_programs import COMPILERS

from horolog.calls.disassembly import Instruction, Memory, Operand, Shifted, thumb_instructions

pytestmark = pytest.mark.skipif(
    shutil.which(COMPILERS["armv7m"][0]) is None, reason="needs the cross compiler"
)


def decoded(folder: Path, text: str) -> dict[int, Instruction]:
    source, made = folder / "code.s", folder / "code.o"
    source.write_text(f".syntax unified\n.thumb\n{text}\n", encoding="ascii")
    compiler = COMPILERS["armv7m"][0]
    options = ("-mcpu=cortex-m4", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-mthumb", "-c")
    subprocess.run([compiler, *options, source, "-o", made], check=True)
    with made.open("rb") as stream:
        return thumb_instructions(ELFFile(stream))


@pytest.mark.parametrize(
    ("text", "name", "operands", "writes_back"),
    [
        ("ldr r0, [r1], #-4", "ldr", ("r0", Memory("r1"), -4), True),
        ("ldr r0, [r1, #-4]!", "ldr", ("r0", Memory("r1", -4)), True),
        ("ldr r0, [r9, r10]", "ldr.w", ("r0", Memory("r9", 0, "r10")), False),
        (
            "ldr r0, [r1, r12, lsl #2]",
            "ldr.w",
            ("r0", Memory("r1", 0, "r12", plain=False)),
            False,
        ),
        ("strd r0, r1, [sp, #-16]!", "strd", ("r0", "r1", Memory("sp", -16)), True),
        ("tbh [pc, r0, lsl #1]", "tbh", (Memory("pc", 0, "r0", plain=False),), False),
        ("add r0, r1, r11, lsl #3", "add.w", ("r0", "r1", Shifted("r11")), False),
        ("push {r4, r5, lr}", "push", ("r4", "r5", "lr"), False),
        ("ldmia r9!, {r1, r12}", "ldm.w", ("r9", "r1", "r12"), True),
        ("vpush {d8-d9}", "vpush", ("d8", "d9"), False),
        ("sub sp, #8", "sub", ("sp", 8), False),
        ("mov r0, #0xffffffff", "mov.w", ("r0", -1), False),
        ("movt r0, #0x2000", "movt", ("r0", 0x2000), False),
        ("mrs r0, primask", "mrs", ("r0", None), False),
        ("cbz r0, .+20", "cbz", ("r0", 20), False),
    ],
)
def test_operands_are_data(
    text: str, name: str, operands: tuple[Operand, ...], writes_back: bool, tmp_path: Path
) -> None:
    (one,) = decoded(tmp_path, text).values()
    assert (one.name, one.operands, one.writes_back) == (name, operands, writes_back)


def test_an_it_block_governs_so_many_instructions(tmp_path: Path) -> None:
    found = decoded(tmp_path, "cmp r0, #1\nite eq\nmoveq r1, #1\nmovne r1, #2\nnop")
    assert [one.name for one in found.values()] == ["cmp", "ite", "moveq", "movne", "nop"]
    assert [one.conditional for one in found.values()] == [False, False, True, True, False]


def test_data_and_what_is_no_instruction_are_left_out(tmp_path: Path) -> None:
    text = "nop\n.word 0x47704770\nbx lr\n.inst.w 0xf3de8f04\nnop"
    found = decoded(tmp_path, text)
    assert [(at, one.name) for at, one in found.items()] == [(0, "nop"), (6, "bx"), (12, "nop")]
