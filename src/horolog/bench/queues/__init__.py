# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `queues`: what each delay queue costs on the target, alone and in the running kernel.

Alone: the thesis' four families of cases, run by bench/queues/firmware, which is told what to run by
generated cases; a plugin of the emulator counts the instructions of each call, from outside. In the
kernel: whole systems, counted as `horolog run` does. Everything is deterministic: the same tool
versions give the same rows.
"""

from horolog.bench.queues.cases import (
    BOARD,
    LEVELS,
    MOST_TASKS,
    OPERATIONS,
    ORDERS,
    QUEUES,
    Case,
    Queue,
    automotive_counts,
    cases_source,
    cases_up_to,
)
from horolog.bench.queues.results import (
    Results,
    Row,
    SystemRow,
    Whole,
    measured_from,
    measured_text,
    read_calls,
    rows_of,
)
from horolog.bench.queues.run import build_images, measure_queues, run_image

__all__ = [
    "BOARD",
    "LEVELS",
    "MOST_TASKS",
    "OPERATIONS",
    "ORDERS",
    "QUEUES",
    "Case",
    "Queue",
    "Results",
    "Row",
    "SystemRow",
    "Whole",
    "automotive_counts",
    "build_images",
    "cases_source",
    "cases_up_to",
    "measure_queues",
    "measured_from",
    "measured_text",
    "read_calls",
    "rows_of",
    "run_image",
]
