# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The files of a board with a chip of Raspberry Pi's: board.toml, link.ld, headers, what simulates it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from horolog.figures import decimals
from horolog.model.board import CHIP_FILE
from horolog.parts.files import measured_costs
from horolog.parts.raspberry import Raspberry
from horolog.read.units import frequency_text
from horolog.templates import environment

__all__ = ["raspberry_files", "raspberry_shipped"]

_TEMPLATES = {
    "board.toml": "rp_board.toml.j2",
    "link.ld": "link.ld.j2",
    "port/hrlp_board_timers.h": "rp_timers.h.j2",
    "port/hrlp_lines_controller.h": "hrlp_lines_controller.h.j2",
}
_LEAST_COUNTS = 16  # of the boards that come with Horolog
_HANDLER_CYCLES = 2000  # shorter intervals leave no time for a handler: 16 us at 125 MHz
_SHIPPED = {"RP2040": "pico", "RP2350": "pico2"}
"""By chip: the board with it that comes with Horolog. Its costs hold where the clock is the same."""


def raspberry_shipped(board: Raspberry) -> str | None:
    """The board that comes with Horolog whose simulator runs this one, at the same clock; None: none."""
    return _SHIPPED[board.part.name] if board.hz == board.part.chip.hz else None


def raspberry_files(board: Raspberry, name: str) -> Mapping[str, str]:
    """The text of each file of a board called `name`, by its path in the board's folder."""
    chip = board.part.chip
    by_number = {number: line for line, number in board.part.interrupts.items()}
    said = {
        "board": board,
        "name": name,
        "part": board.part,
        "chip": chip,
        "shipped": raspberry_shipped(board),
        "clock_text": frequency_text(board.hz),
        "work_ns": decimals(Fraction(board.core.work_cycles * 10**9, board.hz), 3),
        "basic_levels": 8 if chip.row is None else min(8, 1 << board.part.priority_bits),
        "min_counts": max(_LEAST_COUNTS, -(-_HANDLER_CYCLES * board.timer_hz // board.hz)),
        "count_cycles": board.hz // board.timer_hz,
        "reads_back": int(not board.core.name.startswith("m0")),
        "lines": [by_number.get(at, f"IRQ{at}") for at in range(chip.lines)],
        "begins": ".boot2" if chip.starts_by_second_stage else None,
        "begins_behind_vectors": None if chip.starts_by_second_stage else ".image_definition",
    }
    templates = environment("horolog.parts")
    wanted = dict(_TEMPLATES)
    shipped = raspberry_shipped(board)
    if shipped is not None and not chip.starts_by_second_stage:
        wanted[CHIP_FILE] = "rp_chip.txt.j2"
    files = {path: templates.get_template(file).render(said) for path, file in wanted.items()}
    if shipped is not None:
        files["costs.toml"] = measured_costs(shipped)
    return files
