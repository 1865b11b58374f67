# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A system: periodic tasks on a board, as the user described them, checked and with defaults filled in.

All times are exact fractions of a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from pathlib import Path

from horolog.model.board import Board
from horolog.model.errors import Place

__all__ = ["Kind", "TABLE_BYTES", "Overrun", "PriorityRule", "Resource", "System", "Task"]


TABLE_BYTES = 128 * 1024
"""How many bytes the constant tables of releases may take in all, unless the user says otherwise."""


class Overrun(Enum):
    """What happens to a release while the task's previous job is unfinished."""

    SKIP = "skip"
    QUEUE = "queue"


class Kind(Enum):
    """How a task is dispatched.

    A thread has a stack of its own and may wait. A basic task runs to completion on a stack that all
    share, dispatched by the interrupt controller where the board has one.
    """

    THREAD = "thread"
    BASIC = "basic"


class PriorityRule(Enum):
    """Where priorities come from."""

    RATE_MONOTONIC = "rate-monotonic"
    DEADLINE_MONOTONIC = "deadline-monotonic"
    EXPLICIT = "explicit"


@dataclass(frozen=True, slots=True)
class Task:
    """One periodic task. Exactly one of `body` and `work` is set."""

    name: str
    period: Fraction
    offset: Fraction
    deadline: Fraction
    wcet: Fraction | None  # None: not given (only with `body`)
    body: str | None  # name of a C function: void f(void)
    work: int | None  # turns of the assembly loop
    stack: int  # bytes; of a basic task, what it uses of the stack that all share
    overrun: Overrun
    kind: Kind
    priority: int | None  # only with PriorityRule.EXPLICIT; larger is more urgent
    place: Place  # of the [[task]] or [[task_group]] header


@dataclass(frozen=True, slots=True)
class Resource:
    """What basic tasks use one at a time; who holds it runs at its ceiling (analyse.ceilings)."""

    name: str  # a C identifier
    tasks: tuple[int, ...]  # who uses it: indices into System.tasks, ascending
    place: Place


@dataclass(frozen=True, slots=True)
class System:
    """A valid description: names unique, cells exist, utilisation at most 1.

    `tasks` keeps file order, groups expanded in place (`can.0`, `can.1`, ...). `sources` are absolute.
    """

    name: str
    path: Path
    board: Board
    cells: tuple[str, ...]  # names of the board's cells that Horolog may use, in the user's order
    duration: Fraction  # simulated seconds
    priorities: PriorityRule
    sources: tuple[Path, ...]
    tasks: tuple[Task, ...]
    timeouts: str | None = None  # the cell for sleeps and time-outs, none of `cells`
    start: str | None = None  # a C function, void f(void), called before the kernel starts
    releases: int | None = None  # jobs of each task, which then waits for ever; None: no end
    objective: str = "overhead"  # one of model.plan.OBJECTIVES: what the planner is to make small
    table_bytes: int = TABLE_BYTES  # what mask tables may take, all together
    resources: tuple[Resource, ...] = ()

    @property
    def basic(self) -> tuple[int, ...]:
        """The basic tasks: indices into `tasks`, ascending."""
        return tuple(i for i, task in enumerate(self.tasks) if task.kind is Kind.BASIC)

    @property
    def uses_services(self) -> bool:
        """Whether the application calls the kernel: no other kernel can run it then."""
        return self.timeouts is not None or self.start is not None

    @property
    def utilisation(self) -> Fraction:
        """Sum of wcet / period over the tasks whose wcet is known."""
        return sum((t.wcet / t.period for t in self.tasks if t.wcet is not None), Fraction(0))
