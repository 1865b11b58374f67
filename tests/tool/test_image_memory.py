# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How many bytes a firmware takes: of what is loaded, of variables and of stacks."""

from __future__ import annotations

from pathlib import Path

from horolog.image import memory_bytes
from horolog.programs import call

SOURCE = """
const unsigned constant[10] = {1};
unsigned with_value[5] = {2};
unsigned zeroed[7];
__attribute__((section(".hrl_stacks,\\"aw\\",%nobits@"))) char stack[96];
void _start(void) { zeroed[0] = constant[0] + with_value[0] + stack[0]; for (;;) { } }
"""
SCRIPT = """
ENTRY(_start)
MEMORY { flash (rx) : ORIGIN = 0, LENGTH = 4K ram (rw) : ORIGIN = 0x20000000, LENGTH = 4K }
SECTIONS {
    .text : { *(.text*) *(.rodata*) } > flash
    .data : { *(.data*) } > ram AT> flash
    .bss (NOLOAD) : { *(.bss*) } > ram
    .hrl_stacks (NOLOAD) : { *(.hrl_stacks*) } > ram
    .hrl_layout 0 (INFO) : { KEEP(*(.hrl_layout)) }
    /DISCARD/ : { *(.ARM*) }
}
"""


def test_what_is_loaded_and_what_is_only_there(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text(SOURCE)
    (tmp_path / "a.ld").write_text(SCRIPT)
    command = "arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -g -nostdlib -T a.ld a.c -o a.elf"
    done = call(command.split(), seconds=60, folder=tmp_path)
    assert done.status == 0, done.errors
    found = memory_bytes(tmp_path / "a.elf")
    assert (found.variables, found.stacks) == (5 * 4 + 7 * 4, 96)
    # The code, the constants and the initial values; neither zeroed variables nor stacks.
    assert 10 * 4 + 5 * 4 < found.program < 10 * 4 + 5 * 4 + 60
