# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a wrap takes of a clock without prescalers; of one with them: test_calibrate_board.py."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.system.support import made_system, ms, task
from tests.tool.test_calibrate_board import side_of

from horolog.analyse import clock_wraps_in, jobs_in
from horolog.calibrate.wraps import calibrate_wrap
from horolog.model import Plan, System
from horolog.model.result import Side


def system(title: str) -> System:
    return replace(made_system([task("one", ms(4))], board="lm3s6965evb"), name=title)


@pytest.mark.parametrize("start", [0, 77])
def test_three_runs_differ_by_jobs_and_a_wrap(start: int) -> None:
    seen: list[tuple[Fraction, int]] = []

    def run(title: str, system: System, plan: Plan) -> Side:
        assert system.cells == ("timer0",)
        wraps, (jobs,) = clock_wraps_in(system), jobs_in(system)
        seen.append((system.duration, wraps))
        spent = Counter({"hrl_release_wait": start + 300 * jobs + 6 * wraps})
        return side_of(plan, jobs, plan.prediction.interrupts, 0, spent)

    assert calibrate_wrap(system, "timer0", run) == 6
    durations, wraps = zip(*seen, strict=True)
    assert wraps == (0, 0, 1)
    assert durations == tuple(durations[0] * n for n in (1, 2, 3))


def test_a_counter_of_32_bits_has_no_price() -> None:
    def run(title: str, system: System, plan: Plan) -> Side:
        raise AssertionError("nothing is to be run")

    def wide(title: str) -> System:
        return made_system([task("one", ms(4))])

    assert calibrate_wrap(wide, "timer0", run) == 0
