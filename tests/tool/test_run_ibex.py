# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The runner of the RTL boards, without a simulator: its command, its figures, what it says meanwhile."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.factory import make_board, make_system, ms

from horolog.image import CoreNames, Function, Image
from horolog.measure.measured import FREERTOS, HOROLOG, Kernel, Measured, excesses, side
from horolog.model import (
    Exit,
    HorologError,
    Kind,
    Mode,
    Plan,
    Prediction,
    Releaser,
    Runner,
    System,
)
from horolog.model.core_result import Waits, together
from horolog.model.result import CYCLES, Interrupts, Side
from horolog.programs import Finished, follow
from horolog.read.ports import ports
from horolog.run import ibex
from horolog.run.ibex import (
    CoreRun,
    Waveform,
    board_simulator,
    run_cores_on_ibex,
    run_on_ibex,
    run_one_kernel_on_ibex,
    run_shared_cores_on_ibex,
)

IMAGE = Image(
    path=Path("horolog.elf"),
    functions=(
        Function("hrl_gen_body_0", 0x80000100, 0x80000110, "body"),
        Function("Cell_Handler0", 0x80000200, 0x80000240, "kernel"),
        Function("hrlp_idle_loop", 0x80000240, 0x80000250, "idle"),
    ),
    symbols={
        "hrl_gen_body_0": 0x80000100,
        "hrl_gen_body_0_end": 0x8000010E,
        "cell0_handler_entry": 0x80000300,
    },
    sizes={},
    layout=None,
)

LEFT = """\
status done
total 1000000
library_in_bodies 0
taken 0 4
served 0 4
function 0 300
instructions 0 200
function 1 700
function 2 999000
body_instructions 200
longest 0 80
"""


def on_rtl(system: System) -> System:
    runner = Runner("ibex", "ibex-cells", None, None, ns_per_cycle=20, configuration="maxperf")
    board = replace(
        make_board(hz=50_000_000),
        arch="rv32",
        port=ports()["rv32", "cells"],
        runner=runner,
        name="made",
    )
    return replace(system, board=board)


SYSTEM = on_rtl(make_system([ms(5)], duration=ms(20), kind=Kind.BASIC))
PLAN = Plan(
    "made",
    (Releaser("cell0", Mode.PERIODIC, "none", (0,), 0, 250_000),),
    Prediction(4, (("cell0", 4),), 4, Fraction(200), Fraction(0), Fraction(0)),
)
TRACE = "0 I 0\n100 S 0\n200 E 0\n5000000 I 0\n5000100 S 0\n5000200 E 0\n"

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
        kernel: Kernel = Kernel(HOROLOG, "made"),  # noqa: B008  # frozen
        **wanted: Any,
    ) -> tuple[Measured, list[str]]:
        commands: list[str] = []

        def simulator(command: Sequence[str], **how: Any) -> Finished:
            commands[:] = command
            stem = Path(command[2]).stem
            (tmp_path / f"{stem}.trace").write_text(TRACE, encoding="ascii")
            how["tell"]()
            how["tell"]()  # nothing was written since: nothing to say
            if left is not None:
                (tmp_path / f"{stem}.counts").write_text(left, encoding="ascii")
            return done

        def built(configuration: str, **how: Any) -> Path:
            wanted["configuration"], wanted["vcd"] = configuration, how["vcd"]
            return Path("/cache/simulator")

        monkeypatch.setattr(ibex, "follow", simulator)
        monkeypatch.setattr(ibex, "read_image", lambda path: IMAGE)
        monkeypatch.setattr(ibex, "simulator", built)
        elf = tmp_path / ("horolog.elf" if kernel.name == HOROLOG else "freertos.elf")
        said.clear()
        return run_on_ibex(system, PLAN, kernel, elf, tmp_path, said.append, waveform), commands

    said: list[str] = []
    run.said = said  # type: ignore[attr-defined]
    return run


