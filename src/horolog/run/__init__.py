# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Building a firmware, running it where it belongs, and measuring it from outside."""

from horolog.run.freertos import freertos_source
from horolog.run.ibex import Waveform
from horolog.run.measure import Measured, excess_error
from horolog.run.pipeline import (
    Outcome,
    Variant,
    build,
    measure,
    measure_baseline,
    measure_plan,
)

__all__ = [
    "Measured",
    "Outcome",
    "Variant",
    "Waveform",
    "build",
    "excess_error",
    "freertos_source",
    "measure",
    "measure_baseline",
    "measure_plan",
]
