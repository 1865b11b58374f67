# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of resources."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from horolog.read.schema.table import Table
from horolog.read.values import Duration, Identifier

__all__ = ["HOLD_FORMS", "REQUEST_FORMS", "ResourceTable"]

HOLD_FORMS = ("a duration", "a table by task")
"""Where a hold may be one of two, pydantic's places have one of these words behind its key."""
REQUEST_FORMS = ("a number", "a table by task")
"""Likewise of `requests`."""


def _form_of_hold(value: Any) -> str:
    return HOLD_FORMS[isinstance(value, dict)]


def _form_of_requests(value: Any) -> str:
    return REQUEST_FORMS[isinstance(value, dict)]


_DurationOrTable = Annotated[
    Annotated[Duration, Tag(HOLD_FORMS[0])]
    | Annotated[dict[str, Duration], Field(min_length=1), Tag(HOLD_FORMS[1])],
    Discriminator(_form_of_hold),
]
_Times = Annotated[int, Field(ge=1)]
_TimesOrTable = Annotated[
    Annotated[_Times, Tag(REQUEST_FORMS[0])]
    | Annotated[dict[str, _Times], Field(min_length=1), Tag(REQUEST_FORMS[1])],
    Discriminator(_form_of_requests),
]


class ResourceTable(Table):
    """What tasks use one at a time; its holder runs at the priority of its most urgent basic task.

    With `mutex` its users are threads. With `spin` they are tasks of any cores.
    """

    name: Identifier
    """Of the C object: struct hrl_resource NAME, struct hrl_mutex NAME, or struct hrl_spinlock NAME."""
    tasks: list[str] = Field(min_length=1)
    """The tasks that use it: names of tasks, or of groups for all tasks of a group."""
    mutex: Literal["inheritance", "ceiling"] | None = None
    """Threads alone use it, by hrl_mutex_lock and hrl_mutex_unlock: its owner inherits the priorities of
    those that wait for it, or has the priority of the most urgent user. Default: basic tasks use it, too.
    """
    spin: bool = False
    """Tasks of any cores use it, by hrl_spinlock_take and hrl_spinlock_give: a core that has to wait for it
    waits busily, first come, first served, and nothing preempts the user. It needs `hold`. Default: its users
    are on one core.
    """
    requests: _TimesOrTable | None = None
    """How often a job takes it at most, with `spin`: each job, or a table by task or group. Default: once."""
    within: list[str] = []
    """Mutexes that a thread may own while it locks this one. Default: none."""
    hold: _DurationOrTable | None = None
    """The longest time from taking it to giving it back, while nothing interrupts the user: of all users,
    or a table by task or group. `horolog analyse` charges it as blocking. Default: a whole job.
    """
