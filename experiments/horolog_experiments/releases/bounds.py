# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How late a cell's handler may enter: what the header of its driver says."""

from __future__ import annotations

import re
from fractions import Fraction

from horolog.data import data_root
from horolog.model import Board, HorologError, Place

__all__ = ["bound_counts", "bound_text"]

_BOUND = re.compile(r"^#define HRLP_\w+_LATE_(COUNTS|CYCLES) (\d+)u\b", re.MULTILINE)


def bound_text(device: str) -> dict[str, int]:
    """The numbers in the header of the driver `device`: COUNTS of the clock, CYCLES of its prescaler's input.

    HorologError if it says neither, or one twice.
    """
    path = data_root() / "ports" / "cell" / device / f"hrlp_{device.replace('-', '_')}.h"
    found = _BOUND.findall(path.read_text(encoding="utf-8"))
    said = {unit: int(number) for unit, number in found}
    if not found or len(said) < len(found):
        raise HorologError(
            f"the driver {device} does not say how late its handler may enter",
            place=Place(str(path)),
            found=f"{len(found)} lines that do",
            expected="a line #define HRLP_<DEVICE>_LATE_COUNTS <number>u, or _LATE_CYCLES, or one of each",
        )
    return said


def bound_counts(device: str, board: Board) -> Fraction:
    """The same in counts of the clock of `board`: the sum."""
    said = bound_text(device)
    return said.get("COUNTS", 0) + Fraction(said.get("CYCLES", 0), board.clock.prescaler)
