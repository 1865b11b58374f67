# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Our side: the small systems as descriptions, planned and built by the tool like a user's system."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from horolog.build.firmware import Target, build_firmware, build_step
from horolog.data import data_root
from horolog.model import Board, Plan, Releaser, System
from horolog.plan import plan
from horolog.programs import call
from horolog.read import read_board, read_system
from horolog_experiments.dispatch.scenarios import Job, SystemImage
from horolog_experiments.dispatch.watching import Built

__all__ = ["Ours", "build_planned", "build_system", "plan_words", "planned_system", "system_text"]

_SECONDS = 600
_ONCE_S = 10
"""The period of what runs but once, and does not end."""


@dataclass(frozen=True, slots=True)
class Ours:
    """A built system and the plan that it was built by."""

    built: Built
    system: System
    plan: Plan


def system_text(image: SystemImage, board: Board, sources: Path) -> str:
    """The description of `image`, as a person would write it. `sources`: the folder of the bodies.

    More priorities than the board has levels for basic tasks share them by rank.
    """
    cells = ", ".join(f'"{cell.name}"' for cell in board.cells[: image.cells])
    head = f"""\
[system]
name = "dispatch-{image.name}"
board = "{board.name}"
cells = [{cells}]
duration = "1 s"
priorities = "explicit"
sources = ["{sources / "bodies.c"}"]
"""
    ranks = sorted({job.priority for job in image.jobs})
    levels = min(len(ranks), board.basic_levels or board.levels)
    priorities = {rank: 1 + nth * levels // len(ranks) for nth, rank in enumerate(ranks)}
    return head + "".join(
        _task_text(job, nth, priorities[job.priority], board) for nth, job in enumerate(image.jobs)
    )


def _task_text(job: Job, nth: int, priority: int, board: Board) -> str:
    lines = [
        "",
        "[[task]]",
        f'name = "{job.owner}.{nth}"',
        f'kind = "{job.kind}"',
        f"priority = {priority}",
        f'period = "{_duration(job.every, board.clock.hz)}"',
    ]
    if job.offset:
        lines.append(f'offset = "{_duration(job.offset, board.clock.hz)}"')
    lasts = Fraction(1000 * job.lasts, board.clock.hz)
    lines += [f'body = "{job.body}"', f'wcet = "{lasts} ms"']
    return "\n".join(lines) + "\n"


def _duration(counts: int | None, hz: int) -> str:
    ms = Fraction(_ONCE_S * 1000) if counts is None else Fraction(1000 * counts, hz)
    return f"{ms} ms"


def planned_system(image: SystemImage, board_name: str, folder: Path) -> tuple[System, Plan]:
    """Write the description below `folder`, read it, and take the planner's choice, or what `image` says."""
    board = read_board(board_name)
    path = folder / f"{image.name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    text = system_text(image, board, (data_root() / "bench" / "dispatch").resolve())
    path.write_text(text, encoding="utf-8")
    system = read_system(path)
    return system, plan(system, mechanism=image.mechanism).choice


def build_system(image: SystemImage, board_name: str, out: Path, *, halting: bool = False) -> Ours:
    """Plan and build `image` below `out`, where one system after the other is built: the kernel but once.

    `halting`: a fault stops the program without a report, as cmake/port.cmake has it.
    """
    system, choice = planned_system(image, board_name, out / "systems")
    return build_planned(image, system, choice, out, halting=halting)


def build_planned(
    image: SystemImage, system: System, choice: Plan, out: Path, *, halting: bool = False
) -> Ours:
    """Build `image`, read as `system`, below `out` by the plan `choice`."""
    firmware = build_firmware(system, choice, out / "ours", None, only=Target.HOROLOG)
    if halting:
        again = ["cmake", "-DHRL_REPORT=halt", str(firmware.folder)]
        build_step("configuring", call(again, seconds=_SECONDS))
        firmware = build_firmware(system, choice, out / "ours", None, only=Target.HOROLOG)
    elf = out / f"{image.name}.elf"
    shutil.copyfile(firmware.horolog, elf)
    shutil.copyfile(firmware.horolog.with_suffix(".map"), elf.with_suffix(".map"))
    owners: dict[str, tuple[str, ...]] = {}
    for nth, job in enumerate(image.jobs):
        symbols = (f"hrl_gen_body_{nth}", job.body)
        owners[job.owner] = tuple(dict.fromkeys((*owners.get(job.owner, ()), *symbols)))
    expiries = tuple(_expiry(system, releaser) for releaser in _releasers_of(choice, 0))
    return Ours(Built(elf, owners, expiries), system, choice)


def _releasers_of(choice: Plan, task: int) -> list[Releaser]:
    return [releaser for releaser in choice.releasers if task in releaser.tasks]


def _expiry(system: System, releaser: Releaser) -> str:
    """What a Log calls the expiries of the cell of `releaser`."""
    cell = system.board.cell(releaser.cell)
    return cell.handler if system.board.runner.kind == "qemu" else f"cell {cell.instance}"


def plan_words(choice: Plan) -> str:
    """The plan in a line: each releaser's mode and store, and how many tasks it releases."""
    parts = Counter(
        f"{releaser.mode.value} {releaser.store}, {len(releaser.tasks)} "
        f"task{'s' if len(releaser.tasks) > 1 else ''}"
        for releaser in choice.releasers
    )
    return "; ".join(part if times == 1 else f"{times} x {part}" for part, times in parts.items())
