# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The toolchain file of a board's processor, for a folder that may have been configured with another."""

from __future__ import annotations

from pathlib import Path

from horolog.cache import write_whole
from horolog.data import data_root
from horolog.model import Board

__all__ = ["toolchain_file"]

_USED = "toolchain.cmake"


def toolchain_file(board: Board, folder: Path) -> Path:
    """The file for CMAKE_TOOLCHAIN_FILE, to configure the build in `folder`.

    CMake keeps the flags of the first one that it sees. So a folder that was configured with a file of other
    contents, of an earlier version of Horolog, loses CMake's cache here.
    """
    file = data_root() / "cmake" / "toolchain" / f"{board.arch}.cmake"
    text, used = file.read_text(encoding="utf-8"), folder / _USED
    if not used.is_file() or used.read_text(encoding="utf-8") != text:
        (folder / "CMakeCache.txt").unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(used, text)
    return file
