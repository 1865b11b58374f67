# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic tasks that the end of another task's job activates: activated_by = "task NAME"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from horolog.model import Board, HorologError
from horolog.read.document import Document
from horolog.read.entries import Entry
from horolog.read.problems import listed, suggestion
from horolog.read.schema import SystemFile, TaskTable
from horolog.read.units import duration_text

__all__ = [
    "BY_MESSAGE",
    "BY_TASK",
    "Activators",
    "activators",
    "by_task",
    "is_sporadic",
    "task_problems",
]

BY_TASK = "task "
BY_MESSAGE = "message"


def by_task(table: TaskTable) -> str | None:
    """The name of the task that activates it, if one does."""
    by = table.activated_by
    return by.removeprefix(BY_TASK) if by is not None and by.startswith(BY_TASK) else None


def is_sporadic(table: TaskTable) -> bool:
    """Whether something other than time releases it, with a least gap."""
    if table.server is not None:
        return False
    return table.min_gap is not None or (table.period is None and by_task(table) is not None)


@dataclass(frozen=True, slots=True)
class Activators:
    """The tasks that may activate others, by their names."""

    periods: Mapping[str, Fraction]  # the shortest, of those that time releases
    ending_early: frozenset[str]  # of these, those of which a job may end by a call
    tables: Mapping[str, TaskTable]  # of the sporadic ones
    aperiodic: frozenset[str]  # the tasks of servers, which activate none

    @property
    def names(self) -> list[str]:
        """All of them."""
        return [*self.periods, *self.tables]

    def chain(self, name: str) -> list[str]:
        """The sporadic task `name`, what activates it, and so on; the last is the first again in a cycle."""
        found = [name]
        while found[-1] in self.tables and found[-1] not in found[:-1]:
            before = by_task(self.tables[found[-1]])
            if before is None or before not in self.names:
                break
            found.append(before)
        return found

    def depth(self, name: str) -> int:
        """How many tasks activate one another before it."""
        return len(self.chain(name)) - 1

    def gap(self, name: str) -> Fraction | None:
        """Its least gap: as given, or that of what activates it; None: there is none."""
        for one in self.chain(name):
            if one in self.periods:
                return self.periods[one]
            gap = self.tables[one].min_gap
            if gap is not None:
                return gap
        return None


def activators(file: SystemFile, entries: Iterable[Entry], board: Board) -> Activators:
    """Those of a file, of which the tasks that time releases are `entries`."""
    periods, early = {}, set()
    for entry in entries:
        least = entry.least_period(board)
        for name, period in entry.members:
            periods[name] = period if least is None else min(least, period)
            if entry.table.terminates:
                early.add(name)
    tables = {table.name: table for table in file.task if is_sporadic(table)}
    aperiodic = frozenset(table.name for table in file.task if table.server is not None)
    return Activators(periods, frozenset(early), tables, aperiodic)


def task_problems(
    document: Document, index: int, table: TaskTable, known: Activators
) -> Iterator[HorologError]:
    """What is wrong with the task that activates `table`, if one is to."""
    name = by_task(table)
    if name is None:
        return
    place = document.place("task", index, "activated_by")
    others = [one for one in known.names if one != table.name]
    if name in known.aperiodic and name != table.name:
        yield HorologError(
            f'the aperiodic task "{name}" activates no task by the end of its jobs',
            place=place,
            found=f'"{table.activated_by}"',
            expected=f'hrl_semaphore_give in the body of "{name}", or a task with a period or min_gap',
        )
        return
    if name not in known.names:
        yield HorologError(
            f'no such task activates "{table.name}"{suggestion(name, others)}',
            place=place,
            found=f'"{table.activated_by}"',
            expected=listed([f'"{BY_TASK}{one}"' for one in others]) or "the name of another task",
        )
        return
    chain = known.chain(table.name)
    if chain[-1] == table.name and table.server is None:
        way = f", by way of {listed(chain[1:-1], last='and')}" if len(chain) > 2 else ""
        yield HorologError(
            f'the task "{table.name}" activates itself{way}',
            place=place,
            found=f'"{table.activated_by}"',
            expected="tasks that lead back to one with a period, an interrupt or the application",
        )
        return
    if name in known.ending_early:
        yield HorologError(
            f'jobs of "{name}" may end by a call, and cannot activate "{table.name}"',
            place=place,
            found=f'"{table.activated_by}", with terminates = true of "{name}"',
            expected=f'a task without terminates, or hrl_semaphore_give in the body of "{name}"',
        )
    gap = known.gap(name)
    if table.min_gap is not None and gap is not None and gap < table.min_gap:
        yield HorologError(
            f'the task "{name}" runs more often than "{table.name}" may be activated',
            place=document.place("task", index, "min_gap"),
            found=f'{duration_text(table.min_gap)}, and {duration_text(gap)} of "{name}"',
            expected=f"at most {duration_text(gap)}, or no min_gap",
        )