def test_the_simulator_watches_what_the_emulators_plugin_would(
    simulate: Simulate, tmp_path: Path
) -> None:
    _, command = simulate()
    assert command == [
        "/cache/simulator",
        "--elf",
        str(tmp_path / "horolog.elf"),
        "--watch",
        str(tmp_path / "horolog.watch"),
    ]
    lines = (tmp_path / "horolog.watch").read_text(encoding="ascii").splitlines()
    assert "ns_per_instruction 20" in lines  # what one count lasts
    # The processor wakes up for the first interrupt outside so many cycles before its handler begins.
    assert f"end_ns {20_000_000 - 100 * 20}" in lines
    assert "job 0x80000100 0x8000010e 0x0 0x0" in lines
    cuts = [line.split()[1:] for line in lines if line.startswith("interrupt")]
    assert cuts[0] == ["0x80000300", str(20_000_000 - 100 * 20)]
    assert [address for address, _ in cuts[1:]] == [
        "0xffffffff"
    ] * 3  # the other cells are not used
    assert lines[-1] == "fires 0 0 4"  # nothing is stored when hardware begins the task


def test_cycles_are_counted_and_time_is_cycles(simulate: Simulate) -> None:
    found, _ = simulate()
    made = side(SYSTEM, PLAN, found)
    assert made.instructions is not None
    assert made.instructions.unit == CYCLES
    assert (made.instructions.kernel, made.instructions.bodies) == (700, 300)
    assert made.instructions.work == 200
    assert made.response["t0"].max_ns == 200


def test_what_a_cell_fired_for_and_was_not_taken_was_coalesced(simulate: Simulate) -> None:
    found, _ = simulate(left=LEFT.replace("taken 0 4", "taken 0 3"))
    assert side(SYSTEM, PLAN, found).interrupts == Interrupts(4, 3, 1)
    found, _ = simulate(left=LEFT.replace("served 0 4", "served 0 3"))
    assert side(SYSTEM, PLAN, found).interrupts == Interrupts(4, 4, 0, excess=1)


def test_a_wcet_is_compared_with_cycles(simulate: Simulate) -> None:
    found, _ = simulate()
    for cycles, holds in ((80, True), (79, False)):
        wcet = Fraction(cycles * 20, 10**9)
        task = replace(SYSTEM.tasks[0], wcet=wcet, body="work_hard", work=None)
        system = replace(SYSTEM, tasks=(task,))
        assert (excesses(system, found) == ()) == holds


def test_freertos_ticks_in_the_place_of_the_first_cell(simulate: Simulate, tmp_path: Path) -> None:
    found, command = simulate(kernel=Kernel(FREERTOS, "tick", 1000, 21))
    assert command[2] == str(tmp_path / "freertos.elf")
    lines = (tmp_path / "freertos.watch").read_text(encoding="ascii").splitlines()
    assert [line.split()[1] for line in lines if line.startswith("interrupt")] == [
        "0x80000300",
        *["0xffffffff"] * 3,
    ]
    assert "open_nth 21" in lines
    assert f"start_ns {100_000_000 + 21_000_000}" in lines
    interrupts = side(SYSTEM, PLAN, found).interrupts
    assert (interrupts.predicted, interrupts.taken, interrupts.coalesced) == (20, 4, 0)


def test_it_says_how_far_it_has_come(simulate: Simulate) -> None:
    simulate()
    assert simulate.said == ["  simulated 5 of 20 ms"]  # type: ignore[attr-defined]


def test_a_firmware_that_hangs_is_ended(simulate: Simulate) -> None:
    with pytest.raises(HorologError) as raised:
        simulate(left=None, done=Finished(None, "", ""))
    assert raised.value.exit is Exit.TARGET_FAILED
    assert "hangs: it was ended after 170 s" in raised.value.message
    assert raised.value.expected == "a start within that time; try horolog run --vcd FILE"


@pytest.mark.parametrize(
    ("waveform", "options"),
    [
        (Waveform(Path("a.vcd")), ["--vcd-from", "0"]),
        (
            Waveform(Path("a.vcd"), Fraction(1, 1000), Fraction(2, 1000)),
            ["--vcd-from", "50000", "--vcd-to", "100000"],
        ),
        (
            Waveform(Path("a.vcd"), Fraction(50, 10**9), Fraction(50, 10**9)),
            ["--vcd-from", "2", "--vcd-to", "3"],  # the whole of a cycle that is asked for in part
        ),
    ],
)
def test_a_waveform_of_a_stretch(
    waveform: Waveform, options: list[str], simulate: Simulate
) -> None:
    _, command = simulate(waveform=waveform)
    assert command[5:] == ["--vcd", "a.vcd", *options]


def test_a_board_has_to_say_what_core_it_is() -> None:
    runner = replace(SYSTEM.board.runner, configuration=None)
    with pytest.raises(HorologError, match="does not say how its core is configured"):
        board_simulator(replace(SYSTEM.board, runner=runner), lambda text: None)


