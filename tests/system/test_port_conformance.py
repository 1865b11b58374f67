# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One conformance suite (tests/conform/port) on every board; and that it notices broken ports.

The board's firmware is built from ports/ alone, without the kernel, and checks the promises of
ports/include by itself. Each mutant below is a copy of ports/ with one mistake in it.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.system.running import BOARDS, command, needs
from tests.system.support import ROOT

from horolog.programs import Finished, call, require
from horolog.read import board_names, read_board

pytestmark = pytest.mark.emulator

SUITE = ROOT / "tests" / "conform" / "port"
MANY = 64  # cells of a board that are all alike: board.py takes three of them
FEWEST_CHECKS = 40  # so that a suite that runs nothing does not pass


def conform(
    name: str, out: Path, root: Path = ROOT, seconds: float = 60, core: int = 0
) -> Finished:
    """Build the suite for board `name` from the ports below `root`, and run it, on that core."""
    board = read_board(name)
    require(board.port.compiler, "cmake", "ninja")
    configure = ["cmake", "-S", str(SUITE), "-B", str(out), "-G", "Ninja"]
    configure += [f"-DHRL_ROOT={root}", f"-DHRL_BOARD={board.directory}", f"-DHRL_CORE={core}"]
    for step in (configure, ["cmake", "--build", str(out)]):
        done = call(step, seconds=120)
        assert done.status == 0, (done.output + done.errors)[-3000:]
    elf = out / "port.elf"
    return call(command(board, elf), seconds=seconds)


OF_QEMU = "Timer with period zero, disabling"
"""What QEMU says before the first instruction of a board whose SysTick has no other clock than the core's."""


def lines(done: Finished) -> list[str]:
    return [line for line in (done.errors + done.output).splitlines() if line != OF_QEMU]


@pytest.mark.parametrize("name", BOARDS)
def test_the_port_keeps_its_contract(name: str, tmp_path: Path) -> None:
    check(name, conform(name, tmp_path, seconds=300))


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "core"), [("ibex-cells-x2", 0), ("ibex-cells-x2", 1), ("ibex-cells-x4", 3)]
)
def test_the_port_keeps_its_contract_on_a_core_beside_others_that_are_idle(
    name: str, core: int, tmp_path: Path
) -> None:
    check(name, conform(name, tmp_path, seconds=300, core=core))


def check(name: str, done: Finished) -> None:
    """All checks have passed, and there were those of all cells."""
    said = lines(done)
    assert [line for line in said if not line.startswith("PASS ")] == [said[-1]]
    assert said[-1] == f"conformance: {len(said) - 1} passed, 0 failed"
    assert done.status == 0
    assert len(said) > FEWEST_CHECKS
    cells = [cell.name for cell in read_board(name).cells]
    some = cells if len(cells) < MANY else [*cells[:2], cells[-1]]
    assert set(some) <= {line.split()[1].rstrip(":") for line in said[:-1]}
    assert any("fpu:" in line for line in said) == (read_board(name).fpu is not None)


@dataclass(frozen=True)
class Mutant:
    """A mistake in a port: in `file` below ports/, `old` reads `new`. `noticed`: a check that fails.

    Several files, each `old` in one of them at least.
    """

    board: str
    file: str | tuple[str, ...]
    old: str | tuple[str, ...]
    new: str | tuple[str, ...]
    noticed: str | None = None  # None: it crashes or hangs, which is noticed as well


