# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a build said: its steps, and what the compiler warns of in the user's sources."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

__all__ = ["Step", "Warned", "build_steps", "keep_warnings"]

_STEP = re.compile(r"\[\d+/\d+\] (.*)")  # as NINJA_STATUS in programs.py has it
_FAILED = "FAILED: "
_WARNING = re.compile(r"(.+?):(\d+):(?:(\d+):)? warning: (.*)")
_EXCERPT = re.compile(r" +(?:\d+ )?\|")
_KEPT = "warnings.json"


@dataclass(frozen=True, slots=True)
class Step:
    """One command of a build: what it makes, such as "Building C object X", and what it said."""

    what: str
    failed: bool
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Warned:
    """A warning of the compiler's: where, its words, and the lines of the source that it shows."""

    file: str
    line: int
    column: int | None
    text: str
    excerpt: tuple[str, ...] = ()

    def beside(self, folder: Path) -> str:
        """One line, with the file as it is named from `folder`."""
        column = "" if self.column is None else f":{self.column}"
        return f"{_named_from(folder, self.file)}:{self.line}{column}: {self.text}"

    def shown(self) -> str:
        """The warning as a user reads it, with paths relative to the current folder."""
        return "\n".join([f"warning: {self.beside(Path.cwd())}", *self.excerpt])


_WARNINGS = TypeAdapter(dict[str, list[Warned]])


def _named_from(folder: Path, file: str) -> str:
    return os.path.relpath(file, folder) if Path(file).is_absolute() else file


def build_steps(output: str) -> tuple[Step, ...]:
    """The steps of a build by Ninja, which shows what a command said when it has ended."""
    steps: list[tuple[str, list[str]]] = []
    for line in output.splitlines():
        begins = _STEP.fullmatch(line)
        if begins is not None:
            steps.append((begins[1], []))
        elif steps:
            steps[-1][1].append(line)
    found = []
    for what, said in steps:
        failed = bool(said) and said[0].startswith(_FAILED)
        # The command is second.
        found.append(Step(what, failed, tuple(said[2:] if failed else said)))
    return tuple(found)


def keep_warnings(
    binaries: Path, sources: Sequence[Path], steps: Sequence[Step]
) -> tuple[Warned, ...]:
    """All warnings in `sources` as they stand, after `steps` have compiled some of them in `binaries`.

    The compiler says them once; what it said of a source that was not compiled again is kept beside
    what it was compiled to, so that every build says the same.
    """
    path = binaries / _KEPT
    kept = _WARNINGS.validate_json(path.read_bytes()) if path.is_file() else {}
    made_from = _sources_by_object(binaries, sources)
    for step in steps:
        source = made_from.get(_object(step))
        if source is not None:
            kept[source] = _warnings(step.said)
    path.write_bytes(_WARNINGS.dump_json(kept, indent=1))
    return tuple(one for source in sources for one in kept.get(str(source), ()))


def _object(step: Step) -> str:
    """What `step` compiles to; nothing if it does not. Ninja may show it in quotes."""
    shown = step.what.partition(" object ")[2]
    return shown[1:-1] if shown.startswith("'") else shown


def _sources_by_object(binaries: Path, sources: Sequence[Path]) -> dict[str, str]:
    """Which of `sources` each object is made of; the kernel's commands are many, and long to split."""
    path = binaries / "compile_commands.json"
    if not sources or not path.is_file():
        return {}
    found = {}
    for one in json.loads(path.read_text(encoding="utf-8")):
        if Path(one["file"]) in sources:
            words = shlex.split(one["command"])
            found[words[words.index("-o") + 1]] = one["file"]
    return found


def _warnings(said: Sequence[str]) -> list[Warned]:
    heads: list[tuple[str, int, int | None, str]] = []
    excerpts: list[list[str]] = []
    behind = False  # a warning, or a line of the source that it shows
    for line in said:
        begins = _WARNING.fullmatch(line)
        if begins is not None:
            file, at, column, text = begins.groups()
            heads.append((file, int(at), None if column is None else int(column), text))
            excerpts.append([])
        elif behind and _EXCERPT.match(line):
            excerpts[-1].append(line)
        else:
            behind = False
            continue
        behind = True
    return [Warned(*head, tuple(shown)) for head, shown in zip(heads, excerpts, strict=True)]
