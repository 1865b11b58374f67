# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Five roles on four cells: points of a controlled table, deadlines with budgets, threads and time-outs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.system.support import Run

from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import read_system

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

SYSTEM = """
[system]
name = "scarce"
board = "{board}"
duration = "19.9 ms"
sources = ["bodies.c"]
timeouts = "{timeouts}"

[[task]]
name = "both"
work = {both}
budget = "500 us"

[[task]]
name = "high"
work = {high}

[[task]]
name = "late"
work = {late}
budget = "600 us"

[[task]]
name = "greedy"
work = {greedy}
budget = "300 us"

[[task]]
name = "say"
period = "20 ms"
body = "say"
wcet = "20 us"

[[table]]
name = "round"
kind = "dispatcher"
round = "4 ms"
start = "application"
deadline_monitoring = "stringent"
point = [
    {{ offset = "0 us", activate = "both", deadline = "700 us" }},
    {{ offset = "200 us", activate = "high", deadline = "300 us" }},
    {{ offset = "1500 us", activate = "late", deadline = "400 us" }},
    {{ offset = "1600 us", activate = "high", deadline = "300 us" }},
    {{ offset = "2500 us", activate = "greedy", deadline = "800 us" }},
]
"""
BODIES = """
#include <hrl/basic.h>
#include <hrl/dispatcher.h>
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <hrl/time.h>

enum { BOTH, HIGH, LATE, GREEDY };
enum { EVENTS = 4, ROUNDS = 4 };
static const struct { bool is_deadline; unsigned task, us; } expected[EVENTS] = {
    { true, BOTH, 700 }, { false, BOTH, 700 }, { true, LATE, 1900 }, { false, GREEDY, 2800 },
};
static unsigned seen;
static hrl_counts begin;

/* The table has begun at `begin`. */
static void see(bool is_deadline, const struct hrl_basic *task)
{
    unsigned at = seen % EVENTS;
    hrl_counts due = begin + HRL_US(4000) * (seen / EVENTS) + HRL_US(expected[at].us);
    hrl_counts late = hrl_now() - due;

    seen++;
    if (is_deadline != expected[at].is_deadline || task != &hrl_gen_basic[expected[at].task]) {
        hrl_assert_hook("another task or guard", __FILE__, __LINE__);
    }
    if (late > HRL_US(40)) {
        hrl_assert_hook("another instant", __FILE__, __LINE__);
    }
}

void hrl_basic_deadline_hook(const struct hrl_basic *task)
{
    see(true, task);
}

enum hrl_budget_action hrl_basic_budget_hook(const struct hrl_basic *task)
{
    see(false, task);
    return HRL_BUDGET_END;
}

void say(void);
void say(void)
{
    begin = hrl_now() + HRL_US(1000);
    if (hrl_dispatcher_start_absolute(begin) != HRL_OK) {
        hrl_assert_hook("no start", __FILE__, __LINE__);
    }
    (void)hrl_thread_sleep_for(HRL_US(16500));
    if (seen != EVENTS * ROUNDS || hrl_basic_deadline_misses(&hrl_gen_basic[LATE]) != ROUNDS ||
        hrl_basic_budget_overruns(&hrl_gen_basic[GREEDY]) != ROUNDS) {
        hrl_assert_hook("another number of misses", __FILE__, __LINE__);
    }
}
"""
WORK_US = {"both": 690, "high": 200, "late": 350, "greedy": 600}


@pytest.mark.parametrize(("board", "timeouts"), [("host", "cell0"), ("mps2-an385", "timer0")])
def test_deadlines_and_budgets_share_a_cell(
    board: str, timeouts: str, bench: Bench, tmp_path: Path
) -> None:
    turns = {name: us * 1000 // 64 for name, us in WORK_US.items()}
    path = tmp_path / "system.toml"
    path.write_text(SYSTEM.format(board=board, timeouts=timeouts, **turns), encoding="utf-8")
    (tmp_path / "bodies.c").write_text(BODIES, encoding="utf-8")
    system = read_system(path)
    assert len(system.board.cells) == 4
    assert system.shares_guards
    run = bench(system, plan(system).choice)
    assert len([1 for _, _, task in run.events("E") if system.tasks[task].name == "say"]) == 1
    assert run.side.deadline_misses >= 5  # the fifth round has the first one
    (guards,) = run.side.beside
    assert guards.what == "budgets of both, late, greedy and deadlines"
    # Each deadline and each budget interrupts once; those of "both" in the fifth round do, too.
    assert guards.taken == 4 * 4 + 4
