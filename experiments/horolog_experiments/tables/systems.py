# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our side: the tables as descriptions, planned and built by the tool like a user's system."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board, Plan, System
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.scenarios import Job
from horolog_experiments.dispatch.systems import Ours, build_planned
from horolog_experiments.tables.scenarios import Monitor, TableImage

__all__ = ["ONCE", "build_table", "duration", "planned_table", "table_text"]

ONCE = "10 s"


def duration(counts: int, hz: int) -> str:
    """So many counts of a clock of `hz`, as a description has it."""
    return f"{Fraction(1000 * counts, hz)} ms"


def table_text(image: TableImage, board: Board, bench: Path) -> str:
    """The description of `image`, as a person would write it. `bench`: the folder of the benches' sources."""
    hz, some = board.clock.hz, board.cells[: image.system.cells]
    cells = ", ".join(f'"{cell.name}"' for cell in some)
    sources = ", ".join(f'"{bench / name / "bodies.c"}"' for name in ("dispatch", "tables"))
    lines = [
        "[system]",
        f'name = "table-{image.name}"',
        f'board = "{board.name}"',
        f"cells = [{cells}]",
        'duration = "1 s"',
        f"sources = [{sources}]",
    ]
    for job in image.system.jobs:
        lines += ["", *_task_lines(job, hz)]
        if job is image.high and image.budget is not None:
            lines.append(f'budget = "{duration(image.budget, hz)}"')
    if image.resource:
        lines += ["", "[[resource]]", 'name = "bus"', f'tasks = ["{image.high.owner}"]']
    lines += [
        "",
        "[[table]]",
        'name = "table"',
        'kind = "dispatcher"',
        f'round = "{duration(image.round, hz)}"',
    ]
    if image.monitor is not Monitor.NONE:
        lines.append('deadline_monitoring = "stringent"')
    if image.monitor is Monitor.ONE:
        lines.append(f'deadline_cell = "{some[-1].name}"')
    return "\n".join([*lines, *_points(image, hz)]) + "\n"


def _task_lines(job: Job, hz: int) -> list[str]:
    lines = ["[[task]]", f'name = "{job.owner}"', f'body = "{job.body}"']
    lines.append(f'wcet = "{duration(job.lasts, hz)}"')
    return lines if job.kind == "table" else [*lines, 'kind = "thread"', f'period = "{ONCE}"']


def _points(image: TableImage, hz: int) -> list[str]:
    lines = ["point = ["]
    if image.past is not None and image.past.kind == "table":
        lines.append(f'    {{ offset = "0 ms", activate = "{image.past.owner}" }},')
    step = image.round // image.points
    due = "" if image.monitor is Monitor.NONE else f', deadline = "{duration(image.deadline, hz)}"'
    lines += [
        f'    {{ offset = "{duration(at, hz)}", activate = "high"{due} }},'
        for nth in range(image.points)
        for at in [image.first + nth * step + (image.later if nth + 1 == image.points else 0)]
    ]
    return [*lines, "]"]


def planned_table(image: TableImage, board_name: str, folder: Path) -> tuple[System, Plan]:
    """Write the description below `folder`, read it, and take the planner's choice."""
    board = read_board(board_name)
    path = folder / f"{image.name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = table_text(image, board, (data_root() / "bench").resolve())
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    return system, plan(system).choice


def build_table(image: TableImage, board_name: str, out: Path, *, halting: bool = False) -> Ours:
    """Plan and build `image` below `out`, where one system after the other is built: the kernel but once."""
    system, choice = planned_table(image, board_name, out / "systems")
    return build_planned(image.system, system, choice, out, halting=halting)
