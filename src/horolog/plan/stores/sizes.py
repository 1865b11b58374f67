# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How many bytes the static stores take, and whether a mask table is short enough.

A mask table has a row for each distinct release instant of the hyperperiod. How many these are is known
without counting them: the density of a union of residue classes (instants/density.py). So a table that is far
too long is refused at once, with its size.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from horolog.analyse import (
    MOST_ROWS,
    Chain,
    hyperperiod,
    large_text,
    row_bytes,
    streams,
)
from horolog.model import Releaser, System
from horolog.plan.cached_analysis import chains_of, groups_of, table_size
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.times import time_text

__all__ = ["constant_bytes", "masks_ram", "sized", "static_ram", "table_misfit", "too_long"]

_PART_BYTES = 8  # struct hrli_mask_part
_LEVEL_BYTES = 12  # struct hrli_harmonic_level
_READABLE = 12  # characters of a hyperperiod that is shown exactly
_HEADS = {
    "unsorted-list": (4, 2),
    "harmonic-array": (0, 0),
    "period-groups": (2, 1),
    "mask-table": (1, 5),
}
"""Of each store's own object, how many words and pointers it has."""


def table_misfit(system: System, tasks: tuple[int, ...], limit: int) -> str | None:
    """Why a mask table of `tasks` does not fit into `limit` bytes: how long it would be."""
    of, hz = streams(system, tasks), system.board.clock.hz
    cycle = hyperperiod(of)
    rate = instants_of(of, hz, 0)[0].rate
    rows, size_of_row = ceil(rate * cycle), row_bytes(system)
    if rows * size_of_row <= limit and rows <= MOST_ROWS:
        size = table_size(system, tasks)
        if size.exact and size.bytes <= limit:
            return None
        rows, needed = max(rows, size.rows), max(size.bytes, rows * size_of_row)
    else:
        needed = rows * size_of_row
    return too_long(cycle, rows, needed, limit)


def too_long(cycle: Fraction, rows: int, needed: int, limit: int) -> str:
    """Why a table of `rows` rows, in all of `needed` bytes, does not fit."""
    return (
        f"a hyperperiod of {time_text(cycle, _READABLE)} with {large_text(rows)} release instants "
        f"needs a table of {large_text(needed)} bytes; {_allowed(limit)}"
    )


def constant_bytes(system: System, releaser: Releaser, store: str) -> int:
    """Bytes of read-only memory."""
    if store == "mask-table":
        return table_size(system, releaser.tasks).bytes
    if store == "period-groups":
        groups = groups_of(system, releaser.tasks)
        return _PART_BYTES * sum(len(group.parts) for group in groups)
    if store == "harmonic-array":
        return sized(system, 1, 2) * len(_chains(system, releaser))  # struct hrli_harmonic_chain
    return 0


def sized(system: System, words: int, pointers: int) -> int:
    """The bytes of an object with so many words of 32 bits and pointers."""
    return 4 * words + system.board.port.pointer_bytes * pointers


def masks_ram(system: System) -> int:
    """Bytes of RAM, once a system: the ready queue's words for threads that masks release."""
    levels = system.board.levels + 1  # struct hrli_masked_threads has the idle thread's, too
    return sized(system, 2 * levels + 2, levels)


def static_ram(system: System, releaser: Releaser, store: str) -> int:
    """Bytes of RAM beside the tasks' own nodes and the ready queue's."""
    head = sized(system, *_HEADS[store])
    if store == "period-groups":  # struct hrli_period_group: next, period (five words), mask
        return head + sized(system, 7, 1) * len(groups_of(system, releaser.tasks))
    if store == "harmonic-array":
        levels = sum(len(chain.levels) for chain in _chains(system, releaser))
        return head + _LEVEL_BYTES * levels + sized(system, 0, len(releaser.tasks))
    return head


def _chains(system: System, releaser: Releaser) -> tuple[Chain, ...]:
    assert releaser.cell_period is not None
    counts = releaser.counts * releaser.divider
    return chains_of(system, releaser.tasks, releaser.origin, counts)


def _allowed(limit: int) -> str:
    if limit == 0:
        return "table_bytes allows none"
    return f"table_bytes allows {limit:,}"
