# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Boards that count cycles run experiments of basic tasks with shorter periods: each must have a plan."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horolog.calibrate import basic, board
from horolog.model import Mode, Plan, System
from horolog.model.result import Side
from horolog.read import read_board


class _PlannedError(Exception):
    """What would be run."""

    def __init__(self, system: System) -> None:
        super().__init__("planned")
        self.system = system


def planned(name: str, method: str, title: str) -> System:
    """The system of the experiment `title` of `method` as it is planned and would be run."""
    experiments = board.Experiments(read_board(name), Path("none"), lambda _: None)

    def run(title: str, system: System, chosen: Plan) -> Side:
        del title
        assert len(chosen.releasers) == 1
        raise _PlannedError(system)

    (one,) = [one for one in basic.BASIC_EXPERIMENTS[method] if one.title == title]
    with pytest.raises(_PlannedError) as caught:
        basic._run(one, method, Mode.PERIODIC, experiments._basic_system, run)
    return caught.value.system


@pytest.mark.parametrize("method", ["queue", "groups", "chains"])
@pytest.mark.parametrize(("name", "faster"), [("ibex-cells", 5), ("mps2-an385", 1)])
def test_every_experiment_with_a_tick_has_a_plan(name: str, faster: int, method: str) -> None:
    periods = {
        one.title: planned(name, method, one.title).tasks[0].period
        for one in basic.BASIC_EXPERIMENTS[method]
        if one.periodic == "tick"
    }
    assert periods["20 periods and a tick"] == Fraction(
        6, 1000
    )  # no fifth of it has a tick of 1 ms
    assert periods["one task and a tick"] == Fraction(10, 1000) / faster


def test_periods_are_shorter_where_no_tick_has_to_express_them() -> None:
    assert planned("ibex-cells", "queue", "20 periods").tasks[0].period == Fraction(6, 5000)
