# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `periodic-timers`: Periodic Timers Revisited on a simulated AVR, in its cycles."""

from __future__ import annotations

from horolog_experiments.harness import Experiment
from horolog_experiments.periodic_timers.figures import draw_figures
from horolog_experiments.periodic_timers.measure import measure_periodic_timers
from horolog_experiments.periodic_timers.page import periodic_timers_page, result_rows
from horolog_experiments.periodic_timers.results import DATA, Results
from horolog_experiments.periodic_timers.targets import TARGETS

__all__ = [
    "DATA",
    "EXPERIMENT",
    "TARGETS",
    "Results",
    "measure_periodic_timers",
    "periodic_timers_page",
]

EXPERIMENT = Experiment[Results](
    "periodic-timers",
    measure=lambda run: measure_periodic_timers(run.folder, run.say),
    rows=result_rows,
    page=periodic_timers_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain, "freertos": results.freertos},
    data=DATA.text,
    figures=draw_figures,
    is_whole=lambda results, run: results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
