# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Guards of stacks: what ports have is a folder beside their other files."""

from __future__ import annotations

from collections.abc import Iterator

from horolog.data import data_root
from horolog.model import Board, HorologError
from horolog.read.document import Document
from horolog.read.files import SystemFile

__all__ = ["guard_problems"]


def guard_problems(document: Document, file: SystemFile, board: Board) -> Iterator[HorologError]:
    """A guard that the board's port has not."""
    name = file.system.guard
    if name is None:
        return
    ports = data_root() / "ports"
    if (ports / board.arch / name / "hrlp_guard_arch.h").is_file():
        return
    able = sorted(path.parts[-3] for path in ports.glob(f"*/{name}/hrlp_guard_arch.h"))
    yield HorologError(
        f'the board "{board.name}" has no guard "{name}"',
        place=document.place("system", "guard"),
        found=f'guard = "{name}", and the port {board.arch}',
        expected=f"no guard, or a board with arch = {' or '.join(able)}",
    )
