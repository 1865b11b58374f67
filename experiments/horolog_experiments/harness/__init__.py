# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The harness of all experiments: an experiment gives its measurement, rows, targets, prose and figures."""

from horolog_experiments.harness.codec import listed, text_of
from horolog_experiments.harness.experiment import (
    EVIDENCE,
    MEASURED,
    Conducted,
    Experiment,
    Run,
    conduct,
    result_object,
    write_evidence,
)
from horolog_experiments.harness.tables import fixed, number, plain, shown, table, targets_table
from horolog_experiments.harness.targets import NOT_MEASURED, Found, Target, entries

__all__ = [
    "EVIDENCE",
    "MEASURED",
    "NOT_MEASURED",
    "Conducted",
    "Experiment",
    "Found",
    "Run",
    "Target",
    "conduct",
    "entries",
    "fixed",
    "listed",
    "number",
    "plain",
    "result_object",
    "shown",
    "table",
    "targets_table",
    "text_of",
    "write_evidence",
]
