# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""STM32 boards in our simulator: its timers, and their driver by the conformance suite of ports.

Cargo is needed. Without it these tests are skipped, and the summary says so.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.streamed import read_in_time
from tests.system.support import ROOT, horolog, horolog_process
from tests.system.test_port_conformance import check, conform

from horolog.build.firmware import build_firmware
from horolog.build.stm32 import stm32_simulator
from horolog.measure.measured import HOROLOG, Kernel, side
from horolog.model import Plan, System
from horolog.model.result import Side
from horolog.parts import Wish, board_files, chosen, find_part
from horolog.plan import NOTHING, plan
from horolog.programs import Finished
from horolog.read import read_board, read_system
from horolog.run import measure_plan, parse_remote
from horolog.run.by_debugger import ring_for, run_by_debugger
from horolog.run.gdb_session import EVERYWHERE
from horolog.run.stm32 import run_on_stm32

pytestmark = [
    pytest.mark.emulator,
    pytest.mark.xdist_group("stm32"),
    pytest.mark.stm32,
]

BOARDS = {
    "f446": ("STM32F446RE", "TIM2,TIM1,TIM10"),
    "f103": ("STM32F103CB", "TIM2,TIM3,TIM4"),
    "f072": ("STM32F072RB", "TIM2,TIM6,TIM14"),
    "all of f446": (
        "STM32F446RE",
        "TIM1,TIM2,TIM3,TIM4,TIM5,TIM8,TIM9,TIM10,TIM11,TIM12,TIM13,TIM14",
    ),
}
"""A Cortex-M4 with an FPU, and timers that share a line; a Cortex-M3 with two timers as one clock; an M0."""
DRIVER = Path("ports") / "cell" / "stm32-tim" / "hrlp_stm32_tim.h"
MUTANTS = {
    "a match that was passed waits for a turn": (
        "HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_compare, HRLP_STM32_TIM_SHORTEST)",
        "HRLP_CELL_ARM_MATCH(hrlp_stm32_tim_compare, -100000)",
    ),
    "a period is too long": (
        "HRLP_STM32_TIM_ARR) = period - 1u;",
        "HRLP_STM32_TIM_ARR) = period + 60u;",
    ),
}


def board(name: str, folder: Path) -> Path:
    """The board `name` of BOARDS, below `folder`, as the simulator runs it."""
    part, timers = BOARDS[name]
    made = chosen(find_part(part), Wish(timers=tuple(timers.split(","))))
    files = board_files(made, "made")
    for path, text in files.items():
        (folder / "made" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "made" / path).write_text(
            text.replace('kind = "none"', f'kind = "stm32"\ncycles_hz = {made.hz}')
            if path == "board.toml"
            else text,
            encoding="utf-8",
        )
    return folder / "made"


def conformed(made: Path, tmp_path: Path, root: Path = ROOT) -> Finished:
    return conform(str(made), tmp_path / "build", root, seconds=300)


SYSTEM = """\
[system]
name = "placed"
board = "{board}"
duration = "50 ms"

[[task]]
name = "often"
period = "1 ms"
work = 100

[[task]]
name = "seldom"
period = "3 ms"
work = 200
"""


@pytest.mark.soak  # compiles the crate without optimisation, for a minute
def test_its_timers_are_those_of_the_manuals(tmp_path: Path) -> None:
    """Cargo's own tests: against sentences of the manual, and against a model that counts each clock."""
    for folder in ("stm32", "watch", "rp2040/cores/src"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("target"))
    command = ["cargo", "test", "--locked", "--quiet"]
    done = subprocess.run(
        command, cwd=tmp_path / "stm32", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "22 passed" in done.stdout


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak) if " " in name else name for name in BOARDS]
)
def test_the_port_keeps_its_contract(name: str, tmp_path: Path) -> None:
    made = board(name, tmp_path)
    check(str(made), conformed(made, tmp_path))


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_broken_driver_is_noticed(mutant: str, tmp_path: Path) -> None:
    old, new = MUTANTS[mutant]
    for folder in ("ports", "include", "cmake"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    text = (tmp_path / DRIVER).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / DRIVER).write_text(text.replace(old, new), encoding="utf-8")
    done = conformed(board("f446", tmp_path), tmp_path, tmp_path)
    assert done.status != 0


