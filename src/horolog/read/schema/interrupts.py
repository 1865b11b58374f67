# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of the application's interrupts."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from horolog.read.schema.table import Table
from horolog.read.values import Core, Duration, Identifier, LineName, Name

__all__ = ["InterruptTable"]


class ArrivalsTable(Table):
    """A point of an arrival curve."""

    count: int = Field(ge=1, le=1_000_000)
    """So many at most."""
    within: Duration
    """In any time of this length."""


class InterruptTable(Table):
    """An interrupt of the application; its handler is attached and enabled before the kernel starts."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["handler", "wcet"]}, {"required": ["work"]}]}
    )

    name: Name
    line: LineName
    """A free line of the board: its entry in the vector table, or its number."""
    priority: int = Field(ge=1, le=7, examples=[2])
    """Larger is more urgent; with 1 to 3 the handler may call the kernel (hrl/interrupt.h)."""
    min_gap: Duration | None = None
    """The shortest time between two; required, as without it nothing bounds what interrupts take."""
    arrivals: list[ArrivalsTable] = []
    """An arrival curve, beside the gap: how many come at most within some longer times."""
    handler: Identifier | None = None
    """A C function of the sources, called once an interrupt: void f(void)."""
    wcet: Duration | None = None
    """The longest time that the handler runs; required with handler, else the work's cost."""
    work: int | None = Field(None, ge=1, le=2**32 - 1)
    """Instead of a handler: turns of a calibrated loop."""
    core: Core | None = Field(None, examples=[1])
    """Which of several cores has it: its controller, and the tasks that it activates. Default: the core of
    these tasks; of one that activates none, if no core is said in the file, the first.
    """
