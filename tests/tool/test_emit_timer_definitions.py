# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What drivers are told of their timers; prescalers: test_plan_prescalers.py."""

from __future__ import annotations

from tests.system.support import made_system, ms, task

from horolog.emit.timer_definitions import reload_definitions, timer_definitions
from horolog.plan import NOTHING, plan
from horolog.read import read_board


def test_what_a_reload_takes_once_a_device() -> None:
    system = made_system([task("one", ms(4))], board="lm3s6965evb")
    chosen = plan(system, mechanism="gcd", prices=NOTHING).choice
    assert timer_definitions(system, chosen) == ["HRL_BOARD_GPTM_RELOAD_COUNTS=0"]


def test_a_board_that_does_not_say_it_gives_no_definition() -> None:
    assert reload_definitions(read_board("mps2-an385")) == []
