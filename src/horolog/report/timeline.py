# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A kernel's run as pages show it, and the data of their timeline."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from horolog.analyse import levels
from horolog.model import Part, System, Task
from horolog.model.result import Side
from horolog.report import pictures
from horolog.report.kernel_time import mean_tail, without_interruptions
from horolog.report.packing import pack
from horolog.trace import (
    Job,
    Met,
    Segment,
    TaskResponse,
    Trace,
    calendar_of,
    jobs_and_met,
    responses,
    segments,
)

__all__ = ["OURS", "Run", "run_of", "run_on_core", "scripts", "timeline", "verbatim"]

_NS = 1_000_000_000
_FIRST_VIEW_NS = 30_000_000
_SCRIPTS = (
    "page.js",
    "timeline_run.js",
    "timeline_paint.js",
    "timeline_under.js",
    "timeline_hands.js",
)
OURS = ("ours", "basic")
"""The keys of Horolog's sides."""


@dataclass(frozen=True, slots=True)
class Run:
    """One kernel's run and all that the page derives from its trace."""

    key: str  # the CSS class: "ours", "basic", or one of wording.KEYS
    name: str
    side: Side
    trace: Trace
    due: tuple[Job, ...]
    responses: tuple[TaskResponse, ...]
    shares: list[list[float]]
    segments: list[Segment]
    packed: str
    tail_ns: int | None  # kernel_time.py; None: when the kernel ran is not known

    def worst(self, index: int, task: Task) -> float | None:
        """The worst response of `task`, number `index`, in percent of its deadline."""
        worst = self.responses[index].max_ns
        return None if worst is None else float(100 * worst / (task.deadline * _NS))


def run_of(key: str, name: str, side: Side, trace: Trace, system: System, *, nested: bool) -> Run:
    """The run of one side; `key` and `name` as Run has them."""
    due, met = jobs_and_met(trace, system, nested=nested)
    stretches = segments(trace, system, nested=nested)
    drawn, tail = _drawn(side, stretches, met, trace, system)
    packed = pack(due, drawn, list(trace.interrupts()))
    rows = responses(due, system, trace.rounds)
    each = pictures.shares(due, system)
    return Run(key, name, side, trace, due, rows, each, stretches, packed, tail)


def run_on_core(name: str, side: Side, trace: Trace, part: Part, whole: System) -> Run:
    """The run of one core, its tasks and cells with their numbers in the `whole` system."""
    system = part.system
    alone = run_of(OURS[0], name, side, trace, system, nested=not system.has_global)
    _, met = jobs_and_met(trace, system, nested=not system.has_global)
    drawn, _ = _drawn(side, alone.segments, met, trace, system)
    cells = [cell.name for cell in whole.board.cells]
    own = [cells.index(cell.name) for cell in system.board.cells]
    due = tuple(job._replace(task=part.tasks[job.task]) for job in alone.due)
    stretches, drawn = (
        [one._replace(task=part.tasks[one.task]) for one in each]
        for each in (alone.segments, drawn)
    )
    calls = [(ns, own[cell]) for ns, cell in trace.interrupts()]
    return replace(alone, due=due, segments=stretches, packed=pack(due, drawn, calls))


def _drawn(
    side: Side, stretches: list[Segment], met: Sequence[Met], trace: Trace, system: System
) -> tuple[list[Segment], int | None]:
    """What the timeline shows of bodies, and the mean tail of the kernel."""
    step = system.board.runner.ns_per_step
    if side.instructions is None or step is None or any(one.kernel is None for one in met):
        return stretches, None
    drawn = without_interruptions(stretches, met, step)
    calls = sorted(ns for ns, _ in trace.interrupts() if ns >= 0)
    window = int(system.duration * _NS)
    busy = (side.counted.total - side.counted.idle) * step
    return drawn, mean_tail(drawn, calls, window, busy)


