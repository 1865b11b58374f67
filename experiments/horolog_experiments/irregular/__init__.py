# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `irregular`: the timing compiler on systems that fit no grid."""

from __future__ import annotations

import json

from horolog_experiments.harness import Experiment, Run
from horolog_experiments.harness.drawing import can_draw
from horolog_experiments.irregular.measure import SYSTEMS, measure_irregular, seconds_of
from horolog_experiments.irregular.page import draw_figures, irregular_page
from horolog_experiments.irregular.results import DATA, Irregular
from horolog_experiments.irregular.targets import TARGETS, irregular_rows

__all__ = ["EXPERIMENT", "QUICK"]

QUICK = 10
"""How many systems a quick run has."""


def _measure(run: Run) -> Irregular:
    """Measure all, or QUICK; seconds stand in times.json, which nothing compares."""
    count = QUICK if run.quick else SYSTEMS
    found, times = measure_irregular(run.folder, run.say, count, minutes=run.minutes)
    (run.folder / "times.json").write_text(
        json.dumps(seconds_of(times), indent=1) + "\n", encoding="utf-8"
    )
    return found


EXPERIMENT = Experiment[Irregular](
    "irregular",
    measure=_measure,
    rows=irregular_rows,
    page=lambda found: irregular_page(found, figures=can_draw()),
    targets=TARGETS,
    head=lambda found: {"toolchain": found.toolchain},
    data=DATA.text,
    figures=draw_figures,
    takes=("quick", "minutes"),
    is_whole=lambda found, run: not run.quick and bool(found.freertos),
)
"""Without FreeRTOS's source it is not whole."""
