# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A vector table and a Reset_Handler of the application's own: [build] vectors = "own"."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog

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


def refused(folder: Path, changes: dict[str, list[tuple[str, str]]]) -> str:
    """What the tool says of the described system with `changes`, by file what each text becomes."""
    for name, texts in changes.items():
        text = (folder / name).read_text(encoding="utf-8")
        for was, is_now in texts:
            assert text.count(was) == 1
            text = text.replace(was, is_now)
        (folder / name).write_text(text, encoding="utf-8")
    said = horolog("build", folder / "system.toml", "--out", folder / "out")
    assert said.code == Exit.BAD_INPUT
    return said.err


def test_a_table_that_is_not_there_is_said(described: Path) -> None:
    said = refused(described.parent, {"startup.c": [('".vectors"', '".not_kept"')]})
    assert "no vector table: the sources have none" in said
    assert "Reset_Handler as word 1 of a table, kept by the linker" in said


BY_SYSTICK = ('duration = "50 ms"', 'duration = "50 ms"\ncells = ["systick"]')
YIELDS = [
    ("void fast_step(void);", "#include <hrl/thread.h>\nvoid fast_step(void);"),
    ("{ fasts++; }", "{ fasts++; hrl_thread_yield(); }"),
]
LITERAL = (
    "void fast_step(void);",
    "void TIMER0_IRQHandler(void);\nvoid (*volatile kept)(void);\nvoid fast_step(void);",
)
KEEPS = ("{ fasts++; }", "{ fasts++; kept = TIMER0_IRQHandler; }")
SHORT = [
    ("vectors[16 + 32] = {", "vectors[16 + 8] = {"),
    (
        "    TIMER0_IRQHandler, TIMER1_IRQHandler, DUALTIMER_IRQHandler, [27 ... 47] = Default_Handler,\n",
        "",
    ),
]


@pytest.mark.parametrize(
    ("changes", "lacks", "found"),
    [
        pytest.param(
            {"startup.c": [("    TIMER0_IRQHandler,", "    Default_Handler,")]},
            "no TIMER0_IRQHandler as word 24\n",
            "Default_Handler as word 24\n",
            id="a line's",
        ),
        pytest.param(
            {
                "system.toml": [BY_SYSTICK],
                "startup.c": [("[15] = SysTick_Handler", "[15] = Default_Handler")],
            },
            "no SysTick_Handler as word 15\n",
            "Default_Handler as word 15\n",
            id="the processor's timer's",
        ),
        pytest.param(
            {
                "bodies.c": YIELDS,
                "startup.c": [("[11] = SVC_Handler", "[11] = Default_Handler")],
            },
            "no SVC_Handler as word 11\n",
            "Default_Handler as word 11\n",
            id="what a yield takes",
        ),
        pytest.param(
            {"startup.c": [("[14] = PendSV_Handler", "[14] = 0")]},
            "no PendSV_Handler as word 14\n",
            "0x00000000 as word 14\n",
            id="the switch",
        ),
        pytest.param(
            {
                "startup.c": [
                    (
                        "    TIMER0_IRQHandler, TIMER1_IRQHandler, DUALTIMER_IRQHandler,",
                        "    DUALTIMER_IRQHandler, TIMER1_IRQHandler, TIMER0_IRQHandler,",
                    )
                ]
            },
            "no TIMER0_IRQHandler as word 24, no DUALTIMER_IRQHandler as word 26\n",
            "DUALTIMER_IRQHandler as word 24, TIMER0_IRQHandler as word 26\n",
            id="two exchanged",
        ),
        pytest.param(
            {"bodies.c": [LITERAL, KEEPS], "startup.c": SHORT},
            "no TIMER0_IRQHandler as word 24, no DUALTIMER_IRQHandler as word 26\n",
            "nothing (behind the table is hrl_gen_body_0) as word 24",
            id="code behind a short table",
        ),
    ],
)
def test_a_handler_that_is_not_at_its_word_is_said(
    described: Path, changes: dict[str, list[tuple[str, str]]], lacks: str, found: str
) -> None:
    said = refused(described.parent, changes)
    assert f"the vector table has {lacks}" in said
    assert f"found:    {found}" in said
    assert "word 0 of the table is at 0x00000000" in said


