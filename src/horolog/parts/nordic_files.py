# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The files of a board with a chip of Nordic's: board.toml, link.ld, and the headers that its port reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from horolog.figures import decimals
from horolog.parts.nordic import Nordic, NordicTimer
from horolog.read.units import about_duration_text, frequency_text
from horolog.templates import environment

__all__ = ["nordic_files"]

_CLOCK = 2  # the comparison that fires at each half of the clock's counter; 3 is what it is read by
_OF_EACH = 4  # comparisons of a timer that the driver uses
_RTC_CELLS = (0, 1, 3)  # RTC0 has three comparisons, others have four
_TIMERS = {"nrf-timer": "nordic_timers.h.j2", "nrf-rtc": "nordic_rtc.h.j2"}
_TEMPLATES = {
    "board.toml": "nordic_board.toml.j2",
    "link.ld": "link.ld.j2",
    "port/hrlp_lines_controller.h": "hrlp_lines_controller.h.j2",
}


@dataclass(frozen=True, slots=True)
class _Cell:
    """A comparison of a timer, as board.toml has it."""

    name: str
    instance: int
    timer: NordicTimer


def nordic_files(board: Nordic, name: str) -> Mapping[str, str]:
    """The text of each file of a board called `name`, by its path in the board's folder."""
    part, numbers = board.part, board.part.interrupts
    by_number: dict[int, str] = {}
    for line, number in numbers.items():
        by_number.setdefault(number, line)
    count = board.core.lines or max(numbers.values()) + 1
    clock, *others = board.timers
    said = {
        "board": board,
        "name": name,
        "part": part,
        "clock": clock,
        "cells": list(_cells(board)),
        "clock_instance": _CLOCK,
        "clock_text": frequency_text(board.hz),
        "timer_text": frequency_text(board.timer_hz),
        "half_text": about_duration_text(Fraction(1 << clock.width - 1, board.timer_hz)),
        "work_ns": decimals(Fraction(board.core.work_cycles * 10**9, board.hz), 3),
        "basic_levels": min(8, 1 << part.priority_bits),
        "other_bits": others[0].width if others else 32,
        "reads_back": int(not board.core.name.startswith("m0")),
        "numbers": numbers,
        "lines": [by_number.get(at, f"RESERVED{at}") for at in range(count)],
    }
    templates = environment("horolog.parts")
    files = {**_TEMPLATES, "port/hrlp_board_timers.h": _TIMERS[board.device]}
    return {path: templates.get_template(file).render(said) for path, file in files.items()}


def _cells(board: Nordic) -> Iterator[_Cell]:
    if board.has_rtc:
        (rtc,) = board.timers
        for letter, at in zip("abc", _RTC_CELLS[: 2 if rtc.name == "RTC0" else 3], strict=False):
            yield _Cell(f"{rtc.name.lower()}{letter}", at, rtc)
        return
    for index, timer in enumerate(board.timers):
        for at in range(_CLOCK if index == 0 else _OF_EACH):
            yield _Cell(f"{timer.name.lower()}{'abcd'[at]}", _OF_EACH * index + at, timer)
