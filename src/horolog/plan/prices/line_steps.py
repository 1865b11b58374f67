# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The steps that one line of basic tasks adds, whatever store releases its tasks."""

from __future__ import annotations

from collections.abc import Sequence

from horolog.analyse import BasicLine
from horolog.model import Board, System
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.instants.interrupts import instants_of
from horolog.plan.prices.static_costs import Work

__all__ = ["add_jobs", "instants_on", "is_alone", "is_narrow", "streams_on"]

_WIDE = 4  # bytes of an address where 32 bits are one register


def is_narrow(board: Board) -> bool:
    """Whether 32 bits are many instructions, and a shift is a loop (HRLP_CPU_IS_NARROW)."""
    return board.port.pointer_bytes < _WIDE


def is_alone(system: System, line: BasicLine) -> bool:
    """Whether a line can do without words: the controller's pending bit is its queue."""
    shown = system.board.port.shows_active  # the controller tells whether it has ended
    return shown and len(line.tasks) == 1 and not system.task(line.tasks[0]).is_general


def streams_on(work: Work, line: BasicLine) -> list[int]:
    """Which streams of `work` release tasks of `line`: indices into work.of."""
    own = {*work.releaser.tasks} & {*line.tasks}
    return [at for at, stream in enumerate(work.of) if own & {*stream.tasks}]


def instants_on(system: System, work: Work, at: Sequence[int]) -> Amount:
    """The instants of the streams `at`, at least one, each counted once."""
    if len(at) == 1:
        return work.releases[at[0]]
    return instants_of([work.of[i] for i in at], system.board.clock.hz, work.end)[0]


def add_jobs(
    system: System,
    work: Work,
    line: BasicLine,
    at: Sequence[int],
    found: dict[str, Amount],
    *,
    alone: bool,
) -> None:
    """Add to `found` the jobs of `line`, which the streams `at` release. `alone`: it has no words."""
    jobs = _released(work, at, {*line.tasks})
    if alone:
        found["alone"] += jobs
        return
    found["job"] += jobs
    if is_narrow(system.board):
        ranked = (_released(work, at, {task}) * line.rank(task) for task in line.tasks)
        found["rank"] = sum(ranked, found.get("rank", NONE))
    may_end = {task for task in line.tasks if system.tasks[task].terminates}
    if may_end:
        found["general"] += jobs
        found["ending"] += _released(work, at, may_end)


def _released(work: Work, at: Sequence[int], tasks: set[int]) -> Amount:
    return sum((work.releases[i] * len(tasks & {*work.of[i].tasks}) for i in at), NONE)
