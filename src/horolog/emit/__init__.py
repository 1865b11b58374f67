# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""From a plan to C: the generated sources of one system."""

from horolog.emit.baseline import Tick, baseline_tick, slowest_tick
from horolog.emit.generate import Generated, generate, generated, generated_files, with_threads

__all__ = [
    "Generated",
    "Tick",
    "baseline_tick",
    "generate",
    "generated",
    "generated_files",
    "slowest_tick",
    "with_threads",
]
