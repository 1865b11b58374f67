# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Monitored deadlines of a dispatcher table as lines of generated C (kernel/assemble/deadlines.h)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from horolog.analyse import basic_levels, count_instant, monitored_deadlines
from horolog.emit.parts import Part, part, unsigned
from horolog.model import Cell, System

__all__ = ["EmittedDeadlines", "emitted_deadlines"]


@dataclass(frozen=True, slots=True)
class EmittedDeadlines:
    """What monitors deadlines: its cell with the handler, and the data."""

    cell: Cell
    driver: str
    level: int | None  # of the interrupt; None: there is no controller
    is_clocks: bool  # it shares the clock's handler
    tasks: tuple[int, ...]  # in the order of their jobs
    rows: tuple[Part, ...]  # the elements of deadline_rows
    jobs: tuple[Part, ...]  # of deadline_jobs
    first: int  # the stamp of the first deadline
    first_row: int

    @property
    def is_basic(self) -> bool:
        """Whether its interrupt is one of basic tasks."""
        return True

    @property
    def channel(self) -> tuple[str, str]:
        """Its cell, as macros take it: the driver and the channel."""
        return self.driver, unsigned(self.cell.instance)

    @property
    def serve(self) -> tuple[Part | str, ...]:
        """The body of its handler behind the cell's acknowledge."""
        dispatch = ("HRLI_DISPATCH",) if self.level is None else ()
        return ("HRLI_SERVE_DEADLINES", *dispatch)

    def defined(self, addresses: Mapping[int, str]) -> tuple[Part, ...]:
        """The macros behind the arrays; `addresses` of the struct hrl_basic of each task."""
        reach = unsigned(1 << (self.cell.width - 1))
        first = (unsigned(self.first), self.first_row)
        return (
            part("HRLI_DEADLINE_TASKS", *(addresses[task] for task in self.tasks)),
            part("HRLI_DEADLINES", *self.channel, reach, *first),
            *(part("HRLI_MONITORED_TASK", task, at) for at, task in enumerate(self.tasks)),
        )


def emitted_deadlines(system: System, driver: str) -> EmittedDeadlines | None:
    """Builds the data of monitored deadlines, if there are any. `driver` begins the cell's functions."""
    table = system.monitored
    if table is None or table.deadline_cell is None:
        return None
    board, cell = system.board, system.board.cell(table.deadline_cell)
    counts = count_instant(table.round, board.clock.hz)
    found = monitored_deadlines(table, board.clock.hz)
    tasks = tuple(sorted({one.task for one in found}))
    own = {task: [at for at, one in enumerate(found) if one.task == task] for task in tasks}
    following = {
        at: rows[(place + 1) % len(rows)] for rows in own.values() for place, at in enumerate(rows)
    }
    due = [one.due for one in found]
    rows = [
        part(
            "HRLI_DEADLINE",
            unsigned(_to(due, at, (at + 1) % len(found), counts)),
            unsigned(_to(due, at, following[at], counts)),
            unsigned(one.due - one.point),
            (at + 1) % len(found),
            following[at],
            tasks.index(one.task),
        )
        for at, one in enumerate(found)
    ]
    first = {task: min(own[task], key=lambda at: due[at]) for task in tasks}
    start = board.start_counts
    jobs = [
        part("HRLI_DEADLINE_JOB", unsigned(start + due[first[task]]), first[task]) for task in tasks
    ]
    earliest = min(first.values(), key=lambda at: due[at])
    return EmittedDeadlines(
        cell=cell,
        driver=driver,
        level=None if board.controller is None else basic_levels(system),
        is_clocks=board.controller is not None and cell.handler == board.clock.handler,
        tasks=tasks,
        rows=tuple(rows),
        jobs=tuple(jobs),
        first=start + due[earliest],
        first_row=earliest,
    )


def _to(due: Sequence[int], at: int, other: int, counts: int) -> int:
    """Returns the counts from a deadline to the next time that another one, or itself, comes round."""
    ahead = (due[other] - due[at]) % counts
    return counts if other == at or (ahead == 0 and other < at) else ahead
