# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of schedule tables, and of the counters that drive them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from horolog.read.schema.table import Table
from horolog.read.values import Duration, Extent, ExtentOrZero, Identifier

__all__ = ["AutostartTable", "CounterTable", "ExpiryTable", "ScheduleFile", "ScheduleTableTable"]
__all__ += ["SetTable"]


class CounterTable(Table):
    """A software counter, which the application increments by hrl_counter_increment(&counter_NAME)."""

    name: Identifier
    """Schedule tables name it. "clock" is the name of the system's clock, and "cells" means timer cells."""
    maximum: int = Field(ge=1, le=2**32 - 2)
    """Its largest value; then it is 0 again."""
    min_cycle: int = Field(1, ge=1, le=2**30)
    """Two points of a table are at least so many steps apart."""
    min_increment_distance: Duration | None = None
    """The shortest time between two increments, for the analysis. Default: nothing is known, and tasks of its
    tables have no bounds.
    """


class SetTable(Table):
    """Flags of an event that a point sets."""

    event: Identifier
    """A struct hrl_event of the application."""
    flags: int = Field(ge=1, le=2**32 - 1)
    """Its flags, as bits."""


class ExpiryTable(Table):
    """A point of a schedule table: it activates tasks, which run at their own priorities, and sets events."""

    offset: ExtentOrZero
    """From the start of the round. Offsets ascend."""
    activate: list[str] = []
    """The [[task]]s, which have no period, in that order."""
    set: list[SetTable] = []
    """Behind the activations."""
    max_retard: ExtentOrZero | None = None
    """How much longer the distance to the next point may be made, with sync = "explicit". Default: none."""
    max_advance: ExtentOrZero | None = None
    """How much shorter, likewise."""


class AutostartTable(Table):
    """How a table is started when the kernel starts: one of three."""

    relative: Extent | None = None
    """After so long; on the clock, after the first instant at which tasks are released, t = 0."""
    absolute: int | None = Field(None, ge=0, le=2**32 - 1)
    """When its software counter has this value."""
    synchronous: Literal[True] | None = None
    """It waits for a global time, with sync = "explicit"."""


class ScheduleTableTable(Table):
    """A schedule table: points at offsets activate tasks and set events, once or in rounds."""

    name: Identifier
    """The object in C is table_NAME."""
    kind: Literal["schedule"]
    """schedule: tasks run at their own priorities, and several tables at a time, as in AUTOSAR OS."""
    counter: str = Field("clock", min_length=1, examples=["crankshaft", "cells"])
    """What drives it: clock, by the cell for time-outs; cells, a timer cell for each point, where the board's
    cells have groups, else as clock; or a [[counter]]. Of a [[counter]] times are whole numbers of steps,
    otherwise durations.
    """
    round: Extent
    """Its duration."""
    repeating: bool = True
    """Whether it begins again after its duration."""
    followed: bool = False
    """With counter = "cells": whether hrl_schedule_table_next may be called with it as the first, which takes
    one more cell. A table that runs once may always be followed, and so may those of other counters.
    """
    autostart: AutostartTable | None = None
    """Default: the application starts it, by hrl_schedule_table_start_relative(&table_NAME, ...)."""
    sync: Literal["none", "implicit", "explicit"] = "none"
    """How it follows a global time: implicit, its counter is that; explicit, the application gives it, by
    hrl_schedule_table_synchronise.
    """
    precision: ExtentOrZero | None = None
    """With sync = "explicit": up to that deviation it is synchronous. Default: 0."""
    point: list[ExpiryTable] = Field(min_length=1)
    """In the order of their offsets."""


class ScheduleFile(Table):
    """The schedule tables of a Horolog system."""

    table: list[ScheduleTableTable] = []
