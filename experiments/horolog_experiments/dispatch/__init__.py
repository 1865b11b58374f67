# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `dispatch`: SLOTH ON TIME's Tables I and III and Figure 7, in cycles of a real core."""

from horolog_experiments.dispatch.evidence import write_evidence
from horolog_experiments.dispatch.objects import dispatch_object
from horolog_experiments.dispatch.page import dispatch_page
from horolog_experiments.dispatch.results import Results, measured_from, measured_text
from horolog_experiments.dispatch.run import measure_dispatch
from horolog_experiments.dispatch.targets import dispatch_targets

__all__ = [
    "Results",
    "dispatch_object",
    "dispatch_page",
    "dispatch_targets",
    "measure_dispatch",
    "measured_from",
    "measured_text",
    "write_evidence",
]
