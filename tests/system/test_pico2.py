# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board pico2: its image; boards made of Raspberry Pi's SVD files. Its runs: test_stm32_runs.py."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import ROOT, horolog, made_system, measured, ms, task

from horolog.analyse import jobs_in
from horolog.image import read_image
from horolog.model import Kind
from horolog.parts import Wish, files_of, made_board
from horolog.plan import plan
from horolog.read import read_board

pytestmark = [pytest.mark.emulator, pytest.mark.stm32, pytest.mark.xdist_group("stm32")]

PICO2 = "pico2"
NUMBER = re.compile(r"/\*.*?\*/", re.DOTALL)


def test_an_image_begins_as_the_boot_rom_expects_it(tmp_path: Path) -> None:
    """Vectors at the begin of flash, and the block that says what it is in the first 4 KB."""
    assert horolog("new", tmp_path / "blink", "--board", PICO2).code == 0
    assert horolog("build", tmp_path / "blink" / "system.toml", "--out", tmp_path).code == 0
    (elf,) = tmp_path.rglob("horolog.elf")
    content = elf.with_suffix(".bin").read_bytes()
    ram, flash = 0x2000_0000, 0x1000_0000
    stack, entry = (int.from_bytes(content[at : at + 4], "little") for at in (0, 4))
    assert ram < stack <= ram + 520 * 1024
    assert entry - 1 == read_image(elf).symbols["Reset_Handler"] & ~1
    assert flash < entry < flash + len(content)
    words = (0xFFFFDED3, 0x10210142, 0x000001FF, 0, 0xAB123579)
    block = b"".join(word.to_bytes(4, "little") for word in words)
    at = content.index(block)
    assert at % 4 == 0
    assert at + len(block) <= 4096


# ---- the crates' SVD files --------------------------------------------------------------------


@pytest.mark.network
@pytest.mark.parametrize(("part", "shipped"), [("RP2040", "pico"), ("RP2350", PICO2)])
def test_the_svd_file_of_the_crate_gives_the_board_that_comes_with_horolog(
    part: str, shipped: str
) -> None:
    made = files_of(made_board(part, Wish()), shipped)
    its = ROOT / "boards" / shipped / "port" / "hrlp_board_timers.h"
    mine = made["port/hrlp_board_timers.h"].replace("TIMER_IRQ_0_Handler", "IRQ0_Handler")
    assert macros(mine) == macros(its.read_text(encoding="utf-8"))


def macros(text: str) -> list[str]:
    return NUMBER.sub("", text.partition("#define HRLP_BOARD_TIMERS_H")[2]).split()


@pytest.mark.network
@pytest.mark.rp2040js
def test_a_board_made_of_rp2040_runs(tmp_path: Path) -> None:
    """Its handlers have the names of the SVD file; jobs are looked for one by one."""
    for path, text in files_of(made_board("RP2040", Wish()), "mine").items():
        (tmp_path / "mine" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / path).write_text(text, encoding="utf-8")
    threads = [task(f"t{period}", ms(period), work=200) for period in (2, 3, 5)]
    tasks = [*threads, replace(task("basic", ms(4), work=50), kind=Kind.BASIC)]
    system = made_system(tasks, board="pico", duration=Fraction(1, 20))
    system = replace(system, board=read_board(str(tmp_path / "mine")))
    run = measured(system, plan(system).choice, tmp_path / "out")
    assert run.side.jobs == sum(jobs_in(system))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
