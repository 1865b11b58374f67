# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bytes of programs by section and symbol, of a source that the compiler makes an object of."""

from __future__ import annotations

from pathlib import Path

import pytest

from horolog.model import HorologError
from horolog.programs import call
from horolog_experiments.kernel.sizes import ram_without_stacks, rom, symbol_size

SOURCE = """\
#include <stdint.h>
struct thread { uint32_t words[5]; };
struct thread only_thread;                      /* 20 bytes of .bss */
uint32_t begins_with[3] = {1, 2, 3};            /* 12 of .data */
uint32_t only_stack[256];
uint32_t *the_stack_pointer;                    /* no stack, though its name has the word */
const uint32_t constants[2] = {1, 2};           /* 8 of .rodata */
uint32_t *idle(void)
{
    static uint32_t idle_stack[64];             /* idle_stack.0 */
    return idle_stack;
}
"""


@pytest.fixture(scope="module")
def elf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sizes")
    (folder / "one.c").write_text(SOURCE)
    command = ["gcc", "-c", "-Os", "-fno-common", "-fno-asynchronous-unwind-tables"]
    done = call([*command, str(folder / "one.c"), "-o", str(folder / "one.o")], seconds=60)
    assert done.status == 0, done.errors
    return folder / "one.o"


def test_ram_is_counted_without_stacks(elf: Path) -> None:
    padding = 64  # between what is aligned
    counted = ram_without_stacks(elf)
    assert 20 + 12 + 8 <= counted <= 20 + 12 + 8 + padding


def test_rom_has_constants_and_what_data_begin_with(elf: Path) -> None:
    code = 64
    assert 12 + 8 < rom(elf) < 12 + 8 + code


def test_an_object_is_as_large_as_its_symbol(elf: Path) -> None:
    assert symbol_size(elf, "only_thread") == 20
    with pytest.raises(HorologError, match=r"(?s)one.o cannot be measured.*0 objects other_thread"):
        symbol_size(elf, "other_thread")
