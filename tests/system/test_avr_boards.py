# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems on simulated AVR boards, measured in cycles, on cores of which no cycle is whole nanoseconds."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import ROOT, Run, ms

from horolog.analyse import jobs_in
from horolog.build.firmware import build_firmware
from horolog.cli.debugger import wait_for_debugger
from horolog.measure.measured import HOROLOG, Kernel
from horolog.model import Plan, Planned, System, TargetFailed
from horolog.model.result import CYCLES
from horolog.plan import NOTHING, plan
from horolog.read import read_system
from horolog.run import Request, Waveform
from horolog.run.simavr import run_on_simavr

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("avr")]

TEXT = """\
[system]
name = "avr"
board = "{board}"
duration = "100 ms"

[[task]]
name = "fast"
period = "5 ms"
work = 20
stack = 256

[[task]]
name = "slow"
period = "20 ms"
work = 50
stack = 256
"""


def system_on(board: str, folder: Path) -> System:
    path = folder / "system.toml"
    path.write_text(TEXT.format(board=board), encoding="utf-8")
    return read_system(path)


def planned(system: System, mechanism: str) -> Planned:
    return plan(system, mechanism=mechanism, prices=NOTHING)


@pytest.mark.parametrize(
    ("board", "mechanism"), [("atmega128", "gcd"), ("arduino-uno", "one-shot")]
)
def test_cycles_are_counted_and_belong_to_functions(
    board: str, mechanism: str, bench: Callable[[System, Plan], Run], tmp_path: Path
) -> None:
    system = system_on(board, tmp_path)
    run = bench(system, planned(system, mechanism).choice)
    assert run.side.jobs == sum(jobs_in(system)) == 25
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert (interrupts.taken, interrupts.coalesced, interrupts.excess) == (20, 0, 0)
    counted = run.side.instructions
    assert counted is not None
    assert counted.unit == CYCLES
    assert "?" not in counted.by_function
    hz = system.board.runner.cycles_hz
    assert hz is not None
    assert hz / 10 - 1000 <= counted.total <= hz / 10, "the window, up to where the next may come"
    work = 15 * 20 + 5 * 50 + 5 * 20  # turns of six cycles each
    assert work * 6 <= counted.bodies <= work * 6 + 25 * 80
    again = bench(system, run.plan)
    assert (again.findings, again.trace) == (run.findings, run.trace)


def test_a_waveform_has_the_interrupts(tmp_path: Path) -> None:
    system = system_on("atmega128", tmp_path)
    choice = planned(system, "gcd").choice
    firmware = build_firmware(system, choice, tmp_path / "out", None)
    waveform = Waveform(tmp_path / "a.vcd", ms(20), Fraction(40, 1000))
    by = Kernel(HOROLOG, "gcd")
    run_on_simavr(system, choice, by, firmware.horolog, tmp_path, waveform)
    lines = waveform.path.read_text(encoding="ascii").splitlines()
    assert "$timescale 1 ps $end" in lines
    entered = [line for line in lines if line.endswith(" !") and line != "b00000000 !"]
    assert 4 <= len(entered) <= 5
    times = [int(line[1:]) for line in lines if line.startswith("#")]
    assert times == sorted(times)
    assert 20 * 10**9 - 10**6 <= times[0] <= times[-1] < 40 * 10**9


def test_firmware_that_faults_is_told(tmp_path: Path) -> None:
    system = system_on("atmega128", tmp_path)
    choice = planned(system, "gcd").choice
    elf = build_firmware(system, choice, tmp_path / "out", None).horolog
    broken = tmp_path / "horolog.elf"
    data = bytearray(elf.read_bytes())
    start = int.from_bytes(data[0x1C:0x20], "little")  # of the program headers
    code = int.from_bytes(data[start + 4 : start + 8], "little")
    data[code : code + 2] = b"\x04\x94"  # an instruction that there is not, at the reset vector
    broken.write_bytes(data)
    with pytest.raises(TargetFailed) as raised:
        run_on_simavr(system, choice, Kernel(HOROLOG, "gcd"), broken, tmp_path)
    assert "stopped by itself with status 126" in raised.value.message
    assert "Invalid Opcode" in (raised.value.found or "")


def test_a_debugger_finds_it_halted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    commands: list[list[str]] = []
    really = subprocess.run

    def run(command: list[str], **options: object) -> object:
        if "--gdb" in command:
            commands.append(command)
            return subprocess.CompletedProcess(command, 0)
        return really(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "run", run)
    system = system_on("atmega128", tmp_path)
    request = Request(system, planned(system, "gcd"), tmp_path / "out", lambda text: None)
    wait_for_debugger(request, 1234)
    elf = tmp_path / "out" / "cmake" / "atmega128" / "horolog.elf"
    assert f"avr-gdb {elf} -ex 'target remote localhost:1234'" in capsys.readouterr().err
    (command,) = commands
    assert command[1:] == [
        *("--elf", str(elf), "--mcu", "atmega128", "--hz", "7372800", "--ram-end", "4351"),
        *("--gdb", "1234"),
    ]


def test_basic_tasks_of_a_mask_table_are_measured(
    bench: Callable[[System, Plan], Run], tmp_path: Path
) -> None:
    """A row of the table has a word and a pointer, which are six bytes there."""
    path = tmp_path / "system.toml"
    text = TEXT.format(board="atmega128").replace("stack = 256", 'kind = "basic"')
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    run = bench(system, planned(system, "gcd").choice)
    assert run.plan.releasers[0].store == "mask-table"
    assert run.side.jobs == 25
    assert (run.side.interrupts.taken, run.side.interrupts.excess) == (20, 0)


SMALL = ROOT / "tests" / "system" / "golden" / "small" / "system.toml"


def test_a_cell_that_is_late_comes_again(bench: Callable[[System, Plan], Run]) -> None:
    """Its period is 31 and a quarter counts, and the jobs are too many for this chip: handlers come late."""
    system = replace(read_system(SMALL, board="atmega128-8mhz"), duration=ms(100))
    run = bench(system, plan(system, mechanism="gcd", prices=NOTHING).choice)
    assert run.side.interrupts.predicted == 400
    assert run.side.interrupts.taken > 200
