# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The keys of tasks, of groups of tasks, and of servers."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Discriminator, Field, Tag

from horolog.model import MOST_ACTIVATIONS
from horolog.read.schema.table import Table
from horolog.read.values import Core, Duration, DurationOrZero, Identifier, Name, Natural, Period

__all__ = [
    "DistributionName",
    "GroupTable",
    "PERIOD_FORMS",
    "PeriodTable",
    "ServerTable",
    "ShareName",
    "TaskTable",
]

ShareName = Literal["auto", "never", "always"]
DistributionName = Literal["automotive", "uniform-automotive", "chronos", "chronos-harmonic"]


PERIOD_FORMS = ("a period", "a table")
"""Where a period may be one of two, pydantic's places have one of these words behind its key."""


class PeriodTable(Table):
    """A period that the planner may shorten where that saves more than the additional jobs cost."""

    at_most: Period
    """The longest, which is also the nominal one."""
    at_least: Period | None = None
    """The shortest. Default: four fifths of the longest, but no shorter than the deadline, or than wcet
    and jitter together.
    """


def _form_of_period(value: Any) -> str:
    return PERIOD_FORMS[isinstance(value, dict)]


_PeriodOrTable = Annotated[
    Annotated[Period, Tag(PERIOD_FORMS[0])] | Annotated[PeriodTable, Tag(PERIOD_FORMS[1])],
    Discriminator(_form_of_period),
]


class _Tasks(Table):
    """What a task and a group of tasks have in common."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": ["body"]}, {"required": ["work"]}]}
    )

    offset: DurationOrZero | None = None
    """First release after the start. Default: 0 ms."""
    jitter: DurationOrZero | None = None
    """Releases may come so much later than nominal, all of a task by the same time, where that saves
    interrupts; responses count from the nominal ones. Default: 0 ms.
    """
    deadline: Duration | None = None
    """Relative to the release. Default: the period. A longer one needs overrun = "queue", or for a basic task
    activations = N of so many periods, as jobs of one task may then wait for each other.
    """
    wcet: Duration | None = None
    """Longest time a job runs. Default with work: the work's cost. Of a body without it nothing is proved."""
    body: Identifier | None = None
    """A C function of the sources, called once a release: void f(void)."""
    work: int | None = Field(None, ge=1, le=2**32 - 1)
    """Instead of a body: turns of a calibrated loop."""
    stack: int | None = Field(None, ge=64, le=2**24, multiple_of=8)
    """Bytes, a multiple of 8; of a basic task, its use of the shared stack. Default, and the least: what the
    port of the board's processor says, 512 and 256 on processors of 32 bits.
    """
    overrun: Literal["skip", "queue"] = "skip"
    """A release while the last job is unfinished: skipped, or runs late."""
    core: Core | None = Field(None, examples=[1, "auto"])
    """Which of several cores runs it: a number from 0 on, or auto, where the plan puts it. Tasks of a group
    with auto may be put on several. Default: that of [system].
    """
    cores: list[Natural] | None = Field(None, examples=[[1], [0, 1]])
    """In place of core, the cores that may run it; of several the first releases it. Only threads with a
    period may have several, and there are no bounds yet for systems with such tasks.
    """
    kind: Literal["thread", "basic"] = "thread"
    """A thread has a stack of its own and may wait; a basic task runs to completion on a stack that all
    share, dispatched by the interrupt controller.
    """
    priority: int | None = Field(None, ge=1)
    """Larger is more urgent; only with priorities = "explicit"."""
    activations: int | None = Field(None, ge=1, le=MOST_ACTIVATIONS)
    """Unfinished jobs that a basic task may have; more are overruns and do nothing. Default: 1, and with
    overrun = "queue" as many as can be.
    """
    terminates: bool = False
    """Whether the body of a basic task may call hrl_basic_terminate or hrl_basic_chain."""
    waits: bool | None = None
    """Whether the body of a thread may wait, or give way, for anything but its next release. Default: true
    with body, false with work.
    """
    share: ShareName | None = None
    """Whether it may share a thread with others. Default: that of [system]."""


