# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A vector table and a Reset_Handler of the application's own: [build] vectors = "own"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.model import Exit

pytestmark = pytest.mark.emulator

SYSTEM = """
[system]
name = "own"
board = "mps2-an385"
duration = "50 ms"
sources = ["bodies.c", "startup.c"]

[build]
vectors = "own"

[[task]]
name = "fast"
period = "1 ms"
wcet = "20 us"
body = "fast_step"

[[task]]
name = "slow"
period = "7 ms"
wcet = "50 us"
body = "slow_step"
"""
BODIES = """
void fast_step(void);
void slow_step(void);
static volatile int fasts = 1, slows;
void fast_step(void) { fasts++; }
void slow_step(void) { slows += fasts; }
"""
STARTUP = """
#include <stdint.h>
extern uint32_t hrl_link_main_stack_top[], hrl_link_data_load[], hrl_link_data_start[];
extern uint32_t hrl_link_data_end[], hrl_link_bss_start[], hrl_link_bss_end[];
int main(void);
void Reset_Handler(void);
static void Default_Handler(void) { for (;;) { } }
#define WEAK(name) __attribute__((weak, alias("Default_Handler"))) void name(void);
WEAK(SVC_Handler) WEAK(PendSV_Handler) WEAK(SysTick_Handler)
WEAK(TIMER0_IRQHandler) WEAK(TIMER1_IRQHandler) WEAK(DUALTIMER_IRQHandler)
WEAK(UART0RX_IRQHandler) WEAK(UART0TX_IRQHandler)
__attribute__((section(".vectors"), used)) static const void *const vectors[16 + 32] = {
    hrl_link_main_stack_top, Reset_Handler, Default_Handler, Default_Handler,
    [11] = SVC_Handler, [14] = PendSV_Handler, [15] = SysTick_Handler, [16 ... 23] = Default_Handler,
    TIMER0_IRQHandler, TIMER1_IRQHandler, DUALTIMER_IRQHandler, [27 ... 47] = Default_Handler,
};
void Reset_Handler(void)
{
    uint32_t *from = hrl_link_data_load;
    for (uint32_t *to = hrl_link_data_start; to < hrl_link_data_end;) *to++ = *from++;
    for (uint32_t *to = hrl_link_bss_start; to < hrl_link_bss_end;) *to++ = 0;
    main();
    for (;;) { }
}
"""


@pytest.fixture
def described(tmp_path: Path) -> Path:
    for name, text in (("bodies.c", BODIES), ("startup.c", STARTUP), ("system.toml", SYSTEM)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "system.toml"


def test_the_firmware_begins_by_them_and_keeps_time(described: Path, tmp_path: Path) -> None:
    said = horolog("run", described, "--out", tmp_path / "out")
    assert said.code == 0, said.out + said.err
    found = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
    kernel = found["horolog"]
    assert (kernel["jobs"], kernel["overruns"]) == (50 + 8, 0)


@pytest.mark.parametrize(
    ("was", "is_now", "message"),
    [
        (
            "    TIMER0_IRQHandler,",
            "    Default_Handler,",
            "the vector table has no TIMER0_IRQHandler",
        ),
        ('".vectors"', '".not_kept"', "no vector table: the sources have none"),
    ],
)
def test_what_the_table_lacks_is_said(
    described: Path, tmp_path: Path, was: str, is_now: str, message: str
) -> None:
    assert STARTUP.count(was) == 1
    (tmp_path / "startup.c").write_text(STARTUP.replace(was, is_now), encoding="utf-8")
    said = horolog("build", described, "--out", tmp_path / "out")
    assert said.code == Exit.BAD_INPUT
    assert message in said.err


def test_nothing_stands_beside_it_that_begins_by_ours(described: Path, tmp_path: Path) -> None:
    said = horolog("compare", described, "--out", tmp_path / "out")
    assert said.code == 0
    assert "FreeRTOS is not built: its firmware starts by Horolog's vector table" in said.err
    said = horolog("run", described, "--probe", "remote=localhost:1")
    assert said.code == Exit.BAD_INPUT
    assert (
        "--probe: the ring that records interrupts is entered by Horolog's vector table" in said.err
    )


def test_other_processors_have_none(described: Path) -> None:
    said = horolog("check", described, "--board", "ibex-cells")
    assert said.code == Exit.BAD_INPUT
    assert "system.toml:9:11: build.vectors: firmware of ibex-cells has no vector table" in said.err
    assert "a board of one core with arch armv6m or armv7m" in said.err
