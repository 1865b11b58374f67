# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measures what the points of schedule tables in timer cells cost (plan/prices/expiry_costs.py).

As expiries.py, by the rounds of a table that a task starts in its first job.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from horolog.calibrate.expiries import (
    BEAT,
    EVENT,
    EVERY,
    HERE,
    activated_task,
    defined_events,
    shorter,
)
from horolog.calibrate.stores import MakeSystem, Run
from horolog.model import CellPoint, CellSchedule, Kind, PriorityRule, Sporadic, System
from horolog.plan.choice import plan
from horolog.plan.prices.costs import NOTHING
from horolog.read.cell_groups import cell_groups

__all__ = ["calibrate_points"]


@dataclass(frozen=True, slots=True)
class _Case:
    """A table in cells: so many points a round, each with so many actions."""

    title: str
    points: int = 1
    threads: int = 0
    basic: int = 0
    events: int = 0


def calibrate_points(make: MakeSystem, run: Run, folder: Path) -> dict[str, Fraction]:
    """The costs of points of tables in cells by POINT_MEANING; none where cells have no groups."""
    if not any(cell.groups for cell in make("tables in cells", BEAT).board.cells):
        return {}
    of = _Measure(make, run, folder)
    none = of.kernel(_Case("no point", 0))

    def each(case: _Case) -> Fraction:
        return Fraction(of.kernel(case) - none, case.points * of.rounds())

    thread = each(_Case("a point that activates a thread", threads=1))
    # A task with two points is not its cell's interrupt.
    basic = each(_Case("points that activate a basic task", 2, basic=1))
    event = each(_Case("a point that sets an event", events=1))
    alone = each(_Case("a point that is a basic task's interrupt", basic=1))
    threads = each(_Case("a point that activates three threads", threads=3))
    tasks = each(_Case("points that activate three basic tasks", 2, basic=3))
    events = each(_Case("a point that sets three events", events=3))
    return {
        "thread": thread,
        "basic": basic,
        "alone": alone,
        "event": event,
        "further_thread": (threads - thread) / 2,
        "further_basic": (tasks - basic) / 2,
        "further_event": (events - event) / 2,
    }


@dataclass(frozen=True, slots=True)
class _Measure:
    make: MakeSystem
    run: Run
    folder: Path

    def rounds(self) -> int:
        """The rounds of a table that begins in the first job."""
        return int(shorter(self.make("rounds", BEAT)).duration / EVERY)

    def kernel(self, case: _Case) -> int:
        """What the kernel takes in all."""
        system = self._system(shorter(self.make(f"tables in cells: {case.title}", BEAT)), case)
        chosen = plan(system, mechanism="gcd", prices=NOTHING).choice
        return self.run(system.name, system, chosen).counted.kernel

    def _system(self, system: System, case: _Case) -> System:
        hz, board = system.board.clock.hz, system.board
        # Without a point the table is started all the same, and comes to none.
        points = max(1, case.points)
        lasts = int(EVERY * hz) if case.points else int(8 * system.duration * hz)
        found = cell_groups(board, [points], ())
        assert found is not None
        (group,) = found
        number = case.threads + case.basic
        kind = Kind.BASIC if case.basic else Kind.THREAD
        last = board.basic_levels or board.levels if case.basic else 8
        sporadic = tuple(
            Sporadic(activated_task(system, f"task_{at}", kind, last - at), None)
            for at in range(number)
        )
        tasks = tuple(len(system.tasks) + at for at in range(number))
        events = tuple((f"{EVENT}_{at}", 1) for at in range(case.events or not number))
        table = CellSchedule(
            name="calibrated",
            duration=lasts,
            repeats=True,
            points=tuple(
                CellPoint(lasts * (at + 1) // (points + 1), tasks, events) for at in range(points)
            ),
            place=HERE,
            has_end=False,
            cells=group.names,
            group=group.number,
        )
        source = self.folder / f"table-{len(events)}.c"
        source.write_text(_BEAT_BODY + defined_events(events), encoding="utf-8")
        beat = replace(system.tasks[0], work=None, body="calibration_beat")
        others = tuple(cell.name for cell in board.cells if cell.name not in group.names)
        return replace(
            system,
            tasks=(beat,),
            cells=others[:1],
            sources=(source,),
            sporadic=sporadic,
            cell_schedules=(table,),
            priorities=PriorityRule.EXPLICIT,
        )


_BEAT_BODY = """\
#include <hrl/cell_table.h>
#include <hrl/event.h>

extern struct hrl_cell_table table_calibrated;
void calibration_beat(void);
void calibration_beat(void)
{
    static int is_started;

    if (!is_started) {
        is_started = 1;
        (void)hrl_cell_table_start_relative(&table_calibrated, 1000u);
    }
}
"""
