# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A project of the user's own for a board: what `horolog new --board` writes."""

from __future__ import annotations

from horolog.project.chosen_board import ChosenBoard, chosen_board
from horolog.project.files import project_files

__all__ = ["ChosenBoard", "chosen_board", "project_files"]
