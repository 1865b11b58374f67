# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long the interrupt handlers of a plan's cells are on the emulated board (plugin/horolog_handlers.c)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from horolog.build.firmware import Target, build_firmware
from horolog.calibrate.firmware import counted, finished
from horolog.image import Image, read_image
from horolog.measure.probe import compiled_plugin
from horolog.model import Plan, System

__all__ = ["HandlerLength", "handler_lengths"]


@dataclass(frozen=True, slots=True)
class HandlerLength:
    """Of one cell's handler: how often it ran, and the instructions of its shortest and longest run."""

    runs: int
    shortest: int
    longest: int


def handler_lengths(system: System, plan: Plan, out: Path) -> dict[str, HandlerLength]:
    """Build `system` by `plan` below the folder `out`, run it, and measure its handlers, by cell.

    It runs until about its duration is over: the task with the shortest period ends it. HorologError (4)
    if the firmware fails. Armv7-M only.
    """
    firmware = build_firmware(system, plan, out, None, only=Target.HOROLOG)
    image = read_image(firmware.horolog)
    cells = [releaser.cell for releaser in plan.releasers]
    addresses = [_entry(image, system.board.cell(cell).handler) for cell in cells]
    numbers = list(dict.fromkeys(addresses))
    quickest = min(range(len(system.tasks)), key=lambda task: system.tasks[task].period)
    task = system.tasks[quickest]
    jobs = max(1, ceil((system.duration - task.offset) / task.period))
    idle = image.address("hrlp_idle_loop")
    lines = [
        f"idle {idle:#x} {idle + image.sizes['hrlp_idle_loop']:#x}",
        f"end {image.address(f'hrl_gen_body_{quickest}'):#x} {jobs}",
        *(f"handler {address:#x}" for address in numbers),
    ]
    text = counted(
        system.board,
        image.path,
        compiled_plugin("horolog_handlers"),
        ".handlers",
        lambda to: "\n".join([f"out {to}", *lines]) + "\n",
    )
    found = [
        HandlerLength(*map(int, line.split()[2:]))
        for line in finished(text, "handler ", len(numbers))
    ]
    return {
        cell: found[numbers.index(address)] for cell, address in zip(cells, addresses, strict=True)
    }


def _entry(image: Image, handler: str) -> int:
    return image.symbols.get(f"{handler}_entry", image.address(handler))
