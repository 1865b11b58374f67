# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of whole systems: engine-control, and the experiments of CHRONOS, with basic tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.analyse import threads_apart
from horolog.build.freertos import freertos_source, freertos_version
from horolog.data import data_root
from horolog.model import Kind
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog.run import measure_baseline, measure_plan
from horolog_experiments.chronos import DATA, Results, Row, measure_chronos, points_of
from horolog_experiments.chronos.sets import STRONGER
from horolog_experiments.dispatch.results import Chronos, Engine
from horolog_experiments.dispatch.systems import plan_words
from horolog_experiments.harness.tools import compiler, platform

__all__ = ["BASIC", "beside", "measure_chronos_points", "measure_engine"]

Say = Callable[[str], None]
BASIC = "basic"
"""The method of bench chronos that is meant."""
_BASELINES = ("freertos", *STRONGER)
_EVIDENCE = Path("docs") / "evidence" / "chronos" / "measured.json"


def measure_engine(out: Path, say: Say) -> Engine:
    """examples/engine-control on mps2-an385 for its own two seconds, three times."""
    say("running engine-control")
    system = read_system(data_root() / "examples" / "engine-control" / "system.toml")
    basic = replace(system, tasks=tuple(replace(task, kind=Kind.BASIC) for task in system.tasks))
    apart = threads_apart(system)
    choice = plan(basic).choice
    side = measure_plan(basic, choice, out)
    threads = measure_plan(apart, plan(apart).choice, out)
    source = freertos_source()
    theirs = None if source is None else measure_baseline(system, choice, source, out)
    return Engine(
        plan_words(choice),
        side.jobs,
        _per_job(side),
        _per_job(threads),
        None if theirs is None else _per_job(theirs),
    )


def _per_job(side: Side) -> Fraction:
    return Fraction(side.counted.kernel, side.jobs)


def measure_chronos_points(out: Path, say: Say) -> tuple[tuple[Chronos, ...], str]:
    """Every point of CHRONOS with basic tasks, beside stock FreeRTOS; and where FreeRTOS's figures come from.

    `out` is the folder of bench chronos: what that has measured is not measured again. FreeRTOS's figures are
    those of its evidence, where that was made with the same versions; else they are measured, too.
    """
    ours = [point for point in points_of() if point.method == BASIC]
    recorded = _recorded()
    asked = list(ours)
    if recorded is None:
        asked += [replace(point, method=method) for method in _BASELINES for point in ours]
    results = measure_chronos(out, lambda text: say(f"chronos: {text}"), points=asked)
    theirs = results if recorded is None else recorded
    found = tuple(beside(row, theirs) for row in results.rows if row.point.method == BASIC)
    if recorded is not None:
        return found, "docs/evidence/chronos/measured.json, made with the same versions"
    return found, "measured in this run" if results.freertos else ""


def _recorded() -> Results | None:
    """The evidence of bench chronos, if it has been made by the tools that are here."""
    path = data_root() / _EVIDENCE
    source = freertos_source()
    if not path.is_file() or source is None:
        return None
    found = DATA.read(path.read_text(encoding="utf-8"))
    board = read_board("mps2-an385")
    here = (
        freertos_version(source),
        platform(board),
        compiler(),
    )
    return found if (found.freertos, found.platform, found.toolchain) == here else None


def beside(row: Row, theirs: Results) -> Chronos:
    """A row of ours beside FreeRTOS's of the same point."""
    point = row.point
    other, *stronger = (
        theirs.row(point.scenario, point.factor, point.variant, method) for method in _BASELINES
    )
    why = _why_not(row, other)
    return Chronos(
        scenario=point.scenario,
        factor=point.factor,
        variant=point.variant.value,
        plan=row.plan,
        jobs=row.jobs,
        kernel=0 if why else row.kernel,
        theirs=other.kernel if other is not None and other.feasible and not why else 0,
        said=why,
        **{
            base.replace("-", "_"): None if why else _feasible_per_job(found)
            for base, found in zip(STRONGER, stronger, strict=True)
        },
    )


def _feasible_per_job(row: Row | None) -> Fraction | None:
    return row.per_job if row is not None and row.feasible else None


def _why_not(row: Row, other: Row | None) -> str:
    """Why the point does not count; empty if it does."""
    if row.state == "refused":
        return row.said
    if not row.feasible:
        return "deadlines are missed"
    if other is None or not other.feasible or (other.jobs, other.bodies) == (row.jobs, row.bodies):
        return ""
    return (
        f"other work than FreeRTOS's: {row.jobs:,} jobs of {row.bodies:,} instructions in all against "
        f"{other.jobs:,} of {other.bodies:,}"
    )
