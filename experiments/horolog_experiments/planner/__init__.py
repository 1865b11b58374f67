# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `planner`: how well, and how fast, tasks are mapped to cells."""

from __future__ import annotations

import json
from dataclasses import asdict

from horolog_experiments.harness import Experiment, Run
from horolog_experiments.planner.measure import (
    Case,
    Found,
    Measured,
    Miqcp,
    cases,
    measure_planner,
    solve_case,
)
from horolog_experiments.planner.page import (
    DATA,
    TARGETS,
    planner_page,
    planner_rows,
)

__all__ = [
    "DATA",
    "EXPERIMENT",
    "TARGETS",
    "Case",
    "Found",
    "Measured",
    "Miqcp",
    "measure_planner",
    "planner_page",
    "solve_case",
]


def _measure(run: Run) -> Measured:
    """Solve the cases, of up to `run.up_to` tasks; seconds stand in times.json, which nothing compares."""
    some = None if run.up_to is None else [case for case in cases() if case.n <= run.up_to]
    measured, times = measure_planner(run.say, some)
    lines = [json.dumps({**asdict(case), "seconds": round(took, 3)}) for case, took in times]
    (run.folder / "times.json").write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
    return measured


EXPERIMENT = Experiment[Measured](
    "planner",
    measure=_measure,
    rows=planner_rows,
    page=planner_page,
    targets=TARGETS,
    data=DATA.text,
    takes=("up_to",),
    is_whole=lambda measured, run: run.up_to is None and measured.scip is not None,
    notes=lambda measured, run: (
        [] if measured.scip or run.up_to is not None else ["SCIP is not installed: no MIQCP"]
    ),
)
