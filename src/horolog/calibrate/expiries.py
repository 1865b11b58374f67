# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what the points of schedule tables by the clock cost (plan/prices/expiry_costs.py).

The tables of a run have rounds of two milliseconds, and each of its points is like all others, so that a
difference of two runs, by the rounds, is what one step costs. That is the typical cost. The most that the
interrupt takes is found by the response of the most urgent task that the point activates last: what the
interrupt does delays it, and nothing else; of all its jobs the longest response counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.calibrate.stores import MakeSystem, Run, Spec
from horolog.model import (
    Autostart,
    Cell,
    ExpiryPoint,
    Kind,
    Mode,
    Overrun,
    Place,
    PriorityRule,
    ScheduleTable,
    Sporadic,
    Start,
    Strategy,
    System,
    Task,
)
from horolog.model.result import Side
from horolog.plan.choice import plan
from horolog.plan.prices.costs import NOTHING
from horolog.plan.prices.expiry_costs import EXPIRY_STEPS, ExpiryCosts

__all__ = [
    "BEAT",
    "EVENT",
    "EVERY",
    "HERE",
    "activated_task",
    "calibrate_expiries",
    "defined_events",
    "shorter",
]

_MS = Fraction(1, 1000)
EVERY = 2 * _MS  # a round
_WORK = 10  # turns of each body
_MANY = 4
BEAT = (Spec(10 * _MS, priority=1),)
EVENT = "calibration_event"
HERE = Place("calibration")


@dataclass(frozen=True, slots=True)
class _Case:
    """A run: so many tables, each with a point that sets events; that of the last one activates tasks."""

    title: str
    tables: int = 1
    events: int = 1
    threads: int = 1
    basic: int = 0
    listed: int = 0  # further tables that run and are never due
    is_apart: bool = False  # the point is not at the round's end


@dataclass(frozen=True, slots=True)
class _Ran:
    kernel: Fraction  # of a round
    response: Fraction  # of the most urgent task, without its body


def calibrate_expiries(make: MakeSystem, run: Run, folder: Path) -> ExpiryCosts | None:
    """The costs of all steps, in the board's steps; None where no cell can serve time-outs beside tasks.

    `make` gives threads; sources are written to `folder`.
    """
    board = make("tables", BEAT).board
    if len(board.cells) < 2 or Mode.ONE_SHOT not in _timeouts(make("tables", BEAT)).modes:
        return None
    of = _Measure(make, run, folder)
    beat = of.kernel(make("no table", BEAT))
    none = of.ran(_Case("a point that sets an event", threads=0), beat)
    one = of.ran(_Case("a point that activates a thread"), beat)
    apart = of.ran(_Case("a point that is not at the round's end", is_apart=True), beat)
    events = of.ran(_Case(f"a point that sets {_MANY} events", events=_MANY), beat)
    threads = of.ran(_Case(f"a point that activates {_MANY} threads", threads=_MANY), beat)
    tables = of.ran(_Case(f"{_MANY} tables", tables=_MANY), beat)
    listed = of.ran(_Case(f"a table beside {_MANY - 1} others", listed=_MANY - 1), beat)
    steps = {}
    more = _MANY - 1

    def typical_and_most(many: _Ran, few: _Ran) -> tuple[Fraction, Fraction]:
        return (many.kernel - few.kernel) / more, (many.response - few.response) / more

    steps["event"] = typical_and_most(events, one)
    steps["listed"] = typical_and_most(listed, one)
    thread = one.kernel - none.kernel
    steps["thread"] = (thread, (threads.response - one.response) / more)
    # Apart from the point there is an interrupt at the round's end, without an action.
    interrupt = (apart.kernel - steps["event"][0] - thread) / 2
    longest = apart.response - steps["event"][1] - steps["thread"][1]
    steps["round"] = (none.kernel - interrupt - steps["event"][0], one.response - apart.response)
    both = typical_and_most(tables, one)
    steps["table"] = (
        both[0] - steps["round"][0] - steps["event"][0] - steps["listed"][0],
        both[1] - steps["round"][1] - steps["event"][1] - steps["listed"][1],
    )
    if board.controller is not None:
        basic = of.ran(_Case("a point that activates a basic task", threads=0, basic=1), beat)
        many = of.ran(
            _Case(f"a point that activates {_MANY} basic tasks", threads=0, basic=_MANY), beat
        )
        most = (many.response - basic.response) / more
        steps["basic"] = (basic.kernel - none.kernel, most)
        longest = max(longest, basic.response - steps["round"][1] - steps["event"][1] - most)
    steps["interrupt"] = (interrupt, longest)
    for name in ("interrupt", "table", "listed", "round", "event"):  # all in the interrupt
        typical, most = steps[name]
        steps[name] = (typical, max(typical, most))
    return ExpiryCosts({name: steps[name] for name in EXPIRY_STEPS if name in steps})


