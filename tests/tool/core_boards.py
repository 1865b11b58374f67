# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A board of several cores for tests: ibex-cells with more of them, and systems that it runs."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from shutil import copyfile

from tests.tool.report_fixture import Costs, simulate

from horolog.analyse import levels
from horolog.data import data_root
from horolog.image import Function, Image
from horolog.measure.measured import HOROLOG, Kernel, Measured
from horolog.measure.probe import Findings
from horolog.model import Baseline, System
from horolog.run.ibex import CoreRun
from horolog.trace import Trace, release_count

__all__ = ["TEXT", "board_of", "seen_on", "seen_under_freertos", "system_on"]

TEXT = """\
[system]
name = "demo"
board = "{board}"
duration = "100 ms"
{cores}

[[task]]
name = "fast"
period = "5 ms"
work = 500
core = 0

[[task]]
name = "slow"
period = "20 ms"
work = 5_000
core = 1

[[task_group]]
name = "late"
tasks = 3
period = "50 ms"
work = 4_000
core = {core}
"""
"""Line 5 is `cores`; lines 7, 13 and 19 are the tables of tasks."""


def board_of(folder: Path, cores: int) -> Path:
    """Writes the board with so many cores into `folder`, with the costs of one; returns its folder."""
    one, made = data_root() / "boards" / "ibex-cells", folder / f"cells-x{cores}"
    made.mkdir(parents=True, exist_ok=True)
    text = (one / "board.toml").read_text(encoding="utf-8")
    for old, new in (
        ('name = "ibex-cells"', f'name = "cells-x{cores}"'),
        ("levels = 31", f"cores = {cores}\nlevels = 31"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    (made / "board.toml").write_text(text, encoding="utf-8")
    for name in ("costs.toml", "link.ld"):
        copyfile(one / name, made / name)
    return made


def system_on(
    folder: Path, *, of: int = 2, cores: str = "cores = 2", core: str = '"auto"', more: str = ""
) -> Path:
    """Writes a system for a board of so many cores; returns its file."""
    board = board_of(folder, of)
    path = folder / "system.toml"
    path.write_text(TEXT.format(board=board, cores=cores, core=core) + more, encoding="utf-8")
    return path


_IMAGE = Image(
    path=Path("horolog.elf"),
    functions=(
        Function("hrl_gen_body_0", 0x80000100, 0x80000110, "body"),
        Function("hrli_harmonic_array_interrupt", 0x80000200, 0x80000240, "kernel"),
        Function("hrlp_idle_loop", 0x80000240, 0x80000250, "idle"),
    ),
    symbols={},
    sizes={},
    layout=None,
)
_INTERRUPT, _SWITCH = 60, 40  # cycles of a kernel that is made up


def seen_on(run: CoreRun, *, late: bool = False) -> Measured:
    """What a made-up run of one core leaves: its jobs run one after the other, `late`: too late."""
    system, hz = run.system, run.system.board.clock.hz
    calls = []
    for releaser in run.plan.releasers:
        cell = [one.name for one in system.board.cells].index(releaser.cell)
        due: dict[int, list[int]] = {}
        for task in releaser.tasks:
            own = system.tasks[task]
            for number in range(release_count(own, system.duration)):
                due.setdefault(int(own.release(number) * 10**9), []).append(task)
        end = int(system.duration * hz)
        for at in releaser.between(0, end) if releaser.cell_period else ():
            due.setdefault(at * 10**9 // hz, [])
        calls += [(ns, cell, tasks) for ns, tasks in due.items()]
    stretch = Fraction(2000) if late else Fraction(1)
    costs = Costs(_INTERRUPT * 20, 0, _SWITCH * 20, 0)
    trace, kernel_ns, _ = simulate(system, sorted(calls), costs, levels(system), stretch)
    done = sum(1 for event in trace if event[1] == "E")
    bodies = sum(
        int((system.tasks[event[2]].wcet or 0) * stretch * hz) for event in trace if event[1] == "E"
    )
    kernel, total = kernel_ns // 20, int(system.duration * hz)
    findings = Findings(
        status="done",
        total=max(total, bodies + kernel),
        releases=done,
        library_in_bodies=0,
        taken={
            number: sum(one[1] == number for one in calls)
            for number in range(len(system.board.cells))
        },
        served={at: count for at, (_, count) in enumerate(run.plan.prediction.interrupts_by_cell)},
        function={0: bodies, 1: kernel, 2: max(0, total - bodies - kernel)},
        retired=bodies,
    )
    return Measured(Kernel(HOROLOG, run.plan.mechanism), findings, trace, _IMAGE, "cycles")


def seen_under_freertos(
    system: System, kernel: Kernel, cost: int, *, late: bool = False
) -> list[Measured]:
    """What a made-up run of FreeRTOS leaves of each core: its kernel takes `cost` cycles a job.

    A task with a core runs there; one of another kernel's sides begins on core 0 and ends on the last.
    """
    hz, cores = system.board.clock.hz, system.board.cores
    anywhere = kernel.name != Baseline.STOCK.title and "rate" not in kernel.name
    events: list[list[tuple[int, str, int]]] = [[] for _ in range(cores)]
    bodies, done = [0] * cores, [0] * cores
    for index, task in enumerate(system.tasks):
        first, last = (0, cores - 1) if anywhere else (task.core or 0, task.core or 0)
        work = int((task.wcet or 0) * hz)
        for number in range(release_count(task, system.duration)):
            at = int(task.release(number) * 10**9) + 2_000 + 1_000_000 * index
            end = at + (task.deadline * 10**9 if late else work * 20)
            events[first].append((at, "S", index))
            events[last].append((int(end), "E", index))
            bodies[last] += work
            done[last] += 1
    seen = []
    for core in range(cores):
        spent = cost * done[core] + (0 if core else 100)
        total = int(system.duration * hz)
        idle = max(0, total - bodies[core] - spent)
        findings = Findings(
            status="done",
            total=bodies[core] + spent + idle,
            releases=0,
            library_in_bodies=0,
            taken={0: 0 if core else 100, len(system.board.cells): 3 * core},
            function={0: bodies[core], 1: spent, 2: idle},
            retired=bodies[core],
        )
        trace = Trace.of(sorted([(0, "I", 0), *events[core]], key=lambda event: event[0]))
        seen.append(Measured(kernel, findings, trace, _IMAGE, "cycles"))
    return seen
