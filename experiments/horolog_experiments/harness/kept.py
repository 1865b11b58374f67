# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measured values kept on the disc, by all that they depend on, so that a long campaign can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import horolog
from horolog.build.freertos import freertos_source, freertos_version
from horolog.build.toolchains import tool_versions
from horolog.cache import write_whole
from horolog.data import data_root
from horolog.plan import own_costs_path
from horolog.read import read_board
from horolog_experiments.harness.codec import plain_value, typed

__all__ = ["Kept", "sources"]

_SOURCES = (
    "baselines",
    "cmake",
    "examples/chronos",
    "include",
    "kernel",
    "plugin",
    "ports",
    "watch",
)
_TOOL = (
    *("analyse", "build", "calls", "emit", "measure", "model", "plan", "read", "run", "trace"),
    *("data.py", "image.py"),
)

_Value = TypeVar("_Value")


class Kept(Generic[_Value]):
    """Values of `kind` below `folder`, one file each; those of other sources or tools are not found.

    They are measured on `board`, and by the files `own` beside those of the kernel and the tool.
    """

    def __init__(self, folder: Path, kind: type[_Value], board: str, own: Sequence[Path]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._kind = kind
        self._base = _fingerprint(board, own)

    def get(self, key: object) -> _Value | None:
        """What was measured for `key`, if it was."""
        path = self._path(key)
        if not path.is_file():
            return None
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        return typed(self._kind, data)

    def put(self, key: object, value: _Value) -> None:
        """Keep `value`; a run that is ended leaves whole values only."""
        write_whole(self._path(key), json.dumps(plain_value(value)))

    def _path(self, key: object) -> Path:
        text = self._base + json.dumps(plain_value(key))
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"


def sources(board: str) -> list[Path]:
    """Every file of the kernel and the tool that a number measured on `board` may depend on."""
    root, package = data_root(), Path(horolog.__file__).parent
    found = [root / name for name in (*_SOURCES, f"boards/{board}")]
    found += [package / name for name in _TOOL]
    return [path for one in found for path in _files(one)]


def _fingerprint(name: str, own: Sequence[Path]) -> str:
    """A digest of every source and tool that a measured number may depend on."""
    digest = hashlib.sha256()
    for path in [*sources(name), *own]:
        digest.update("/".join(path.parts[-3:]).encode())
        digest.update(path.read_bytes())
    board, source = read_board(name), freertos_source()
    calibrated = own_costs_path(board)  # by the user: it goes before what came with the board
    if calibrated.is_file():
        digest.update(calibrated.read_bytes())
    versions = {
        **tool_versions(board),
        "freertos": None if source is None else freertos_version(source),
    }
    digest.update(json.dumps(versions, sort_keys=True).encode())
    return digest.hexdigest()


def _files(folder: Path) -> Iterable[Path]:
    if folder.is_file():
        return [folder]
    if not folder.is_dir():
        raise FileNotFoundError(folder)
    return sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    )
