# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""mps2-an521, two Cortex-M33 that run at once: its clock, its faults, and the example of all services.

test_harts.py has what it shares with the harts of QEMU's.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.plain_cmake import build, must, options, project, run
from tests.system.running import command
from tests.system.support import ROOT
from tests.system.test_faults import function_at, registers_of
from tests.system.test_plain_cmake import MAIN, SERVICES

from horolog.image import read_image
from horolog.programs import Finished, call
from horolog.read import read_board

BOARD = "mps2-an521"
WRAPS = ROOT / "tests" / "system" / "cores" / "wraps.c"
ACROSS = (
    *("time goes on across every wrap", "both cores count every wrap once"),
    *("every sleep ends behind its wrap", "both cores have read the time before one"),
)
OF_THE_HOST = ("it waits at another priority", "75 ms have gone by")
"""What examples/services says of the other core at once, and of time: here both are this machine's."""
GIVES_UP = ("HRL_MS(25)", "HRL_MS(800)")
"""When its recorder gives up, and when it does here, as this machine may have other things to do."""

FAULTS = (
    ("an access to where nothing is", "in thread 'culprit' on core 1"),
    ("an interrupt without a handler, line 20", "in thread 'culprit' on core 1"),
    (
        "stack overflow: the main stack's limit was reached",
        "in an interrupt of thread 'culprit' on core 1",
    ),
)
"""By the number that faults.c is told, the first two lines of the report."""


def provoked(elf: Path, number: int) -> Finished:
    """A run of faults.c that provokes the fault with that number."""
    loader = f"loader,addr=0x383ffffc,data={number},data-len=4"
    done = call([*command(read_board(BOARD), elf), "-device", loader], seconds=60)
    assert done.status == 4
    return done


@pytest.mark.emulator
def test_the_clock_wraps_on_both_cores(tmp_path: Path) -> None:
    build(project(tmp_path / "project", "", WRAPS), tmp_path / "out", *options(BOARD))
    assert run(BOARD, tmp_path / "out" / "plain.elf") == "".join(
        f"{what}: yes\n" for what in ACROSS
    )


@pytest.mark.emulator
def test_a_report_names_the_core(tmp_path: Path) -> None:
    source = ROOT / "tests" / "system" / "cores" / "faults.c"
    out = tmp_path / "out"
    build(project(tmp_path / "project", "", source), out, *options(BOARD))
    for number, (reason, place) in enumerate(FAULTS):
        done = provoked(out / "plain.elf", number)
        first, second, *_ = (done.output + done.errors).strip().splitlines()
        assert (first, second) == (f"fault: {reason}", f"  {place}")


@pytest.mark.emulator
@pytest.mark.soak
def test_services(tmp_path: Path) -> None:
    text = MAIN.read_text(encoding="utf-8")
    assert text.count(GIVES_UP[0]) == 1
    source = tmp_path / "main.c"
    source.write_text(text.replace(*GIVES_UP), encoding="utf-8")
    build(project(tmp_path / "project", "", source), tmp_path / "out", *options(BOARD))
    for _ in range(20):
        said = run(BOARD, tmp_path / "out" / "plain.elf").splitlines()
        assert [line.rpartition(":")[0] for line in said] == list(SERVICES)
        failed = [line for line in said if not line.endswith(": yes")]
        assert all(line.startswith(OF_THE_HOST) for line in failed), failed


@pytest.mark.emulator
@pytest.mark.parametrize(
    ("number", "function"), [(3, "recurse"), (4, "jump_far_below")], ids=["grows", "jumps"]
)
def test_a_stack_has_a_limit(tmp_path: Path, number: int, function: str) -> None:
    """By the register of Armv8-M: the instruction is named, and what lies below is as it was."""
    source = ROOT / "tests" / "system" / "cores" / "faults.c"
    out = tmp_path / "out"
    build(project(tmp_path / "project", "GUARD stack-limit", source), out, *options(BOARD))
    done = provoked(out / "plain.elf", number)
    said = done.output + done.errors
    first, second, *_ = said.strip().splitlines()
    found = registers_of(said)
    assert first == "fault: stack overflow: the stack's limit was reached"
    assert second == "  in thread 'culprit' on core 1"
    assert function_at(read_image(out / "plain.elf"), found["pc"]) == function
    assert found["cfsr"] == 1 << 20  # UFSR.STKOF


def test_it_has_no_guard_of_armv7m(tmp_path: Path) -> None:
    source = project(tmp_path / "project", "GUARD mpu", WRAPS)
    configure = ("cmake", "-S", str(source), "-B", str(tmp_path / "out"), "-G", "Ninja")
    must(*configure, *options(BOARD), fails=f"{BOARD} has no GUARD 'mpu'")
