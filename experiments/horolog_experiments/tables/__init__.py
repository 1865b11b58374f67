# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `tables`: SLOTH ON TIME's Tables I to III and Figures 5 and 6, for tables and guards."""

from horolog_experiments.tables.experiment import EXPERIMENT
from horolog_experiments.tables.page import tables_page
from horolog_experiments.tables.results import DATA, Results
from horolog_experiments.tables.run import measure_tables
from horolog_experiments.tables.targets import TARGETS

__all__ = [
    "DATA",
    "EXPERIMENT",
    "TARGETS",
    "Results",
    "measure_tables",
    "tables_page",
]
