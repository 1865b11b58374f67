# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What horolog check says of schedule tables: their points, what drives them, and what that needs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from horolog.analyse import expiry_level
from horolog.figures import plural
from horolog.model import CellSchedule, ScheduleTable, Start, Strategy, System
from horolog.read import duration_text

__all__ = ["counter_objects", "schedule_lines", "schedule_objects"]


def schedule_lines(system: System) -> Iterator[str]:
    """A line for each counter, for each schedule table, and for the cell of those that the clock drives."""
    for counter in system.counters:
        speed = "increments at any distance"
        if counter.gap is not None:
            speed = f"increments at least {duration_text(counter.gap)} apart"
        yield f"counter {counter.name}: 0 to {counter.maximum:,}, {speed}"
    for table in system.schedules:
        yield _line(system, table)
    for one in system.cell_schedules:
        yield _line_in_cells(system, one)
    if system.clock_schedules:
        level = expiry_level(system)
        above = "" if level is None else f", at level {level}, above all basic tasks"
        yield f"the cell {system.timeouts} interrupts at the points of tables by the clock{above}"


def _line(system: System, table: ScheduleTable) -> str:
    names = ", ".join(system.sporadic[task].task.name for task in table.tasks)
    driven = "the clock" if table.counter is None else f"the counter {table.counter.name}"
    sync = "" if table.strategy is Strategy.NONE else f"; {table.strategy.value} synchronisation"
    return (
        f"table {table.name}: {plural(len(table.points), 'point')} in a round of "
        f"{_text(system, table, table.duration)} by {driven}, "
        f"{'repeating' if table.is_repeating else 'once'}; {_start(system, table)}"
        + (f"; activates {names}" if names else "")
        + sync
    )


def _line_in_cells(system: System, table: CellSchedule) -> str:
    tasks = sorted({task for point in table.points for task in point.tasks})
    names = ", ".join(system.task(task).name for task in tasks)
    end = f", of which {table.cells[0]} is for the end of the round" if table.has_end else ""
    return (
        f"table {table.name}: {plural(len(table.points), 'point')} in a round of "
        f"{duration_text(Fraction(table.duration, system.board.clock.hz))} by timer cells, "
        f"{'repeating' if table.repeats else 'once'}; the application starts it"
        + (f"; activates {names}" if names else "")
        + f"; {plural(len(table.cells), 'cell')} of group {table.group}: {_cells_text(table)}{end}"
    )


def _cells_text(table: CellSchedule) -> str:
    first, last = table.cells[0], table.cells[-1]
    return first if first == last else f"{first} to {last}"


def _start(system: System, table: ScheduleTable) -> str:
    start = table.autostart
    if start is None:
        return "the application starts it"
    if start.how is Start.SYNCHRONOUS:
        return "starts when a global time is given"
    if start.how is Start.ABSOLUTE:
        return f"starts when the counter is {start.steps:,}"
    return f"starts after {_text(system, table, start.steps)}"


def _text(system: System, table: ScheduleTable, steps: int) -> str:
    if table.counter is not None:
        return plural(steps, "step")
    return duration_text(Fraction(steps, system.board.clock.hz))


def counter_objects(system: System) -> list[dict[str, Any]]:
    """The software counters, for programs."""
    return [
        {
            "name": one.name,
            "maximum": one.maximum,
            "min_cycle": one.min_cycle,
            "min_increment_distance_s": None if one.gap is None else float(one.gap),
        }
        for one in system.counters
    ]


def schedule_objects(system: System) -> list[dict[str, Any]]:
    """The schedule tables, for programs. Steps are those of the counter, or counts of the board's clock."""
    return [*_on_counters(system), *_in_cells(system)]


def _in_cells(system: System) -> list[dict[str, Any]]:
    return [
        {
            "name": table.name,
            "counter": "cells",
            "cells": list(table.cells),
            "group": table.group,
            "end": table.cells[0] if table.has_end else None,
            "steps": table.duration,
            "repeating": table.repeats,
            "sync": Strategy.NONE.value,
            "autostart": None,
            "points": [
                {
                    "offset": point.offset,
                    "cell": cell,
                    "activate": [system.task(task).name for task in point.tasks],
                    "set": [{"event": event, "flags": flags} for event, flags in point.events],
                }
                for point, cell in table.point_cells
            ],
        }
        for table in system.cell_schedules
    ]


def _on_counters(system: System) -> list[dict[str, Any]]:
    return [
        {
            "name": table.name,
            "counter": "clock" if table.counter is None else table.counter.name,
            "cell": system.timeouts if table.counter is None else None,
            "level": expiry_level(system) if table.counter is None else None,
            "steps": table.duration,
            "repeating": table.is_repeating,
            "sync": table.strategy.value,
            "autostart": None
            if table.autostart is None
            else {"how": table.autostart.how.value, "steps": table.autostart.steps},
            "points": [
                {
                    "offset": point.offset,
                    "activate": [system.sporadic[task].task.name for task in point.tasks],
                    "set": [{"event": event, "flags": flags} for event, flags in point.events],
                }
                for point in table.points
            ],
        }
        for table in system.schedules
    ]
