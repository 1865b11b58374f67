# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of schedule tables in timer cells."""

from __future__ import annotations

from pydantic import Field

from horolog.read.schema.table import Table
from horolog.read.values import Duration, DurationOrZero, Identifier

__all__ = ["CellPointTable", "CellScheduleTable"]


class EventTable(Table):
    """Flags of an event that a point sets."""

    event: Identifier
    """A struct hrl_event of the sources, by its name in C."""
    flags: int = Field(ge=1, le=2**32 - 1)


class CellPointTable(Table):
    """A point of a schedule table: what happens at an offset from the start of its round."""

    offset: DurationOrZero
    """From the start of the round: a whole number of the clock's counts, another one for each point."""
    activate: list[str] = []
    """Sporadic [[task]]s, with min_gap and without activated_by. They run at their own priorities."""
    set: list[EventTable] = []
    """Events, behind the activations."""


class CellScheduleTable(Table):
    """A schedule table with a timer cell for each point; the application starts and stops it.

    Where the board's cells have no groups, it is one on a clock counter, with the same calls.
    """

    name: Identifier
    """That of the object in C: extern struct hrl_cell_table NAME (hrl/cell_table.h)."""
    round: Duration
    """How long it lasts: a whole number of the clock's counts."""
    repeating: bool = True
    """In rounds, until it is stopped; or once."""
    followed: bool = False
    """Whether hrl_cell_table_next may be called with it as the first: it takes one more cell. A table that
    runs once may always be followed."""
    point: list[CellPointTable] = Field(min_length=1, max_length=31)
    """In any order."""
