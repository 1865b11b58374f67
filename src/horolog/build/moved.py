# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Builds that were made in another place, which CMake refuses to go on with."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from horolog.data import data_root

__all__ = ["remove_moved"]

_PROJECT = "horolog_system"  # of cmake/firmware
_ENTRY = re.compile(r"^(\w+):\w+=(.*)$", re.MULTILINE)


def remove_moved(binaries: Path) -> None:
    """Remove `binaries` if it was built in another folder, or by a Horolog that lies in another.

    Such as a project that was moved or copied with its folder build/, or an environment that was made anew.
    Only a folder that CMake has configured for a system of ours is removed.
    """
    cache = binaries / "CMakeCache.txt"
    if not cache.is_file():
        return
    entries = dict(_ENTRY.findall(cache.read_text(encoding="utf-8", errors="replace")))
    if entries.get("CMAKE_PROJECT_NAME") != _PROJECT:
        return
    source = (data_root() / "cmake" / "firmware").resolve()
    made = (entries.get("CMAKE_CACHEFILE_DIR", ""), entries.get("CMAKE_HOME_DIRECTORY", ""))
    if tuple(Path(one).resolve() for one in made) != (binaries.resolve(), source):
        shutil.rmtree(binaries)
