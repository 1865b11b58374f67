# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Building a firmware, running it where it belongs, and measuring it from outside."""

from horolog.run.freertos import freertos_source
from horolog.run.measure import Measured
from horolog.run.pipeline import Outcome, build, measure, measure_baseline, measure_plan

__all__ = [
    "Measured",
    "Outcome",
    "build",
    "freertos_source",
    "measure",
    "measure_baseline",
    "measure_plan",
]
