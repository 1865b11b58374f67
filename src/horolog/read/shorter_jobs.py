# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Shorter WCETs with which the tasks of a dispatcher table preempt one another less."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from horolog.model import Board
from horolog.read.nearest import Change, set_tasks
from horolog.read.problems import listed
from horolog.read.schema import SystemFile, TaskTable
from horolog.read.units import duration_text
from horolog.read.untimed import wcet_of

__all__ = ["shorter_jobs"]

_MOST_TASKS = 12  # that are tried one by one
_US = Fraction(1, 10**6)

Fits = Callable[[SystemFile], bool]


def shorter_jobs(
    file: SystemFile, board: Board, names: Sequence[str], fits: Fits
) -> Iterator[Change]:
    """The longest WCETs with which it `fits`: of one of these tasks; of all of them without one.

    In whole microseconds. Shorter jobs never preempt more, so the longest is found by halving.
    """
    tasks = {task.name: task for task in file.task}
    found = []
    for name in names[:_MOST_TASKS]:
        within = wcet_of(tasks[name], board) or tasks[name].deadline or tasks[name].period
        longest = _longest(file, [name], within, fits) if isinstance(within, Fraction) else 0
        if isinstance(within, Fraction) and longest:
            found.append((longest / within, name, longest))
    for _, name, longest in sorted(found, key=lambda one: one[0], reverse=True):
        yield _change(tasks[name], [name], longest, board)
    unknown = [name for name in names if wcet_of(tasks[name], board) is None]
    if len(unknown) > 1:
        round_of = max(of.round for of in file.table)
        longest = _longest(file, unknown, round_of, fits)
        if longest:
            yield _change(tasks[unknown[0]], unknown, longest, board)


def _longest(file: SystemFile, names: Sequence[str], below: Fraction, fits: Fits) -> int:
    """The longest WCET of these tasks, up to `below`, in microseconds; 0: none fits."""

    def with_wcet(us: int) -> SystemFile:
        changed = [
            task.model_copy(update={"wcet": us * _US, "work": None}) if task.name in names else task
            for task in file.task
        ]
        return file.model_copy(update={"task": changed})

    least, most = 0, int(below / _US)  # it fits with `least`, or that is 0
    while least < most:
        middle = (least + most + 1) // 2
        if fits(with_wcet(middle)):
            least = middle
        else:
            most = middle - 1
    return least


def _change(task: TaskTable, names: Sequence[str], us: int, board: Board) -> Change:
    of = listed([f'"{name}"' for name in names], last="and")
    if len(names) == 1 and task.work is not None:
        work = us * 1000 // board.work_ns
        return replace(set_tasks(f"work = {work} of {of}", names, work=work), family="wcet")
    text = duration_text(us * _US)
    return replace(set_tasks(f'wcet = "{text}" of {of}', names, wcet=text), family="wcet")