M0, M3, M4, RV, HOST = "microbit", "mps2-an385", "mps2-an386", "qemu-virt-rv32", "host"
IBEX = "ibex-cells"
AVR, TIMER16 = "atmega128-8mhz", "cell/avr-timer16/hrlp_avr_timer16.h"
RV32, PLIC, CELLS = "rv32/", "rv32/plic/", "rv32/cells/"
THREADS = "rv32/cells/threads/"
TIMER = "cell/timer-cells/"
ARMV7M, ARMV6M, CORTEX_M = "armv7m/", "armv6m/", "cortex-m/"
NRF = "cell/nrf-timer/"
PICO, RP = "pico", "cell/rp-timer/hrlp_rp_timer.h"
CMSDK = "cell/cmsdk-timer/hrlp_cmsdk_timer.h"
NVIC = ARMV7M + "hrlp_irq_controller.h"
DUAL, CLINT = "cell/cmsdk-dualtimer/", "cell/clint/hrlp_clint.h"
LM3S, GPTM = "lm3s6965evb", "cell/gptm/hrlp_gptm.h"
SYSTICK, ARMING = "cell/systick/hrlp_systick.h", "include/hrlp_cell_arming.h"
MUTANTS = {
    "avr-registers": Mutant(
        AVR, "avr/switch.S", "r5, r4, r3, r2\n    rjmp fetch", "r5, r4, r2, r3\n    rjmp fetch"
    ),
    "avr-lock": Mutant(
        AVR, "avr/hrlp_irq_arch.h", "status & HRLP_IRQ_UN", "status | HRLP_IRQ_UN", "lock: nests"
    ),
    "avr-owes": Mutant(
        AVR,
        "avr/hrlp_irq_arch.h",
        "hrlp_avr_owes != 0, 0",
        "false, 0",
        None,
    ),
    "avr-line": Mutant(
        AVR,
        "avr/vectors/vectors.S",
        "sub r24, r25\n",
        "sub r24, r25\n    inc r24\n",
        "each with its number",
    ),
    "avr-instant": Mutant(AVR, TIMER16, "due - 1u - ", "due + 200u - ", "fires at its instant"),
    "avr-forgets": Mutant(
        AVR,
        TIMER16,
        "    hrlp_avr_timer16_forget(channel);\n",
        "",
        "forgets what was raised when armed anew",
    ),
    "avr-period": Mutant(
        AVR, TIMER16, "(channel) += period;", "(channel) += 2 * period;", "fires at every"
    ),
    "avr-wrap": Mutant(
        AVR,
        "cell/avr-timer16/hrlp_clock_device.h",
        "(HRLP_AVR_TIMER16_FLAGS & 1u << TOV1) != 0, 0) &&",
        "false, 0) &&",
    ),
    "pico-past": Mutant(
        PICO, RP, "hrlp_irq_raise(HRLP_RP_TIMER_LINE(channel));", "", "an instant in the past"
    ),
    "pico-missed": Mutant(
        PICO, RP, "if (hrlp_rp_timer_is_missed(due, period))", "if (false)", "late by some periods"
    ),
    "m0-registers": Mutant(
        M0, ARMV6M + "armv6m_switch.inc", "mov r10, r6\n    mov r11", "mov r11, r6\n    mov r10"
    ),
    "m0-stack": Mutant(M0, ARMV6M + "switch_frame.c", "SAVED_WORDS = 8", "SAVED_WORDS = 9"),
    "m0-one-priority": Mutant(
        M0,
        ARMV6M + "hrlp_irq_controller.h",
        "(3u - priority) << 6",
        "(priority != 0 ? 1u : 3u) << 6",
        "a more urgent one interrupts",
    ),
    "m0-neighbours": Mutant(  # of the word that has the priorities of four lines
        M0,
        ARMV6M + "hrlp_irq_controller.h",
        "(*word & ~((uint32_t)0xFF << shift)) | (3u",
        "(3u",
        "of those that are pending",
    ),
    "m0-lock": Mutant(
        M0, CORTEX_M + "cortex_m_primask.h", "msr primask, %0", "cpsie i @ %0", "lock: nests"
    ),
    "m0-past": Mutant(
        M0, NRF + "hrlp_nrf_timer.h", "(now + 2u)", "(now - 2u)", "an instant in the past"
    ),
    "m0-forgets": Mutant(
        M0,
        NRF + "hrlp_nrf_timer.h",
        "    hrlp_nrf_timer_clear(channel);\n    HRLP_NRF_TIMER_OF(channel)->allow",
        "    HRLP_NRF_TIMER_OF(channel)->allow",
        "forgets what was raised when armed anew",
    ),
    "m0-late": Mutant(
        M0,
        NRF + "hrlp_nrf_timer.h",
        "    return ahead - 1u >= period;",
        "    return ahead - 1u >= period && ahead == 0;",
        "late by some periods",
    ),
    "m0-catch-up": Mutant(
        M0,
        NRF + "hrlp_nrf_timer.h",
        "__builtin_expect(hrlp_nrf_timer_is_missed(channel, period), 0)",
        "false",
        "acknowledged in parts",
    ),
    "m0-again": Mutant(  # comes again when the counter has wrapped
        M0,
        NRF + "hrlp_nrf_timer.h",
        "hrlp_nrf_timer_halt(channel); /* else",
        "/* else",
        "is not early",
    ),
    "m0-half": Mutant(  # looks for the half that has been
        M0, NRF + "nrf_timer_clock.c", "~half & HRLP", "half & HRLP", "is pending while masked"
    ),
    "m0-wrap": Mutant(
        M0,
        NRF + "hrlp_nrf_timer.h",
        "_clock.wrapped = 0;",
        "_clock.wrapped = 1;",
        "the wrap before it is reported",
    ),
    "m3-registers": Mutant(
        M3,
        ARMV7M + "armv7m_switch.h",
        "ldmia r0!, {r4-r11, lr}",
        "add r0, r0, #32\\n\\tldr lr, [r0], #4",
    ),
    "m3-argument": Mutant(
        M3,
        CORTEX_M + "cpu.c",
        "(uintptr_t)argument",
        "(uintptr_t)argument + 1u",
        "calls entry(argument)",
    ),
    "m3-lock": Mutant(M3, ARMV7M + "hrlp_irq_arch.h", "msr basepri_max, %1", "nop"),
    "m3-unlock": Mutant(
        M3,
        ARMV7M + "hrlp_irq_arch.h",
        '%0" : : "r"(state)',
        '%0" : : "r"(state & 0u)',
        "lock: nests",
    ),
    "m3-past": Mutant(
        M3,
        ARMING,
        "hrlp_cell_is_near(left, shortest) ? shortest : left",
        "left + 0 * shortest",
        "an instant in the past",
    ),
    "m3-step": Mutant(
        M3,
        CMSDK,
        "before = hrlp_clock_read();\n        hrlp_cmsdk_timer_move(channel, due);",
        "before = hrlp_clock_read();\n        (void)channel;\n        (void)due;",
        "stepped, fires",
    ),
    "m3-step-ahead": Mutant(
        M3, ARMING, "period + longer", "period + longer * 0u", "systick: stepped, fires"
    ),
    "m3-period": Mutant(
        M3, CMSDK, "reload = period - 1u", "reload = period - 11u", "fires at every instant"
    ),
    "m3-disarm": Mutant(
        M3,
        DUAL + "hrlp_cmsdk_dualtimer.h",
        "(channel)->control = HRLP_CMSDK_DUALTIMER_32_BITS;",
        "(channel)->clear = 1;",
        "does not fire",
    ),
    "m3-systick": Mutant(
        M3, "cell/systick/hrlp_systick.h", "SHORTEST 8", "SHORTEST 2", "once for every near"
    ),
    "m3-slice": Mutant(  # believes the interrupt that was raised before a restart
        M3,
        "cell/systick/hrlp_systick.h",
        "& HRLP_SYSTICK_COUNTED_TO_0",
        "& HRLP_SYSTICK_ENABLE",
        "means nothing",
    ),
    "m3-wrap": Mutant(
        M3,
        DUAL + "dualtimer_clock.c",
        "HRLP_CMSDK_DUALTIMER_INTERRUPT |",
        "",
        "wrap: is pending while masked",
    ),
    "m3-one-priority": Mutant(
        M3,
        NVIC,
        "(7u - priority) << 5",
        "(priority != 0 ? 4u : 0) << 5",
        "a more urgent one interrupts",
    ),
    "m3-few-above": Mutant(M3, NVIC, "(7u - priority)", "(8u - priority)", "in spite of the lock"),
    "m3-disable": Mutant(M3, NVIC, "0xE000E180u", "0xE000E280u", "disabled, stays out"),
    "m3-line": Mutant(
        M3,
        CORTEX_M + "cortex_m_vectors.h",
        "HRLP_IRQ_FIRST_LINE 16",
        "HRLP_IRQ_FIRST_LINE 17",
        "with its number",
    ),
    "gptm-early": Mutant(
        LM3S,
        GPTM,
        "HRLP_GPTM_ARM_LATENCY 18u",
        "HRLP_GPTM_ARM_LATENCY 118u",
        "fires at its instant",
    ),
    "gptm-period": Mutant(  # as if it were silicon
        LM3S,
        GPTM,
        "counts - HRL_BOARD_GPTM_RELOAD_COUNTS;",
        "counts - 1;",
        "fires at every instant",
    ),
    "gptm-forgets": Mutant(
        LM3S,
        GPTM,
        "->clear = HRLP_GPTM_TIMEOUT;\n    hrlp_irq_clear",
        "->clear = 0;\n    hrlp_irq_clear",
        "forgets what was raised",
    ),
    "gptm-slice": Mutant(  # believes the interrupt that was raised before a restart
        LM3S, GPTM, "    hrlp_gptm_halt(channel);\n    HRLP", "    HRLP", "means nothing"
    ),
    "systick-clock-missed": Mutant(  # a wrap that waits for its interrupt is not read
        LM3S,
        "cell/systick-clock/hrlp_clock_device.h",
        "high += HRLP_SYSTICK_CLOCK_COUNTS;",
        "high += 0;",
        "the clock goes through 0",
    ),
    "systick-clock-untold": Mutant(
        LM3S,
        "cell/systick-clock/systick_clock.c",
        "high == 0, 0",
        "high == 1, 0",
        "wrap: is reported once",
    ),
    "m4-registers": Mutant(
        M4,
        ARMV7M + "armv7m_switch.h",
        "vldmiaeq r0!, {s16-s31}",
        "addeq r0, r0, #64",
        "keep all their registers",
    ),
    "m4-frame": Mutant(  # saves s16-s31 of every thread
        M4,
        (ARMV7M + "armv7m_switch.h", ARMV7M + "switch_fpu.c"),
        ("tst lr, #0x10", "frame[-1]", "SAVED_WORDS = 9"),
        ("cmp r0, r0", "frame[-17]", "SAVED_WORDS = 25"),
        "one that did not has none",
    ),
    "rv-saved": Mutant(
        RV, PLIC + "switch.S", "each lw, 0, s0, s1, s2, s3", "each lw, 0, s0, s1, s2, s2"
    ),
    "rv-scratch": Mutant(RV, PLIC + "switch.S", "each lw, 8, a0, a1, a2", "each lw, 8, a0, a1, a1"),
    "rv-bits": Mutant(
        RV, "include/hrlp_search_bits.h", "0xFFFFAA50u", "0xFFFFAA40u", "highest bit"
    ),
    "rv-lock": Mutant(
        RV, "rv32/hrlp_irq_arch.h", "return status & HRLP_RV32_MIE", "return 8", "lock: nests"
    ),
    "rv-past": Mutant(
        RV,
        ARMING,
        "(int32_t)(due - (hrl_stamp)now), 0)",
        "(int32_t)(due - (hrl_stamp)now), INT32_MIN)",
        "an instant in the past",
    ),
    "rv-wrap": Mutant(
        RV, "cell/clint/clint.h", "hrlp_clint.due < first", "1", "the wrap before it"
    ),
    "rv-complete": Mutant(
        RV, PLIC + "external.c", "HRLP_RV32_PLIC_CLAIM = line;", "", "comes again"
    ),
    "rv-one-priority": Mutant(
        RV,
        PLIC + "hrlp_irq_controller.h",
        "[line] = priority == 0 ? 1 : priority",
        "[line] = priority != 0",
        "the most urgent one",
    ),
    "rv-line-disable": Mutant(
        RV, PLIC + "hrlp_irq_controller.h", "PRIORITY[line] = 0", "PRIORITY[line] = 1", "stays out"
    ),
    "rv-line-end": Mutant(RV, PLIC + "switch.S", "la ra, hrlp_handler_end", "la ra, hrlp_switch"),
    "ibex-saved": Mutant(
        IBEX,
        THREADS + "switch.S",
        "\\instruction \\register, place(\\base)\n    .set place, place + 4",
        "\\instruction \\register, place(\\base)\n    .set place, (place + 4) % 44",
    ),
    "ibex-scratch": Mutant(  # of what handlers come into: it never ends
        IBEX, CELLS + "hrlp_rv32_entry.inc", "each lw, 8, a0, a1, a2", "each lw, 8, a0, a1, a1"
    ),
    "ibex-switched-scratch": Mutant(  # and of what the switch comes into
        IBEX, CELLS + "hrlp_rv32_entry.inc", "each lw, 12, a1, a2", "each lw, 12, a1, a1"
    ),
    "ibex-main-stack": Mutant(  # every handler believes that it interrupted a thread
        IBEX, CELLS + "hrlp_rv32_entry.inc", "bltu sp, gp, 1f", "nop"
    ),
    "ibex-privilege": Mutant(  # as another's mret leaves it
        IBEX, CELLS + "hrlp_rv32_entry.inc", "MSTATUS_MPP_MPIE, 0x1880", "MSTATUS_MPP_MPIE, 0x80"
    ),
    "ibex-follows": Mutant(  # the switch at the end of a handler that interrupted another
        IBEX, CELLS + "hrlp_rv32_entry.inc", "bltu sp, gp, 2f", "nop"
    ),
    "ibex-twice": Mutant(
        IBEX,
        THREADS + "switch.S",
        "sw t0, LOWER(zero)",
        "nop",
        "made then, once",
    ),
    "ibex-leave": Mutant(  # goes on masked
        IBEX, THREADS + "hrlp_switch_controller.h", "csrsi mstatus, 8", "nop"
    ),
    "ibex-call": Mutant(
        IBEX,
        THREADS + "switch.S",
        "lw ra, SAVED + FRAME_RA(sp)",
        "la ra, hrlp_trap_fault",
    ),
    "ibex-ends": Mutant(  # as if it had not been a thread's own choice
        IBEX, THREADS + "switch.S", "sw zero, RESUME(a1)", "nop"
    ),
    "ibex-ends-complete": Mutant(
        IBEX,
        THREADS + "switch.S",
        "each_saved sw, a1\n    sw zero, COMPLETE(zero)",
        "each_saved sw, a1",
    ),
    "ibex-ends-handler": Mutant(IBEX, CELLS + "hrlp_rv32_entry.inc", "j \\general", "j \\function"),
    "ibex-early": Mutant(
        IBEX, TIMER + "hrlp_timer_cells.h", "LATENCY 3u", "LATENCY 103u", "fires at its instant"
    ),
    "ibex-past": Mutant(
        IBEX,
        TIMER + "hrlp_timer_cells.h",
        "HRLP_TIMER_CELL(channel)->count = HRLP_TIMER_CELLS_COMPARE - 1u;",
        "(void)channel;",
        "an instant in the past",
    ),
    "ibex-forget": Mutant(
        IBEX, TIMER + "hrlp_timer_cells.h", "hrlp_irq_clear(", "(void)(", "forgets what was raised"
    ),
    "ibex-ahead": Mutant(
        IBEX,
        TIMER + "hrlp_timer_cells.h",
        "(cell->compare - cell->count)",
        "(cell->compare - cell->count + 200)",
        "tells what is ahead",
    ),
    "ibex-moves": Mutant(
        IBEX,
        TIMER + "hrlp_timer_cells.h",
        "compare = to;",
        "status = 0 * to;",
        "from which it was moved",
    ),
    "ibex-wrap": Mutant(
        IBEX,
        TIMER + "hrlp_clock_device.h",
        "(hrl_counts)high << 32",
        "(hrl_counts)high << 33",
        "the upper half goes on by one",
    ),
    "host-priority": Mutant(
        HOST, "host/machine.c", "above = lines[line].priority;", "", "the most urgent one"
    ),
    "host-above": Mutant(
        HOST,
        "host/machine.c",
        "above < HIGHEST_MASKED ? HIGHEST_MASKED : above",
        "99",
        "in spite of the lock",
    ),
    "host-argument": Mutant(
        HOST,
        "host/cpu.c",
        "fiber->argument = argument",
        "fiber->argument = (char *)argument + 1",
        "calls entry(argument)",
    ),
    "host-forget": Mutant(
        HOST,
        "cell/host/timers.c",
        "hrlp_host_forget(channel);",
        "hrlp_host_timers_expire();",
        "forgets what was raised",
    ),
    "host-nesting": Mutant(
        HOST, "host/hrlp_irq_arch.h", "hrlp_host_mask(state != 0)", "hrlp_host_mask(state > 1)"
    ),
}


