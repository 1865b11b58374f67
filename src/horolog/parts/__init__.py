# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Chips by their part numbers, and boards that are made of what is known of them: `horolog board`."""

from __future__ import annotations

from horolog.parts.chosen import Wish, chosen
from horolog.parts.files import board_files
from horolog.parts.stm32 import Part, find_part, part_names, read_part

__all__ = ["Part", "Wish", "board_files", "chosen", "find_part", "part_names", "read_part"]
