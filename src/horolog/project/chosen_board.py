# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The board that a project is for: one that comes with Horolog, or one made of its chip's part number."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from horolog.model import HorologError
from horolog.parts import (
    Made,
    Part,
    Wish,
    board_files,
    chosen,
    files_of,
    find_part,
    is_nordic,
    is_raspberry,
    made_board,
    nordic_names,
    part_names,
    raspberry_chips,
)
from horolog.read import board_names

__all__ = ["ChosenBoard", "chosen_board"]

_NEAR = 3  # names of each kind that an error lists
_KIT = "nucleo-"
_FORM = re.compile(
    r"-[qp]\Z|-p-q\Z"
)  # of an ST kit's name: its power supply, which is not the chip's
_SMALLEST = re.compile(
    r"stm32[a-z]+\d+\Z"
)  # a chip without its pins and flash: any of these will do


@dataclass(frozen=True, slots=True)
class ChosenBoard:
    """A board by the word that system.toml says, and its files by their paths in the project."""

    name: str
    reference: str
    files: Mapping[str, str] = field(default_factory=dict)
    part: Part | None = (
        None  # of the chip, an STM32; None: it comes with Horolog, or has another chip
    )


def chosen_board(name: str) -> ChosenBoard:
    """The board called `name`: a board, an ST kit such as nucleo-f446re, or a part: STM32F446RE, RP2350.

    HorologError, with the names that are near, if it is none of these.
    """
    for known in (name, name.lower()):
        if known in board_names():
            return ChosenBoard(known, known)
    called = name.lower()
    part = None if is_nordic(name) or is_raspberry(name) else _part(name)
    if part is None:
        files = files_of(_by_svd(name), called)
    else:
        files = board_files(chosen(part, Wish()), called)
    folder = f"boards/{called}"
    inside = {f"{folder}/{path}": text for path, text in files.items()}
    return ChosenBoard(called, f"./{folder}", inside, part)


def _by_svd(name: str) -> Made:
    try:
        return made_board(name, Wish())
    except HorologError as error:
        if error.message.startswith("unknown part"):
            raise _unknown(name, name.lower()) from None
        raise


def _part(name: str) -> Part:
    wanted = name.lower()
    of_chip = f"stm32{_FORM.sub('', wanted.removeprefix(_KIT))}" if _is_kit(wanted) else wanted
    if _SMALLEST.fullmatch(of_chip):
        forms = [one for one in part_names() if one.lower().startswith(of_chip)]
        if forms:
            raise HorologError(
                f'"{name}" is not a whole part number',
                found=f'"{name}"',
                expected=f"what is printed on the chip: {', '.join(forms[:_NEAR])}, ...",
            )
    try:
        return find_part(of_chip)
    except HorologError as error:
        if not of_chip.startswith("stm32"):
            raise _unknown(name, wanted) from None
        if _is_kit(wanted):
            raise HorologError(
                f'"{name}" has a chip that is not known',
                found=f'"{of_chip.upper()}", by the name of the kit',
                expected=error.expected,
            ) from None
        raise


def _is_kit(wanted: str) -> bool:
    return wanted.startswith(_KIT) and len(wanted) > len(_KIT)


def _unknown(name: str, wanted: str) -> HorologError:
    boards = [
        *board_names(),
        *(f"{_KIT}{one.lower().removeprefix('stm32')}" for one in part_names()),
    ]
    parts = (*part_names(), *nordic_names(), *(chip.name for chip in raspberry_chips()))
    known = {**{one: one for one in boards}, **{one.lower(): one for one in parts}}
    near = [known[one] for one in difflib.get_close_matches(wanted, known, n=_NEAR, cutoff=0.6)]
    kinds = (
        "a board (horolog boards), an ST kit such as nucleo-f446re, or a part (horolog board parts)"
    )
    return HorologError(
        f'unknown board or part "{name}"',
        found=f'"{name}"',
        expected=f"{', '.join(near)}; or else {kinds}" if near else kinds,
    )
