# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A board of several cores for tests: ibex-cells with more of them, and systems that it runs."""

from __future__ import annotations

from pathlib import Path
from shutil import copyfile

from horolog.data import data_root

__all__ = ["TEXT", "board_of", "system_on"]

TEXT = """\
[system]
name = "demo"
board = "{board}"
duration = "100 ms"
{cores}

[[task]]
name = "fast"
period = "5 ms"
work = 500
core = 0

[[task]]
name = "slow"
period = "20 ms"
work = 5_000
core = 1

[[task_group]]
name = "late"
tasks = 3
period = "50 ms"
work = 4_000
core = {core}
"""
"""Line 5 is `cores`; lines 7, 13 and 19 are the tables of tasks."""


def board_of(folder: Path, cores: int) -> Path:
    """Writes the board with so many cores into `folder`, with the costs of one; returns its folder."""
    one, made = data_root() / "boards" / "ibex-cells", folder / f"cells-x{cores}"
    made.mkdir(parents=True, exist_ok=True)
    text = (one / "board.toml").read_text(encoding="utf-8")
    for old, new in (
        ('name = "ibex-cells"', f'name = "cells-x{cores}"'),
        ("levels = 31", f"cores = {cores}\nlevels = 31"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    (made / "board.toml").write_text(text, encoding="utf-8")
    for name in ("costs.toml", "link.ld"):
        copyfile(one / name, made / name)
    return made


def system_on(
    folder: Path, *, of: int = 2, cores: str = "cores = 2", core: str = '"auto"', more: str = ""
) -> Path:
    """Writes a system for a board of so many cores; returns its file."""
    board = board_of(folder, of)
    path = folder / "system.toml"
    path.write_text(TEXT.format(board=board, cores=cores, core=core) + more, encoding="utf-8")
    return path