# --- a program that takes long -------------------------------------------------------------------


def test_a_program_is_followed_to_its_end() -> None:
    told: list[int] = []
    script = "import time, sys; print('out'); sys.stdout.flush(); time.sleep(0.5); sys.exit(3)"
    done = follow(
        [sys.executable, "-c", script], seconds=60, every=0.1, tell=lambda: told.append(1)
    )
    assert done == Finished(3, "out\n", "")
    assert told


def test_a_program_that_takes_too_long_is_killed() -> None:
    script = "import time; print('begun', flush=True); time.sleep(60)"
    done = follow([sys.executable, "-c", script], seconds=1.5, every=0.5, tell=lambda: None)
    assert done == Finished(None, "begun\n", "")


TRAFFIC = """\
cycles 1000000
core 0 instructions 900
core 0 own 500 0 0
core 0 shared 40 3 1
core 0 devices 10 1 1
core 1 own 1 0 0
core 1 locks 7 6 2
core 1 window 50000
"""


def test_each_core_is_watched_by_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    commands: list[str] = []
    said: list[str] = []
    names = [CoreNames(core, (core,), range(core, core + 1), core) for core in range(2)]

    def simulator(command: Sequence[str], **how: Any) -> Finished:
        commands[:] = command
        how["tell"]()
        for core in range(2):
            (tmp_path / f"horolog.core{core}.trace").write_text(TRACE, encoding="ascii")
            counts = LEFT.replace("total 1000000", f"total {1_000_000 - core}")
            (tmp_path / f"horolog.core{core}.counts").write_text(
                counts.replace("function 2 999000", f"function 2 {999_000 - core}"),
                encoding="ascii",
            )
        (tmp_path / "horolog.cores").write_text(TRAFFIC, encoding="ascii")
        return Finished(0, "", "")

    wanted: dict[str, Any] = {}
    monkeypatch.setattr(ibex, "follow", simulator)
    monkeypatch.setattr(ibex, "read_image", lambda path, names: IMAGE)

    def built(configuration: str, **how: Any) -> Path:
        wanted["cores"] = how["cores"]
        return Path("/cache/simulator")

    monkeypatch.setattr(ibex, "simulator", built)
    board = replace(SYSTEM.board, cores=2)
    runs = [CoreRun(core, SYSTEM, PLAN, names[core]) for core in range(2)]
    of = (board, HOROLOG, runs, tmp_path / "horolog.elf", tmp_path)
    run_cores_on_ibex(*of, lambda text: None, Waveform(Path("a.vcd")))
    assert commands[:5] == ["/cache/simulator", "--vcd", "a.vcd", "--vcd-from", "0"]
    (first, waits), (second, others) = run_cores_on_ibex(*of, said.append)
    assert (waits, others) == (Waits(50, 4, 1), Waits(7, 6, 2))
    assert wanted["cores"] == 2
    assert commands[3:] == [
        *("--cores", str(tmp_path / "horolog.cores")),
        *("--watch", f"0:{tmp_path / 'horolog.core0.watch'}"),
        *("--watch", f"1:{tmp_path / 'horolog.core1.watch'}"),
    ]
    assert (first.findings.total, second.findings.total) == (1_000_000, 999_999)
    assert said == ["  simulated 0 of 20 ms"]
    both = together([side(SYSTEM, PLAN, one) for one in (first, second)])
    assert (both.jobs, both.interrupts) == (6, Interrupts(8, 8, 0))
    assert both.instructions is not None
    assert (both.instructions.total, both.instructions.kernel) == (1_999_999, 1400)
    board = replace(board, runner=replace(board.runner, ns_per_cycle=None))
    with pytest.raises(HorologError, match="does not say what a cycle lasts"):
        run_cores_on_ibex(board, HOROLOG, runs, tmp_path / "horolog.elf", tmp_path, said.append)


