# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""report.html: one file that holds all it needs, for a browser without a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from horolog.analyse import levels
from horolog.figures import count, plural, significant
from horolog.model import Baseline, Overrun, Planned, System, Task
from horolog.model.result import Result, Side
from horolog.plan import ByCells
from horolog.read.units import about_duration_text, duration_text
from horolog.report import pictures, wording
from horolog.report.cells import cells_picture
from horolog.report.holds import bound_rows, held, share_of
from horolog.report.rounds import RoundPicture, corrections, measured_round, planned_round
from horolog.report.timeline import OURS, Run, run_of, scripts, timeline, verbatim
from horolog.report.wording import (
    KEYS,
    MEMORY_ROWS,
    beside_rows,
    exception_rows,
    exceptions_text,
    headline,
    interruptions_text,
    memory_text,
    ns_text,
    percent,
    ratio_rows,
    sum_text,
    unpredicted,
)
from horolog.responses import Analysis
from horolog.trace import Trace

__all__ = ["Basic", "page"]

_FUNCTIONS_SHOWN = 12


Sides = list[tuple[str, str, Side]]  # a key, a name for people, the figures


@dataclass(frozen=True, slots=True)
class Basic:
    """All tasks of a system as basic tasks: the plan and the run."""

    system: System
    planned: Planned
    trace: Trace


def page(
    result: Result,
    planned: Planned,
    system: System,
    trace_horolog: Trace,
    traces_freertos: Mapping[Baseline, Trace] | None = None,
    over_cells: Sequence[ByCells] = (),
    basic: Basic | None = None,
    analysis: Analysis | None = None,
) -> str:
    """The whole report as HTML: does it hold, where does the time go, what would be better, then plans.

    `over_cells`: what other numbers of cells would come to, for a picture of that; none: no picture.
    `basic`: the plan and run of all tasks as basic tasks, if there was one. `analysis`: of Horolog's plan.
    """
    sides = wording.sides(result)
    of = {KEYS[one]: (system, trace) for one, trace in (traces_freertos or {}).items()}
    of["ours"] = (system, trace_horolog)
    if basic is not None:
        of["basic"] = (basic.system, basic.trace)
    runs = [
        run_of(key, name, side, trace, tasks, nested=key in OURS)
        for key, name, side in sides
        if key in of
        for tasks, trace in [of[key]]
    ]
    environment = _environment()
    rows = pictures.groups(system)
    answer = held(result, system, runs)
    return environment.get_template("report.html.j2").render(
        result=result,
        planned=planned,
        system=system,
        held=answer,
        # A run that is not valid, or with late jobs, leads by that, and what it costs is no headline.
        spent=None if answer.failed else headline(result, len(system.tasks)),
        bounds=[] if analysis is None else bound_rows(system, analysis, runs[0]),
        bounds_notes=() if analysis is None else analysis.notes,
        sides=[name for _, name, _ in sides],
        # Bars side by side compare, whatever stands beside them: not where the comparison is refused.
        bars=_counted(_comparable(result, sides)),
        measures=_measures(sides, result.unit, [*beside_rows(result), *exception_rows(result)]),
        unpredicted=unpredicted(result),
        ratios=[
            (label, [row.get(key) for key, _, _ in sides]) for label, row in ratio_rows(result)
        ],
        unit=result.unit,
        caveat=" ".join(filter(None, (result.caveat, exceptions_text(result)))) or None,
        most_interrupts=max(
            planned.distinct_instants, *(one.interrupts or 0 for one in result.alternatives)
        ),
        instants=pictures.instants(system, planned.choice),
        rounds=_rounds(system, runs[0]),
        corrections=corrections(system, runs[0].trace.rounds),
        cells=cells_picture(system, over_cells),
        plans=[one.choice for one in [planned] + ([] if basic is None else [basic.planned])],
        functions=_functions(sides),
        responses=_responses(rows, runs),
        levels=levels(system),
        cell_of={task: one.cell for one in planned.choice.releasers for task in one.tasks},
        timeline=timeline(system, runs),
        runs=runs,
        of_cores=False,
        work=partial(_work, system),
        width=pictures.WIDTH,
        style=verbatim(environment, "style.css"),
        script=scripts(environment),
    )


def _comparable(result: Result, sides: Sides) -> Sides:
    """The `sides` with costs that may be compared: they did the same work, all of it in time."""
    threads, basic = ({}, {})
    for one, key in KEYS.items():
        threads[key], basic[key] = result.ratio_to(one), result.ratio_to(one, basic=True)
    fair = {"ours"} | {key for key, ratio in threads.items() if ratio is not None}
    if any(ratio is not None for ratio in basic.values()):
        fair.add("basic")
    return [side for side in sides if side[0] in fair]


def _time(seconds: Fraction) -> str:
    number, unit = duration_text(seconds).split(" ")
    return f"{number}\u202f{unit.replace('us', chr(0xB5) + 's')}"


def _about(seconds: Fraction) -> str:
    """To six digits: instants of a run are counts, which need not be short decimals."""
    number, unit = about_duration_text(seconds, 6).split(" ")
    return f"{number}\u202f{unit.replace('us', chr(0xB5) + 's')}"


def _counted(sides: Sides) -> Sides:
    """The sides with counted instructions, or cycles."""
    return [one for one in sides if one[2].instructions is not None]


