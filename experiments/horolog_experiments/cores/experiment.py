# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.cores.cases import quick_cases
from horolog_experiments.cores.page import cores_page, result_rows
from horolog_experiments.cores.plots import draw_figures
from horolog_experiments.cores.results import DATA, Results
from horolog_experiments.cores.run import measure_cores
from horolog_experiments.cores.targets import TARGETS
from horolog_experiments.harness import Experiment

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment[Results](
    "cores",
    measure=lambda run: measure_cores(run.folder, run.say, quick_cases() if run.quick else None),
    rows=result_rows,
    page=cores_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain, "freertos": results.freertos},
    data=DATA.text,
    figures=draw_figures,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
