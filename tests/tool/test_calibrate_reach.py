# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Experiments with a one-shot cell are those of a cell that reaches from each instant to the next."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.calibrate.reach import within_reach
from horolog.model import System
from horolog.plan.mapping.cell_timing import one_shot_span
from horolog.read import read_system

LAMP = Path(__file__).resolve().parents[2] / "examples" / "pwm-lamp" / "system.toml"


def lamp(hz: int) -> System:
    """The lamp, with an offset, on a clock of so many counts a second."""
    system = read_system(LAMP)
    board = replace(system.board, clock=replace(system.board.clock, hz=hz))
    tasks = tuple(replace(task, offset=task.period / 2) for task in system.tasks)
    return replace(system, board=board, tasks=tasks)


@pytest.mark.parametrize(("hz", "shorter"), [(250_000, 1), (16_000_000, 8)])
def test_all_times_are_shorter_by_the_same_factor(hz: int, shorter: int) -> None:
    system = lamp(hz)
    found = within_reach(system)
    span = one_shot_span(system.board.cell(system.cells[0]))
    assert min(task.period for task in found.tasks) * hz <= span
    assert found.duration * shorter == system.duration
    for one, given in zip(found.tasks, system.tasks, strict=True):
        assert {
            given.period / one.period,
            given.offset / one.offset,
            given.deadline / one.deadline,
        } == {Fraction(shorter)}