AS_VENDORS_DO = (
    "static void Default_Handler(void) { for (;;) { } }\n",
    """__asm__(".section .text.Default_Handler, \\"ax\\", %progbits\\n"
        ".global Default_Handler\\nDefault_Handler:\\nInfinite_Loop: b Infinite_Loop\\n"
        ".size Default_Handler, . - Default_Handler\\n"
        ".weak NMI_Handler\\n.thumb_set NMI_Handler, Default_Handler\\n"
        ".weak ADC_IRQHandler\\n.thumb_set ADC_IRQHandler, Default_Handler\\n.text");
void NMI_Handler(void);
void ADC_IRQHandler(void);
static void Default_Handler_of_C(void) { for (;;) { } }
""",
)


def test_a_label_is_named_rather_than_one_of_many_weak_names(described: Path) -> None:
    text = (described.parent / "startup.c").read_text(encoding="utf-8")
    text = text.replace('alias("Default_Handler")', 'alias("Default_Handler_of_C")')
    text = text.replace("Default_Handler,", "NMI_Handler,")
    text = text.replace("    TIMER0_IRQHandler,", "    ADC_IRQHandler,")
    (described.parent / "startup.c").write_text(text, encoding="utf-8")
    said = refused(described.parent, {"startup.c": [AS_VENDORS_DO]})
    assert "found:    Default_Handler as word 24\n" in said


def test_all_that_the_processor_has_may_be_taken(described: Path, tmp_path: Path) -> None:
    """By a firmware with SysTick and yields, whose table has both."""
    for name, texts in {"system.toml": [BY_SYSTICK], "bodies.c": YIELDS}.items():
        text = (tmp_path / name).read_text(encoding="utf-8")
        for was, is_now in texts:
            text = text.replace(was, is_now)
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = horolog("run", described, "--out", tmp_path / "out")
    assert said.code == 0, said.out + said.err


ALL_LINES = """
#include <hrlp_lines_controller.h>
#ifndef HRLP_CORTEX_M_LINES
#define HRLP_CORTEX_M_LINES HRLP_ARMV7M_LINES
#endif
#define DEFAULT(name) WEAK(name##_IRQHandler)
#define VECTOR(name) name##_IRQHandler,
HRLP_CORTEX_M_LINES(DEFAULT)
WEAK(SVC_Handler) WEAK(PendSV_Handler) WEAK(SysTick_Handler)
__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
    hrl_link_main_stack_top, Reset_Handler, [2 ... 10] = Default_Handler,
    [11] = SVC_Handler, [14] = PendSV_Handler, [15] = SysTick_Handler,
    HRLP_CORTEX_M_LINES(VECTOR)
};
"""


def whole(folder: Path, board: str, lines: str, basic: bool) -> Path:
    """A described system whose table has all lines that a header in the folder `lines` lists."""
    begin, end = (STARTUP.index(one) for one in ("WEAK(SVC", "void Reset_Handler(void)\n"))
    text = STARTUP[:begin] + ALL_LINES + STARTUP[end:]
    (folder / "startup.c").write_text(text, encoding="utf-8")
    (folder / "bodies.c").write_text(BODIES, encoding="utf-8")
    system = SYSTEM.replace('"mps2-an385"', f'"{board}"')
    system = system.replace("[build]", f'[build]\ninclude = ["{ROOT / lines}"]')
    if basic:
        system = system.replace('name = "slow"', 'name = "slow"\nkind = "basic"')
        system = system.replace('name = "fast"', 'name = "fast"\nkind = "basic"')
    path = folder / "system.toml"
    path.write_text(system, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("board", "folder", "basic"),
    [
        ("mps2-an385", "ports/armv7m/nvic", True),
        ("lm3s6965evb", "boards/lm3s6965evb/port", False),
        pytest.param("microbit", "ports/armv6m", False, marks=pytest.mark.soak),
        pytest.param("nucleo-f446re", "boards/nucleo-f446re/port", False, marks=pytest.mark.soak),
        pytest.param("nrf52840dk", "boards/nrf52840dk/port", True, marks=pytest.mark.soak),
    ],
)
def test_a_whole_table_is_right(tmp_path: Path, board: str, folder: str, basic: bool) -> None:
    """On chips that list their lines in several places; and if nothing switches."""
    path = whole(tmp_path, board, folder, basic)
    said = horolog("build", path, "--out", tmp_path / "out")
    assert said.code == 0, said.out + said.err


def test_the_clock_s_own_handler_is_among_them(tmp_path: Path) -> None:
    """SysTick's of a board whose clock it is: no generated source has that."""
    whole(tmp_path, "lm3s6965evb", "boards/lm3s6965evb/port", basic=False)
    said = refused(tmp_path, {"startup.c": [("[15] = SysTick_Handler", "[15] = Default_Handler")]})
    assert "the vector table has no SysTick_Handler as word 15\n" in said


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
