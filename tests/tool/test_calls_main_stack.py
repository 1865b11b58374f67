# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The main stack where software dispatches basic tasks: one of each level, one on top of the other."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.tool.call_programs import COMPILERS, compile_program
from tests.tool.factory import make_system, make_task, ms

from horolog.calls import main_stack
from horolog.model import Kind, PriorityRule, System
from horolog.plan import NOTHING, plan
from horolog.read import read_board

pytestmark = pytest.mark.skipif(
    shutil.which(COMPILERS["avr"][0]) is None, reason="needs the cross compiler"
)

TEXT = """\
#include <stdint.h>
volatile uint8_t seen;
static APART void use(volatile uint8_t *bytes, uint8_t many)
{
    bytes[many - 1] = seen;
}
#define BODY(n, many) void hrl_gen_body_##n(void) { volatile uint8_t bytes[many]; use(bytes, many); }
BODY(0, 20) BODY(1, 60) BODY(2, 30)
"""
HANDLERS = """
void hrl_gen_body_0(void);
void hrl_gen_body_1(void);
void hrl_gen_body_2(void);
void Line15_Handler(void) { hrl_gen_body_0(); }
void Line1_Handler(void) { hrl_gen_body_1(); }
void Line0_Handler(void) { hrl_gen_body_2(); }
void TIMER1_COMPA_Handler(void) { seen = 1; }
void TIMER1_COMPB_Handler(void) { volatile uint8_t bytes[40]; use(bytes, 40); }
void Clock_Handler(void) { seen = 2; }
"""


def chip_system(*priorities: int) -> System:
    """Basic tasks of these priorities, on one cell."""
    tasks = [
        make_task(f"t{at}", ms(10), priority=one, kind=Kind.BASIC)
        for at, one in enumerate(priorities)
    ]
    board = read_board("atmega128-8mhz")
    return make_system(
        tasks=tasks, board=board, cells=("timer1a",), priorities=PriorityRule.EXPLICIT
    )


def parts(folder: Path, system: System, more: str = "") -> tuple[dict[str, int], bool]:
    """The parts of the main stack of TEXT, and whether each begins at the top."""
    elf = compile_program(folder, "avr", TEXT + HANDLERS + more, "-O1").elf
    found = main_stack(system, plan(system, mechanism="gcd", prices=NOTHING).choice, elf)
    return {part.name: part.bytes for part in found.parts}, found.from_top


def test_without_threads_all_levels_and_an_interrupt_add_up(tmp_path: Path) -> None:
    system = chip_system(9, 4, 4)
    found, from_top = parts(tmp_path, system)
    assert not from_top
    high, low = found["basic tasks of level 2"], found["basic tasks of level 1"]
    assert 20 + system.board.port.line_frame_bytes < high < low - 30
    assert low < 60 + 30 + system.board.port.line_frame_bytes, "of one level the deeper one counts"
    assert 40 < found["an interrupt"] < 2 * 40, "handlers do not interrupt each other"
    assert "the kernel's interrupts" not in found


def test_with_threads_this_begins_at_the_top_as_the_switch_does(tmp_path: Path) -> None:
    apart, _ = parts(tmp_path, chip_system(9, 4, 4))
    switch = "void hrli_cpu_switch(void) { volatile uint8_t bytes[50]; use(bytes, 50); }\n"
    together, from_top = parts(tmp_path, chip_system(9, 4, 4), switch)
    assert from_top
    nested = together["basic tasks, one of each level, and an interrupt"]
    assert nested == sum(bytes for name, bytes in apart.items() if name != "start-up")
    assert 50 < together["the switch of threads"] < 90
