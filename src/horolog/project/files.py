# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The files of a project: a small system for its board, and what editors and CMake need for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import jinja2

from horolog.model import Board
from horolog.project.chosen_board import ChosenBoard
from horolog.project.editor import launches, tasks
from horolog.templates import environment

__all__ = ["project_files"]

_TEXTS = {
    "system.toml": "system.toml.j2",
    "tasks.c": "tasks.c.j2",
    "README.md": "README.md.j2",
    "CMakeLists.txt": "CMakeLists.txt.j2",
    ".gitignore": "gitignore.j2",
}
# REUSE-IgnoreStart
_LICENCE = "// SPDX-License-Identifier: 0BSD\n"
# REUSE-IgnoreEnd
_OF_PRESETS = {"horolog/licence": "Licence: 0BSD"}  # a preset file has no comments


def project_files(name: str, of: ChosenBoard, board: Board) -> Mapping[str, str]:
    """The text of each file of the project `name`, by its path; `board` is what `of` says, read."""
    said = {
        "name": name,
        "reference": of.reference,
        "board": board,
        "part": of.part,
        "runs": board.runner.kind != "none",
        "firmware": _firmware(name, board),
    }
    texts = {path: _template(template).render(said) for path, template in _TEXTS.items()}
    launched = launches(board, of.part, _firmware(name, board))
    editor: dict[str, Any] = {
        "tasks.json": {"version": "2.0.0", "tasks": tasks(board)},
        "extensions.json": {"recommendations": _extensions(launched)},
    }
    if launched:
        editor["launch.json"] = {"version": "0.2.0", "configurations": launched}
    return {
        **of.files,
        **texts,
        "CMakePresets.json": _json(_PRESETS),
        **{f".vscode/{path}": _LICENCE + _json(content) for path, content in editor.items()},
    }


def _firmware(name: str, board: Board) -> str:
    return f"build/{name}/cmake/{board.name}/horolog.elf"


def _extensions(launched: list[dict[str, Any]]) -> list[str]:
    by_type = {"cortex-debug": "marus25.cortex-debug", "cppdbg": "ms-vscode.cpptools"}
    return ["tamasfe.even-better-toml", *sorted({by_type[one["type"]] for one in launched})]


_PRESETS = {
    "version": 3,
    "vendor": _OF_PRESETS,
    "configurePresets": [
        {"name": "default", "generator": "Ninja", "binaryDir": "${sourceDir}/build/preset"}
    ],
    "buildPresets": [
        {"name": target, "configurePreset": "default", "targets": [target]}
        for target in ("firmware", "check", "plan")
    ],
}


def _json(content: object) -> str:
    return json.dumps(content, indent=2) + "\n"


@cache
def _template(name: str) -> jinja2.Template:
    return environment("horolog.project").get_template(name)