def test_a_line_that_the_processor_lacks_ends_the_run_by_name(tmp_path: Path) -> None:
    made = board("f446", tmp_path)
    chip = made / "chip.txt"
    text = chip.read_text(encoding="utf-8")
    assert " 28 28 " in text
    chip.write_text(text.replace(" 28 28 ", " 54 54 "), encoding="utf-8")
    done = conformed(made, tmp_path)
    assert done.status == 126
    assert "interrupt line 54: the simulated processor has lines 0 to 51" in done.errors


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("timer 0x40000000 24 4 28 28 0x40023840 0", "line 1: found `timer 0x40000000 24"),
        ("memory 0x20000000", "line 1: found `memory 0x20000000`, expected memory, registers"),
        ("trigger 0x40000000 1 0x40000400", "line 1: found `trigger"),
    ],
)
def test_a_chip_that_cannot_be_read_says_where(line: str, said: str, tmp_path: Path) -> None:
    chip = tmp_path / "chip.txt"
    chip.write_text(f"{line}\n", encoding="utf-8")
    command = [str(stm32_simulator()), "--chip", str(chip), "--elf", str(chip)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 125
    assert said in done.stderr


def test_cycles_do_not_depend_on_where_code_lies(tmp_path: Path) -> None:
    """The crate charges branches to some addresses more, as the RP2350's banks of memory do."""
    here, there = (_kernel_and_bodies(further, tmp_path) for further in (0, 4))
    assert here == there
    assert min(here) > 0


def _kernel_and_bodies(further: int, folder: Path) -> tuple[int, int]:
    """Cycles of the kernel and of bodies in a short run, with code so many bytes further."""
    made = board("f446", folder)
    script = (made / "link.ld").read_text(encoding="utf-8")
    assert "KEEP(*(.vectors))" in script
    moved = script.replace("KEEP(*(.vectors))", f"KEEP(*(.vectors)) . += {further};")
    (made / "link.ld").write_text(moved, encoding="utf-8")
    (folder / "system.toml").write_text(SYSTEM.format(board=made), encoding="utf-8")
    system = read_system(folder / "system.toml")
    chosen_plan = plan(system, mechanism="one-shot", prices=NOTHING).choice
    counted = measure_plan(system, chosen_plan, folder / "built").counted
    return counted.kernel, counted.bodies


TASKS = (
    ("t0", "1.3 ms", "0.2 ms", 121),
    ("t1", "3.7 ms", "0 ms", 307),
    ("t2", "11 ms", "1 ms", 913),
)


def probed(made: Path, kind: str) -> tuple[System, Plan]:
    """A small system on that board, of threads or of basic tasks, and its plan."""
    duration = "70 ms" if made.parent.name == "f072" else "120 ms"  # half of its RAM holds no more
    text = f'[system]\nname = "probed"\nboard = "{made}"\nduration = "{duration}"\n'
    for task, period, offset, work in TASKS:
        text += f'[[task]]\nname = "{task}"\nperiod = "{period}"\noffset = "{offset}"\n'
        text += f'work = {work}\nkind = "{kind}"\n'
    file = made.parent / "system.toml"
    file.write_text(text, encoding="utf-8")
    system = read_system(file)
    return system, plan(system, prices=NOTHING).choice


@contextmanager
def served(made: Path) -> Iterator[str]:
    """The simulator's gdb server, with nothing loaded into the chip; HOST:PORT."""
    command = [str(stm32_simulator()), "--chip", str(made / "chip.txt"), "--gdb", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as simulated:
        try:
            assert simulated.stderr is not None
            said = re.search(r"on port (\d+)", simulated.stderr.readline())
            assert said is not None
            yield f"127.0.0.1:{said[1]}"
        finally:
            simulated.kill()


def counted_kernel(one: Side) -> int:
    assert one.instructions is not None
    return one.instructions.kernel


def of_ring(seen: Side) -> int:
    """What of the kernel's cycles was the ring's."""
    assert seen.instructions is not None
    ring = ("hrli_trace_", "hrlp_ring_")
    return sum(
        count
        for function, count in seen.instructions.by_function.items()
        if function.startswith(ring)
    )


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed")
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        pytest.param("f446", "thread", marks=pytest.mark.soak),
        ("f446", "basic"),
        ("f103", "thread"),
        pytest.param("f072", "thread", marks=pytest.mark.soak),
        pytest.param("f072", "basic", marks=pytest.mark.soak),
    ],
)
def test_a_chip_s_cycle_counter_says_what_is_counted_from_outside(
    name: str, kind: str, tmp_path: Path
) -> None:
    """The whole way to silicon but the probe: gdb loads, firmware stamps by DWT_CYCCNT, gdb reads its ring.

    On the F103 a cell interrupts PendSV, as the handler that switches where it ends comes into one then. On
    the F072, a Cortex-M0, SysTick counts the cycles.
    """
    made = board(name, tmp_path / name)
    system, chosen = probed(made, kind)
    kernel = Kernel(HOROLOG, "")
    ring = ring_for(system, chosen)
    assert ring.cycles
    elf = build_firmware(system, chosen, tmp_path / "out", None, ring=ring).horolog
    outside = run_on_stm32(system, chosen, kernel, elf, tmp_path / "out")
    (tmp_path / "probe").mkdir()
    with served(made) as where:
        remote = parse_remote(where)
        own = run_by_debugger(system, chosen, kernel, elf, tmp_path / "probe", remote)
    seen, said = side(system, chosen, outside), side(system, chosen, own.measured)
    assert said.jobs == seen.jobs > 60
    assert said.interrupts == seen.interrupts
    assert (said.deadline_misses, said.overruns) == (0, 0)
    assert seen.instructions is not None
    assert said.instructions is not None
    assert said.instructions.unit == "cycles"
    off = Fraction(counted_kernel(said), counted_kernel(seen) - of_ring(seen)) - 1
    sys.stdout.write(f"{name} {kind}: {said.jobs} jobs, {float(100 * off):+.2f} %\n")
    assert abs(off) <= Fraction(3, 100)


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed")
@pytest.mark.parametrize("name", ["f072", pytest.param("f446", marks=pytest.mark.soak)])
def test_a_window_far_longer_than_the_ring_is_read_as_it_fills(name: str, tmp_path: Path) -> None:
    """The relay halts the simulator; its time stands still then."""
    made = board(name, tmp_path / name)
    system, chosen = probed(made, "thread")
    system = replace(system, duration=Fraction(3, 5))
    kernel = Kernel(HOROLOG, "")
    ring = replace(ring_for(system, chosen, streams=True), records=512)
    elf = build_firmware(system, chosen, tmp_path / "out", None, ring=ring).horolog
    outside = run_on_stm32(system, chosen, kernel, elf, tmp_path / "out")
    own = read_in_time(lambda: served(made), system, chosen, kernel, elf, tmp_path / "probe", ring)
    assert own.records > 10 * ring.records
    assert own.halts is not None
    assert own.halts > 10
    seen, said = side(system, chosen, outside), side(system, chosen, own.measured)
    assert said.jobs == seen.jobs > 600
    assert said.interrupts == seen.interrupts
    off = Fraction(counted_kernel(said), counted_kernel(seen) - of_ring(seen)) - 1
    sys.stdout.write(
        f"{name}: {said.jobs} jobs, {own.records} records, {float(100 * off):+.2f} %\n"
    )
    assert abs(off) <= Fraction(3, 100)


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed")
def test_a_debugger_finds_the_chip_and_stops_where_it_is_told(tmp_path: Path) -> None:
    """Registers and memory are read and written, a breakpoint is reached, and a step is one."""
    made = board("f446", tmp_path)
    elf = build_firmware(*probed(made, "thread"), tmp_path / "out", None).horolog
    commands = [
        *(
            *EVERYWHERE,
            "target remote {where}",
            "load",
            "set *(unsigned int *)0xe000ed08 = (unsigned int)&vectors",
        ),
        *("set $sp = *(unsigned int *)&vectors", "set $pc = *((unsigned int *)&vectors + 1)"),
        *(
            "break hrl_work",
            "continue",
            "print/x *(unsigned int *)0xe000ed00 & 0xfff0",
            "print $r0",
        ),
        *("set $before = $pc", "stepi", "print $pc - $before > 0 && $pc - $before < 5"),
        *("set *(unsigned int *)0x20000000 = 0x12345678", "print/x *(unsigned int *)0x20000000"),
        *("print *(int *)0x70000000", "kill"),
    ]
    with served(made) as where:
        words = [word for one in commands for word in ("-ex", one.format(where=where))]
        done = subprocess.run(
            ["gdb-multiarch", "-nx", "-batch", *words, str(elf)],
            capture_output=True,
            text=True,
            check=False,
        )
    said = done.stdout + done.stderr
    assert re.search(r"^Breakpoint 1\S*, hrl_work", said, re.M), said
    assert re.search(r"^\$1 = 0xc240$", said, re.M), said
    assert re.search(r"^\$2 = (121|307|913)$", said, re.M), said  # turns of the work loop
    assert re.search(r"^\$3 = 1$", said, re.M), said
    assert re.search(r"^\$4 = 0x12345678$", said, re.M), said
    assert "Cannot access memory at address 0x70000000" in said


@pytest.mark.skipif(shutil.which("gdb-multiarch") is None, reason="gdb-multiarch is not installed")
def test_a_debugger_begins_at_a_reset_whatever_ran_before(tmp_path: Path) -> None:
    """Interrupts that the firmware before had enabled are not."""
    made = board("f446", tmp_path)
    probed(made, "thread")
    file = made.parent / "system.toml"
    enabled = "print/x *(unsigned int *)0xe000e100 | *(unsigned int *)0xe000e104"
    with served(made) as where:
        probe = ("--probe", f"remote={where}", "--out", tmp_path / "out")
        assert horolog("flash", file, *probe).code == 0
        said = horolog_process("gdb", file, *probe, "--execute", enabled, folder=tmp_path)
    assert said.code == 0, said.err
    assert re.search(r"^\$\d+ = 0x0$", said.out, re.M), said.out


def test_boards_are_read_as_they_are_made(tmp_path: Path) -> None:
    for name in BOARDS:
        made = read_board(str(board(name, tmp_path / name.replace(" ", "-"))))
        assert made.runner.kind == "stm32"
        assert made.runner.counts_cycles
