# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The order in which basic tasks start and end, by the rules of include/hrl/basic.h; kernels take no time.

A more urgent level interrupts a less urgent one; within a level no task interrupts another. A line that has
begun goes on until none of its tasks is ready, each time with the ready one of the first rank; of lines of
one level that wait the first goes first. A release that finds its task unfinished is dropped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["ModelLine", "ModelTask", "dispatch_order"]


@dataclass(frozen=True)
class ModelTask:
    """A periodic task; times in seconds."""

    period: Fraction
    offset: Fraction
    execution: Fraction


@dataclass(frozen=True)
class ModelLine:
    """Tasks by rank. Lines of one level stand in the order in which the controller prefers them."""

    level: int
    tasks: tuple[int, ...]


def dispatch_order(
    tasks: Sequence[ModelTask], lines: Sequence[ModelLine], end: Fraction
) -> list[tuple[str, int]]:
    """("S" or "E", task) of every job that is released before `end`, in order."""
    return _Processor(tasks, lines).run(end)


class _Processor:
    def __init__(self, tasks: Sequence[ModelTask], lines: Sequence[ModelLine]) -> None:
        self.tasks = tasks
        self.lines = lines
        self.line_of = {task: at for at, line in enumerate(lines) for task in line.tasks}
        self.ready: set[int] = set()
        self.running: list[tuple[int, Fraction]] = []  # task and what is left; the innermost last
        self.events: list[tuple[str, int]] = []

    def run(self, end: Fraction) -> list[tuple[str, int]]:
        releases: dict[Fraction, list[int]] = {}
        for index, task in enumerate(self.tasks):
            at = task.offset
            while at < end:
                releases.setdefault(at, []).append(index)
                at += task.period
        now = Fraction(0)
        for instant in sorted(releases):
            self._execute(instant - now)
            now = instant
            unfinished = self.ready | {task for task, _ in self.running}
            self.ready |= {*releases[instant]} - unfinished
            self._dispatch()
        self._execute(None)
        return self.events

    def _execute(self, span: Fraction | None) -> None:
        """Let `span` pass; None: until nothing is left to do."""
        while self.running:
            task, left = self.running.pop()
            if span is not None and left > span:
                self.running.append((task, left - span))
                return
            span = None if span is None else span - left
            self.events.append(("E", task))
            self._go_on(self.line_of[task])

    def _go_on(self, at: int) -> None:
        """A job of line `at` has ended: the line's next job, if any; else one of another line."""
        following = [task for task in self.lines[at].tasks if task in self.ready]
        if following:
            self._start(following[0])
        self._dispatch()

    def _dispatch(self) -> None:
        while True:
            level = self.lines[self.line_of[self.running[-1][0]]].level if self.running else 0
            above = [
                (-line.level, at)
                for at, line in enumerate(self.lines)
                if line.level > level and self.ready & {*line.tasks}
            ]
            if not above:
                return
            line = self.lines[min(above)[1]]
            self._start(next(task for task in line.tasks if task in self.ready))

    def _start(self, task: int) -> None:
        self.ready.discard(task)
        self.running.append((task, self.tasks[task].execution))
        self.events.append(("S", task))
