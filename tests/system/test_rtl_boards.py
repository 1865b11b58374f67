# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems on the core's RTL, measured in true cycles: milliseconds of them, as a second takes minutes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.conftest import copy_example
from tests.system.support import (
    ROOT,
    Run,
    horolog,
    horolog_process,
    made_plan,
    made_system,
    ms,
    periodic,
    task,
)

from horolog.analyse import jobs_in
from horolog.build.firmware import build_firmware
from horolog.measure.measured import HOROLOG, Kernel
from horolog.model import Plan, System
from horolog.model.result import CYCLES
from horolog.plan import NOTHING, plan
from horolog.read import read_system
from horolog.run import Waveform
from horolog.run.ibex import run_on_ibex

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("rtl")]

RTL = "ibex-cells"
SMALL = ROOT / "tests" / "system" / "golden" / "small" / "system.toml"
EXAMPLE = ROOT / "examples" / "engine-control" / "system.toml"


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
def test_cycles_are_counted_and_belong_to_functions(
    mechanism: str, bench: Callable[[System, Plan], Run]
) -> None:
    system = replace(read_system(SMALL, board=RTL), duration=ms(16))
    run = bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)
    assert run.side.jobs == sum(jobs_in(system))
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    counted = run.side.instructions
    assert counted is not None
    assert counted.unit == CYCLES
    assert "?" not in counted.by_function
    assert "(library)" not in counted.by_function
    # Some instructions take more than a cycle, and none takes less.
    assert 0 < counted.work < counted.bodies
    # The window is that many cycles of 20 ns. It ends before an interrupt at its end, or with its last job.
    assert 800_000 - 100 <= counted.total < 875_000
    again = bench(system, run.plan)
    assert again.findings == run.findings
    assert again.trace == run.trace


def disturbed(run: Run) -> Iterator[int]:
    """When the second cell, which releases the less urgent task, came into the other's jobs."""
    running = False
    for ns, kind, index in run.trace:
        if kind in "SE" and index == 0:
            running = kind == "S"
        if kind == "I" and index == 1 and running:
            yield ns


def test_disturbances_are_counted_and_timed(bench: Callable[[System, Plan], Run]) -> None:
    """Threads: each release interrupts the running task. Task 0 works 400 us of each millisecond."""
    rows = [
        task("urgent", ms(1), work=6_666),
        task("other", ms(2), offset=Fraction(2, 10_000), work=100),
    ]
    rows = [replace(row, wcet=None) for row in rows]  # a turn lasts 60 ns here
    system = made_system(rows, board=RTL, cells=["cell0", "cell1"], duration=ms(10))
    by = made_plan(
        periodic("cell0", [0], 50_000),
        periodic("cell1", [1], 100_000, first=10_000),
        interrupts=(10, 5),
    )
    run = bench(system, by)
    found = run.side.interruptions
    assert found is not None
    assert found.count == len(list(disturbed(run))) == 5
    assert found.kernel is not None
    # One interrupt that releases one thread: not for nothing, and not more than a hundred or so steps.
    assert 100 < found.kernel / found.count < 1_000
    assert [count for ns, kind, count in run.trace if kind == "K"] != []


@pytest.mark.parametrize("kind", ["thread", pytest.param("basic", marks=pytest.mark.soak)])
def test_engine_control_by_the_command(kind: str, tmp_path: Path) -> None:
    """10 ms of its two seconds."""
    text = EXAMPLE.read_text(encoding="utf-8")
    assert 'duration = "2 s"' in text
    copy_example(EXAMPLE.parent.name, tmp_path)
    (tmp_path / EXAMPLE.name).write_text(text.replace('"2 s"', '"10 ms"'), encoding="utf-8")
    said = horolog_process(
        "run", EXAMPLE.name, "--board", RTL, "--kind", kind, "--json", folder=tmp_path
    )
    assert said.code == 0, said.err
    result = json.loads(said.out)
    side = result["horolog"]
    system = replace(read_system(EXAMPLE, board=RTL), duration=ms(10))
    assert side["jobs"] == sum(jobs_in(system))
    assert (side["deadline_misses"], side["overruns"]) == (0, 0)
    cycles = side["cycles"]
    assert cycles["total"] == cycles["bodies"] + cycles["idle"] + cycles["kernel"]
    assert 0 < cycles["kernel"] < cycles["bodies"]


def test_a_debugger_is_not_to_be_had() -> None:
    said = horolog("run", EXAMPLE, "--board", RTL, "--mechanism", "tick", "--gdb")
    assert said.code == 2
    assert "--gdb is not available on ibex-cells" in said.err
    assert "--vcd FILE" in said.err


@pytest.mark.soak
def test_a_waveform_of_a_stretch(tmp_path: Path) -> None:
    """A simulator of its own is built for it, so not in continuous integration."""
    target = read_system(SMALL, board=RTL)
    choice = plan(target, mechanism="gcd", prices=NOTHING).choice
    firmware = build_firmware(target, choice, tmp_path, None)
    waveform = Waveform(tmp_path / "a.vcd", ms(1), Fraction(101, 100_000))  # 10 us
    target, by = replace(target, duration=ms(2)), Kernel(HOROLOG, "gcd")
    run_on_ibex(target, choice, by, firmware.horolog, tmp_path, lambda text: None, waveform)
    text = waveform.path.read_text(encoding="ascii")
    times = [int(line[1:]) for line in text.splitlines() if line.startswith("#")]
    assert "$enddefinitions" in text
    assert 10_000 - 40 <= times[-1] - times[0] <= 10_000 + 40  # of a nanosecond each


def test_a_waveform_is_not_to_be_had_of_an_emulator(tmp_path: Path) -> None:
    waveform = tmp_path / "a.vcd"
    said = horolog("run", SMALL, "--out", tmp_path, "--vcd", waveform)
    assert said.code == 2
    assert "--vcd needs a board that is simulated cycle by cycle; mps2-an385 is not" in said.err
    said = horolog("run", SMALL, "--out", tmp_path, "--vcd-from", "1 ms")
    assert said.code == 2
    assert "--vcd-from and --vcd-to say where --vcd FILE begins and ends" in said.err
