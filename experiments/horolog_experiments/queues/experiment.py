# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.harness import Experiment, Run
from horolog_experiments.harness.drawing import can_draw
from horolog_experiments.queues.cases import MOST_TASKS
from horolog_experiments.queues.page import queues_page
from horolog_experiments.queues.plots import draw_figures
from horolog_experiments.queues.results import Results, measured_text
from horolog_experiments.queues.run import measure_queues
from horolog_experiments.queues.targets import TARGETS, result_rows

__all__ = ["EXPERIMENT"]


def _most(run: Run) -> int:
    return MOST_TASKS if run.up_to is None else run.up_to


def _is_full(results: Results) -> bool:
    return MOST_TASKS in results.sizes("worst")


EXPERIMENT = Experiment[Results](
    "queues",
    measure=lambda run: measure_queues(run.folder, _most(run), run.say),
    rows=result_rows,
    page=lambda results: queues_page(results, figures=_is_full(results) and can_draw()),
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain},
    data=measured_text,
    has_data=_is_full,
    figures=draw_figures,
    takes=("up_to",),
    is_whole=lambda results, run: _most(run) >= MOST_TASKS,
)
