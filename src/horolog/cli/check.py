# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog check: is the description valid, how busy is it, and what about it is implausible?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from horolog.analyse import all_digits
from horolog.cli import (
    board_option,
    console,
    echo_json,
    json_option,
    plain_table,
    right,
    system_argument,
    teller,
)
from horolog.cli.core_tables import core_objects, core_table
from horolog.cli.earlier import earlier_hint
from horolog.cli.schedules import counter_objects, schedule_lines, schedule_objects
from horolog.cli.searching import SECONDS, searching
from horolog.figures import numbered, plural
from horolog.model import CorePlan, DispatcherTable, HorologError, System, Task, parts_of
from horolog.read import Finding, duration_text, read_system
from horolog.read import check as findings_of

if TYPE_CHECKING:
    from horolog.calls import TaskStack
    from horolog.responses import Analysis

__all__ = ["check"]


@click.command()
@system_argument
@board_option
@click.option(
    "--stacks",
    is_flag=True,
    help="Build the firmware, and compare what the body of each thread needs with its stack.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where --stacks builds; default: ./build/<system>.",
)
@json_option
def check(path: Path, board: str | None, stacks: bool, out: Path | None, as_json: bool) -> None:
    """Is the description valid? How busy is it, and what is implausible?

    With --stacks also: do the bodies fit on their stacks? Exit status 0 also when something is
    implausible, 1 when the utilisation leaves no time for the kernel, a deadline is missed even without it,
    or a stack is too small, 2 when the description is wrong.
    """
    from horolog.responses import analysis_of, refuse_misses

    valid = read_system(path, board=board)
    findings = findings_of(valid)
    if valid.cores > 1:
        _check_cores(
            valid, findings, as_json, stacks=_stacks(valid, out, as_json) if stacks else None
        )
        return
    found = analysis_of(valid, None)
    if stacks and valid.board.port.is_process:
        raise HorologError(
            f"--stacks reads firmware, and {valid.board.name} runs on this machine, with stacks of its own",
            expected="a board with a processor of its own: --board mps2-an385",
        )
    deadlines = _deadlines(valid, found, out)
    made = _object(valid, findings, deadlines)
    if as_json:
        echo_json(made)
    else:
        _print(valid, findings, deadlines)
    if found.certain:
        refuse_misses(valid, found)
    if stacks:
        needs = _stacks(valid, out, as_json)
        if as_json:
            echo_json({**made, "stacks": _stack_objects(valid, needs)})
        else:
            _print_stacks(valid, needs)


def _check_cores(
    system: System,
    findings: list[Finding],
    as_json: bool,
    *,
    stacks: tuple[TaskStack, ...] | None,
) -> None:
    """Several cores: each for itself, with a kernel that takes no time. `stacks`: if asked for."""
    from horolog.divide import divided
    from horolog.responses import (
        bounds_of_cores,
        chains_of_cores,
        deadlines_of_cores,
        refuse_core_misses,
    )

    with searching(SECONDS) as limit:
        whole = divided(system, limit=limit).system
    plans = [CorePlan(part, None) for part in parts_of(whole)]
    bounds = bounds_of_cores(plans)
    found = deadlines_of_cores(bounds, chains_of_cores(whole, plans, bounds))
    deadlines = {
        "hold": found.hold,
        "missed": found.missed,
        "verdict": found.text,
        "hint": None,
    }
    if as_json:
        made = _object(whole, findings, deadlines)
        made["budgets"] = [one for each in plans for one in _budget_objects(each.system)]
        made |= {"cores": core_objects(system, plans, bounds)}
        made |= {} if stacks is None else {"stacks": _stack_objects(system, stacks)}
        echo_json(made)
    else:
        _print(whole, findings, deadlines, core_table(system, plans))
        for one in plans:
            for line in _budget_lines(one.system):
                console().print(escape(f"core {one.core}: {line}"), soft_wrap=True)
        if stacks is not None:
            _print_stacks(system, stacks)
    if found.missed:
        refuse_core_misses(plans, bounds)


def _stacks(system: System, out: Path | None, as_json: bool) -> tuple[TaskStack, ...]:
    """Of a new build, which refuses stacks that are too small."""
    from horolog.analyse import threads_apart
    from horolog.calls import thread_stacks
    from horolog.divide import plans_for_cores
    from horolog.plan import plan_moving
    from horolog.run import CoresRequest, Request, build, build_cores

    folder = out if out is not None else Path("build") / system.name
    if system.cores > 1:
        found = plans_for_cores(system)
        several = CoresRequest(found.system, found.plans, folder, teller(as_json))
        # Which tasks share a thread, each core decides: a body has to fit on the stack of its own task.
        return thread_stacks(threads_apart(found.system), build_cores(several).horolog)
    valid, planned = plan_moving(system)
    firmware = build(Request(valid, planned, folder, teller(as_json)))
    return thread_stacks(valid, firmware.horolog)


