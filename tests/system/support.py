# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the system tests share: the examples, systems and plans made by hand, and the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from horolog.cli.main import main
from horolog.image import read_image
from horolog.measure.probe import Findings, read_findings
from horolog.model import (
    Kind,
    Mode,
    Overrun,
    Place,
    Plan,
    Prediction,
    PriorityRule,
    Releaser,
    System,
    Task,
)
from horolog.model.result import Side
from horolog.programs import version
from horolog.read import read_board
from horolog.run import measure_plan
from horolog.trace import Round, Trace, read_trace, rounds_of

__all__ = [
    "BOARD",
    "BOARD_CELLS",
    "EXAMPLES",
    "HOST",
    "HOST_CELLS",
    "ROOT",
    "Run",
    "Said",
    "example",
    "horolog",
    "horolog_process",
    "loadable",
    "made_plan",
    "made_system",
    "measured",
    "ms",
    "one_shot",
    "periodic",
    "task",
    "tools",
]

ROOT = Path(__file__).resolve().parents[2]
BOARD, HOST = "mps2-an385", "host"
BOARD_CELLS = ("timer0", "timer1", "dual0", "systick")
HOST_CELLS = ("cell0", "cell1", "cell2", "cell3")
EXAMPLES = ("engine-control", "chronos", "drone")


def example(name: str) -> Path:
    return ROOT / "examples" / name / "system.toml"


def ms(value: int | str) -> Fraction:
    """Milliseconds: 5, "2.5", "1/3"."""
    return Fraction(value) / 1000


_USUAL_DURATION = ms(100)


@dataclass(frozen=True)
class Said:
    """What a command printed, and its exit status."""

    out: str
    err: str
    code: int

    @property
    def object(self) -> dict[str, Any]:
        made: dict[str, Any] = json.loads(self.out)
        return made


def horolog(*arguments: str | Path, env: Mapping[str, str | None] | None = None) -> Said:
    """The command line within this process; anything but a clean exit fails the test."""
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], env=env)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Said(result.stdout, result.stderr, result.exit_code)


def horolog_process(*arguments: str | Path, folder: Path) -> Said:
    """The command line as a process of its own, started in `folder`."""
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "horolog", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    return Said(done.stdout, done.stderr, done.returncode)


def task(
    name: str,
    period: Fraction,
    *,
    offset: Fraction = Fraction(0),
    work: int = 20,
    priority: int | None = None,
    overrun: Overrun = Overrun.SKIP,
) -> Task:
    """A task that turns the work loop: 64 ns a turn on both boards."""
    return Task(
        name=name,
        period=period,
        offset=offset,
        deadline=period,
        wcet=Fraction(64 * work, 10**9),
        body=None,
        work=work,
        stack=512,
        overrun=overrun,
        kind=Kind.THREAD,
        priority=priority,
        place=Place("system.toml"),
    )


def made_system(
    tasks: Sequence[Task],
    *,
    board: str = BOARD,
    cells: Sequence[str] | None = None,
    duration: Fraction = _USUAL_DURATION,
    name: str = "made",
) -> System:
    target = read_board(board)
    return System(
        name=name,
        path=Path("system.toml"),
        board=target,
        cells=tuple(cell.name for cell in target.cells) if cells is None else tuple(cells),
        duration=duration,
        priorities=PriorityRule.RATE_MONOTONIC,
        sources=(),
        tasks=tuple(tasks),
    )


def periodic(
    cell: str, tasks: Iterable[int], period_counts: int, *, first: int = 0, divider: int = 1
) -> Releaser:
    """A periodic releaser with an instant at `first` and every `period_counts` from there."""
    assert period_counts % divider == 0
    return Releaser(
        cell=cell,
        mode=Mode.PERIODIC,
        store="sorted-list",
        tasks=tuple(tasks),
        first=first,
        cell_period=period_counts // divider,
        divider=divider,
        period=Fraction(period_counts, 25_000_000),
    )


def one_shot(cell: str, tasks: Iterable[int], first: int = 0) -> Releaser:
    return Releaser(
        cell=cell, mode=Mode.ONE_SHOT, store="sorted-list", tasks=tuple(tasks), first=first
    )


def made_plan(*releasers: Releaser, interrupts: Sequence[int] | None = None) -> Plan:
    """A plan by hand; `interrupts`, one a releaser, are what the test says will happen."""
    numbers = list(interrupts) if interrupts is not None else [0] * len(releasers)
    by_cell = tuple((r.cell, n) for r, n in zip(releasers, numbers, strict=True))
    prediction = Prediction(
        interrupts=sum(numbers),
        interrupts_by_cell=by_cell,
        required=0,
        interrupts_per_second=Fraction(0),
        kernel_instructions=Fraction(0),
        overhead_percent=Fraction(0),
    )
    return Plan("by hand", tuple(releasers), prediction)


@dataclass(frozen=True)
class Run:
    """One run of Horolog's firmware, and what was seen."""

    system: System
    plan: Plan
    side: Side
    trace: Trace
    findings: Findings

    def events(self, kinds: str) -> list[tuple[int, str, int]]:
        return [event for event in self.trace if event[1] in kinds]

    def order(self, kind: str) -> list[int]:
        return [index for _, index in self.times(kind)]

    def times(self, kind: str) -> list[tuple[int, int]]:
        return [(ns, index) for ns, letter, index in self.trace if letter == kind]

    @property
    def rounds(self) -> tuple[Round, ...] | None:
        """Those of tables that the application controls."""
        return rounds_of(self.findings.rounds, self.findings.unread_rounds, self.system)

    @property
    def hz(self) -> int:
        return self.system.board.clock.hz

    def cell_index(self, name: str) -> int:
        return [cell.name for cell in self.system.board.cells].index(name)


def measured(system: System, plan: Plan, folder: Path) -> Run:
    """Build `system` by `plan` below `folder`, run it, read everything back."""
    side = measure_plan(system, plan, folder)
    findings = read_findings((folder / "horolog.counts").read_text(encoding="ascii"))
    return Run(system, plan, side, read_trace(folder / "horolog.trace"), findings)


def loadable(elf: Path) -> list[tuple[str, int, bytes]]:
    """(name, address, bytes) of everything in `elf` that gets onto the target."""
    from elftools.elf.constants import SH_FLAGS
    from elftools.elf.elffile import ELFFile

    read_image(elf)
    with elf.open("rb") as stream:
        return [
            (section.name, section["sh_addr"], section.data())
            for section in ELFFile(stream).iter_sections()
            if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_type"] != "SHT_NOBITS"
        ]


def tools() -> dict[str, str]:
    """The versions that golden files depend on."""
    return {
        "arm-none-eabi-gcc": version("arm-none-eabi-gcc"),
        "qemu": version("qemu-system-arm"),
    }
