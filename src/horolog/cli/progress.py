# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How far long work has come, on a terminal: each line says how much time is left, by the last run.

The first time a command says only for how long it has been at work.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click

from horolog.cache import cache_folder
from horolog.cli.streams import tell
from horolog.model import HorologError

__all__ = ["Course", "course"]

_WORTH_SAYING = 5.0  # seconds


class Course:
    """The lines of one run of a command, and when each was said, beside those of the last run, in `file`."""

    def __init__(
        self, file: Path, out: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._file = file
        self._out = out
        self._clock = clock
        self._began = clock()
        self._said: list[tuple[str, float]] = []
        self._last = _read(file)

    def say(self, text: str) -> None:
        """`text`, with what is known of the time."""
        now = self._clock() - self._began
        self._said.append((text, now))
        left = self._left(text, now)
        if left is not None:
            note = f" (about {_duration(left)} left)" if left >= _WORTH_SAYING else ""
        else:
            note = f" ({_duration(now)} so far)" if now >= _WORTH_SAYING else ""
        self._out(f"{text}{note}")

    def finish(self) -> None:
        """The command has done all: the next one goes by this."""
        lines = [*self._said, ("", self._clock() - self._began)]
        with suppress(OSError):  # a cache that cannot be written is none
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._file.write_text(json.dumps(lines), encoding="utf-8")

    def _left(self, text: str, now: float) -> float | None:
        """In seconds, at the pace of this run; None if the last one did not say `text` so often."""
        nth = sum(said == text for said, _ in self._said)
        then = [at for said, at in self._last if said == text]
        if len(then) < nth:
            return None
        at, whole = then[nth - 1], self._last[-1][1]
        pace = min(4.0, max(0.25, now / at)) if at >= _WORTH_SAYING else 1.0
        return (whole - at) * pace


def course() -> Callable[[str], None]:
    """What says how far the running command has come; the same for all parts of it."""
    context = click.get_current_context(silent=True)
    if context is None or sys.stderr is None or not sys.stderr.isatty():
        return tell
    known: Course | None = context.meta.get(__name__)
    if known is None:
        name = hashlib.sha256("\0".join([str(Path.cwd()), *sys.argv[1:]]).encode()).hexdigest()
        try:
            file = cache_folder() / "progress" / f"{name[:16]}.json"
        except HorologError:
            return tell
        known = context.meta[__name__] = Course(file, tell)
        context.call_on_close(lambda: None if _fails() else known.finish())
    return known.say


def _fails() -> bool:
    """Whether the command is being left by an error."""
    error = sys.exc_info()[1]
    return error is not None and getattr(error, "exit_code", 1) != 0


def _read(file: Path) -> list[tuple[str, float]]:
    """The lines of the last run; none if there was none, or the file is not ours."""
    try:
        lines = json.loads(file.read_text(encoding="utf-8"))
        return [(str(text), float(at)) for text, at in lines]
    except (OSError, ValueError, TypeError):
        return []


def _duration(seconds: float) -> str:
    whole = round(seconds)
    if whole < 100:
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes / 60:.1f} h"
