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
from horolog.parts.stm32 import find_part
from horolog.read.problems import listed, shown

__all__ = ["files_of", "made_board"]

_SHIPPED = {"RP2040": "pico"}
"""Parts of which no board is made, as one comes with Horolog."""


def made_board(part: str, wish: Wish, svd: Path | None = None) -> Chosen | Nordic:
    """The board of the part called so; `svd`: a file instead of pyOCD's. HorologError if there is none."""
    if is_nordic(part):
        return nordic_board(part, wish, svd)
    wanted = part.strip().upper()
    shipped = _SHIPPED.get(wanted)
    if shipped is not None:
        raise HorologError(
            f"no board is made of {wanted}: one with it comes with Horolog",
            found=shown(part),
            expected=f'board = "{shipped}" in system.toml, or horolog new DIR --board {shipped}',
        )
    if svd is not None:
        raise HorologError(
            "no SVD file is read for this part",
            found=f"--svd {svd} for {shown(part)}",
            expected=f"no --svd, or --part {listed(nordic_names())}",
        )
    try:
        return chosen(find_part(part), wish)
    except HorologError as error:
        if wanted.startswith("STM32") or not error.message.startswith("unknown part"):
            raise
        raise HorologError(
            error.message,
            found=error.found,
            expected=f"{error.expected}; or {listed(nordic_names())}",
        ) from None


def files_of(board: Chosen | Nordic, name: str) -> Mapping[str, str]:
    """The text of each file of a board called `name`, by its path in the board's folder."""
    return nordic_files(board, name) if isinstance(board, Nordic) else board_files(board, name)