def _stack_objects(system: System, needs: tuple[TaskStack, ...]) -> list[dict[str, Any]]:
    return [
        {
            "task": system.task(one.task).name,
            "need_bytes": one.need,
            "given_bytes": one.given,
            "body_bytes": one.body,
            "is_bound": not one.unbounded,
            "unbounded": [str(doubt) for doubt in one.unbounded],
        }
        for one in needs
    ]


def _print_stacks(system: System, needs: tuple[TaskStack, ...]) -> None:
    out = console()
    if not needs:
        out.print("stacks: no thread has a body, and work needs next to nothing")
        return
    table = plain_table("stack of", *right("needs", "given", "of that the body", whole=True))
    for one in needs:
        least = "at least " if one.unbounded else ""
        name = escape(system.task(one.task).name)
        table.add_row(name, f"{least}{one.need:,}", f"{one.given:,}", f"{one.body:,}")
    out.print(table)
    for one in needs:
        if one.unbounded:
            task = system.task(one.task)
            said = f'{task.place}: nothing visible bounds the stack of "{task.name}": {one.unbounded[0]}'
            out.print(f"[yellow]note[/] {escape(said)}", soft_wrap=True)


def _deadlines(system: System, found: Analysis, out: Path | None) -> dict[str, Any]:
    """Of tasks and chains, with a kernel that takes no time; the hint is of an earlier run in `out`."""
    from horolog.responses import chains_of, deadlines_of, verdict_text

    chains = chains_of(system, None, found)
    deadlines = deadlines_of(system, found, chains)
    return {
        "hold": deadlines.hold,
        "missed": deadlines.missed,
        "verdict": verdict_text(system, found, chains),
        "hint": earlier_hint(system, deadlines, out),
    }


def _object(system: System, findings: list[Finding], deadlines: dict[str, Any]) -> dict[str, Any]:
    return {
        "system": system.name,
        "board": system.board.name,
        "cells": list(system.cells),
        "duration_s": float(system.duration),
        "priorities": system.priorities.value,
        "sources": [source.name for source in system.sources],
        "tasks": len(system.all_tasks),
        "without_wcet": [task.name for task in system.all_tasks if task.wcet is None],
        "jobs_per_second": float(_jobs_per_second(system.demanding)),
        "utilisation": float(system.utilisation),
        "utilisation_exact": all_digits(system.utilisation),
        "tables": [
            {
                "name": table.name,
                "round_s": float(table.round),
                "deadline_monitoring": "none"
                if table.monitoring is None
                else table.monitoring.value,
                "deadline_cells": []
                if table.deadline_cells is None
                else list(table.deadline_cells.names),
                "points": [
                    {
                        "offset_s": float(point.offset),
                        "task": system.tasks[point.task].name,
                        "level": system.tasks[point.task].table_level,
                    }
                    for point in table.points
                ],
            }
            for table in system.tables
        ],
        "budgets": _budget_objects(system),
        "counters": counter_objects(system),
        "schedules": schedule_objects(system),
        "findings": [
            {
                "code": finding.code,
                "message": finding.message,
                "file": finding.place.file,
                "line": finding.place.line,
                "key": finding.place.key,
            }
            for finding in findings
        ],
        "deadlines": deadlines,
    }


def _print(
    system: System,
    findings: list[Finding],
    deadlines: dict[str, Any],
    cores: Table | None = None,
) -> None:
    out = console()
    out.print(f"[bold]{system.name}[/] on {escape(system.board.title)}")
    out.print(
        f"{plural(len(system.all_tasks), 'task')}, {system.priorities.value}; "
        f"cells {numbered(system.cells)}; {duration_text(system.duration)}"
    )
    out.print(_load(system))
    if cores is not None:
        out.print(cores)
    for dispatcher in system.tables:
        out.print(escape(_table_line(system, dispatcher)), soft_wrap=True)
    for line in (*_budget_lines(system), *schedule_lines(system)):
        out.print(escape(line), soft_wrap=True)
    for finding in findings:
        said = escape(f"{finding.place}: {finding.message}")
        out.print(f"[yellow]note[/] {said}", soft_wrap=True)
    colour = "green" if deadlines["hold"] else "red" if deadlines["missed"] else "yellow"
    verdict = escape(deadlines["verdict"])
    out.print(f"[{colour}]{verdict}[/]; horolog analyse counts the kernel, too", soft_wrap=True)
    if deadlines["hint"] is not None:
        out.print(f"[dim]{escape(deadlines['hint'])}[/]", soft_wrap=True)
    look = f", {len(findings)} to look at" if findings else ""
    out.print(
        f"[red]a valid description of a system that misses a deadline[/]{look}"
        if deadlines["missed"]
        else f"[green]valid[/]{look}"
    )


