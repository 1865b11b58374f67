# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""analyse --import: a table of tasks in place of a system.toml."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from horolog.cli import tell
from horolog.figures import plural
from horolog.model import HorologError, Kind, PriorityRule, System

__all__ = ["NO_BOARD", "imported", "one_description"]

NO_BOARD = (
    "no board is given: the kernel's own work, timer interrupts and sections with interrupts off are not "
    "in the bounds; --board NAME counts them"
)

_RULES = {
    PriorityRule.EXPLICIT: "of the table; a larger number is more urgent",
    PriorityRule.RATE_MONOTONIC: "by periods, the shortest first",
    PriorityRule.DEADLINE_MONOTONIC: "by deadlines, the shortest first",
}


def one_description(system: Path | None, table: Path | None, write: Path | None) -> None:
    """HorologError unless there is one of the two, and a table where something of it is to be written."""
    if system is not None and table is not None:
        raise HorologError(
            "both a description and a table",
            found=f"{system} and --import {table}",
            expected="SYSTEM.toml, or --import TABLE.csv",
        )
    if system is None and table is None:
        raise HorologError(
            "nothing to analyse", found="no file", expected="SYSTEM.toml, or --import TABLE.csv"
        )
    if write is not None and table is None:
        raise HorologError(
            "--write writes what --import has read",
            found="no --import",
            expected="--import TABLE.csv",
        )


def imported(
    table: Path,
    board: str | None,
    kind: Kind | None,
    write: Path | None,
    of_plan: Mapping[str, str | None],
) -> System:
    """The system of a table. `of_plan`: options that choose a plan, which needs a board."""
    from horolog.read import read_table, system_of_table, system_without_board, toml_of_table

    if board is None:
        needy = [f"--{name}" for name, value in of_plan.items() if value is not None]
        needy += ["--write"] if write is not None else []
        if needy:
            raise HorologError(
                f"{needy[0]} needs a board",
                found=f"{needy[0]} without --board",
                expected="--board NAME",
            )
    tasks = read_table(table)
    if board is None:
        system = system_without_board(table, tasks, kind)
    else:
        system = system_of_table(table, tasks, board, kind)
    if write is not None and board is not None:
        _write(write, toml_of_table(table, tasks, board))
    rule = _RULES[system.priorities]
    tell(f"{table}: {plural(len(tasks), 'task')}; priorities {rule}")
    return system


def _write(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise HorologError(
            f"{path} is there already",
            found="a file",
            expected="--write with the name of a new file",
        ) from None
    tell(f"wrote {path}")
