# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables and the counters that drive them, as the user described them.

Times are whole steps of the table's counter; of the clock, counts of the board's clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import accumulate

from horolog.model.errors import Place

__all__ = [
    "Autostart",
    "CellPoint",
    "CellSchedule",
    "SoftwareCounter",
    "ExpiryPoint",
    "ScheduleTable",
    "Start",
    "Strategy",
    "spans",
]


@dataclass(frozen=True, slots=True)
class SoftwareCounter:
    """A software counter, which the application increments; it goes from 0 to `maximum`."""

    name: str
    maximum: int
    min_cycle: int  # the least distance of two points, in steps
    gap: Fraction | None  # two increments are at least so far apart, in seconds; None: nothing says
    place: Place  # of the [[counter]] header


class Strategy(Enum):
    """How a table follows a global time."""

    NONE = "none"
    IMPLICIT = "implicit"  # its counter is the global time
    EXPLICIT = "explicit"  # the application gives it


class Start(Enum):
    """How a table is started when the kernel starts."""

    RELATIVE = "relative"  # so many steps later; on the clock, after t = 0
    ABSOLUTE = "absolute"  # when its counter has that value
    SYNCHRONOUS = "synchronous"  # when the application gives a global time


@dataclass(frozen=True, slots=True)
class Autostart:
    """What starts a table when the kernel starts."""

    how: Start
    steps: int = 0  # relative: after so many; absolute: at that value


@dataclass(frozen=True, slots=True)
class ExpiryPoint:
    """A point of a schedule table: it activates tasks, then sets events."""

    offset: int  # from the start of the round
    tasks: tuple[int, ...]  # indices of System.sporadic
    events: tuple[tuple[str, int], ...] = ()  # C objects, and the flags that are set
    max_retard: int = 0  # how much longer the distance to the next point may be made
    max_advance: int = 0  # how much shorter

    @property
    def actions(self) -> int:
        """How many things it does."""
        return len(self.tasks) + len(self.events)


@dataclass(frozen=True, slots=True)
class ScheduleTable:
    """Expiry points at offsets from the start of a round, once or in rounds."""

    name: str  # an identifier: the C object is table_<name>
    counter: SoftwareCounter | None  # None: the clock
    duration: int
    is_repeating: bool
    points: tuple[ExpiryPoint, ...]  # their offsets ascend
    strategy: Strategy
    precision: int  # up to that deviation it counts as synchronous
    autostart: Autostart | None  # None: the application starts it
    place: Place  # of the [[table]] header
    is_held: bool = True  # sources name it: the application may start, stop or move it

    @property
    def tasks(self) -> tuple[int, ...]:
        """The tasks that it activates: indices of System.sporadic, ascending."""
        return tuple(sorted({task for point in self.points for task in point.tasks}))

    @property
    def first(self) -> int | None:
        """When its first point is due, in counts after t = 0; None: that is not known.

        Then all its points are, unless the application holds the table.
        """
        if self.counter is not None or self.autostart is None:
            return None
        if self.autostart.how is not Start.RELATIVE:
            return None
        return self.autostart.steps + self.points[0].offset

    @property
    def is_known(self) -> bool:
        """Whether the instants of all its points are known before it runs."""
        return self.first is not None and not self.is_held and self.strategy is Strategy.NONE

    @property
    def ends_apart(self) -> bool:
        """Whether the end of its round is an instant of its own: no point comes then."""
        offsets = (self.points[0].offset + self.duration, self.points[-1].offset)
        return self.duration not in (offsets if self.is_repeating else offsets[1:])

    def offsets(self, task: int) -> tuple[int, ...]:
        """The offsets at which it activates a task."""
        return tuple(point.offset for point in self.points if task in point.tasks)

    def distances(self, of: Sequence[int]) -> tuple[int, ...]:
        """From each of these offsets, which ascend, to the next, the last one's to the first a round later.

        They are the shortest, with all advances that corrections may make. A table that does not repeat may
        be started again: no sooner, it is taken, than the nearest two of `of` are apart.
        """
        behind = [*of[1:], self.duration + of[0]]
        found = [
            after - before - self._advance(before, after)
            for before, after in zip(of, behind, strict=True)
        ]
        if not self.is_repeating and len(found) > 1:
            found[-1] = max(found[-1], min(found[:-1]))
        return tuple(found)

    def _advance(self, before: int, after: int) -> int:
        """By how much the distances from `before` to `after` may be made shorter, all together."""
        return sum(
            point.max_advance
            for point in self.points
            if before <= point.offset < after or point.offset + self.duration < after
        )


@dataclass(frozen=True, slots=True)
class CellPoint:
    """A point of a schedule table in timer cells."""

    offset: int  # counts from the start of the round
    tasks: tuple[int, ...]  # that it activates: sporadic ones, indices into System.all_tasks
    events: tuple[tuple[str, int], ...]  # in C, and the flags that it sets; behind the activations


@dataclass(frozen=True, slots=True)
class CellSchedule:
    """A schedule table with a timer cell for each point."""

    name: str  # an identifier: the C object is table_<name>
    duration: int  # counts
    repeats: bool
    points: tuple[CellPoint, ...]  # by offsets, which differ
    place: Place  # of the [[table]] header
    has_end: (
        bool  # it has a cell for the end of its round: it runs once, or another table may follow
    )
    cells: tuple[str, ...]  # the end's and the points'
    group: int  # of these cells

    @property
    def point_cells(self) -> tuple[tuple[CellPoint, str], ...]:
        """The points, each with its cell."""
        return tuple(zip(self.points, self.cells[self.has_end :], strict=True))

    def behind(self, fewer: int) -> CellSchedule:
        """The same of a system that has so many fewer in System.tasks, in front of the sporadic ones."""
        return replace(
            self,
            points=tuple(
                replace(point, tasks=tuple(task - fewer for task in point.tasks))
                for point in self.points
            ),
        )


def spans(distances: Sequence[int]) -> tuple[int, ...]:
    """The least time that so many distances in a row take, from one up to all of them.

    `distances` come again and again, in a circle.
    """
    count = len(distances)
    sums = [0, *accumulate((*distances, *distances))]
    return tuple(
        min(sums[at + many] - sums[at] for at in range(count)) for many in range(1, count + 1)
    )
