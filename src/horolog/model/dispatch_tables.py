# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Dispatcher tables, what monitors their deadlines, and what controls them, as the user described them.

All times are exact fractions of a second.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from horolog.model.errors import Place

__all__ = [
    "DeadlineCells",
    "DispatcherTable",
    "Monitoring",
    "Synchronisation",
    "TableControl",
    "TablePoint",
]


@dataclass(frozen=True, slots=True)
class TablePoint:
    """A point of a dispatcher table. Times in seconds."""

    offset: Fraction  # from the start of the round
    task: int  # an index of System.tasks
    deadline: Fraction | None  # from the point; None: the task's next point


class Monitoring(Enum):
    """When the kernel looks whether the job of a point has ended by its deadline."""

    STRINGENT = "stringent"  # at the deadline
    NON_STRINGENT = "non-stringent"  # at the next point, or the end of the round


@dataclass(frozen=True, slots=True)
class DeadlineCells:
    """The cells that monitor deadlines: none of System.cells."""

    names: tuple[str, ...]
    each: bool = False  # one for each task, in the order of the tasks; else one for all


@dataclass(frozen=True, slots=True)
class DispatcherTable:
    """A round that repeats for ever: at each point a task starts, and preempts what runs of the table.

    Its tasks are basic ones of System.tasks with periods, offsets or points, and `table_level`.
    """

    name: str
    round: Fraction  # seconds
    points: tuple[TablePoint, ...]  # in the order in which they start
    place: Place  # of the [[table]] header
    monitoring: Monitoring | None = None  # of the points that have a deadline
    deadline_cells: DeadlineCells | None = None  # what does that
    mode: str = ""  # the application mode, a C identifier; "": there are none

    @property
    def tasks(self) -> tuple[int, ...]:
        """Its tasks: indices of System.tasks, ascending."""
        return tuple(sorted({point.task for point in self.points}))


@dataclass(frozen=True, slots=True)
class Synchronisation:
    """How rounds follow a global time that the application gives. All in seconds."""

    precision: Fraction
    maximum_advance: Fraction
    maximum_retard: Fraction


@dataclass(frozen=True, slots=True)
class TableControl:
    """What the application may do with dispatcher tables: then one cell has all of their points."""

    cell: str  # none of System.cells
    by_application: bool  # it says when the first round begins
    sync: Synchronisation | None  # of a global time that the application gives
    is_implicit: bool = (
        False  # the counter that the cell counts is the global time: only absolute starts
    )
