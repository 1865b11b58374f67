# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a CMake project of the user's takes of a system: generated sources, and facts about the board.

cmake/horolog_system.cmake compiles them with the kernel and links them into a target of the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from horolog import __version__
from horolog.calls import FRAMES_HEADER, write_full_frames
from horolog.data import data_root
from horolog.emit import Generated, generated_files, generated_files_for_cores
from horolog.filenames import unbuildable, unbuildable_error
from horolog.model import CorePlan, HorologError, Plan, System

__all__ = ["project_sources", "project_sources_for_cores"]

FACTS = "facts.cmake"
# REUSE-IgnoreStart
_LICENCE = "# SPDX-License-Identifier: 0BSD\n"
# REUSE-IgnoreEnd


def project_sources(system: System, plan: Plan, folder: Path) -> None:
    """Write the sources of `system` by `plan`, and the facts, into `folder`."""
    _refuse(system, folder)
    _complete(system, generated_files(system, plan, folder), folder)


def project_sources_for_cores(system: System, plans: Sequence[CorePlan], folder: Path) -> None:
    """As project_sources, of a system on several cores."""
    _refuse(system, folder)
    _complete(system, generated_files_for_cores(system, plans, folder), folder)


def _refuse(system: System, folder: Path) -> None:
    if system.board.port.is_process:
        raise HorologError(
            f"{system.board.name} is a process of this machine, for which no CMake target is linked",
            expected="a board with a processor of its own; horolog run builds and runs the process",
        )
    for one in (folder, data_root(), system.board.directory):
        wrong = unbuildable(one.resolve())
        if wrong is not None:
            raise unbuildable_error("a folder", wrong, str(one.resolve()))


def _complete(system: System, made: Generated, folder: Path) -> None:
    """The header of registers, of which all are saved as no code is linked yet; and the facts."""
    if made.framed:
        write_full_frames(folder / FRAMES_HEADER, made.framed)
    board = system.board
    inputs = [system.path.resolve(), *sorted(board.directory.resolve().glob("*.toml"))]
    facts = {
        "version": [__version__],
        "board": [board.name],
        "cpu": [board.cpu],
        "fpu": [board.fpu or ""],
        "inputs": [str(path) for path in inputs],
    }
    lines = [f"set(horolog_{name} {_quoted(values)})\n" for name, values in facts.items()]
    path, text = folder / FACTS, "".join([_LICENCE, *lines])
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _quoted(values: Sequence[str]) -> str:
    return " ".join(f"[==[{value}]==]" for value in values)
