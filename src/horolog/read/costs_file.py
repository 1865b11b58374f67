# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Where a board's costs.toml lies: the user's own copy goes before the one that comes with Horolog."""

from __future__ import annotations

import os
from pathlib import Path

from horolog.data import data_root
from horolog.model import Board

__all__ = ["COSTS_FILE", "costs_path", "is_shipped", "own_costs_path"]

COSTS_FILE = "costs.toml"


def is_shipped(board: Board) -> bool:
    """Whether `board` is one of those that come with Horolog."""
    return board.directory.parent == data_root() / "boards"


def own_costs_path(board: Board) -> Path:
    """Where the user's own costs for `board` belong, whether or not there are any.

    Beside a board.toml of the user's; for a board that comes with Horolog
    $XDG_CONFIG_HOME/horolog/boards/<board>/costs.toml, below ~/.config by default.
    """
    if not is_shipped(board):
        return board.directory / COSTS_FILE
    named = Path(os.environ.get("XDG_CONFIG_HOME", ""))
    # A relative path there is to be ignored: XDG Base Directory Specification.
    config = named if named.is_absolute() else Path.home() / ".config"
    return config / "horolog" / "boards" / board.name / COSTS_FILE


def costs_path(board: Board) -> Path:
    """The costs.toml that holds for `board`; it need not exist."""
    own = own_costs_path(board)
    return own if own.is_file() else board.directory / COSTS_FILE
