# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment as the harness conducts it."""

from __future__ import annotations

from horolog_experiments.harness import Experiment
from horolog_experiments.tables.objects import result_rows
from horolog_experiments.tables.page import tables_page
from horolog_experiments.tables.results import DATA, Results
from horolog_experiments.tables.run import measure_tables
from horolog_experiments.tables.targets import TARGETS

__all__ = ["EXPERIMENT"]

EXPERIMENT = Experiment[Results](
    "tables",
    measure=lambda run: measure_tables(run.folder, run.say, quick=run.quick),
    rows=result_rows,
    page=tables_page,
    targets=TARGETS,
    head=lambda results: {"toolchain": results.toolchain, "freertos": results.freertos},
    data=DATA.text,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick and results.freertos is not None,
)
"""Without FreeRTOS's source it is not whole."""
