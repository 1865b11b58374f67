# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Bounds of stacks on AVR beside what a simulated chip uses of them: never less, and hardly more.

A thread is preempted where its stack is deepest. Another one paints the main stack, which is not in use while
a thread runs, and looks later how far handlers and switches have come, and what is unused of the first one's.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from tests.system.running import command

from horolog.build.firmware import Target, build_firmware
from horolog.calls import main_stack, thread_stacks
from horolog.model import System
from horolog.plan import NOTHING, plan
from horolog.read import read_system

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("avr")]

DESCRIPTION = """\
[system]
name = "deep"
board = "{board}"
duration = "60 ms"
share = "never"
sources = ["bodies.c"]

[[task]]
name = "quick"
period = "1 ms"
work = 5

[[task]]
name = "deep"
period = "16 ms"
wcet = "10 ms"
body = "deep"
waits = false
stack = {stack}

[[task]]
name = "look"
period = "32 ms"
offset = "15 ms"
wcet = "1 ms"
body = "look"
stack = 224
"""

BODIES = """\
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/thread.h>

void deep(void);
void look(void);

extern volatile uint8_t hrl_link_main_stack_low[], hrl_link_main_stack_top[];
static volatile unsigned turns;
static unsigned jobs;
static const struct hrl_thread *thread;

__attribute__((noinline)) static unsigned below(unsigned at)
{
    volatile unsigned room[30];

    for (unsigned i = 0; i < 30; i++) {
        room[i] = i;
    }
    for (turns = 0; turns < 2000; turns++) {
        room[at] += turns;
    }
    return room[at] + turns;
}

void deep(void)
{
    thread = hrl_thread_current();
    turns = below(jobs++ % 30);
}

/* Reports, as a line: the bytes of the main stack that were used, times 256, and the thread's unused ones. */
void look(void)
{
    static bool painted;
    volatile uint8_t *at = hrl_link_main_stack_low;

    if (!painted) {
        for (painted = true; at < hrl_link_main_stack_top; at++) {
            *at = 0xA5;
        }
        return;
    }
    while (*at == 0xA5) {
        at++;
    }
    hrl_assert_hook("looked", __FILE__,
                    (int)((unsigned)(hrl_link_main_stack_top - at) << 8 | hrl_thread_stack_unused(thread)));
}
"""
CANARY, SLACK = (
    4,
    24,
)  # of the slack 7 to a multiple of 8, the others to the registers that no context saves


def built(folder: Path, board: str, stack: int) -> tuple[System, Path, int]:
    """The system, its firmware, and the bound of the main stack once it runs."""
    (folder / "bodies.c").write_text(BODIES, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(DESCRIPTION.format(board=board, stack=stack), encoding="utf-8")
    system = read_system(path)
    planned = plan(system, prices=NOTHING)
    out = folder / "out"
    elf = build_firmware(
        system, planned.choice, out, None, checks=True, only=Target.HOROLOG
    ).horolog
    found = main_stack(system, planned.choice, elf)
    running = [part.bytes for part in found.parts if part.name != "start-up"]
    assert found.from_top
    assert max(running) <= found.most <= found.given
    return system, elf, max(running)


@pytest.mark.parametrize(
    "board", ["arduino-uno", pytest.param("atmega128", marks=pytest.mark.soak)]
)
def test_bounds_are_what_is_used_at_worst(tmp_path: Path, board: str) -> None:
    system, elf, _ = built(tmp_path, board, 256)
    deep, _ = thread_stacks(system, elf)
    assert deep.given == 256
    bound = -(-deep.need // 8) * 8
    system, elf, most = built(tmp_path, board, bound)
    called = command(system.board, elf)
    done = subprocess.run(called, capture_output=True, text=True, check=False, timeout=60)
    said = re.search(r"looked.*?:(\d+)\b|:(\d+).*looked", done.stdout, flags=re.DOTALL)
    assert said is not None, done.stdout + done.stderr
    used, unused = divmod(int(said[1] or said[2]), 256)
    assert CANARY <= unused <= CANARY + SLACK
    assert 0 < used <= most