IN_EACH_RUN = (
    "m0-registers",
    *("m3-registers", "m3-past", "m3-lock", "m4-frame", "rv-past", "rv-saved", "ibex-past"),
    *("avr-registers", "avr-lock", "host-priority", "host-forget"),
)
"""These continuous integration takes, of each port some; the others are a soak."""


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in IN_EACH_RUN
        else pytest.param(name, marks=[pytest.mark.soak, *needs(MUTANTS[name].board)])
        for name in MUTANTS
    ],
)
def test_a_broken_port_is_noticed(name: str, tmp_path: Path) -> None:
    mutant = MUTANTS[name]
    for folder in ("ports", "include", "cmake"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    files, olds, news = (
        (x,) if isinstance(x, str) else x for x in (mutant.file, mutant.old, mutant.new)
    )
    texts = {file: (tmp_path / "ports" / file).read_text(encoding="utf-8") for file in files}
    for old, new in zip(olds, news, strict=True):
        assert any(old in text for text in texts.values())
        texts = {file: text.replace(old, new) for file, text in texts.items()}
    for file, text in texts.items():
        (tmp_path / "ports" / file).write_text(text, encoding="utf-8")
    done = conform(
        mutant.board,
        tmp_path / "build",
        tmp_path,
        seconds=120 if mutant.board in (IBEX, PICO, AVR, M0) else 5,
    )
    assert done.status != 0
    if mutant.noticed is not None:
        failed = [line for line in lines(done) if line.startswith("FAIL ")]
        assert any(mutant.noticed in line for line in failed), lines(done)[-5:]


def test_every_port_is_broken_once() -> None:
    archs = {read_board(mutant.board).arch for mutant in MUTANTS.values()}
    assert archs == {read_board(name).arch for name in board_names()}
