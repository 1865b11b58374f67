# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What interrupts have to save of the code behind them, on RISC-V: links until that settles."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, compile_program

from horolog.calls import analyse_calls, frame, settle_frames
from horolog.calls.riscv import CALLER_SAVED, FULL_FRAME
from horolog.model import Exit, HorologError

pytestmark = pytest.mark.skipif(
    shutil.which(COMPILERS["rv32"][0]) is None, reason="needs the cross compiler"
)

STUB = """
volatile int v, w;
__attribute__((noipa)) void rare(void) { v = w / v + w % (v + 7) * (w >> v); }
void hrl_assert_hook(void);
__attribute__((noipa)) void hrl_assert_hook(void) { rare(); for (;;) { } }
void careful(void);
__asm__(".type careful, %function\\n"
        "careful: addi sp, sp, -64\\n"
        "sw ra, 60(sp)\\n sw a0, 0(sp)\\n sw a1, 4(sp)\\n sw a2, 8(sp)\\n sw a3, 12(sp)\\n"
        "sw a4, 16(sp)\\n sw a5, 20(sp)\\n sw a6, 24(sp)\\n sw a7, 28(sp)\\n sw t0, 32(sp)\\n"
        "sw t1, 36(sp)\\n sw t2, 40(sp)\\n sw t3, 44(sp)\\n sw t4, 48(sp)\\n sw t5, 52(sp)\\n"
        "sw t6, 56(sp)\\n"
        "call rare\\n"
        "lw ra, 60(sp)\\n lw a0, 0(sp)\\n lw a1, 4(sp)\\n lw a2, 8(sp)\\n lw a3, 12(sp)\\n"
        "lw a4, 16(sp)\\n lw a5, 20(sp)\\n lw a6, 24(sp)\\n lw a7, 28(sp)\\n lw t0, 32(sp)\\n"
        "lw t1, 36(sp)\\n lw t2, 40(sp)\\n lw t3, 44(sp)\\n FORGOTTEN(sp)\\n lw t5, 52(sp)\\n"
        "lw t6, 56(sp)\\n addi sp, sp, 64\\n ret\\n .size careful, . - careful\\n");
void hrl_gen_body_0(void);
void hrl_gen_body_0(void) { if (v == 0) { careful(); } w = 1; }
void hrl_gen_body_1(void);
void hrl_gen_body_1(void) { if (v == 0) { hrl_assert_hook(); } }
void hrl_gen_body_2(void);
void hrl_gen_body_2(void) { if (v == 0) { rare(); } w = 1; }
"""


@pytest.mark.parametrize(("restore", "lost"), [("lw t4, 48", ""), ("lw t3, 48", "t3 t4")])
def test_what_is_put_back_has_not_changed(tmp_path: Path, restore: str, lost: str) -> None:
    text = STUB.replace("FORGOTTEN", restore)
    elf = compile_program(tmp_path, "rv32", text, "-O2").elf
    kept, ended, plain = analyse_calls(elf, [f"hrl_gen_body_{i}" for i in range(3)]).bodies
    assert kept.registers is not None
    assert ended.registers is not None
    assert plain.registers is not None
    of_itself = kept.registers & ~sum(1 << CALLER_SAVED[name] for name in lost.split())
    assert of_itself.bit_count() < plain.registers.bit_count()
    assert of_itself == kept.registers ^ sum(1 << CALLER_SAVED[name] for name in lost.split())
    assert ended.registers.bit_count() < plain.registers.bit_count()


TABLES = """
volatile unsigned v, w;
void first(void);
void second(void);
__attribute__((noipa)) void first(void) { v = 1; }
__attribute__((noipa)) void second(void) { w = v / (v + 7) % (w << v); }
static void (*const TABLE[])(void) = {first, second};
void handler(void);
void handler(void)
{
    while (v != 0) {
        TABLE[v]();
    }
}
void called(void);
void called(void) { first(); while (v != 0) { second(); } }
"""


@pytest.mark.parametrize("option", ["-O2", "-Os"])
def test_a_lines_handler_calls_the_bodies_in_its_table(tmp_path: Path, option: str) -> None:
    """Of a table by another name it is not known that nothing else is read by its address."""
    elf = compile_program(tmp_path, "rv32", TABLES.replace("TABLE", "bodies_3"), option).elf
    handler, called = analyse_calls(elf, ["handler", "called"]).bodies
    assert handler.doubts == ()
    assert handler.functions == ("first", "second")
    assert handler.registers is not None
    assert called.registers is not None
    assert handler.registers & called.registers == called.registers
    assert handler.registers.bit_count() < FULL_FRAME.bit_count()
    elf = compile_program(tmp_path, "rv32", TABLES.replace("TABLE", "other"), option).elf
    (other,) = analyse_calls(elf, ["handler"]).bodies
    assert [doubt.reason for doubt in other.doubts] == ["calls through a pointer"]
    assert other.registers is None


FRAMED = """
#include "hrl_gen_frames.h"
volatile int v;
__attribute__((noipa)) void rare(void) { v = v / (v + 7); }
void hrl_gen_body_0(void);
void hrl_gen_body_0(void) { v = 1; }
void hrl_gen_body_1(void);
void hrl_gen_body_1(void) { if (EXPRESSION) { rare(); } v = 2; }
#define TEXT_OF(mask) #mask
#define TEXT(mask) TEXT_OF(mask)
__asm__(".equ frame_first, " TEXT(FRAME_FIRST));
const unsigned frames[] = {FRAME_FIRST, FRAME_OTHER};
"""
MACROS = {"FRAME_FIRST": "hrl_gen_body_0", "FRAME_OTHER": "hrl_gen_body_1"}


def test_a_second_link_saves_what_the_first_one_asks_for(tmp_path: Path) -> None:
    header = tmp_path / "hrl_gen_frames.h"
    seen = []

    def link() -> Path:
        seen.append(re.findall(r"^#define (\w+) (0x[0-9a-f]{8})$", header.read_text(), re.M))
        text = FRAMED.replace("EXPRESSION", "v")
        return compile_program(tmp_path, "rv32", text, "-Os").elf

    calls = settle_frames(header, MACROS, link)
    masks = [frame(body) for body in calls.bodies]
    assert seen[0] == [("FRAME_FIRST", "0xf003fce2"), ("FRAME_OTHER", "0xf003fce2")]
    assert [int(mask, 16) for _, mask in seen[1]] == masks
    assert len(seen) == 2
    assert masks[0].bit_count() < masks[1].bit_count() < FULL_FRAME.bit_count()
    settle_frames(header, MACROS, link)
    assert len(seen) == 3  # nothing has changed since
    header.write_text("#define FRAME_OF_ANOTHER_SYSTEM 0x2\n")
    assert settle_frames(header, MACROS, link) == calls
    assert seen[3] == seen[0]


def test_code_that_never_settles_is_refused(tmp_path: Path) -> None:
    header = tmp_path / "hrl_gen_frames.h"

    def link() -> Path:
        text = FRAMED.replace(
            "EXPRESSION", "FRAME_OTHER == 0xf003fce2u || FRAME_OTHER & 0xc000u && 0"
        )
        text = text.replace("v = 2", "v = FRAME_OTHER & 0x2000u ? 2 : v / v * v - (v ^ v >> 3)")
        return compile_program(tmp_path, "rv32", text, "-O2").elf

    with pytest.raises(HorologError, match="differ in every link") as caught:
        settle_frames(header, MACROS, link)
    assert caught.value.exit is Exit.TARGET_FAILED
    assert not header.exists()
