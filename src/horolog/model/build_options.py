# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How an application's own sources are compiled and what they are linked with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["ASSEMBLY_SUFFIXES", "BuildOptions", "CXX_SUFFIXES"]

CXX_SUFFIXES = (".cpp", ".cc", ".cxx")
ASSEMBLY_SUFFIXES = (".S", ".s")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """[build]. Both kernels' firmware has the same bodies, so it holds for both. Paths are absolute."""

    include: tuple[Path, ...] = ()  # folders, searched in this order, before those of the sources
    define: tuple[str, ...] = ()  # NAME or NAME=VALUE
    flags: tuple[str, ...] = ()  # of C and C++, behind Horolog's own
    libraries: tuple[str, ...] = ()  # names for -l, or absolute paths of archives, in this order
    objects: tuple[Path, ...] = ()  # linked whole
    c_standard: str | None = None  # None: C11 with GNU's extensions
    cxx_standard: str | None = None  # None: the compiler's
    warnings: str = "default"  # all, default or off
    linker_script: Path | None = None  # None: the board's
    constructs: bool = False  # C sources have constructors, or objects and archives may
    own_vectors: bool = False  # the sources have a vector table and a Reset_Handler
    by_project: bool = False  # a CMake target has the sources, also those of the description
