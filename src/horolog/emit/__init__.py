# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From a plan to C: the generated sources of one system."""

from horolog.emit.baseline import (
    RateGroup,
    Tick,
    as_run,
    baseline_tick,
    nearest_tick,
    notify_tick,
    rate_groups,
    slowest_tick,
    tick_of,
    tick_on_cores,
)
from horolog.emit.generate import (
    Generated,
    generate,
    generated,
    generated_files,
    generated_files_for_cores,
    generated_for_cores,
    with_threads,
)

__all__ = [
    "Generated",
    "RateGroup",
    "Tick",
    "as_run",
    "baseline_tick",
    "generate",
    "generated",
    "generated_files",
    "generated_files_for_cores",
    "generated_for_cores",
    "nearest_tick",
    "notify_tick",
    "rate_groups",
    "slowest_tick",
    "tick_of",
    "tick_on_cores",
    "with_threads",
]
