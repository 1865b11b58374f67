# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Reads what the user wrote: systems and boards in TOML, into the frozen model, or into errors."""

from horolog.read.boards import board_names, read_board
from horolog.read.imported import system_of_table, system_without_board, toml_of_table
from horolog.read.plausible import Finding, check, unreleased
from horolog.read.problems import HorologErrors
from horolog.read.schema import board_schema, system_schema
from horolog.read.spreadsheet import TableTask, read_table
from horolog.read.system import read_system
from horolog.read.units import duration_text, parse_duration

__all__ = [
    "Finding",
    "HorologErrors",
    "TableTask",
    "board_names",
    "board_schema",
    "check",
    "duration_text",
    "parse_duration",
    "read_board",
    "read_system",
    "read_table",
    "system_of_table",
    "system_schema",
    "system_without_board",
    "toml_of_table",
    "unreleased",
]
