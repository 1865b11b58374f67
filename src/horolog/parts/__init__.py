# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Chips by their part numbers, and boards that are made of what is known of them: `horolog board`."""

from __future__ import annotations

from horolog.parts.chosen import Chosen, Wish, chosen
from horolog.parts.files import board_files
from horolog.parts.made import Made, files_of, made_board
from horolog.parts.nordic import Nordic, nordic_board
from horolog.parts.nordic_chips import is_nordic, nordic_memory, nordic_names
from horolog.parts.raspberry import Raspberry, raspberry_board
from horolog.parts.raspberry_chips import is_raspberry, raspberry_chips
from horolog.parts.raspberry_files import raspberry_shipped
from horolog.parts.stm32 import Part, find_part, part_names, read_part

__all__ = [
    "Chosen",
    "Made",
    "Nordic",
    "Part",
    "Raspberry",
    "Wish",
    "board_files",
    "chosen",
    "files_of",
    "find_part",
    "is_nordic",
    "is_raspberry",
    "made_board",
    "nordic_board",
    "nordic_memory",
    "nordic_names",
    "part_names",
    "raspberry_board",
    "raspberry_chips",
    "raspberry_shipped",
    "read_part",
]