class TaskTable(_Tasks):
    """One task: periodic, with min_gap sporadic, with a server aperiodic, or with none of these a table's."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"oneOf": [{"required": ["body"]}, {"required": ["work"]}]},
                {
                    "oneOf": [
                        {"required": ["period"]},
                        {"required": ["min_gap"]},
                        {"required": ["server"]},
                        {
                            "required": ["activated_by"],
                            "properties": {"activated_by": {"pattern": "^task "}},
                            "not": {
                                "anyOf": [
                                    {"required": ["period"]},
                                    {"required": ["min_gap"]},
                                    {"required": ["server"]},
                                ]
                            },
                        },
                        {
                            "not": {
                                "anyOf": [
                                    {"required": ["period"]},
                                    {"required": ["min_gap"]},
                                    {"required": ["server"]},
                                    {"required": ["activated_by"]},
                                ]
                            },
                        },
                    ]
                },
            ]
        }
    )

    name: Name
    period: _PeriodOrTable | None = None
    """Time between releases, or releases a second; exact. Or the longest and the shortest of those that it
    may be.
    """
    budget: Duration | None = None
    """Of a basic task that time releases: for how long each of its jobs may execute, without what comes into
    it. hrl_basic_budget_hook is called when that is used up, and says what becomes of the job. A cell does
    it, and no interrupt comes of budgets that hold.
    """
    min_gap: Duration | None = None
    """Of a sporadic task, in place of the period: the shortest time between two activations. Default: that of
    the task that activates it.
    """
    activated_by: str | None = Field(
        None, min_length=1, examples=["interrupt received", "task sense", "message"]
    )
    """What activates a sporadic or aperiodic task: "interrupt NAME", when its handler has run; "task NAME",
    at the end of each of its jobs; "message", of a sporadic thread, each that is sent to the queue
    messages_NAME, and that the body finds in the array message_NAME. Default: the application, by giving
    the semaphore activate_NAME; of a basic task, by hrl_basic_activate(&basic_NAME).
    """
    message_bytes: int | None = Field(None, ge=4, le=4096, multiple_of=4)
    """With activated_by = "message": how long one is."""
    server: Identifier | None = None
    """Of an aperiodic task, in place of the period: the [[server]] that runs its jobs, at its priority."""
    pending: int | None = Field(None, ge=1, le=MOST_ACTIVATIONS)
    """Of an aperiodic task: how many activations may wait for the server; more are lost, as overruns. With a
    deferrable server 2 or more, the job that runs among them. Default: the jobs of the server, or 2.
    """


class GroupTable(_Tasks):
    """Many tasks at once, called NAME.0, NAME.1, ...; periods are given in one of three ways."""

    model_config = ConfigDict(
        json_schema_extra={
            "allOf": [
                {"oneOf": [{"required": ["body"]}, {"required": ["work"]}]},
                {
                    "oneOf": [
                        {"required": ["period", "tasks"]},
                        {"required": ["periods"]},
                        {"required": ["distribution", "tasks"]},
                    ]
                },
            ]
        }
    )

    name: Name
    tasks: int | None = Field(None, ge=1, le=100_000)
    """How many."""
    period: _PeriodOrTable | None = None
    """One period for all, or the longest and the shortest that it may be."""
    periods: list[Period] | None = Field(None, min_length=1)
    """Dealt out in turn; tasks, if given, is a multiple of their number."""
    distribution: DistributionName | None = None
    """Periods from the literature, reproducible."""
    seed: int | None = Field(None, ge=0, le=2**63 - 1)
    """For the distributions that draw: chronos*."""


class ServerTable(Table):
    """An aperiodic server: a thread that runs the jobs of one aperiodic task, so many each period."""

    name: Identifier
    """Aperiodic tasks name it; the thread is called so."""
    kind: Literal["polling", "deferrable"]
    """polling: it runs the jobs that wait when it is released, up to `jobs` of them. deferrable: it runs a
    job at once while it has capacity, and has all of it again at each release.
    """
    period: Period
    """Time between two releases of the server, or releases a second; exact."""
    jobs: int = Field(1, ge=1, le=1000)
    """Its capacity: the jobs that it runs each period, at most."""
    offset: DurationOrZero | None = None
    """First release after the start, at most the period. Default: 0 ms."""
    deadline: Duration | None = None
    """Of the server's own jobs, at most the period. Default: the period."""
    priority: int | None = Field(None, ge=1)
    """Larger is more urgent; only with priorities = "explicit"."""
