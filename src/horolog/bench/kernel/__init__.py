# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `kernel`: what the kernel's services cost beside FreeRTOS's.

bench/kernel has one source a scenario, over thin headers for each kernel; a plugin of the emulator counts the
instructions of each sample, from outside. Everything is deterministic: the same tool versions give the same
figures.
"""

from horolog.bench.kernel.results import Results, Spans, measured_from, measured_text, read_spans
from horolog.bench.kernel.rows import (
    BOARD,
    OURS,
    REPEATS,
    REPORTED,
    ROM,
    ROWS,
    SIDES,
    Image,
    Scenario,
    TableRow,
    images_of,
    scenario,
    unavailable,
)
from horolog.bench.kernel.run import measure_kernel, watch_text

__all__ = [
    "BOARD",
    "OURS",
    "REPEATS",
    "REPORTED",
    "ROM",
    "ROWS",
    "SIDES",
    "Image",
    "Results",
    "Scenario",
    "Spans",
    "TableRow",
    "images_of",
    "measure_kernel",
    "measured_from",
    "measured_text",
    "read_spans",
    "scenario",
    "unavailable",
    "watch_text",
]
