# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Systems that fit no grid, drawn as `horolog bench irregular` draws them: the choice is built and run.

That bench has 300 systems of another seed; its page of evidence has the distribution.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import tools

from horolog.analyse import jobs_in
from horolog.build.toolchains import other_tools
from horolog.model import Kind
from horolog.plan import plan
from horolog.run import measure_plan
from horolog_experiments.irregular.families import FAMILIES, Case, cases, system_of

pytestmark = pytest.mark.emulator

SEED = 7
DRAWN = cases(10, SEED)
KINDS = tuple(Kind)
WITHIN = Fraction(10, 100)
"""How far the predicted kernel instructions may be from the measured ones: the worst that issue 19 allows."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all, so that the kernel is compiled once."""
    return tmp_path_factory.mktemp("irregular")


def test_every_family_is_drawn() -> None:
    assert {case.family for case in DRAWN} == FAMILIES.keys()


@pytest.mark.xdist_group("irregular")
@pytest.mark.parametrize("case", DRAWN, ids=str)
def test_a_drawn_system_runs_as_planned(case: Case, folder: Path) -> None:
    system = system_of(case, KINDS[case.number % len(KINDS)], SEED)
    planned = plan(system)  # refused: HorologError
    choice = planned.choice
    side = measure_plan(system, choice, folder)
    assert side.deadline_misses == 0
    assert side.jobs == sum(jobs_in(system))
    interrupts = side.interrupts
    assert interrupts.predicted == interrupts.taken + interrupts.coalesced
    assert interrupts.excess == 0
    origin = planned.costs
    if origin is None or origin.toolchain is None or other_tools(origin.toolchain):
        pytest.skip(f"ran as planned, but the costs do not hold for {tools()}")
    predicted, measured = choice.prediction.kernel_instructions, side.counted.kernel
    assert abs(predicted - measured) <= WITHIN * measured, f"{float(predicted)}, {measured}"
