# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The files of a board that was chosen: board.toml, link.ld, and the headers that its port reads."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import jinja2

from horolog.data import data_root
from horolog.model.board import CHIP_FILE, CPUID_PARTS
from horolog.parts.chosen import Chosen
from horolog.parts.probes import openocd_files, probe_name
from horolog.parts.stm32 import Timer
from horolog.read.units import frequency_text
from horolog.templates import environment

__all__ = ["board_files", "measured_costs"]

_CLOCK = 4
"""Instance of the driver: 0 to 3 are the compare channels of the clock's timer, other timers follow."""

_COSTS = "costs.toml"
_HANDLER_CYCLES = 250  # shorter intervals leave no time for a handler
_SHORTEST = Fraction(1, 100_000)  # seconds, as for the boards that come with Horolog


def board_files(board: Chosen, name: str) -> Mapping[str, str]:
    """The text of each file of a board called `name`, by its path in the board's folder."""
    said = _said(board, name)
    paths = [*_PATHS, CHIP_FILE] if board.core.simulated else _PATHS
    made = {path: _template(f"{Path(path).name}.j2").render(said) for path in paths}
    return made if board.measured is None else {**made, _COSTS: measured_costs(board.measured)}


def measured_costs(of: str) -> str:
    """The costs of the board `of`, for another one with the same code."""
    text = (data_root() / "boards" / of / _COSTS).read_text(encoding="utf-8")
    return (
        f"# Measured on the board {of}, in the simulator that docs/boards.md names: with the same core and\n"
        "# driver the cycles are the same there. `horolog calibrate` measures them anew. "
        "Yours to change (0BSD).\n\n" + text[text.index("[meta]") :]
    )


_PATHS = ("board.toml", "link.ld", "port/hrlp_lines_controller.h", "port/hrlp_board_timers.h")


@cache
def _template(name: str) -> jinja2.Template:
    return environment("horolog.parts").get_template(name)


def _cpuid(cpu: str) -> int:
    """Bits 19 to 16 tell Armv6-M from the others."""
    return (0x410C_0000 if cpu.startswith("cortex-m0") else 0x410F_0000) | CPUID_PARTS[cpu]


def _said(board: Chosen, name: str) -> dict[str, Any]:
    """What the templates show."""
    part, numbers = board.part, board.part.interrupts
    by_number: dict[int, str] = {}
    for line, number in numbers.items():
        by_number.setdefault(number, line)
    timers = [*board.clock_timers, *board.cells]
    count = board.core.lines or max(numbers.values()) + 1
    instances = [(_CLOCK + 1 + index, timer) for index, timer in enumerate(board.cells)]
    return {
        "board": board,
        "name": name,
        "part": part,
        "clock_text": frequency_text(board.hz),
        "timer_text": frequency_text(board.timer_hz),
        "work_ns": _decimal(Fraction(board.core.work_cycles * 10**9, board.hz)),
        "wrap_seconds": round(2**32 / board.timer_hz),
        "basic_levels": min(8, 1 << part.priority_bits),
        "min_counts": ceil(
            max(_SHORTEST * board.timer_hz, Fraction(_HANDLER_CYCLES * board.timer_hz, board.hz))
        ),
        "cycles": board.hz // board.timer_hz,
        "cpuid": _cpuid(board.core.cpu),
        "timers": timers,
        "channels": range(board.clock.channels),
        "cells": instances,
        "wrap": board.clock_timers[-1],
        "clock_instance": _CLOCK,
        "numbers": numbers,
        "lines": [by_number.get(at, f"RESERVED{at}") for at in range(count)],
        "enables": _enables(timers),
        "openocd": openocd_files(part.family),
        "probe_name": probe_name(part.name),
    }


def _enables(timers: list[Timer]) -> list[tuple[int, int]]:
    """The registers that let the clocks of timers through, each once, with the bits to set."""
    found: dict[int, int] = {}
    for timer in timers:
        register, bit = timer.enable
        found[register] = found.get(register, 0) | 1 << bit
    return sorted(found.items())


def _decimal(value: Fraction) -> str:
    """`value` to a hundredth."""
    hundredths = round(value * 100)
    whole, rest = divmod(hundredths, 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")
