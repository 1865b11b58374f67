# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `analysis`: bounds beside an oracle's and measured responses, and how fast they are."""

from horolog_experiments.analysis.campaign import measure_analysis
from horolog_experiments.analysis.page import analysis_page, analysis_rows, draw_figures
from horolog_experiments.analysis.results import DATA, Analysed
from horolog_experiments.analysis.targets import TARGETS
from horolog_experiments.harness import Experiment
from horolog_experiments.harness.drawing import can_draw

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment[Analysed](
    "analysis",
    measure=measure_analysis,
    rows=analysis_rows,
    page=lambda found: analysis_page(found, figures=can_draw()),
    targets=TARGETS,
    head=lambda found: {"toolchain": found.toolchain},
    data=DATA.text,
    figures=draw_figures,
    is_whole=lambda found, run: not run.quick,
    takes=("quick", "minutes"),
)
