# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What is checked of a linked firmware: where it lies, what its bodies call, and how large its stacks are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from horolog.calls import (
    check_firmware,
    check_main_stack,
    check_shared_threads,
    check_thread_stacks,
    check_without_threads,
)
from horolog.emit import with_threads
from horolog.image import occupied
from horolog.model import Board, CorePlan, HorologError, Place, Plan, System

__all__ = ["check_image", "check_image_of_cores", "check_memory"]


def check_image(system: System, plan: Plan, elf: Path) -> tuple[str, ...]:
    """Notes on the code in `elf`, the firmware of `system`. HorologError where it shows what must not be."""
    notes = check_shared_threads(system, elf) + check_thread_stacks(system, elf)
    if system.has_basic:
        notes += (check_firmware if with_threads(system) else check_without_threads)(system, elf)
    check_main_stack(system, plan, elf)
    return notes


def check_image_of_cores(system: System, plans: Sequence[CorePlan], elf: Path) -> tuple[str, ...]:
    """As check_image, of the one image of several cores."""
    notes = check_shared_threads(system, elf)
    if system.has_basic:
        notes += check_firmware(system, elf)
    # Which tasks share a thread, each core decides: a body has to fit on the stack of its own task.
    alone = replace(system, tasks=tuple(replace(task, shares=False) for task in system.tasks))
    notes += check_thread_stacks(alone, elf)
    for one in plans:
        if one.planned is not None:
            check_main_stack(one.system, one.planned.choice, elf, one.part)
    return notes


def check_memory(board: Board, elf: Path) -> None:
    """HorologError if a section of `elf`, or what it is loaded from, is outside `board.memory`."""
    if board.port.is_process:
        return
    for name, low, size in occupied(elf):
        if any(one.origin <= low <= low + size <= one.end for one in board.memory):
            continue
        regions = ", ".join(
            f"{one.name} from {one.origin:#010x} to {one.end:#010x}" for one in board.memory
        )
        raise HorologError(
            f"the firmware does not lie in the memory of {board.name}",
            place=Place(str(board.directory / "board.toml")),
            found=f"{name} from {low:#010x} to {low + size:#010x}, by {board.directory / 'link.ld'}",
            expected=f"{regions}; INCLUDE hrl_memory.ld brings these regions into link.ld",
        )