@pytest.mark.parametrize("gives_up", [False, True])
def test_a_kernel_that_is_one_for_all_cores(
    gives_up: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    symbols = {"freertos_risc_v_application_interrupt_handler": 0x80000208}
    image = replace(IMAGE, symbols={**IMAGE.symbols, **symbols})

    def simulator(command: Sequence[str], **how: Any) -> Finished:
        for core in range(2):
            (tmp_path / f"freertos.core{core}.trace").write_text("", encoding="ascii")
            if not gives_up or core == 1:
                left = LEFT.replace("status done", "status busy") if gives_up else LEFT
                left += f"taken 4 {core}\n"
                (tmp_path / f"freertos.core{core}.counts").write_text(left, encoding="ascii")
        return Finished(0, "", "")

    monkeypatch.setattr(ibex, "follow", simulator)
    monkeypatch.setattr(ibex, "read_image", lambda path: image)
    monkeypatch.setattr(ibex, "simulator", lambda configuration, **how: Path("/simulator"))
    system = replace(SYSTEM, board=replace(SYSTEM.board, cores=2))
    kernel = Kernel(FREERTOS, "tick", 1000, 4)
    elf = tmp_path / "freertos.elf"
    of = (system, PLAN, kernel, elf, tmp_path, lambda text: None)
    if gives_up:
        with pytest.raises(HorologError, match="never became idle"):
            run_one_kernel_on_ibex(*of)
        return
    (first, waits), (second, _) = run_one_kernel_on_ibex(*of)
    assert waits == Waits(0, 0, 0)  # nothing was written of them
    assert (first.findings.taken[4], second.findings.taken[4]) == (0, 1)
    lines = [
        (tmp_path / f"freertos.core{core}.watch").read_text(encoding="ascii").splitlines()
        for core in range(2)
    ]
    assert [line for line in lines[1] if line.startswith("leader")] == ["leader 0"]
    assert not [line for line in lines[0] if line.startswith("leader")]
    assert all("aside 0x80000208" in of for of in lines)
    assert [line.split()[1] for line in lines[1] if line.startswith("interrupt")] == [
        "0xffffffff"
    ] * 4


def test_sums_of_what_was_not_counted() -> None:
    one = Side("tick", 1, 0, 0, Interrupts(1, 1, 0), None, {})
    both = together([one, replace(one, mechanism="gcd", kernel_predicted=Fraction(1))])
    assert both == replace(one, mechanism="tick, gcd", jobs=2, interrupts=Interrupts(2, 2, 0))


def test_cores_that_run_each_others_tasks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def simulator(command: Sequence[str], **how: Any) -> Finished:
        for core in range(2):
            trace = tmp_path / f"horolog.core{core}.trace"
            trace.write_text(f"0 I 0\n{10 + core} S {core}\n{30 + core} E {core}\n", "ascii")
            (tmp_path / f"horolog.core{core}.counts").write_text(LEFT, encoding="ascii")
        (tmp_path / "horolog.cores").write_text(TRAFFIC, encoding="ascii")
        return Finished(0, "", "")

    bodies = [f"hrl_gen_body_{n}{end}" for n in range(2) for end in ("", "_end")]
    symbols = {name: 0x80000100 + 4 * at for at, name in enumerate(bodies)}
    every = replace(IMAGE, symbols={**IMAGE.symbols, **symbols})
    monkeypatch.setattr(ibex, "follow", simulator)
    monkeypatch.setattr(ibex, "read_image", lambda path, names=None: IMAGE if names else every)
    monkeypatch.setattr(ibex, "simulator", lambda configuration, **how: Path("/simulator"))
    task = SYSTEM.tasks[0]
    both = [replace(task, core=0, affinity=(0, 1)), replace(task, name="b", core=1)]
    whole = replace(SYSTEM, board=replace(SYSTEM.board, cores=2), tasks=tuple(both))
    names = [CoreNames(core, (core,), range(core, core + 1), core) for core in range(2)]
    alone = replace(SYSTEM, tasks=(task,))
    runs = [CoreRun(core, alone, PLAN, names[core]) for core in range(2)]
    of = (tmp_path / "horolog.elf", tmp_path, lambda text: None)
    (first, waits), (second, others) = run_shared_cores_on_ibex(whole, HOROLOG, runs, *of)
    assert (waits, others) == (Waits(50, 4, 1), Waits(7, 6, 2))
    assert first.changes_cores
    assert second.changes_cores
    lines = [(tmp_path / f"horolog.core{core}.watch").read_text("ascii") for core in range(2)]
    assert "leader" not in lines[0]
    assert "\nleader 0\n" in lines[1]
    assert all(text.count("\njob ") == 2 for text in lines)
    later = replace(PLAN, releasers=tuple(replace(r, first=r.first + 5) for r in PLAN.releasers))
    runs[0] = CoreRun(0, alone, later, names[0])
    with pytest.raises(HorologError, match="core 1 releases a task before core 0 does"):
        run_shared_cores_on_ibex(whole, HOROLOG, runs, *of)
