# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What an earlier run has measured, for commands that do not run the system: a hint, and no proof."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from horolog.model import Deadlines, System

__all__ = ["earlier_hint"]

_RESULTS = ("run.json", "result.json")  # of run, of compare


def earlier_hint(system: System, deadlines: Deadlines, out: Path | None = None) -> str | None:
    """Where WCETs are missing, the measured response nearest to its deadline, of the last run in `out`.

    None: there is no run of this system. `out` is ./build/<system> by default. A result that is older than
    the description or a source is said to be so.
    """
    if system.board.port.is_process:  # bodies without a WCET take no time there
        return None
    folder = out if out is not None else Path("build") / system.name
    written: list[tuple[float, Path]] = []
    for name in _RESULTS:
        with suppress(OSError):
            written.append(((folder / name).stat().st_mtime, folder / name))
    for at, path in sorted(written, reverse=True) if deadlines.unproved else ():
        hint = deadlines.hint(_longest(path, system))
        if hint is not None:
            older = any(_changed(one) > at for one in (system.path, *system.sources))
            return f"{hint} ({path}{', before the last change' if older else ''})"
    return None


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _longest(path: Path, system: System) -> Mapping[str, float | None]:
    """The longest response of each task in nanoseconds; empty if the file is no result of `system`."""
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        if (data["system"], data["board"]) != (system.name, system.board.name):
            return {}
        return {
            str(name): float(one["max_ns"]) for name, one in data["horolog"]["response"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}
