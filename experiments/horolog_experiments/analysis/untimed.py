# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What time does not release, drawn beside the periodic tasks: sporadic tasks, servers, bursts of interrupts.

On the host port a device activates each of them, as often as it may, or the end of another task's job.
Elsewhere no device interrupts, so that tasks activate all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from horolog.model import (
    AperiodicServer,
    Arrivals,
    Interrupt,
    Kind,
    Place,
    PriorityRule,
    ServerKind,
    Sporadic,
    System,
    Task,
)
from horolog_experiments.irregular.families import example_task
from horolog_experiments.planner.families import Draw

__all__ = ["Untimed", "with_bursts", "with_untimed"]

_MS, _US = Fraction(1, 10**3), Fraction(1, 10**6)
_LINES = range(9, 17)  # of the host port's, for the application


@dataclass(frozen=True, slots=True)
class Untimed:
    """How much of it there is; `devices`: whether there may be any; periods are a `shorter`th as long."""

    sporadic: int
    servers: int
    devices: bool
    shorter: int = 1


def with_untimed(system: System, asked: Untimed, shares: Sequence[Fraction], draw: Draw) -> System:
    """`system` with sporadic and aperiodic tasks behind its own, and explicit priorities.

    Their utilisations are `shares`, one for each of them. Periodic tasks have the priorities of the
    rate-monotonic rule, on the levels of the board.
    """
    made = _Made(_explicit(system), asked, draw)
    for share in shares[: asked.sporadic]:
        made.add_sporadic(share)
    for share in shares[asked.sporadic :]:
        made.add_served(share)
    tasks = (*made.tasks, *made.servers)
    return replace(
        made.system,
        tasks=tasks,
        interrupts=tuple(made.interrupts),
        sporadic=tuple(made.numbered(len(tasks))),
    )


def _levels(system: System) -> int:
    board = system.board
    if any(task.kind is Kind.BASIC for task in system.tasks):
        return board.basic_levels or board.levels
    return board.levels


def _explicit(system: System) -> System:
    """`system` with explicit priorities: rate-monotonic ranks, spread over the levels."""
    ranks = sorted({task.period for task in system.tasks}, reverse=True)
    many = _levels(system)
    tasks = []
    for task in system.tasks:
        rank = ranks.index(task.period)
        level = 1 + rank * many // len(ranks) if len(ranks) > many else 1 + rank
        tasks.append(replace(task, priority=level))
    return replace(system, tasks=tuple(tasks), priorities=PriorityRule.EXPLICIT)