def shorter(system: System) -> System:
    """In cycles a second is simulated in minutes, and all rounds are alike."""
    by_cycles = system.board.runner.ns_per_cycle is not None
    return replace(system, duration=system.duration / 4) if by_cycles else system


def _timeouts(system: System) -> Cell:
    """The cell for time-outs: the second of the first one's device, or any other."""
    first, *others = system.board.cells
    alike = [cell for cell in others if cell.device == first.device]
    return (alike or others)[0]


def defined_events(events: Sequence[tuple[str, int]]) -> str:
    """C that defines the events of actions."""
    return "".join(f"HRL_EVENT_DEFINE({event});\n" for event, _ in events)


@dataclass(frozen=True, slots=True)
class _Measure:
    make: MakeSystem
    run: Run
    folder: Path

    def kernel(self, system: System) -> Fraction:
        """What the kernel takes in `system`, which has no table."""
        return Fraction(self._side(self._with_cell(system)).counted.kernel)

    def ran(self, case: _Case, beat: Fraction) -> _Ran:
        """What `case` comes to; the kernel takes `beat` for the rest."""
        title = f"schedule tables: {case.title}"
        system = self._system(self.make(title, BEAT), case)
        side = self._side(system)
        rounds = -(-(int(system.duration / _MS) - 1) // int(EVERY / _MS))
        lasts = system.board.runner.ns_per_step
        assert lasts is not None
        urgent = side.response.get("urgent")
        body = Fraction(_WORK * system.board.work_ns, lasts)
        return _Ran(
            (side.counted.kernel - beat) / rounds,
            Fraction(0) if urgent is None else urgent.max_ns / lasts - body,
        )

    def _side(self, system: System) -> Side:
        return self.run(system.name, system, plan(system, mechanism="gcd", prices=NOTHING).choice)

    def _with_cell(self, system: System) -> System:
        first = system.board.cells[0].name
        return replace(shorter(system), cells=(first,), timeouts=_timeouts(system).name)

    def _system(self, system: System, case: _Case) -> System:
        system = self._with_cell(system)
        names = ["urgent", *(f"other_{at}" for at in range(1, case.threads + case.basic))]
        kind = Kind.BASIC if case.basic else Kind.THREAD
        last = system.board.basic_levels or system.board.levels if case.basic else 8
        sporadic = (
            []
            if case.threads + case.basic == 0
            else [activated_task(system, name, kind, last - at) for at, name in enumerate(names)]
        )
        hz = system.board.clock.hz
        events = tuple((f"{EVENT}_{at}", 1) for at in range(case.events))
        # What is activated last has the highest priority.
        tasks = tuple(range(len(sporadic)))[::-1]
        offset = EVERY / 2 if case.is_apart else Fraction(0)
        start = _MS - offset
        tables = [
            self._table(
                f"table_{at}",
                ExpiryPoint(int(offset * hz), tasks if at + 1 == case.tables else (), events),
                int(EVERY * hz),
                int(start * hz),
            )
            for at in range(case.tables)
        ]
        late = int(4 * system.duration * hz)
        tables += [
            self._table(f"late_{at}", ExpiryPoint(late, (), events), 2 * late, int(_MS * hz))
            for at in range(case.listed)
        ]
        source = self.folder / f"events-{case.events}.c"
        source.write_text("#include <hrl/event.h>\n" + defined_events(events), encoding="utf-8")
        return replace(
            system,
            sources=(source,),
            sporadic=tuple(Sporadic(task, None) for task in sporadic),
            schedules=tuple(tables),
            priorities=PriorityRule.EXPLICIT,
        )

    def _table(self, name: str, point: ExpiryPoint, lasts: int, start: int) -> ScheduleTable:
        return ScheduleTable(
            name=name,
            counter=None,
            duration=lasts,
            is_repeating=True,
            points=(point,),
            strategy=Strategy.NONE,
            precision=0,
            autostart=Autostart(Start.RELATIVE, start),
            place=HERE,
            is_held=False,
        )


def activated_task(system: System, name: str, kind: Kind, priority: int) -> Task:
    """A task that points activate."""
    return Task(
        name=name,
        period=EVERY,
        offset=Fraction(0),
        deadline=EVERY,
        wcet=_WORK * Fraction(system.board.work_ns, 10**9),
        body=None,
        work=_WORK,
        stack=system.board.port.stacks.usual,
        overrun=Overrun.SKIP,
        kind=kind,
        priority=priority,
        place=HERE,
        activations=1 if kind is Kind.BASIC else None,
    )
