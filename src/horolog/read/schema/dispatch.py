# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of dispatcher tables."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from horolog.read.schema.table import Table
from horolog.read.values import Duration, DurationOrZero, Identifier, Name

__all__ = ["DispatchTable", "PointTable", "SyncTable"]


class PointTable(Table):
    """A point of a dispatcher table: a task starts, and preempts what runs of the table."""

    offset: DurationOrZero
    """From the start of the round, shorter than it. Of equal ones, the later in the file goes first."""
    activate: str = Field(min_length=1, examples=["sense"])
    """The [[task]], which has no period. It may have several points, at any offsets."""
    deadline: Duration | None = None
    """From the point, at most the time to the task's next point, which is the default."""


class SyncTable(Table):
    """How the rounds of dispatcher tables follow a global time."""

    strategy: Literal["explicit", "implicit"] = "explicit"
    """explicit: hrl_dispatcher_synchronise says the global time, and the other keys are needed. implicit: the
    counter that drives the table is the global time: it has only absolute starts, and no other keys."""
    precision: Duration | None = None
    """Up to that deviation the table counts as synchronous."""
    maximum_advance: DurationOrZero | None = None
    """A round may be shorter by so much; never below the last deadline of the round."""
    maximum_retard: DurationOrZero | None = None
    """A round may be longer by so much."""


class DispatchTable(Table):
    """A time-triggered table: its round repeats for ever, and its tasks go before all others."""

    name: Name
    kind: Literal["dispatcher"]
    """dispatcher: each point preempts what runs of the table at its instant, as in OSEKtime."""
    round: Duration
    """How long it is."""
    deadline_monitoring: Literal["none", "stringent", "non-stringent"] = "none"
    """Whether hrl_basic_deadline_hook is called for a job that misses its point's deadline: stringent, at the
    deadline; non-stringent, at the next point or the end of the round. A cell does it, and none is lost to
    deadlines that hold."""
    deadline_cell: Name | None = None
    """One cell for all deadlines, which then releases no task. Default: a cell for each task, if the board
    has so many that can do this and the deadlines are evenly spaced; else one that Horolog may use."""
    mode: Identifier | None = None
    """The application mode, if there are several tables: each has one, the first is the initial one, and
    hrl_dispatcher_set_mode(&mode_NAME) changes it at the end of a round."""
    start: Literal["system", "application"] | None = None
    """Of the first table: when the first round begins. With the system, which is the default; or when the
    application says so, by hrl_dispatcher_start_relative or hrl_dispatcher_start_absolute."""
    sync: SyncTable | None = None
    """Of the first table: all tables follow a global time. Default: none does."""
    point_cell: Name | None = None
    """Of the first table: the cell for the points, where there are modes, a start by the application or a
    global time. Default: one that can be armed, of those that Horolog may use."""
    point: list[PointTable] = Field(min_length=1)
    """In any order."""
