# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measured points kept on the disc, by all that a point depends on, so that a campaign can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

import horolog
from horolog.build.freertos import freertos_source, freertos_version
from horolog.build.toolchains import tool_versions
from horolog.cache import write_whole
from horolog.data import data_root
from horolog.plan import own_costs_path
from horolog.read import read_board
from horolog_experiments.chronos.points import Row
from horolog_experiments.chronos.sets import Point
from horolog_experiments.harness import plain_value, typed

__all__ = ["Cache", "sources"]

_BOARD = "mps2-an385"  # only this board's files matter
_SOURCES = (
    "baselines",
    f"boards/{_BOARD}",
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
_OURS = ("points.py", "sets.py")


class Cache:
    """Rows below `folder`, one file each; what was measured by other sources or tools is not found."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._base = _fingerprint()

    def get(self, point: Point) -> Row | None:
        """The row of `point`, if it has been measured."""
        path = self._path(point)
        return typed(Row, json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else None

    def put(self, row: Row) -> None:
        """Keep `row`; a run that is ended leaves whole rows only."""
        write_whole(self._path(row.point), json.dumps(plain_value(row)))

    def _path(self, point: Point) -> Path:
        text = self._base + json.dumps(plain_value(point))
        return self._folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"


def sources() -> list[Path]:
    """Every file of the kernel, the tool and this bench that a measured number may depend on."""
    root, package = data_root(), Path(horolog.__file__).parent
    found = [root / name for name in _SOURCES] + [package / name for name in _TOOL]
    found += [Path(__file__).parent / name for name in _OURS]
    return [path for one in found for path in _files(one)]


def _fingerprint() -> str:
    """A digest of every source and tool that a measured number may depend on."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update("/".join(path.parts[-3:]).encode())
        digest.update(path.read_bytes())
    board, source = read_board(_BOARD), freertos_source()
    own = own_costs_path(board)  # what the user has calibrated goes before what came with the board
    if own.is_file():
        digest.update(own.read_bytes())
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
