# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What exceptions take that an emulator counts no instruction for: exception_cycles.toml, by the core."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from horolog.model import Board
from horolog.model.exceptions import ExceptionCycles

__all__ = ["exception_cycles", "why_no_exceptions"]


@cache
def _figures() -> dict[str, ExceptionCycles]:
    text = Path(__file__).with_name("exception_cycles.toml").read_text(encoding="utf-8")
    return {core: ExceptionCycles(core, **row) for core, row in tomllib.loads(text).items()}


def exception_cycles(board: Board) -> ExceptionCycles | None:
    """What the manual of the board's core says; None if nothing is to be added, or nothing is known."""
    return None if board.runner.counts_cycles else _figures().get(board.cpu)


def why_no_exceptions(board: Board, *, counted: bool) -> str | None:
    """Why cycles of exceptions are not added to what was counted on `board`; None if they are.

    `counted`: whether the emulator has counted exceptions.
    """
    if board.runner.counts_cycles:
        return "the cycles that are counted have those of exceptions in them"
    if board.runner.ns_per_step is None:
        return "no instructions are counted on this board"
    if exception_cycles(board) is None:
        return f"no manual is known that says what exceptions take on {board.cpu}"
    return None if counted else "this emulator does not let exceptions be counted"
