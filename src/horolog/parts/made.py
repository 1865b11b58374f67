# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board of a part, made of the STM32's data or of an SVD file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from horolog.model import HorologError
from horolog.parts.chosen import Chosen, Wish, chosen
from horolog.parts.files import board_files
from horolog.parts.nordic import Nordic, nordic_board
from horolog.parts.nordic_chips import is_nordic, nordic_names
from horolog.parts.nordic_files import nordic_files
from horolog.parts.raspberry import Raspberry, raspberry_board
from horolog.parts.raspberry_chips import is_raspberry, raspberry_chips
from horolog.parts.raspberry_files import raspberry_files
from horolog.parts.stm32 import find_part
from horolog.read.problems import listed, shown

__all__ = ["Made", "files_of", "made_board"]

Made = Chosen | Nordic | Raspberry
"""A board of a part, before its files are written."""


def made_board(part: str, wish: Wish, svd: Path | None = None) -> Made:
    """The board of the part called so; `svd`: a file instead of pyOCD's or a crate's.

    HorologError if there is none.
    """
    if is_nordic(part):
        return nordic_board(part, wish, svd)
    if is_raspberry(part):
        return raspberry_board(part, wish, svd)
    wanted = part.strip().upper()
    others = [*nordic_names(), *(chip.name for chip in raspberry_chips())]
    if svd is not None:
        raise HorologError(
            "no SVD file is read for this part",
            found=f"--svd {svd} for {shown(part)}",
            expected=f"no --svd, or --part {listed(others)}",
        )
    try:
        return chosen(find_part(part), wish)
    except HorologError as error:
        if wanted.startswith("STM32") or not error.message.startswith("unknown part"):
            raise
        raise HorologError(
            error.message,
            found=error.found,
            expected=f"{error.expected}; or {listed(others)}",
        ) from None


def files_of(board: Made, name: str) -> Mapping[str, str]:
    """The text of each file of a board called `name`, by its path in the board's folder."""
    if isinstance(board, Nordic):
        return nordic_files(board, name)
    if isinstance(board, Raspberry):
        return raspberry_files(board, name)
    return board_files(board, name)
