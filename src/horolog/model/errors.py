# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The error class of the tool, its kinds by exit status, and the exit codes that a shell sees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

__all__ = ["Exit", "HorologError", "NeverIdle", "NotInstalled", "Place", "TargetFailed"]


class Exit(IntEnum):
    """What a command's exit status means; README.md has the same table."""

    OK = 0
    DOES_NOT_HOLD = 1  # the system misses deadlines or limits
    BAD_INPUT = 2
    NOT_INSTALLED = 3
    TARGET_FAILED = 4
    FAULT = 70  # of Horolog's own
    INTERRUPTED = 130  # as a shell says of SIGINT
    CLOSED_PIPE = 141  # and of SIGPIPE


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a file of the user's; `line` and `column` count from 1."""

    file: str
    line: int | None = None
    column: int | None = None
    key: str | None = None

    def __str__(self) -> str:
        parts = [self.file]
        if self.line is not None:
            parts.append(str(self.line))
            if self.column is not None:
                parts.append(str(self.column))
        text = ":".join(parts)
        return f"{text}: {self.key}" if self.key else text


class HorologError(Exception):
    """Something the user can put right.

    `found` is what stands there and `expected` what would be right; both are phrases that can follow
    a colon. A command prints `str(error)` and exits with `error.exit`.
    """

    exit = Exit.BAD_INPUT

    def __init__(
        self,
        message: str,
        *,
        place: Place | None = None,
        found: str | None = None,
        expected: str | None = None,
        exit: Exit | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.found = found
        self.expected = expected
        if exit is not None:
            self.exit = exit

    def __str__(self) -> str:
        head = f"{self.place}: {self.message}" if self.place else self.message
        lines = [head]
        if self.found is not None:
            lines.append(f"  found:    {self.found}")
        if self.expected is not None:
            lines.append(f"  expected: {self.expected}")
        return "\n".join(lines)


class NotInstalled(HorologError):
    """A program, a package or a folder that is needed is not there."""

    exit = Exit.NOT_INSTALLED


class TargetFailed(HorologError):
    """The firmware, or what it runs on, did not do what it was to do; or cannot be read."""

    exit = Exit.TARGET_FAILED


class NeverIdle(TargetFailed):
    """The target still had work long after its window, though no body exceeded its wcet: overload."""
