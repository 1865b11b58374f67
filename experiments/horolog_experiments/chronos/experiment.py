# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.chronos.figures import draw_figures
from horolog_experiments.chronos.page import chronos_page
from horolog_experiments.chronos.results import DATA, Results
from horolog_experiments.chronos.run import measure_chronos
from horolog_experiments.chronos.targets import TARGETS, result_rows
from horolog_experiments.harness import Experiment
from horolog_experiments.harness.drawing import can_draw

__all__ = ["EXPERIMENT"]


EXPERIMENT = Experiment[Results](
    "chronos",
    measure=lambda run: measure_chronos(run.folder, run.say, quick=run.quick),
    rows=result_rows,
    page=lambda results: chronos_page(results, figures=can_draw()),
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain},
    data=DATA.text,
    figures=draw_figures,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
