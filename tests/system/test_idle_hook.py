# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The idle loop of an application, `hrl_idle_hook`, is idle time everywhere, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import made_system, measured, ms, task

from horolog.model import Kind, Plan, System
from horolog.model.result import Side
from horolog.plan import NOTHING, plan

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("stm32")]

SPINS = '__asm__ volatile("nop");'
WAITS = '__asm__ volatile("wfi");'
SLEEPS = '__asm__ volatile("sleep");'
HOOK = """\
#include <hrl/hooks.h>

volatile unsigned hrl_test_turns;

void hrl_idle_hook(void)
{{
    hrl_test_turns++;
    {waits}
}}
"""
NO_HOOK = "extern volatile unsigned hrl_test_turns;\n"
BOARDS = [
    pytest.param("mps2-an385", SPINS),
    pytest.param("qemu-virt-rv32", SPINS),
    pytest.param("ibex-cells-small", WAITS),
    pytest.param("arduino-uno", SLEEPS),
    pytest.param("pico", SPINS, marks=pytest.mark.rp2040js),
    *(
        pytest.param(board, wait, marks=pytest.mark.stm32)
        for board in ("nucleo-f446re", "pico2")
        for wait in (SPINS, WAITS)
    ),
]


def one_shot(system: System) -> Plan:
    return plan(system, mechanism="one-shot", prices=NOTHING).choice


def side_of(system: System, folder: Path, text: str) -> Side:
    folder.mkdir()
    (folder / "hook.c").write_text(text, encoding="ascii")
    whole = replace(system, sources=(folder / "hook.c",))
    return measured(whole, one_shot(whole), folder).side


@pytest.mark.parametrize("kind", [Kind.THREAD, Kind.BASIC])
@pytest.mark.parametrize(("board", "waits"), BOARDS)
def test_an_application_with_an_idle_hook_is_measured(
    board: str, waits: str, kind: Kind, tmp_path: Path
) -> None:
    tasks = [replace(task(f"t{p}", ms(p), work=5), kind=kind) for p in (5, 10)]
    system = made_system(tasks, board=board, duration=ms(40))
    found, plain = (
        side_of(system, tmp_path / name, text)
        for name, text in (("hook", HOOK.format(waits=waits)), ("plain", NO_HOOK))
    )
    assert found.jobs == plain.jobs == 12
    assert found.deadline_misses == 0
    assert found.counted.idle / found.counted.total > Fraction(9, 10)
    more = 0.1 if board == "arduino-uno" else 0.02  # there a switch saves the hook's registers, too
    assert found.counted.kernel == pytest.approx(plain.counted.kernel, rel=more)
