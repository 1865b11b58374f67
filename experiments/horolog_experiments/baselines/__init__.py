# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `baselines`: examples beside every FreeRTOS side, with and without exceptions' cycles."""

from __future__ import annotations

from horolog_experiments.baselines.measure import measure_examples
from horolog_experiments.baselines.page import baselines_page
from horolog_experiments.baselines.results import DATA, Baselines
from horolog_experiments.baselines.targets import TARGETS, rows_of
from horolog_experiments.harness import Experiment

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment[Baselines](
    "baselines",
    measure=measure_examples,
    rows=rows_of,
    page=baselines_page,
    targets=TARGETS,
    head=lambda found: {"platform": found.platform, "compiler": found.compiler},
    data=DATA.text,
    is_whole=lambda found, run: all(one.freertos for one in found.examples),
)
"""Without FreeRTOS's source it is not whole."""