def _load(system: System) -> Table:
    """A row for each period and each least gap, one for the jobs that servers run, one for interrupts."""
    table = Table("period", box=None, pad_edge=False, show_footer=True)
    jobs = _jobs_per_second(system.demanding) + sum(one.rate for one in system.interrupts)
    table.columns[0].footer = "sum"
    table.add_column("tasks", str(len(system.all_tasks)), justify="right")
    table.add_column("jobs/s", f"{float(jobs):.1f}", justify="right")
    table.add_column("longest wcet", justify="right")
    least = _at_least(system.all_tasks)
    utilisation = f"{least}{100 * float(system.utilisation):.2f} %"
    table.add_column("utilisation", utilisation, justify="right")
    sporadic = [one.task for one in system.sporadic if one.server is None and one.unbounded is None]
    for label, tasks in (("", system.tasks), ("least gap ", sporadic)):
        for period in sorted({task.period for task in tasks}):
            same = [task for task in tasks if task.period == period]
            wcets = [task.wcet * task.rate for task in same if task.wcet is not None]
            share = f"{100 * float(sum(wcets, Fraction(0))):.2f} %"
            table.add_row(
                label + duration_text(period),
                str(len(same)),
                f"{float(_jobs_per_second(same)):.1f}",
                _longest_wcet(same),
                _at_least(same) + share if wcets else "",
            )
    served = [one.task for one in system.sporadic if one.server is not None]
    loose = [system.all_tasks[task] for task in system.unbounded]
    if loose:
        table.add_row("not known", str(len(loose)), "", _longest_wcet(loose), "not counted")
    if served:
        of = f"of {'its server' if len(served) == 1 else 'their servers'}"
        table.add_row("aperiodic", str(len(served)), "", _longest_wcet(served), of)
    if system.interrupts:
        shares = sum((one.wcet * one.rate for one in system.interrupts), Fraction(0))
        table.add_row(
            "interrupts",
            "",
            f"{float(sum(one.rate for one in system.interrupts)):.1f}",
            duration_text(max(one.wcet for one in system.interrupts)),
            f"{100 * float(shares):.2f} %",
        )
    return table


def _longest_wcet(tasks: Sequence[Task]) -> str:
    wcets = [task.wcet for task in tasks if task.wcet is not None]
    return _at_least(tasks) + duration_text(max(wcets)) if wcets else "not known"


def _at_least(tasks: Sequence[Task]) -> str:
    """What stands before a figure that unknown WCETs make larger."""
    return "at least " if any(task.wcet is None for task in tasks) else ""


def _table_line(system: System, table: DispatcherTable) -> str:
    """What a dispatcher table needs, and which of its tasks have which of its levels."""
    by_level: dict[int, list[str]] = {}
    for index in table.tasks:
        by_level.setdefault(system.tasks[index].table_level or 0, []).append(
            system.tasks[index].name
        )
    on = "; ".join(f"{level}: {', '.join(by_level[level])}" for level in sorted(by_level))
    monitoring = ""
    if table.monitoring is not None and table.deadline_cells is not None:
        cells = table.deadline_cells
        names = numbered(cells.names)
        by = f"a cell for each task ({names})" if cells.each else f"the cell {names}"
        monitoring = f"; {table.monitoring.value} deadline monitoring by {by}"
    return (
        f"table {table.name}: {plural(len(table.points), 'point')} in a round of "
        f"{duration_text(table.round)}, {plural(len(by_level), 'level')} above all other tasks "
        f"({on}){monitoring}{_when(system, table)}"
    )


def _when(system: System, table: DispatcherTable) -> str:
    """Which jobs are in the sums, of tables that the application controls."""
    if system.control is not None and system.control.by_application:
        return "; the application starts it, so that the sums above have none of its jobs"
    if len(system.tables) == 1:
        return ""
    first = table is system.tables[0]
    return f"; mode {table.mode}" + (
        ", in which the system starts and which the sums are of" * first
    )


def _budget_cells(system: System) -> list[tuple[int, str]]:
    """The tasks with budgets, each with the cell that counts it."""
    if system.budget_cells is None:
        return []
    names = system.budget_cells.names
    shared = names * len(system.budgeted)
    cells = names if system.budget_cells.each else shared
    return list(zip(system.budgeted, cells, strict=False))


def _budget_objects(system: System) -> list[dict[str, Any]]:
    """The tasks with budgets, for programs."""
    return [
        {
            "task": system.tasks[task].name,
            "budget_s": float(system.tasks[task].budget or 0),
            "cell": cell,
        }
        for task, cell in _budget_cells(system)
    ]


def _budget_lines(system: System) -> Iterator[str]:
    """Which cells count the budgets of which tasks."""
    if system.budget_cells is not None:
        names = ", ".join(system.tasks[task].name for task in system.budgeted)
        cells = numbered(system.budget_cells.names)
        by = f"a cell for each task ({cells})" if system.budget_cells.each else f"the cell {cells}"
        too = ", which monitors the deadlines, too" * system.shares_guards
        yield f"budgets of {names}: counted by {by}{too}"


def _jobs_per_second(tasks: Sequence[Task]) -> Fraction:
    return sum((task.rate for task in tasks), Fraction(0))
