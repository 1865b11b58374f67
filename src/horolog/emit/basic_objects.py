# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks, their lines, servers and rows, in the form that templates print."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EmittedLine", "EmittedServer", "EmittedTask", "Row"]


@dataclass(frozen=True, slots=True)
class EmittedTask:
    """struct hrl_basic."""

    index: int
    name: str
    line: int
    counts: int  # index of its first word among all counts
    limit: int
    rank: int
    may_end: bool
    together: int  # bits of all that its cell releases on its line, if that is raised and has words; else 0
    job: int | None = (
        None  # of a sporadic task: the number of its body (System.job); None: no such task
    )


@dataclass(frozen=True, slots=True)
class EmittedLine:
    """struct hrl_line, and its handler."""

    index: int
    level: int
    number: str  # C
    tasks: tuple[int, ...]
    names: str
    words: str | None  # C: their address
    handler: str | None  # None: it is a cell's, or a thread's
    catch_up_ranks: int  # ranks before the tasks', as some may have several unfinished jobs
    general: bool  # some task may end early, or is served by a thread and has a limit
    is_cell: bool
    server: int | None = (
        None  # the level of the thread that runs its tasks; None: the controller does
    )

    @property
    def count(self) -> int:
        """The number of ranks."""
        return self.catch_up_ranks + len(self.tasks)

    def rank(self, task: int) -> int:
        """Returns the rank of `task` on the line."""
        return self.catch_up_ranks + self.tasks.index(task)

    @property
    def bit(self) -> int | None:
        """The line's bit in the set of lines to raise; None: software never raises it."""
        return None if self.handler is None and self.server is None else int(self.number)


@dataclass(frozen=True, slots=True)
class EmittedServer:
    """A thread of the kernel's that runs the tasks of a level."""

    level: int
    stack: int  # bytes
    names: str


@dataclass(frozen=True, slots=True)
class Row:
    """struct hrli_line_row, or hrli_direct_row with its bits."""

    gap: int
    parts: int  # index of their head
    bits: int