def _measures(
    sides: Sides, unit: str, beside: Sequence[tuple[str, Mapping[str, str]]] = ()
) -> list[dict[str, Any]]:
    """The rows of the table under the headline; `same` where both sides had to agree."""

    def row(
        label: str, values: list[str], must_agree: bool = False, note: str = ""
    ) -> dict[str, Any]:
        state = ""
        if must_agree and len(values) > 1:
            state = "same" if len(set(values)) == 1 else "differ"
        return {"label": label, "figures": values, "state": state, "note": note}

    every = [side for _, _, side in sides]
    rows = [
        row("Mechanism", [side.mechanism for side in every]),
        row("Timer cells", ["\u2013" if side.cells is None else str(side.cells) for side in every]),
        row("Jobs", [count(side.jobs) for side in every], True),
        row("Missed deadlines", [count(side.deadline_misses) for side in every]),
        row("Overruns", [count(side.overruns) for side in every]),
        row(
            "Timer interrupts taken",
            [count(side.interrupts.taken) for side in every],
            note="entries of timer-cell handlers in the window",
        ),
        row(
            "predicted = taken + coalesced",
            [sum_text(side.interrupts) for side in every],
            note="coalesced: two instants that one interrupt served",
        ),
        row(
            "Jobs disturbed for jobs of lower priority",
            [interruptions_text(side) for side in every],
            note="timer interrupts that found a job running and released only tasks of lower priority",
        ),
    ]
    if any(side.memory is not None for side in every):
        rows += [
            row(label[0].upper() + label[1:], [memory_text(of, side) for side in every])
            for label, of in MEMORY_ROWS
        ]
    for label, figures in beside:
        text = label[0].upper() + label[1:]
        rows.append(row(text, [figures.get(key, "") for key, _, _ in sides]))
    if len(_counted(sides)) == len(sides):
        rows += [
            row("Instructions in task bodies", [count(side.counted.work) for side in every], True),
        ]
        if any(side.beside for side in every):
            texts = [
                "\u2013" if side.kernel_predicted is None else count(round(side.kernel_predicted))
                for side in every
            ]
            what = "without what is not predicted"
            rows.append(row(f"{unit.capitalize()} in the kernel, predicted", texts, note=what))
        rows += [
            row(
                f"{unit.capitalize()} in the kernel", [count(side.counted.kernel) for side in every]
            ),
            row(
                f"Kernel {unit} per job",
                [significant(side.kernel_per_job or 0, 4) for side in every],
            ),
            row(
                "Kernel overhead",
                [percent(side.overhead_percent) for side in every],
                note=f"of all {unit}, idle included",
            ),
        ]
    return rows


def _functions(sides: Sides) -> list[dict[str, Any]]:
    """Kernel instructions, or cycles, per job by function; one scale for both sides, so that bars compare."""
    counted = _counted(sides)
    per_job = [
        Fraction(number, side.jobs or 1)
        for _, _, side in counted
        for number in side.counted.by_function.values()
    ]
    most = max(per_job, default=Fraction(0))
    tables = []
    for key, name, side in counted:
        order = sorted(side.counted.by_function.items(), key=lambda item: (-item[1], item[0]))
        rows: list[dict[str, Any]] = [
            {
                "name": function,
                "per_job": Fraction(number, side.jobs or 1),
                "share": Fraction(100 * number, side.counted.kernel or 1),
                "bar": share_of(Fraction(number, side.jobs or 1), most),
            }
            for function, number in order
        ]
        shown = len(rows) if len(rows) <= _FUNCTIONS_SHOWN + 2 else _FUNCTIONS_SHOWN
        tables.append(
            {
                "key": key,
                "name": name,
                "per_job": side.kernel_per_job or Fraction(0),
                "rows": rows[:shown],
                "rest": rows[shown:],
                "rest_per_job": sum((row["per_job"] for row in rows[shown:]), Fraction(0)),
            }
        )
    return tables


def _responses(rows: tuple[pictures.Group, ...], runs: list[Run]) -> dict[str, Any]:
    scale = pictures.response_scale(s for run in runs for shares in run.shares for s in shares)
    table = []
    for group in rows:
        cells = []
        for lane, run in enumerate(runs):
            together = [share for index in group.tasks for share in run.shares[index]]
            picture = pictures.histogram(together, scale, lane=lane, lanes=len(runs))
            worst = picture.worst
            cells.append(
                {
                    "key": run.key,
                    "name": run.name,
                    "picture": picture,
                    "worst": None if worst is None else 100 * worst,
                    "worst_at": None if worst is None else round(1000 * scale.place(worst), 1),
                    "misses": sum(run.responses[index].misses for index in group.tasks),
                }
            )
        table.append({"group": group, "cells": cells})
    return {"scale": scale, "rows": table, "by_task": all(len(g.tasks) == 1 for g in rows)}


def _rounds(system: System, run: Run) -> list[list[RoundPicture]]:
    """For each dispatcher table its pictures: as measured in `run`, where it was, then by WCETs."""
    found = []
    for table in system.tables:
        measured = measured_round(system, table, run.due, run.segments, run.trace.rounds)
        both = measured, planned_round(system, table)
        found.append([one for one in both if one is not None])
    return [pictures_of for pictures_of in found if pictures_of]


@cache
def _environment() -> Environment:
    """One for all reports, so that the template is compiled once."""
    made = Environment(
        loader=PackageLoader("horolog.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "count": count,
        "percent": percent,
        "significant": significant,
        "ns": ns_text,
        "time": _time,
        "about": _about,
    }
    made.globals |= {"plural": plural, "share": share_of}
    return made


def _work(system: System, index: int) -> str:
    """What the task runs; of a server what it serves."""
    task = system.tasks[index]
    if index in system.served:
        served = system.all_tasks[system.served[index]]
        return f"jobs of {served.name}: {_body(served)}"
    return _body(task)


def _body(task: Task) -> str:
    queued = ", queues overruns" if task.overrun is Overrun.QUEUE else ""
    return (f"{task.body}()" if task.body is not None else f"work {count(task.work or 0)}") + queued
