# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The figures of whole systems: engine-control, and the experiments of CHRONOS, with basic tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from horolog.bench.chronos import Point, Results, Row, measure_chronos, measured_from, points_of
from horolog.bench.dispatch.results import Chronos, Engine
from horolog.data import data_root
from horolog.model import Kind, System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog.run import measure_baseline, measure_plan
from horolog.run.freertos import freertos_source, freertos_version
from horolog.run.programs import version

__all__ = ["BASIC", "measure_chronos_points", "measure_engine"]

Say = Callable[[str], None]
BASIC = "basic"
"""The way of bench chronos that is meant."""
_BASELINE = "freertos"
_EVIDENCE = Path("docs") / "evidence" / "chronos" / "measured.json"


def measure_engine(out: Path, say: Say) -> Engine:
    """examples/engine-control on mps2-an385 for its own two seconds, three times."""
    say("running engine-control")
    system = read_system(data_root() / "examples" / "engine-control" / "system.toml")
    basic = replace(
        system, tasks=tuple(replace(task, kind=Kind.BASIC) for task in system.tasks)
    )
    choice = plan(basic).choice
    side = measure_plan(basic, choice, out)
    threads = measure_plan(system, plan(system).choice, out)
    source = freertos_source()
    theirs = None if source is None else measure_baseline(system, choice, source, out)
    from horolog.bench.dispatch.systems import plan_words

    return Engine(
        plan_words(choice), side.jobs, _per_job(side), _per_job(threads), theirs and _per_job(theirs)
    )


def _per_job(side: Side) -> Fraction:
    assert side.instructions is not None
    return Fraction(side.instructions.kernel, side.jobs)
