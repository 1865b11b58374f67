# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the kernel's steps cost on a board, in instructions: boards/NAME/costs.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from horolog.model import Board, HorologError, Place

__all__ = ["Costs", "FREE", "read_costs"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Instructions by step. Each is counted from outside; a mean of runs may be a fraction."""

    interrupt_periodic: Fraction  # a periodic cell's handler, entry to exit, nobody released
    interrupt_one_shot: Fraction  # a one-shot cell's handler likewise, arming for the next included
    divider_skip: Fraction  # a periodic cell's handler when it only counts in software
    release: Fraction  # each job that a handler releases
    wait: Fraction  # each job's wait for its next release, without the walk
    walk: Fraction  # each node passed on insertion into the sorted list
    rearm: Fraction  # each insertion that becomes the head of a one-shot releaser's list
    switch: Fraction  # each job's switches, in and out


FREE = Costs(*[Fraction(0)] * len(fields(Costs)))
"""Costs of a board on which no instructions are counted."""


def read_costs(board: Board) -> Costs:
    """The costs of `board` from its costs.toml; FREE where no instructions are counted.

    Values are TOML integers, decimals, or strings such as "91/2"; all are read exactly.
    """
    if board.runner.ns_per_instruction is None:
        return FREE
    path = board.directory / "costs.toml"
    calibrate = f"horolog calibrate {board.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise HorologError(
            f"board {board.name} has no costs.toml: what the kernel costs there is not known",
            place=Place(str(path)),
            expected=f"a file written by: {calibrate}",
        ) from None
    try:
        document = tomllib.loads(text, parse_float=Fraction)
    except ValueError as error:  # TOML syntax; or a Fraction of inf or nan
        raise HorologError(
            f"no valid costs: {error}",
            place=Place(str(path)),
            expected=f"a file written by: {calibrate}",
        ) from None
    table = document.get("costs")
    if not isinstance(table, dict):
        raise HorologError(
            "no [costs] table",
            place=Place(str(path)),
            expected=f"a file written by: {calibrate}",
        )
    return Costs(**{field.name: _cost(table, field.name, str(path)) for field in fields(Costs)})


def _cost(table: dict[str, Any], key: str, file: str) -> Fraction:
    value = table.get(key)
    exact: Fraction | None = None
    if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        exact = Fraction(value)
    elif isinstance(value, str):
        try:
            exact = Fraction(value)
        except (ValueError, ZeroDivisionError):
            exact = None
    if exact is None or exact < 0:
        raise HorologError(
            "a cost is missing" if value is None else "a cost is no number",
            place=Place(file, key=f"costs.{key}"),
            found=None if value is None else repr(value),
            expected='instructions, not negative: 45, 45.5 or "91/2"',
        )
    return exact
