# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The harness of all experiments: an experiment gives its measurement, rows, targets, prose and figures."""

from horolog_experiments.harness.codec import (
    INLINE,
    UNSAVED,
    Data,
    listed,
    plain_value,
    text_of,
    typed,
)
from horolog_experiments.harness.experiment import (
    EVIDENCE,
    MEASURED,
    Conducted,
    Experiment,
    Run,
    conduct,
    notes_of,
    result_object,
    write_evidence,
)
from horolog_experiments.harness.kept import Kept
from horolog_experiments.harness.tables import fixed, number, plain, shown, table, targets_table
from horolog_experiments.harness.targets import NOT_MEASURED, Found, Target, entries

__all__ = [
    "EVIDENCE",
    "INLINE",
    "Kept",
    "MEASURED",
    "NOT_MEASURED",
    "UNSAVED",
    "Conducted",
    "Data",
    "Experiment",
    "Found",
    "Run",
    "Target",
    "conduct",
    "entries",
    "fixed",
    "listed",
    "notes_of",
    "number",
    "plain",
    "plain_value",
    "result_object",
    "shown",
    "table",
    "targets_table",
    "text_of",
    "typed",
    "write_evidence",
]
