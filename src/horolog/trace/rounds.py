# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""When the rounds of dispatcher tables begin that the application controls, and when their jobs are due.

The plan does not know that: the application changes the mode, starts and stops, or gives a global time. The
run tells it, as the kernel keeps the begin of its round to the count, corrections included, and serves rows
of the mode that the round has (kernel/table/dispatcher.h). A point is due at its offset behind that.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

from horolog.analyse import count_instant, window_counts, window_seconds
from horolog.model import DispatcherTable, System
from horolog.trace.calendar import Calendar
from horolog.trace.events import Round

__all__ = ["RoundCalendar", "calendar_of", "rounds_of"]

_NS = 1_000_000_000
_TURN = 1 << 32  # of the kernel's instants


def rounds_of(
    seen: Iterable[tuple[int, int, int]], unread: int, system: System
) -> tuple[Round, ...] | None:
    """The rounds of a run by what a runner saw of each: its first row, the clock's 32 bits, when, in ns.

    Only those that begin in the window. None: the system has no table that the application controls, or the
    begins of `unread` rows were not seen.
    """
    if system.control is None or unread:
        return None
    hz, start = system.board.clock.hz, system.board.start_counts
    firsts = [0, *accumulate(_rows(table, hz) for table in system.tables)]
    found = []
    for row, stamp, ns in seen:
        near = ns * hz // _NS  # counts after t = 0, at most a round behind the begin
        off = (stamp - start - near) % _TURN
        begin = near + (off if off < _TURN // 2 else off - _TURN)
        if begin < window_counts(system):
            found.append(Round(begin, bisect_right(firsts, row) - 1))
    return tuple(found)


def _rows(table: DispatcherTable, hz: int) -> int:
    """How many rows the kernel has of `table`: one for all points of one count."""
    return len({count_instant(point.offset, hz) for point in table.points})


class RoundCalendar:
    """A task's releases by points of rounds that have begun: trace.Calendar of tasks that are controlled."""

    def __init__(self, system: System, task: int, rounds: Sequence[Round]) -> None:
        hz, window = system.board.clock.hz, window_seconds(system)
        by_table = [_points(table, task) for table in system.tables]
        self._due = [
            (begin + offset, deadline)
            for begin, table in ((Fraction(one.begin, hz), one.table) for one in rounds)
            for offset, deadline in by_table[table]
            if 0 <= begin + offset < window
        ]
        self._ns = [at * _NS for at, _ in self._due]
        self._up = [ceil(at) for at in self._ns]
        self._down = [floor(at) for at in self._ns]
        self.count = self.most = len(self._due)

    def release(self, number: int) -> Fraction:
        """When the release of this number is, in ns."""
        return self._ns[number]

    nominal = release

    def is_after(self, number: int, ns: int) -> bool:
        """Whether the release of this number is later than `ns`."""
        return self._ns[number] > ns

    def latest(self, ns: int) -> int:
        """Number of the last release at or before `ns`; negative if there is none."""
        return bisect_right(self._up, ns) - 1

    def next(self, ns: int) -> int:
        """Number of the first release at or after `ns`."""
        return bisect_left(self._down, ns)

    def deadline(self, number: int) -> Fraction:
        """The deadline of this release's job, in seconds behind it."""
        return self._due[number][1]


def _points(table: DispatcherTable, task: int) -> list[tuple[Fraction, Fraction]]:
    """Offset and deadline of the points of `task`; without one, that is the next point or the round's end."""
    own = [point for point in table.points if point.task == task]
    ends = [*(point.offset for point in own[1:]), *([table.round] if own else [])]
    return [
        (point.offset, end - point.offset if point.deadline is None else point.deadline)
        for point, end in zip(own, ends, strict=True)
    ]


def calendar_of(
    system: System, task: int, rounds: Sequence[Round] | None
) -> Calendar | RoundCalendar | None:
    """The releases of `task`, an index; `rounds` are those of controlled tables. None: they are not known."""
    of = system.tasks[task]
    if of.table_level is None or system.control is None:
        return Calendar(of, window_seconds(system), system.releases)
    return None if rounds is None else RoundCalendar(system, task, rounds)
