# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets of tasks of controlled tables: what is used up in one mode ends there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import Run

from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import read_board, read_system
from horolog.trace import Round, jobs

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

STEP_US = 100
BUDGET, HIGH = 5, 1  # steps
CALM, STORM = 20, 30
SYSTEM = """
[system]
name = "budgets-in-modes"
board = "{board}"
duration = "15.9 ms"
sources = ["bodies.c"]

[[task]]
name = "hungry"
work = {hungry}
budget = "500 us"

[[task]]
name = "modest"
work = {modest}
budget = "500 us"

[[task]]
name = "high"
work = {high}

[[task]]
name = "say"
kind = "basic"
period = "1 ms"
body = "say"
wcet = "20 us"

[[table]]
name = "calm"
kind = "dispatcher"
mode = "calm"
round = "2 ms"
deadline_monitoring = "stringent"
{sync}
point = [
    {{ offset = "0 us", activate = "modest", deadline = "600 us" }},
    {{ offset = "200 us", activate = "high", deadline = "200 us" }},
]

[[table]]
name = "storm"
kind = "dispatcher"
mode = "storm"
round = "3 ms"
deadline_monitoring = "stringent"
point = [
    {{ offset = "0 us", activate = "hungry", deadline = "1200 us" }},
    {{ offset = "200 us", activate = "high", deadline = "200 us" }},
    {{ offset = "1600 us", activate = "modest", deadline = "600 us" }},
]
"""
BODIES = """
#include <hrl/basic.h>
#include <hrl/dispatcher.h>
#include <hrl/hooks.h>

extern const struct hrl_dispatcher_mode mode_calm, mode_storm;
static unsigned hooks, said;

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    hrl_assert_hook(hrl_basic_name(task), "a deadline is missed", __LINE__);
}

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    hooks++;
    if (task != &hrl_gen_basic[0] || hrl_dispatcher_mode() != &mode_storm ||
        hrl_basic_budget_overruns(task) != hooks) {
        hrl_assert_hook("a budget of another task or mode", __FILE__, __LINE__);
    }
    return HRL_BUDGET_END;
}

void say(void);
void say(void)
{
    said++;
    if (said == 2U) { /* at 1 ms: from 2 ms on, for two rounds */
        (void)hrl_dispatcher_set_mode(&mode_storm);
    } else if (said == 7U) { /* at 6 ms, in the round from 5 ms on */
        (void)hrl_dispatcher_set_mode(&mode_calm);
    } else if (said == 12U) { /* at 11 ms, in the round from 10 ms on */
        (void)hrl_dispatcher_set_mode(&mode_storm);
    } else if (said == 16U && hooks != 4U) { /* released at 15 ms, behind what ended */
        hrl_assert_hook("another number of budgets", __FILE__, __LINE__);
    }
}
"""


@pytest.mark.parametrize("board", ["host", "ibex-cells"])
def test_a_budget_ends_a_job_in_its_mode(board: str, bench: Bench, tmp_path: Path) -> None:
    turn = 60 if board == "ibex-cells" else 64
    work = {"hungry": 9, "modest": 3, "high": HIGH}
    turns = {name: steps * STEP_US * 1000 // turn for name, steps in work.items()}
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM.format(board=board, sync="", **turns), encoding="utf-8")
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    system = read_system(path)
    run = bench(system, plan(system).choice)
    step = read_board(board).clock.hz * STEP_US // 10**6
    begins = [(0, 0), (20, 1), (50, 1), (80, 0), (100, 0), (120, 1), (150, 1)]
    assert run.rounds == tuple(Round(begin * step, table) for begin, table in begins)
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    found = jobs(replace(run.trace, rounds=run.rounds), system)
    names = [task.name for task in system.tasks]
    by_name = {name: [job for job in found if names[job.task] == name] for name in work}
    assert [len(by_name[name]) for name in work] == [4, 6, 7]
    hungry = [job for job in by_name["hungry"] if job.end_ns is not None]
    assert len(hungry) == 4
    for job in hungry:
        assert job.start_ns is not None
        assert job.end_ns is not None
        lasted = Fraction(job.end_ns - job.start_ns, STEP_US * 1000)
        assert BUDGET + HIGH - Fraction(1, 20) <= lasted <= BUDGET + HIGH + Fraction(1, 5)
    for name, steps in (("modest", 3), ("high", HIGH)):
        executed = {Fraction(job.executed_ns, STEP_US * 1000) for job in by_name[name]}
        assert all(steps * Fraction(9, 10) <= one <= steps * Fraction(12, 10) for one in executed)
