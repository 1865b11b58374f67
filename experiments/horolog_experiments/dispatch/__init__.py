# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `dispatch`: SLOTH ON TIME's Tables I and III and Figure 7, in cycles of a real core."""

from horolog_experiments.dispatch.experiment import EXPERIMENT
from horolog_experiments.dispatch.page import dispatch_page
from horolog_experiments.dispatch.results import DATA, Results
from horolog_experiments.dispatch.run import measure_dispatch
from horolog_experiments.dispatch.targets import TARGETS

__all__ = [
    "DATA",
    "EXPERIMENT",
    "TARGETS",
    "Results",
    "dispatch_page",
    "measure_dispatch",
]
