# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `queues`: what each delay queue costs on the target, alone and in the running kernel.

Alone: the thesis' four families of cases, run by bench/queues/firmware, which is told what to run by
generated cases; a plugin of the emulator counts the instructions of each call, from outside. In the
kernel: whole systems, counted as `horolog run` does. Everything is deterministic: the same tool
versions give the same rows.
"""

from horolog_experiments.queues.cases import (
    BOARD,
    LEVELS,
    MOST_TASKS,
    ORDERS,
    QUEUES,
    Queue,
    cases_up_to,
)
from horolog_experiments.queues.experiment import EXPERIMENT
from horolog_experiments.queues.results import (
    Results,
    Row,
    SystemRow,
    Whole,
    measured_from,
    measured_text,
    rows_of,
)
from horolog_experiments.queues.run import measure_queues

__all__ = [
    "BOARD",
    "EXPERIMENT",
    "LEVELS",
    "MOST_TASKS",
    "ORDERS",
    "QUEUES",
    "Queue",
    "Results",
    "Row",
    "SystemRow",
    "Whole",
    "cases_up_to",
    "measure_queues",
    "measured_from",
    "measured_text",
    "rows_of",
]
