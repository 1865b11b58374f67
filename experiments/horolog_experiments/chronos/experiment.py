# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.chronos.figures import draw_figures
from horolog_experiments.chronos.page import chronos_page
from horolog_experiments.chronos.results import Results, measured_text
from horolog_experiments.chronos.run import measure_chronos
from horolog_experiments.chronos.targets import TARGETS, result_rows
from horolog_experiments.harness import MEASURED, Experiment
from horolog_experiments.harness.drawing import HOW_TO_DRAW, can_draw

__all__ = ["EXPERIMENT"]


def _files(results: Results) -> dict[str, str]:
    return {MEASURED: measured_text(results)} | (draw_figures(results) if can_draw() else {})


EXPERIMENT = Experiment[Results](
    "chronos",
    measure=lambda run: measure_chronos(run.folder, run.say, quick=run.quick),
    rows=result_rows,
    page=lambda results: chronos_page(results, figures=can_draw()),
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain},
    files=_files,
    draws=True,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
    notes=lambda results, run: [] if can_draw() else [HOW_TO_DRAW],
)
"""Without FreeRTOS's source it is not whole."""
