# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The runner of AVR boards, without a simulator: its command, its figures, cycles of no whole ns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.factory import make_board, make_system, ms

from horolog.cli import debugger
from horolog.image import Function, Image
from horolog.measure.measured import HOROLOG, Kernel, Measured, side
from horolog.model import (
    Exit,
    HorologError,
    Mode,
    Plan,
    Prediction,
    Releaser,
    Runner,
    System,
)
from horolog.model.result import CYCLES
from horolog.programs import Finished
from horolog.responses.units import units_of
from horolog.run import simavr
from horolog.run.ibex import Waveform
from horolog.run.simavr import run_on_simavr, simavr_command

HZ = 7_372_800
IMAGE = Image(
    path=Path("horolog.elf"),
    functions=(
        Function("hrl_gen_body_0", 0x100, 0x110, "body"),
        Function("cell0_handler", 0x200, 0x240, "kernel"),
        Function("hrlp_idle_loop", 0x240, 0x250, "idle"),
    ),
    symbols={
        "hrl_gen_body_0": 0x100,
        "hrl_gen_body_0_end": 0x10E,
        "hrl_gen_due_0": 0x800200,
        "cell0_handler": 0x200,
    },
    sizes={},
    layout=None,
)
LEFT = """\
status done
total 147456
library_in_bodies 0
taken 0 4
served 0 4
function 0 300
instructions 0 200
function 1 700
function 2 146456
body_instructions 200
longest 0 80
"""
TRACE = "0 I 0\n100 S 0\n200 E 0\n5000000 I 0\n5000100 S 0\n5000200 E 0\n"


def on_avr(system: System, hz: int = HZ) -> System:
    runner = Runner("simavr", "atmega128", None, None, cycles_hz=hz)
    return replace(system, board=replace(make_board(hz=HZ), runner=runner, name="made"))


SYSTEM = on_avr(make_system([ms(5)], duration=ms(20)))
COUNTS = HZ // 200
PLAN = Plan(
    "made",
    (Releaser("cell0", Mode.PERIODIC, "none", (0,), 0, COUNTS),),
    Prediction(4, (("cell0", 4),), 4, Fraction(200), Fraction(0), Fraction(0)),
)

Simulate = Callable[..., tuple[Measured, list[str]]]


@pytest.fixture
def simulate(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Simulate:
    """Runs the runner with no simulator: `left` is what it leaves, `done` how it ended."""

    def run(
        system: System = SYSTEM,
        *,
        left: str | None = LEFT,
        done: Finished = Finished(0, "", ""),  # noqa: B008  # frozen
        waveform: Waveform | None = None,
    ) -> tuple[Measured, list[str]]:
        commands: list[str] = []

        def simulator(command: Sequence[str], **how: Any) -> Finished:
            commands[:] = [*command, str(how["seconds"])]
            (tmp_path / "horolog.trace").write_text(TRACE, encoding="ascii")
            if left is not None:
                (tmp_path / "horolog.counts").write_text(left, encoding="ascii")
            return done

        monkeypatch.setattr(simavr, "call", simulator)
        monkeypatch.setattr(simavr, "read_image", lambda path: IMAGE)
        monkeypatch.setattr(simavr, "simavr_simulator", lambda: Path("/cache/simavr"))
        kernel, elf = Kernel(HOROLOG, "made"), tmp_path / "horolog.elf"
        return run_on_simavr(system, PLAN, kernel, elf, tmp_path, waveform), commands

    return run


@pytest.fixture
def basic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marks of releasers are another test's."""
    monkeypatch.setattr("horolog.measure.watched.marks_of", lambda *of: ())


@pytest.mark.usefixtures("basic")
def test_the_simulator_is_told_the_core_and_its_frequency(
    simulate: Simulate, tmp_path: Path
) -> None:
    _, command = simulate()
    elf, watch = tmp_path / "horolog.elf", tmp_path / "horolog.watch"
    core = ["--mcu", "atmega128", "--hz", str(HZ)]
    assert command[:-1] == ["/cache/simavr", "--elf", str(elf), *core, "--watch", str(watch)]
    assert command[-1] == "61", "seconds, of which one is for what is simulated"
    lines = watch.read_text(encoding="ascii").splitlines()
    assert lines[0] == f"steps_hz {HZ}"
    assert "interrupt 0x200" in " ".join(lines)


@pytest.mark.usefixtures("basic")
def test_cycles_of_whole_nanoseconds_are_told_as_these(simulate: Simulate, tmp_path: Path) -> None:
    simulate(on_avr(SYSTEM, 8_000_000))
    assert (tmp_path / "horolog.watch").read_text().startswith("ns_per_instruction 125\n")


@pytest.mark.usefixtures("basic")
def test_what_was_counted_are_cycles(simulate: Simulate) -> None:
    measured, _ = simulate()
    counted = side(SYSTEM, PLAN, measured)
    assert counted.unit == CYCLES
    assert counted.instructions is not None
    assert counted.instructions.kernel == 700


@pytest.mark.usefixtures("basic")
def test_idle_cycles_before_the_first_interrupt_are_whole(simulate: Simulate) -> None:
    """They are counts of the clock here; the nanoseconds between are rounded down."""
    later = replace(PLAN.releasers[0], first=7)
    found = {}
    for first in (0, 7):
        plan = replace(PLAN, releasers=(replace(later, first=first),))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tests.tool.test_run_simavr.PLAN", plan)
            found[first] = simulate()[0].findings.total
    assert found[7] - found[0] == 7


@pytest.mark.usefixtures("basic")
def test_a_fault_is_told_with_what_the_simulator_said(simulate: Simulate) -> None:
    said = "horolog-simavr: at 0x8c, in cycle 3: CORE: *** 008c: Invalid Opcode\n"
    with pytest.raises(HorologError) as raised:
        simulate(left=None, done=Finished(126, "", said))
    assert raised.value.exit is Exit.TARGET_FAILED
    assert "stopped by itself with status 126" in raised.value.message
    assert raised.value.found == said.strip()


@pytest.mark.usefixtures("basic")
def test_a_waveform_is_of_whole_cycles(simulate: Simulate) -> None:
    stretch = Waveform(Path("a.vcd"), Fraction(1, 1000), Fraction(2, 1000))
    _, command = simulate(waveform=stretch)
    assert command[9:-1] == ["--vcd", "a.vcd", "--vcd-from", "7372", "--vcd-to", "14746"]


def test_a_board_has_to_say_its_frequency(simulate: Simulate) -> None:
    runner = replace(SYSTEM.board.runner, cycles_hz=None)
    with pytest.raises(HorologError, match="how many cycles are a second: cycles_hz"):
        simavr_command(replace(SYSTEM.board, runner=runner), Path("a.elf"))


def test_a_debugger_can_halt_it() -> None:
    debugger.check_target(SYSTEM.board)


@pytest.mark.parametrize("hz", [HZ, 8_000_000, 16_000_000])
def test_cycles_are_whole_units_of_an_analysis(hz: int) -> None:
    """In which a second of cycles is a second."""
    units = units_of(on_avr(SYSTEM, hz))
    assert not units.rounded
    assert units.steps(hz) == units.per_second
    assert units.steps(1) * hz == units.per_second
