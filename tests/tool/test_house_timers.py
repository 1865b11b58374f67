# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A timer device is a folder of ports/cell with its registers and latencies, and its cell of a board.

What is near or past is decided by ports/include/hrlp_cell_arming.h, so no driver decides it. No driver
knows a processor, but for the simulated timer, which is a part of the simulated machine.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.system.running import command

from horolog.programs import call
from horolog.read import read_board

ROOT = Path(__file__).resolve().parents[2]
DRIVERS = sorted(path for path in (ROOT / "ports" / "cell").glob("*/*.[ch]"))
BOARD = "mps2-an385"
MOST_FILES = 3

DRIVER = """\
#ifndef HRLP_TOY_TIMER_H
#define HRLP_TOY_TIMER_H

#include "hrlp_cell_arming.h"
#include "hrlp_line.h"

struct hrlp_toy_timer {
    volatile uint32_t control, value, reload, interrupt;
};
#define HRLP_TOY_TIMER(channel) ((struct hrlp_toy_timer *)(0x40000000u + 0x1000u * (channel)))
#define HRLP_TOY_TIMER_LINE(channel) (8 + (int)(channel))
enum { HRLP_TOY_TIMER_ON = 9 };

static inline void hrlp_toy_timer_prepare(unsigned channel, unsigned priority)
{
    hrlp_irq_enable_at(HRLP_TOY_TIMER_LINE(channel), priority);
}

static inline void hrlp_toy_timer_acknowledge(unsigned channel)
{
    HRLP_TOY_TIMER(channel)->interrupt = 1;
}

static inline void hrlp_toy_timer_disarm(unsigned channel)
{
    HRLP_TOY_TIMER(channel)->control = 0;
}

static inline void hrlp_toy_timer_halt(unsigned channel)
{
    hrlp_toy_timer_disarm(channel);
    hrlp_toy_timer_acknowledge(channel);
    hrlp_irq_clear(HRLP_TOY_TIMER_LINE(channel));
}

static inline void hrlp_toy_timer_set(unsigned channel, uint32_t left)
{
    HRLP_TOY_TIMER(channel)->value = left;
    HRLP_TOY_TIMER(channel)->control = HRLP_TOY_TIMER_ON;
}

static inline void hrlp_toy_timer_start_periodic(unsigned channel, hrl_stamp first, uint32_t period)
{
    hrlp_toy_timer_disarm(channel);
    HRLP_TOY_TIMER(channel)->reload = period - 1u;
    hrlp_toy_timer_set(channel, (uint32_t)hrlp_cell_left(first, 4));
}

HRLP_CELL_ARM_COUNTER(hrlp_toy_timer, 8, 1)
HRLP_CELL_REARM_IS_ARM(hrlp_toy_timer)
HRLP_CELL_ACKNOWLEDGES_ALIKE(hrlp_toy_timer)

#endif
"""

CELL = """\
name = "timer1"
device = "{device}"
"""

SYSTEM = f"""\
[system]
name = "two"
board = "{BOARD}"
cells = ["timer1"]
duration = "100 ms"

[[task]]
name = "fast"
period = "10 ms"
work = 10

[[task]]
name = "slow"
period = "25 ms"
work = 10
"""


@cache
def before(folder: str) -> dict[str, bytes]:
    return files(ROOT / folder)


def files(folder: Path) -> dict[str, bytes]:
    found = (one for one in folder.rglob("*") if one.is_file() and one.suffix != ".pyc")
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the tool and of what it compiles, with a timer device more."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src" / "horolog", tmp_path / "src" / "horolog", ignore=skipped)
    for folder in ("boards", "ports"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for folder in (
        "baselines",
        "cmake",
        "include",
        "kernel",
        "plugin",
        "setup",
        "systems",
        "watch",
    ):
        (tmp_path / folder).symlink_to(ROOT / folder)
    device = tmp_path / "ports" / "cell" / "toy-timer"
    device.mkdir()
    (device / "hrlp_toy_timer.h").write_text(DRIVER)
    board = tmp_path / "boards" / BOARD / "board.toml"
    text = board.read_text()
    old = CELL.format(device="cmsdk-timer")
    assert text.count(old) == 1
    board.write_text(text.replace(old, CELL.format(device="toy-timer") + "whole_counts = true\n"))
    return tmp_path


def test_a_device_is_its_folder_and_the_cell_of_a_board(copy: Path) -> None:
    touched = [
        f"{folder}/{name}"
        for folder in ("boards", "ports", "src/horolog")
        for name, content in files(copy / folder).items()
        if before(folder).get(name) != content
    ]
    assert touched == [f"boards/{BOARD}/board.toml", "ports/cell/toy-timer/hrlp_toy_timer.h"]
    assert len(touched) <= MOST_FILES


@pytest.mark.emulator
@pytest.mark.parametrize("mechanism", [pytest.param("one-shot", marks=pytest.mark.soak), "gcd"])
def test_a_system_runs_on_it(copy: Path, mechanism: str) -> None:
    (copy / "system.toml").write_text(SYSTEM)
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "horolog", "run", "system.toml"),
            "--mechanism",
            mechanism,
            "--json",
        ],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    side = json.loads(ran.stdout)["horolog"]
    assert (side["jobs"], side["deadline_misses"]) == (10 + 4, 0)
    (made,) = copy.rglob("hrl_gen_system.c")
    assert "HRLI_CELL(0, hrlp_toy_timer, 1u)" in made.read_text()


@pytest.mark.emulator
def test_it_keeps_the_porting_contract(copy: Path) -> None:
    """The conformance suite takes a device from board.toml: arming near and past instants, phases, races."""
    suite, out = ROOT / "tests" / "conform" / "port", copy / "out"
    configure = ["cmake", "-S", str(suite), "-B", str(out), "-G", "Ninja", f"-DHRL_ROOT={copy}"]
    configure.append(f"-DHRL_BOARD={copy / 'boards' / BOARD}")
    for step in (configure, ["cmake", "--build", str(out)]):
        done = call(step, seconds=120)
        assert done.status == 0, (done.output + done.errors)[-3000:]
    done = call(command(read_board(BOARD), out / "port.elf"), seconds=60)
    said = (done.errors + done.output).splitlines()
    assert [line for line in said if not line.startswith("PASS ")] == [said[-1]]
    for check in ("fires for every near instant", "fires at once for an instant in the past"):
        assert f"PASS timer1: {check}" in said


def code(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


@pytest.mark.parametrize("path", DRIVERS, ids=lambda path: path.name)
def test_a_driver_names_no_processor(path: Path) -> None:
    """A device that is a part of one processor says so by its own name, as avr-timer16."""
    ports = {one.name for one in (ROOT / "ports").iterdir()} - {"cell", "host", "include", "report"}
    assert {"armv7m", "rv32"} <= ports
    if path.parent.name.split("-")[0] in ports:
        return
    found = re.search(rf"\bhrlp_({'|'.join(ports)})_|\basm\b|__asm__", code(path), re.IGNORECASE)
    assert found is None


@pytest.mark.parametrize("path", DRIVERS, ids=lambda path: path.name)
def test_a_driver_does_not_decide_what_is_near(path: Path) -> None:
    """What is left is below 0 if it has passed: a driver has such numbers only to return them."""
    signed = [line.strip() for line in code(path).splitlines() if re.search(r"\bint32_t\b", line)]
    assert [
        line
        for line in signed
        if not re.search(r"_(match|compare_ahead)\(", line) and not line.startswith("return")
    ] == []
    assert "hrlp_cell_is_near" not in code(path)
