# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What the planner predicts beside what the emulator counts, whatever the queue; and its choice is good."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from tests.system.support import example, tools

from horolog.build.toolchains import other_tools
from horolog.model import QUEUES, UNBOUNDED_STORES
from horolog.plan import plan
from horolog.read import read_system
from horolog_experiments.costs import (
    CHOSEN,
    WITHIN_PERCENT,
    PredictionRow,
    measure_predictions,
)

pytestmark = pytest.mark.emulator

Rows = Mapping[str, PredictionRow]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    """Engine-control by queue. Skipped with tools for which the costs do not hold."""
    origin = plan(read_system(example("engine-control"))).costs
    assert origin is not None
    assert origin.toolchain is not None
    if other_tools(origin.toolchain):
        pytest.skip(f"the costs hold for {origin.toolchain}, here is {tools()}")
    said: list[str] = []
    folder = tmp_path_factory.mktemp("predictions")
    found = measure_predictions(folder, said.append, ["engine-control"])
    return {row.queue: row for row in found}


@pytest.mark.xdist_group("predictions")
@pytest.mark.parametrize("queue", [*QUEUES, CHOSEN])
def test_a_prediction_is_near_to_what_is_measured(queue: str, rows: Rows) -> None:
    assert abs(rows[queue].off) <= WITHIN_PERCENT


@pytest.mark.xdist_group("predictions")
def test_no_queue_measures_much_cheaper_than_the_one_chosen(rows: Rows) -> None:
    able = [rows[name] for name in QUEUES if name not in UNBOUNDED_STORES]
    assert rows[CHOSEN].measured <= 1.02 * min(row.measured for row in able)
    assert rows[CHOSEN].measured < rows["sorted-list"].measured
