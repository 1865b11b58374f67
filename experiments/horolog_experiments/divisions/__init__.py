# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `divisions`: random sets of tasks divided among four cores, by packings and by the plan."""

from __future__ import annotations

from horolog_experiments.divisions.page import DATA, TARGETS, Divisions, divisions_page, rows_of
from horolog_experiments.divisions.sets import (
    CORES,
    FITS,
    SETS,
    DividedSet,
    divided_set,
    divided_sets,
    packed,
    share_proved,
    system_of,
)
from horolog_experiments.harness import Experiment, Run

__all__ = [
    "CORES",
    "DATA",
    "EXPERIMENT",
    "FITS",
    "SETS",
    "TARGETS",
    "DividedSet",
    "Divisions",
    "divided_set",
    "divided_sets",
    "divisions_page",
    "packed",
    "share_proved",
    "system_of",
]

_FEW = range(0, SETS, 25)


def _measure(run: Run) -> Divisions:
    return Divisions(divided_sets(_FEW if run.quick else range(SETS), say=run.say))


EXPERIMENT = Experiment[Divisions](
    "divisions",
    measure=_measure,
    rows=rows_of,
    page=divisions_page,
    targets=TARGETS,
    data=DATA.text,
    takes=("quick",),
    is_whole=lambda results, run: not run.quick,
)
