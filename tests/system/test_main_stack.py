# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The main stack, on which basic tasks and handlers nest: the build compares it, and the guard guards it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.system.support import BOARD, ROOT, Said, horolog

pytestmark = pytest.mark.emulator

BODY = """\
#include <stdint.h>
volatile uint32_t seen;
static void use(void)
{
    volatile uint8_t room[ROOM];
    room[seen % sizeof room] = 1;
    seen += room[0];
}
void low(void)
{
    use();
}
void high(void)
{
    use();
}
"""
SYSTEM = """\
[system]
name = "deep"
board = "{board}"
duration = "10 ms"
sources = ["bodies.c"]
{more}
"""
TASK = """
[[task]]
name = "{name}"
kind = "basic"
period = "{period} ms"
wcet = "100 us"
body = "{name}"
"""


def deep(folder: Path, command: str, board: str, room: int, more: str = "", *rest: str) -> Said:
    """`horolog <command>` on two basic tasks that each have `room` bytes of local data."""
    (folder / "bodies.c").write_text(BODY.replace("ROOM", f"{room}"), encoding="utf-8")
    tasks = TASK.format(name="high", period=1) + TASK.format(name="low", period=5)
    text = SYSTEM.format(board=board, more=more) + tasks
    (folder / "system.toml").write_text(text, encoding="utf-8")
    return horolog(command, folder / "system.toml", "--out", folder / "out", *rest)


def with_ram(folder: Path, length: int) -> str:
    """A copy of mps2-an385 that has so much."""
    mine = folder / "mine"
    shutil.copytree(ROOT / "boards" / BOARD, mine)
    text = (mine / "board.toml").read_text(encoding="utf-8")
    before, there, rest = text.partition('name = "ram"')
    rest = rest.replace("length = 0x00400000", f"length = {length}", 1)
    (mine / "board.toml").write_text(before + there + rest, encoding="utf-8")
    return "./mine/board.toml"


def test_what_does_not_fit_is_not_built(tmp_path: Path) -> None:
    """20,064 bytes of bodies, and 16 KiB on this board, below which lies code."""
    said = deep(tmp_path, "build", "ibex-cells", 10_000)
    assert said.code == 1
    assert "system.toml: the main stack overflows: it needs 20," in said.err
    assert "bytes at worst, and has 16,384" in said.err
    assert "start-up " in said.err
    assert "basic tasks of level 2 10," in said.err
    assert "basic tasks of level 1 10," in said.err


def test_what_fits_is_said(tmp_path: Path) -> None:
    said = deep(tmp_path, "calls", "ibex-cells", 7_000, "", "--json")
    assert said.code == 0, said.err
    found = said.object["main_stack"]
    assert found["given_bytes"] == 16_384
    assert 14_000 < found["most_bytes"] < 15_000
    assert found["most_bytes"] == sum(part["bytes"] for part in found["parts"])
    assert found["not_followed"] == []


@pytest.mark.parametrize(("guard", "fits"), [("", True), ('guard = "mpu"', False)])
def test_the_hardwares_frames_count_and_the_guard(tmp_path: Path, guard: str, fits: bool) -> None:
    said = deep(tmp_path, "calls", with_ram(tmp_path, 20_560), 10_000, guard)
    assert said.code == (0 if fits else 1), said.err
    if fits:
        (line,) = [one for one in said.out.splitlines() if one.startswith("main stack: ")]
        assert line.startswith("main stack: 20,")
        assert "basic tasks of level 2 10,0" in line
    else:
        assert "the main stack overflows" in said.err


OVERFLOW = """\
#include <stdint.h>
void low(void);
void high(void);
static void again(volatile uint32_t *above);
static void (*volatile next)(volatile uint32_t *) = again;
static void again(volatile uint32_t *above)
{
    volatile uint32_t room[4] = {*above};
    next(room);
    *above = room[0];
}
void low(void)
{
    volatile uint32_t above = 1;
    again(&above);
}
void high(void)
{
}
"""


def test_a_basic_task_that_overflows_it_is_reported(tmp_path: Path) -> None:
    """Where no task is at the highest level; without the guard it destroys all data, and locks up."""
    assert deep(tmp_path, "build", BOARD, 100, 'guard = "mpu"').code == 0
    (tmp_path / "bodies.c").write_text(OVERFLOW, encoding="utf-8")
    said = horolog("run", tmp_path / "system.toml", "--out", tmp_path / "out")
    assert said.code == 4
    assert "stack overflow: " in said.err
    assert "low" in said.err


def test_it_runs_with_the_guard(tmp_path: Path) -> None:
    said = deep(tmp_path, "run", BOARD, 100, 'guard = "mpu"')
    assert said.code == 0, said.err


def test_a_linker_script_that_does_not_say_where_it_ends(tmp_path: Path) -> None:
    board = with_ram(tmp_path, 20_560)
    script = tmp_path / "mine" / "link.ld"
    text = script.read_text(encoding="utf-8")
    text = text.replace("hrl_link_main_stack_low = hrl_link_bss_end;", "")
    text = text.replace("hrl_link_main_stack_low", "hrl_link_bss_end")
    script.write_text(text, encoding="utf-8")
    said = deep(tmp_path, "calls", board, 10_000, "", "--json")
    assert said.code == 0, said.err
    assert 20_300 < said.object["main_stack"]["given_bytes"] < 20_560
    assert deep(tmp_path, "build", board, 11_000).code == 1