class _Made:
    """The tasks that are drawn. Those that others activate have the numbers of System.tasks, or behind it."""

    def __init__(self, system: System, asked: Untimed, draw: Draw) -> None:
        self.system, self._asked, self._draw = system, asked, draw
        self.tasks = list(system.tasks)
        self.servers: list[Task] = []
        self.interrupts = list(system.interrupts)
        self._sporadic: list[Sporadic] = []  # `after` from len(self.tasks) on: of this list
        self._top = max(task.priority or 1 for task in system.tasks)

    def numbered(self, tasks: int) -> list[Sporadic]:
        """The sporadic tasks, behind so many others."""
        more = tasks - len(self.tasks)
        return [
            one
            if one.after is None or one.after < len(self.tasks)
            else replace(one, after=one.after + more)
            for one in self._sporadic
        ]

    def add_sporadic(self, share: Fraction) -> None:
        """A task with a least gap, of the kind of the others or, beside threads, a basic one now and then."""
        draw, at = self._draw, len(self._sporadic)
        kind = self.tasks[0].kind
        if kind is Kind.THREAD and draw.below(4) == 0:
            kind = Kind.BASIC
        interrupt, after, gap, waiting = (
            None,
            None,
            draw.within(2, 50) * _MS / self._asked.shorter,
            1,
        )
        if self._may_interrupt() and draw.below(3):
            interrupt = self._device(gap)
        else:
            after = draw.below(len(self.tasks) + len(self._sporadic))
            gap, waiting = self._gap_of(after), self._depth_of(after)
        task = self._task(f"sporadic_{at}", gap, share * gap, kind)
        task = replace(task, activations=waiting + 1 if kind is Kind.BASIC else None)
        self._sporadic.append(Sporadic(task, interrupt, after, waiting))

    def add_served(self, share: Fraction) -> None:
        """An aperiodic task and its server, and what activates it about as often as it is served, or more."""
        draw, at = self._draw, len(self.servers)
        period = draw.within(5, 50) * _MS / self._asked.shorter
        jobs = draw.within(1, 3)
        kind = (ServerKind.POLLING, ServerKind.DEFERRABLE)[draw.below(2)]
        interrupt = after = None
        if self._may_interrupt():
            interrupt = self._device(period / (jobs * draw.within(1, 3)), draw.below(2) == 0)
        else:
            after = min(range(len(self.tasks)), key=lambda one: (self.tasks[one].period, one))
        least = 1 if kind is ServerKind.POLLING else 2
        pending = max(least, draw.within(1, 2 * jobs))
        task = self._task(f"aperiodic_{at}", period, share * period / jobs, Kind.THREAD)
        waits = -(-pending // jobs) * period
        task = replace(task, deadline=waits + period)
        server = replace(
            task,
            name=f"server_{at}",
            deadline=period,
            wcet=jobs * (task.wcet or Fraction(0)),
            work=None,
            body=f"hrl_gen_serve_server_{at}",
        )
        self.servers.append(server)
        number = len(self.tasks) + at
        serving = AperiodicServer(server.name, kind, number, jobs)
        self._sporadic.append(Sporadic(task, interrupt, after, pending + 1 - least, serving))

    def _task(self, name: str, gap: Fraction, seconds: Fraction, kind: Kind) -> Task:
        board = self.system.board
        work = max(1, int(seconds / (board.work_ns / 10**9)))
        one = example_task(self.system, name, gap, work=work)
        return replace(
            one,
            kind=kind,
            jitter=Fraction(0),
            priority=self._priority(gap),
            shares=False,
            activations=None,
            least_period=None,
            delay=Fraction(0),
            body=None,
        )

    def _priority(self, gap: Fraction) -> int:
        """That of the periodic tasks of such a period; of one in four any that is in use."""
        if self._draw.below(4) == 0:
            return 1 + self._draw.below(self._top)
        slower = (task.priority or 1 for task in self.tasks if task.period >= gap)
        return max(slower, default=1)

    def _gap_of(self, after: int) -> Fraction:
        tasks = len(self.tasks)
        return (
            self.tasks[after].period if after < tasks else self._sporadic[after - tasks].task.period
        )

    def _depth_of(self, after: int) -> int:
        """How many tasks activate one another before one that `after` activates: so many may wait."""
        depth = 1
        while after >= len(self.tasks):
            before = self._sporadic[after - len(self.tasks)].after
            if before is None:
                break
            after, depth = before, depth + 1
        return depth

    def _may_interrupt(self) -> bool:
        return self._asked.devices and len(self.interrupts) < len(_LINES)

    def _device(self, gap: Fraction, bursts: bool = False) -> int:
        """The number of a further interrupt, whose handler may call the kernel, so often or in bursts."""
        draw, at = self._draw, len(self.interrupts)
        work = draw.within(20, 200)
        board = self.system.board
        gap = Fraction(int(gap / (10 * _US))) * 10 * _US
        arrivals: tuple[Arrivals, ...] = ()
        if bursts:
            count = draw.within(2, 4)
            arrivals = (Arrivals(count, count * gap),)
            gap = max(50 * _US, Fraction(int(gap / (40 * _US))) * 10 * _US)
        wcet = work * board.work_ns / 10**9
        self.interrupts.append(
            Interrupt(
                f"device.{at}",
                _LINES[at],
                draw.within(1, 3),
                gap,
                wcet,
                None,
                work,
                Place("drawn"),
                arrivals,
            )
        )
        return at


def with_bursts(interrupts: Sequence[Interrupt], draw: Draw) -> list[Interrupt]:
    """`interrupts`, some in bursts: in a long time as often as before, in a short one closer together."""
    found = []
    for one in interrupts:
        count = draw.within(2, 6)
        gap = max(200 * _US, Fraction(int(one.gap / (count * 10 * _US))) * 10 * _US)
        if draw.below(2) and gap < one.gap:
            arrivals = (Arrivals(count, count * one.gap),)
            one = replace(one, gap=gap, arrivals=arrivals)
        found.append(one)
    return found
