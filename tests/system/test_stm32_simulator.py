# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""STM32 boards in our simulator: its timers, and their driver by the conformance suite of ports.

Cargo is needed. Without it these tests are skipped, and the summary says so.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from tests.system.support import ROOT
from tests.system.test_port_conformance import check, conform

from horolog.build.stm32 import stm32_simulator
from horolog.parts import Wish, board_files, chosen, find_part
from horolog.plan import NOTHING, plan
from horolog.programs import Finished
from horolog.read import read_board, read_system
from horolog.run import measure_plan

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.xdist_group("stm32"),
    pytest.mark.skipif(shutil.which("cargo") is None, reason="STM32 NOT SIMULATED: no cargo"),
]

BOARDS = {
    "f446": ("STM32F446RE", "TIM2,TIM1,TIM10"),
    "f103": ("STM32F103CB", "TIM2,TIM3,TIM4"),
    "f072": ("STM32F072RB", "TIM2,TIM6,TIM14"),
    "all of f446": (
        "STM32F446RE",
        "TIM1,TIM2,TIM3,TIM4,TIM5,TIM8,TIM9,TIM10,TIM11,TIM12,TIM13,TIM14",
    ),
}
"""A Cortex-M4 with an FPU, and timers that share a line; a Cortex-M3 with two timers as one clock; an M0."""
DRIVER = Path("ports") / "cell" / "stm32-tim" / "hrlp_stm32_tim.h"
MUTANTS = {
    "a match that was passed waits for a turn": (
        "HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_compare, HRLP_STM32_TIM_SHORTEST)",
        "HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_compare, -100000)",
    ),
    "a period is too long": (
        "HRLP_STM32_TIM_ARR) = period - 1u;",
        "HRLP_STM32_TIM_ARR) = period + 60u;",
    ),
}


def board(name: str, folder: Path) -> Path:
    """The board `name` of BOARDS, below `folder`, as the simulator runs it."""
    part, timers = BOARDS[name]
    made = chosen(find_part(part), Wish(timers=tuple(timers.split(","))))
    files = board_files(made, "made")
    for path, text in files.items():
        (folder / "made" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "made" / path).write_text(
            text.replace('kind = "none"', f'kind = "stm32"\ncycles_hz = {made.hz}')
            if path == "board.toml"
            else text,
            encoding="utf-8",
        )
    return folder / "made"


def conformed(made: Path, tmp_path: Path, root: Path = ROOT) -> Finished:
    return conform(str(made), tmp_path / "build", root, seconds=300)


SYSTEM = """\
[system]
name = "placed"
board = "{board}"
duration = "50 ms"

[[task]]
name = "often"
period = "1 ms"
work = 100

[[task]]
name = "seldom"
period = "3 ms"
work = 200
"""


@pytest.mark.soak  # compiles the crate without optimisation, for a minute
def test_its_timers_are_those_of_the_manual(tmp_path: Path) -> None:
    """Cargo's own tests: against sentences of the manual, and against a model that counts each clock."""
    for folder in ("stm32", "watch"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("target"))
    command = ["cargo", "test", "--locked", "--quiet"]
    done = subprocess.run(
        command, cwd=tmp_path / "stm32", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "9 passed" in done.stdout


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak) if " " in name else name for name in BOARDS]
)
def test_the_port_keeps_its_contract(name: str, tmp_path: Path) -> None:
    made = board(name, tmp_path)
    check(str(made), conformed(made, tmp_path))


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_driver_is_noticed(mutant: str, tmp_path: Path) -> None:
    old, new = MUTANTS[mutant]
    for folder in ("ports", "include", "cmake"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    text = (tmp_path / DRIVER).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / DRIVER).write_text(text.replace(old, new), encoding="utf-8")
    done = conformed(board("f446", tmp_path), tmp_path, tmp_path)
    assert done.status != 0


def test_a_line_that_the_processor_lacks_ends_the_run_by_name(tmp_path: Path) -> None:
    made = board("f446", tmp_path)
    chip = made / "chip.txt"
    text = chip.read_text(encoding="utf-8")
    assert " 28 28 " in text
    chip.write_text(text.replace(" 28 28 ", " 54 54 "), encoding="utf-8")
    done = conformed(made, tmp_path)
    assert done.status == 126
    assert "interrupt line 54: the simulated processor has lines 0 to 51" in done.errors


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("timer 0x40000000 24 4 28 28 0x40023840 0", "line 1: found `timer 0x40000000 24"),
        ("memory 0x20000000", "line 1: found `memory 0x20000000`, expected memory, registers"),
        ("trigger 0x40000000 1 0x40000400", "line 1: found `trigger"),
    ],
)
def test_a_chip_that_cannot_be_read_says_where(line: str, said: str, tmp_path: Path) -> None:
    chip = tmp_path / "chip.txt"
    chip.write_text(f"{line}\n", encoding="utf-8")
    command = [str(stm32_simulator()), "--chip", str(chip), "--elf", str(chip)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 125
    assert said in done.stderr


def test_cycles_do_not_depend_on_where_code_lies(tmp_path: Path) -> None:
    """The crate charges branches to some addresses more, as the RP2350's banks of memory do."""
    here, there = (_kernel_and_bodies(further, tmp_path) for further in (0, 4))
    assert here == there
    assert min(here) > 0


def _kernel_and_bodies(further: int, folder: Path) -> tuple[int, int]:
    """Cycles of the kernel and of bodies in a short run, with code so many bytes further."""
    made = board("f446", folder)
    script = (made / "link.ld").read_text(encoding="utf-8")
    assert "KEEP(*(.vectors))" in script
    moved = script.replace("KEEP(*(.vectors))", f"KEEP(*(.vectors)) . += {further};")
    (made / "link.ld").write_text(moved, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM.format(board=made), encoding="utf-8")
    system = read_system(folder / "system.toml")
    chosen_plan = plan(system, mechanism="one-shot", prices=NOTHING).choice
    counted = measure_plan(system, chosen_plan, folder / "built").counted
    return counted.kernel, counted.bodies


def test_boards_are_read_as_they_are_made(tmp_path: Path) -> None:
    for name in BOARDS:
        made = read_board(str(board(name, tmp_path / name.replace(" ", "-"))))
        assert made.runner.kind == "stm32"
        assert made.runner.counts_cycles
