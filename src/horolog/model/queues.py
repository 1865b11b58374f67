# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The kernel's delay queues: the rows of the table in kernel/queue/README.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from horolog.data import data_root

__all__ = ["DelayQueue", "delay_queues", "read_queues"]

_HEADING = "| queue | insert | first | pop | remove | queue | of a node |"
_ROW = re.compile(r"\| `([a-z][a-z0-9_]*)` \|" + r" ([^|]+) \|" * 5 + r" (\d+) \|")
_PASSES_NODES = re.compile(r"\bO\(n\)|\bthose later\b")
"""What the table says of a call that goes from node to node."""


@dataclass(frozen=True, slots=True)
class DelayQueue:
    """A delay queue; a file of kernel/queue/ bears its name."""

    stem: str  # of its header, and of the names of its functions
    linear: bool  # insert passes all nodes at worst
    unbounded: bool  # first or pop passes all nodes at worst, with interrupts off
    node_words: int  # of a node it uses, key included

    @property
    def name(self) -> str:
        """As a plan and the command line have it."""
        return self.stem.replace("_", "-")


def read_queues(page: Path) -> tuple[DelayQueue, ...]:
    """The rows of `page`'s table, in its order.

    A call is taken to pass all nodes at worst where its cell says `O(n)` or `those later`. Raises
    `ValueError` for a page without the table and for a row that is not in its form.
    """
    lines = page.read_text(encoding="utf-8").splitlines()
    if _HEADING not in lines:
        raise ValueError(f"{page}: no table of delay queues; its heading is: {_HEADING}")
    queues = []
    for number, line in enumerate(lines[lines.index(_HEADING) + 2 :], lines.index(_HEADING) + 3):
        if not line.startswith("|"):
            break
        row = _ROW.fullmatch(line)
        if row is None:
            raise ValueError(
                f"{page}:{number}: found {line!r}; right is a row with the name in back quotes, "
                "five cells of costs, and the words of a node as a number"
            )
        stem, insert, first, pop, _remove, _queue, words = row.groups()
        queues.append(
            DelayQueue(
                stem,
                linear=bool(_PASSES_NODES.search(insert)),
                unbounded=any(_PASSES_NODES.search(cell) for cell in (first, pop)),
                node_words=int(words),
            )
        )
    return tuple(queues)


@cache
def delay_queues() -> tuple[DelayQueue, ...]:
    """Those of this kernel, in the table's order."""
    return read_queues(data_root() / "kernel" / "queue" / "README.md")
