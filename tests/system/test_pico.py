# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board pico, in the simulator's cycles of 8 ns. test_releases.py holds its alarms to their counts."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import ROOT, made_system, measured, ms, task

from horolog.analyse import jobs_in
from horolog.build.rp2040 import rp2040_watcher
from horolog.image import read_image
from horolog.model import Kind
from horolog.plan import NOTHING, plan
from horolog.read import read_system
from horolog.run.rp2040 import rp2040_command

pytestmark = [pytest.mark.emulator, pytest.mark.rp2040js]

PICO = "pico"
SMALL = ROOT / "tests" / "system" / "golden" / "small" / "system.toml"


def test_no_job_is_lost_and_each_instruction_counts_the_same(
    tmp_path: Path,
) -> None:
    """Counts and trace of a run with turns of loops as one are those of each instruction."""
    system = read_system(SMALL, board=PICO)
    run = measured(system, plan(system, mechanism="one-shot", prices=NOTHING).choice, tmp_path)
    assert run.side.jobs == sum(jobs_in(system))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    assert run.side.instructions is not None
    assert run.side.instructions.unit == "cycles"
    assert not {"?", "(library)"} & run.side.instructions.by_function.keys()
    found, elf = [], built(tmp_path)
    for more in ([], ["--each-instruction"]):
        config = shortened(tmp_path / "horolog.watch", tmp_path / "watch", ns=50_000_000)
        command = [str(rp2040_watcher()), str(config), *rp2040_command(elf), *more]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        assert (done.returncode, done.stderr) == (0, "")
        found.append([(tmp_path / name).read_text(encoding="ascii") for name in ("out", "trace")])
    assert found[0] == found[1]
    assert "status done" in found[0][0]


def built(folder: Path) -> Path:
    return next(folder.rglob("horolog.elf"))


def shortened(config: Path, path: Path, ns: int) -> Path:
    """The configuration `config` with a window of `ns`, and files of its own beside it."""
    said = {"out": path.parent / "out", "trace": path.parent / "trace", "end_ns": ns, "late_ns": ns}
    parts = [line.partition(" ") for line in config.read_text(encoding="utf-8").splitlines()]
    lines = [f"{word} {said.get(word, rest)}" for word, _, rest in parts]
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


@pytest.mark.soak  # 8 s
def test_threads_serve_basic_tasks(tmp_path: Path) -> None:
    """The board has no [controller], though the port's boards may have one."""
    tasks = [
        replace(task(f"t{p}", ms(p), work=100), kind=kind)
        for p, kind in ((5, Kind.BASIC), (10, Kind.THREAD), (25, Kind.BASIC))
    ]
    system = made_system(tasks, board=PICO, duration=Fraction(1, 20))
    run = measured(system, plan(system, mechanism="one-shot", prices=NOTHING).choice, tmp_path)
    assert (run.side.jobs, run.side.deadline_misses, run.side.overruns) == (10 + 5 + 2, 0, 0)


def test_an_image_with_a_wrong_checksum_does_not_boot(tmp_path: Path) -> None:
    system = made_system([task("t", ms(10), work=10)], board=PICO, duration=Fraction(1, 50))
    measured(system, plan(system, mechanism="one-shot", prices=NOTHING).choice, tmp_path)
    image, broken = built(tmp_path).read_bytes(), tmp_path / "broken.elf"
    code = bytes.fromhex("0a4b0020")  # the first instructions of boot2.S
    assert image.count(code) == 1
    broken.write_bytes(image.replace(code, bytes.fromhex("0a4b0120")))
    done = subprocess.run(
        rp2040_command(broken), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 125
    assert "does not boot: the checksum of its first 256 bytes is 0xaa5949fb, not 0x" in done.stderr


REGISTERS = """#include <stdint.h>
#define REGISTER(address) (*(volatile uint32_t *)(address))
void begin(void);
void tell(void);
static const uint32_t uarts[] = {0x40034000u, 0x40038000u}, i2cs[] = {0x40044000u, 0x40048000u};
static unsigned wrong;
static void keeps(uint32_t at, uint32_t bits, uint32_t after_reset)
{
    wrong += REGISTER(at) != after_reset;
    REGISTER(at) = ~0u;
    wrong += REGISTER(at) != bits;
    REGISTER(at + 0x3000u) = ~1u; /* clears those bits */
    wrong += REGISTER(at) != (bits & 1u);
}
void begin(void)
{
    for (unsigned i = 0; i < 2; i++) {
        keeps(uarts[i] + 0x04u, 0, 0);
        keeps(uarts[i] + 0x20u, 0xffu, 0);
        keeps(uarts[i] + 0x34u, 0x3fu, 0x12u);
        keeps(uarts[i] + 0x48u, 0x7u, 0);
        keeps(i2cs[i] + 0x7cu, 0xffffffu, 1);
        keeps(i2cs[i] + 0x88u, 0x3u, 0);
        keeps(i2cs[i] + 0x8cu, 0xfu, 0);
        keeps(i2cs[i] + 0x90u, 0xfu, 0);
        keeps(i2cs[i] + 0x94u, 0xffu, 0x64u);
    }
}
void tell(void)
{
    REGISTER(uarts[0]) = '0' + wrong;
}
"""
DRIVEN = """[system]
name = "driven"
board = "pico"
duration = "10 ms"
sources = ["registers.c"]
start = "begin"
[[task]]
name = "tell"
period = "4 ms"
wcet = "20 us"
body = "tell"
"""


def test_registers_that_drivers_write_when_they_begin_are_there(tmp_path: Path) -> None:
    """Those of UARTs and I2C controllers that rp2040js lacks; UART0 is the simulator's console."""
    (tmp_path / "registers.c").write_text(REGISTERS, encoding="utf-8")
    (tmp_path / "system.toml").write_text(DRIVEN, encoding="utf-8")
    system = read_system(tmp_path / "system.toml")
    run = measured(system, plan(system).choice, tmp_path)
    assert (run.side.jobs, run.side.deadline_misses, run.side.overruns) == (3, 0, 0)
    command = [*rp2040_command(built(tmp_path)), "--cycles", "1250000"]  # 10 ms
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (124, "000")


FAST = """void turn(void);
__attribute__((section(".time_critical.fast"), noinline)) static void fast(void)
{
    for (volatile unsigned i = 0; i < 1000; i++) {
    }
}
void turn(void)
{
    fast();
}
"""


def test_functions_that_are_to_be_in_ram_are_there_and_count_as_bodies(tmp_path: Path) -> None:
    (tmp_path / "fast.c").write_text(FAST, encoding="utf-8")
    text = DRIVEN.replace("registers.c", "fast.c").replace('start = "begin"\n', "")
    path = tmp_path / "system.toml"
    path.write_text(text.replace('"tell"', '"turn"').replace("20 us", "200 us"), encoding="utf-8")
    system = read_system(path)
    run = measured(system, plan(system).choice, tmp_path)
    (found,) = [one for one in read_image(built(tmp_path)).functions if one.name == "fast"]
    ram = next(one for one in system.board.memory if one.name == "ram")
    assert (found.owner, ram.origin <= found.low < ram.origin + ram.length) == ("body", True)
    assert run.side.instructions is not None
    assert run.side.instructions.bodies > 3 * 1000 * 5  # cycles of three jobs' turns
    assert "?" not in run.side.instructions.by_function
