# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `kernel`: what the kernel's services cost beside FreeRTOS's and ThreadX's.

bench/kernel has one source a scenario, over thin headers for each kernel; a plugin of the emulator counts the
instructions of each sample, from outside. Everything is deterministic: the same tool versions give the same
figures.
"""

from horolog_experiments.kernel.experiment import EXPERIMENT
from horolog_experiments.kernel.results import DATA, Results, Spans, read_spans
from horolog_experiments.kernel.rows import (
    BEST,
    DIRECT,
    ROM,
    ROWS,
    SIDES,
    SIZES,
    TUNED,
    BestRow,
    Image,
    Row,
    TableRow,
    TunedRow,
    images_of,
    unavailable,
)
from horolog_experiments.kernel.run import measure_kernel, watch_text
from horolog_experiments.kernel.scenarios import BOARD, OURS, REPEATS, THREADX, Scenario, scenario

__all__ = [
    "BEST",
    "BOARD",
    "DATA",
    "DIRECT",
    "EXPERIMENT",
    "OURS",
    "REPEATS",
    "ROM",
    "ROWS",
    "SIDES",
    "SIZES",
    "THREADX",
    "TUNED",
    "BestRow",
    "Image",
    "Results",
    "Row",
    "Scenario",
    "Spans",
    "TableRow",
    "TunedRow",
    "images_of",
    "measure_kernel",
    "read_spans",
    "scenario",
    "unavailable",
    "watch_text",
]