def timeline(system: System, runs: Sequence[Run], *, of_cores: bool = False) -> Markup:
    """The data block of the timeline. Names are the user's: no `<` of theirs may end the block.

    With `of_cores` the runs are those of the cores, which were at work together.
    """
    level = levels(system)
    by_level = pictures.groups(system, at_most=0)
    row_of = {index: row for row, group in enumerate(by_level) for index in group.tasks}
    shortest = min((task.period for task in system.tasks), default=system.duration) * _NS
    window = system.duration * _NS
    first = min(window, max(4 * shortest, min(Fraction(_FIRST_VIEW_NS), 60 * shortest)))
    data = {
        "window": float(window),
        "view": [0, float(first)],
        "cells": [cell.name for cell in system.board.cells],
        "levels": [[group.label, group.note, group.level] for group in by_level],
        "tasks": [
            [
                task.name,
                float(_shown_period(system, index) * _NS),
                float(task.nominal_offset * _NS),
                float(task.deadline * _NS),
                row_of[index],
                level[index],
                *([points] if (points := _shown_points(system, index, runs[0].trace)) else []),
            ]
            for index, task in enumerate(system.tasks)
        ],
        "sides": [
            {
                "key": run.key,
                "name": run.name,
                "places": _places(run, system),
                "tail": run.tail_ns,
                "run": run.packed,
            }
            for run in runs
        ],
        **({"lanes": True} if of_cores else {}),
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _ns(*times: Fraction) -> list[float]:
    return [float(time * _NS) for time in times]


def _is_controlled(system: System, index: int) -> bool:
    """Whether the application says when the task of this index is released by a table."""
    return system.control is not None and system.tasks[index].table_level is not None


def _shown_period(system: System, index: int) -> Fraction:
    """After which the timeline's releases of a task repeat; of a controlled one none do."""
    return 2 * system.duration if _is_controlled(system, index) else system.tasks[index].period


def _shown_points(system: System, index: int, trace: Trace) -> list[list[float]]:
    """Offset and deadline of each release in a period of the timeline, unless they are evenly spaced."""
    if not _is_controlled(system, index):
        return [_ns(point.offset, point.deadline) for point in system.tasks[index].points]
    calendar = calendar_of(system, index, trace.rounds or ())
    assert calendar is not None
    return [
        [float(calendar.nominal(at)), float(calendar.deadline(at) * _NS)]
        for at in range(calendar.most)
    ]


def _places(run: Run, system: System) -> list[list[Any]]:
    """Where to look first: [title, from, to] of the latest jobs, and of the first missed deadline."""

    def share(job: Job) -> Fraction:
        assert job.end_ns is not None
        return (job.end_ns - job.release_ns) / (job.deadline * _NS)

    def place(title: str, job: Job) -> list[Any]:
        end = Fraction(job.end_ns) if job.end_ns is not None else job.release_ns
        end = max(end, job.release_ns + 1000)
        margin = (end - job.release_ns) / 4
        return [title, float(max(Fraction(0), job.release_ns - margin)), float(end + margin)]

    finished = [job for job in run.due if job.end_ns is not None]
    if not finished:
        return []
    late = [job for job in finished if share(job) > 1]
    found = []
    if late:
        first = min(late, key=lambda job: job.release_ns)
        found.append(place(f"first late job: {_job_name(first, system)}", first))
    nearest = max(finished, key=lambda job: (share(job), -job.release_ns))
    found.append(place(f"closest to its deadline: {_job_name(nearest, system)}", nearest))
    longest = max(
        finished, key=lambda job: (Fraction(job.end_ns or 0) - job.release_ns, -job.release_ns)
    )
    if longest is not nearest:
        found.append(place(f"longest response: {_job_name(longest, system)}", longest))
    return found


def _job_name(job: Job, system: System) -> str:
    return f"{system.tasks[job.task].name} #{job.number}"


def verbatim(environment: Environment, name: str) -> Markup:
    """A template of our own that is no HTML. It holds no user's text, so nothing is escaped."""
    assert environment.loader is not None
    source, _, _ = environment.loader.get_source(environment, name)
    return Markup(source)


def scripts(environment: Environment) -> Markup:
    """The page's own scripts, which share one scope."""
    parts = (verbatim(environment, name) for name in _SCRIPTS)
    return Markup('(() => {{\n"use strict";\n{}}})();').format(Markup("\n").join(parts))
