# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""horolog check: is the description valid, how busy is it, and what about it is implausible?"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.markup import escape
from rich.table import Table

from horolog.analyse import all_digits
from horolog.cli import board_option, console, echo_json, json_option, system_argument
from horolog.figures import plural
from horolog.model import System, Task
from horolog.read import Finding, duration_text, read_system
from horolog.read import check as findings_of

if TYPE_CHECKING:
    from horolog.responses import Analysis

__all__ = ["check"]


@click.command()
@system_argument
@board_option
@json_option
def check(path: Path, board: str | None, as_json: bool) -> None:
    """Is the description valid? How busy is it, and what is implausible?

    Exit status 0 also when something is implausible, 1 when the utilisation is above 1 or a deadline is
    missed even if the kernel takes no time, 2 when the description is wrong.
    """
    from horolog.responses import analysis_of, refuse_misses

    valid = read_system(path, board=board)
    findings = findings_of(valid)
    found = analysis_of(valid, None)
    if as_json:
        echo_json(_object(valid, findings, found))
    else:
        _print(valid, findings, found)
    if found.certain:
        refuse_misses(valid, found)


def _deadlines(system: System, found: Analysis) -> dict[str, Any]:
    """Of tasks and chains, with a kernel that takes no time."""
    from horolog.responses import chains_of, verdict_text

    chains = chains_of(system, None, found)
    holds = found.holds and all(one.holds for one in chains)
    return {"hold": holds, "verdict": verdict_text(system, found, chains)}


def _object(system: System, findings: list[Finding], found: Analysis) -> dict[str, Any]:
    return {
        "system": system.name,
        "board": system.board.name,
        "cells": list(system.cells),
        "duration_s": float(system.duration),
        "priorities": system.priorities.value,
        "sources": [source.name for source in system.sources],
        "tasks": len(system.tasks),
        "jobs_per_second": float(_jobs_per_second(system.tasks)),
        "utilisation": float(system.utilisation),
        "utilisation_exact": all_digits(system.utilisation),
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
        "deadlines": _deadlines(system, found),
    }


def _print(system: System, findings: list[Finding], found: Analysis) -> None:
    out = console()
    out.print(f"[bold]{system.name}[/] on {escape(system.board.title)}")
    out.print(
        f"{plural(len(system.tasks), 'task')}, {system.priorities.value}; "
        f"cells {', '.join(system.cells)}; {duration_text(system.duration)}"
    )
    table = Table("period", box=None, pad_edge=False, show_footer=True)
    jobs = _jobs_per_second(system.tasks) + sum(one.rate for one in system.interrupts)
    table.columns[0].footer = "sum"
    table.add_column("tasks", str(len(system.tasks)), justify="right")
    table.add_column("jobs/s", f"{float(jobs):.1f}", justify="right")
    table.add_column("longest wcet", justify="right")
    table.add_column("utilisation", f"{100 * float(system.utilisation):.2f} %", justify="right")
    for period in sorted({task.period for task in system.tasks}):
        same = [task for task in system.tasks if task.period == period]
        wcets = [task.wcet for task in same if task.wcet is not None]
        table.add_row(
            duration_text(period),
            str(len(same)),
            f"{float(_jobs_per_second(same)):.1f}",
            duration_text(max(wcets)) if wcets else "",
            f"{100 * float(sum(wcets, Fraction(0)) / period):.2f} %",
        )
    if system.interrupts:
        shares = sum((one.wcet * one.rate for one in system.interrupts), Fraction(0))
        table.add_row(
            "interrupts",
            "",
            f"{float(sum(one.rate for one in system.interrupts)):.1f}",
            duration_text(max(one.wcet for one in system.interrupts)),
            f"{100 * float(shares):.2f} %",
        )
    out.print(table)
    for finding in findings:
        said = escape(f"{finding.place}: {finding.message}")
        out.print(f"[yellow]note[/] {said}", soft_wrap=True)
    deadlines = _deadlines(system, found)
    colour = "green" if deadlines["hold"] else "red" if found.certain else "yellow"
    verdict = escape(deadlines["verdict"])
    out.print(f"[{colour}]{verdict}[/]; horolog analyse counts the kernel, too", soft_wrap=True)
    out.print("[green]valid[/]" + (f", {len(findings)} to look at" if findings else ""))


def _jobs_per_second(tasks: tuple[Task, ...] | list[Task]) -> Fraction:
    return sum((1 / task.period for task in tasks), Fraction(0))
