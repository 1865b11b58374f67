# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks without the tool: examples/basic-tasks on every board, and systems written by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.system.plain_cmake import build, must, options, project, run
from tests.system.running import ROOMY
from tests.system.support import ROOT

pytestmark = pytest.mark.emulator

SAYS = """\
activated before the start: KDd
five at once, by level and rank: IKJLDd.
the more urgent interrupts, the less urgent waits: LIlDd.
ranks of a level do not interrupt each other: KkI.
activated several times: JfJJ., 1 overrun
activated while it runs: Dfd., 1 overrun
one chains to another, which activates the first: LILILI.
chained to itself: DDDDd.
ended from a nested call: De.
a resource holds off its ceiling: DKhLd.
resources nest: DhKbLd.
a thread shares a resource with basic tasks: KhL.
a basic task wakes a thread, which is less urgent: Ddsem.
an alarm activates: KDd
counted and named: y
"""
EXAMPLE = ROOT / "examples" / "basic-tasks"
SYSTEMS = ROOT / "tests" / "system" / "basic"


@pytest.mark.parametrize("name", ROOMY)
def test_every_feature_in_the_same_order(name: str, tmp_path: Path) -> None:
    build(EXAMPLE, tmp_path, *options(name))
    assert run(name, tmp_path / "basic_tasks.elf") == SAYS


@pytest.mark.parametrize("timing", ["tick", "unified", "one_plus_n"])
def test_beside_time_slices(timing: str, tmp_path: Path) -> None:
    """Basic tasks interrupt the handlers of the time slices."""
    source = project(tmp_path / "p", f"BASIC TIMING {timing}", EXAMPLE / "main.c")
    build(source, tmp_path / "out", *options("mps2-an385"))
    assert run("mps2-an385", tmp_path / "out" / "plain.elf") == SAYS


def system(case: str, out: Path, **chosen: str) -> Path:
    """The firmware of a system of basic tasks only, written by hand as the tool emits it."""
    more = [f"-D{key}={value}" for key, value in chosen.items()]
    build(SYSTEMS, out, f"-DCASE={case}", *options("mps2-an385"), *more)
    return out / "basic.elf"


@pytest.mark.parametrize("checks", ["0", "1"])
def test_levels_without_threads(checks: str, tmp_path: Path) -> None:
    elf = system("levels", tmp_path, HRL_CHECKS=checks)
    assert run("mps2-an385", elf) == "SCcFLBSSCScSCcFRSSCScSCcFLBSSCScSCcFRSSCScS\n"


def test_the_time_around_a_wrap(tmp_path: Path) -> None:
    """A basic task above the clock's handler reads the time at each of 40 offsets around a wrap."""
    assert run("mps2-an385", system("one", tmp_path, BODIES="wrap")) == "the time goes on\n"


def symbols(elf: Path) -> dict[str, tuple[str, int]]:
    """Kind and size of what takes memory, by name."""
    said = must("arm-none-eabi-nm", "-S", str(elf))
    rows = re.findall(r"^\w+ (\w+) (\w) (\w+)$", said, re.MULTILINE)
    return {name: (kind, int(size, 16)) for size, kind, name in rows}


START_UP = re.compile(
    r"\w+_Handler|vectors|fault_alias|hrlp_cortex_m_line|hrlp_fault_handler|hrli_interrupt_taken"
    r"|hrlp_cpu_halt|hrlp_idle_loop|main"
)
"""Reset, vectors and faults, console and end, the idle loop: under every kernel the same."""


def test_the_smallest_application(tmp_path: Path) -> None:
    """One periodic basic task: at most 8 bytes of RAM and 600 of ROM, start-up apart."""
    found = symbols(system("one", tmp_path, HRL_REPORT="halt"))
    own = {"TIMER0_Handler", "DUALTIMER_Handler"}
    kernel = {
        name: (kind, size)
        for name, (kind, size) in found.items()
        if (name in own or not START_UP.fullmatch(name))
        and name not in {"hrl_gen_body_0", "blinks"}
    }
    assert "hrli_core" not in kernel, "threads are linked"
    assert sum(size for kind, size in kernel.values() if kind in "bBdD") <= 8
    assert sum(size for kind, size in kernel.values() if kind in "tTwWrRdD") <= 600
