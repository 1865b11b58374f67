# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Exceptions of a run, and what a core's manual says that they take: emulators count none of it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ExceptionCycles", "Exceptions"]


@dataclass(frozen=True, slots=True)
class ExceptionCycles:
    """Cycles of a core from one context to the other, with memory that never lets it wait."""

    core: str
    entry: int  # into a handler
    exit: int  # out of it, to what it has interrupted
    tail_chained: int  # from one handler to the next, in the place of both
    source: str

    @property
    def text(self) -> str:
        """The figures, for people."""
        figures = f"{self.entry} cycles in, {self.exit} out, {self.tail_chained} tail-chained"
        return f"{figures} ({self.source})"


@dataclass(frozen=True, slots=True)
class Exceptions:
    """Entries of handlers in the window, of whatever exception; `tail_chained` are among those taken."""

    taken: int
    tail_chained: int

    def cycles(self, each: ExceptionCycles) -> int:
        """What they took. Each that is not tail-chained has one return to what was interrupted."""
        alone = self.taken - self.tail_chained
        return alone * (each.entry + each.exit) + self.tail_chained * each.tail_chained
