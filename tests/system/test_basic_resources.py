# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A resource of a thread and of basic tasks that the kernel's threads run, as one more thread is above them.

Each less urgent user holds it when a more urgent one is released: "high" at 5 ms, in the middle of "low"'s
hold, and at 10 ms, in the middle of "below"'s.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import BOARD

from horolog.analyse import Dispatcher, dispatchers
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

_DESCRIPTION = """\
[system]
name = "shares"
board = "{board}"
duration = "{duration}"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "above"
period = "5 ms"
work = 100
priority = 25

[[task]]
name = "high"
period = "5 ms"
wcet = "200 us"
body = "high"
kind = "basic"
priority = 16

[[task]]
name = "low"
period = "20 ms"
offset = "4500 us"
wcet = "2 ms"
body = "low"
kind = "basic"
priority = 10

[[task]]
name = "below"
period = "20 ms"
offset = "9500 us"
wcet = "2 ms"
body = "below"
stack = 1_024  # it may report a fault
priority = 2

[[resource]]
name = "bus"
tasks = ["high", "low", "below"]
"""
_BODIES = """\
#include <hrl/hooks.h>
#include <hrl/resource.h>
#include <hrl/time.h>

extern struct hrl_resource bus;

static volatile bool is_held;

static void hold(hrl_counts counts)
{
    hrl_counts start;

    hrl_resource_take(&bus);
    if (is_held) {
        hrl_assert_hook("two hold the bus", __FILE__, __LINE__);
    }
    is_held = true;
    start = hrl_now();
    while (hrl_now() - start < counts) {
    }
    is_held = false;
    hrl_resource_give(&bus);
}

void high(void);
void high(void)
{
    hold(100);
}

void low(void);
void low(void)
{
    hold(%(long)u);
}

void below(void);
void below(void)
{
    hold(%(long)u);
}
"""


@pytest.mark.parametrize(
    ("board", "duration", "hold"),
    [(BOARD, "200 ms", 25_000), ("ibex-cells", "40 ms", 50_000)],
)
def test_one_at_a_time_holds_it(board: str, duration: str, hold: int, tmp_path: Path) -> None:
    """Each hold takes a millisecond: high's jobs at 5 and 10 ms, and 20 ms later, wait for half of it."""
    (tmp_path / "bodies.c").write_text(_BODIES % {"long": hold}, encoding="utf-8")
    description = tmp_path / "system.toml"
    description.write_text(_DESCRIPTION.format(board=board, duration=duration), encoding="utf-8")
    system = read_system(description)
    assert dispatchers(system)[1:3] == (Dispatcher.LINE_THREAD,) * 2
    side = measure_plan(system, plan(system).choice, tmp_path / "out")
    assert side.deadline_misses == 0
    high = side.response["high"]
    assert high.max_ns > 450_000
