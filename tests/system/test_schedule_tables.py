# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A schedule table by the clock on the boards: its points activate basic tasks, and do not drift."""

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

_DESCRIPTION = """\
[system]
name = "scheduled"
board = "{board}"
duration = "120 ms"
priorities = "explicit"
cells = ["{tasks}"]
timeouts = "{timeouts}"
sources = ["table.c"]

[[task]]
name = "boss"
period = "50 ms"
offset = "1 ms"
body = "boss"
wcet = "50 us"
priority = 1

[[task]]
name = "inject"
priority = 9
min_gap = "900 us"
kind = "basic"
body = "inject"
wcet = "50 us"

[[task]]
name = "ignite"
priority = 10
min_gap = "900 us"
kind = "basic"
body = "ignite"
wcet = "50 us"
"""
_TABLE = """\
#include <hrl/clock_counter.h>
#include <hrl/hooks.h>
#include <hrl/table_action.h>

extern const struct hrl_basic basic_inject, basic_ignite;

HRL_CLOCK_COUNTER_DEFINE(by_time);
static const struct hrl_table_action both[] = {HRL_TABLE_ACTIVATE(&basic_inject),
                                               HRL_TABLE_ACTIVATE(&basic_ignite)};
static const struct hrl_table_action one[] = {HRL_TABLE_ACTIVATE(&basic_inject)};
static const struct hrl_expiry_point points[] = {HRL_EXPIRY_POINT(MS / 2, one),
                                                 HRL_EXPIRY_POINT(2 * MS, both)};
HRL_SCHEDULE_TABLE_DEFINE(table, &by_time, 3 * MS, HRL_REPEATING, points);

static hrl_counts began, injected[40], ignited[40];
static uint32_t injections, ignitions;

void inject(void);
void inject(void)
{
    injected[injections++] = hrl_now();
}

void ignite(void);
void ignite(void)
{
    ignited[ignitions++] = hrl_now();
}

static void check(const hrl_counts *seen, uint32_t count, uint32_t first, uint32_t second)
{
    for (uint32_t i = 0; i < count; i++) {
        hrl_counts due = began + MS + (i / 2) * 3 * MS + (i % 2 == 0 ? first : second);

        if (seen[i] < due || seen[i] > due + MS / 10) {
            hrl_assert_hook("another instant", __FILE__, __LINE__);
        }
    }
}

void boss(void);
void boss(void)
{
    static int jobs;

    if (jobs++ == 0) {
        began = hrl_now();
        if (hrl_schedule_table_start_relative(&table, MS) != HRL_OK) {
            hrl_assert_hook("not started", __FILE__, __LINE__);
        }
    } else if (jobs == 2) {
        if (hrl_schedule_table_state(&table) != HRL_TABLE_RUNNING ||
            hrl_schedule_table_stop(&table) != HRL_OK || injections != 33 || ignitions != 16) {
            hrl_assert_hook("not running", __FILE__, __LINE__);
        }
        check(injected, injections, MS / 2, 2 * MS);
        for (uint32_t i = 0; i < ignitions; i++) {
            hrl_counts due = injected[2 * i + 1];

            if (ignited[i] > due || ignited[i] + MS / 10 < due) { /* it is more urgent */
                hrl_assert_hook("another order", __FILE__, __LINE__);
            }
        }
    } else if (injections != 33) { /* a point behind the stop */
        hrl_assert_hook("not stopped", __FILE__, __LINE__);
    }
}
"""


@pytest.mark.parametrize(
    ("board", "tasks", "timeouts"),
    [
        ("host", "cell0", "cell1"),
        ("mps2-an385", "timer0", "timer1"),
        ("ibex-cells", "cell0", "cell1"),
    ],
)
def test_points_activate_basic_tasks(
    board: str, tasks: str, timeouts: str, bench: Bench, tmp_path: Path
) -> None:
    path = tmp_path / "system.toml"
    path.write_text(
        _DESCRIPTION.format(board=board, tasks=tasks, timeouts=timeouts), encoding="utf-8"
    )
    source = tmp_path / "table.c"
    source.write_text(
        "".join(
            f"void {name}(void);\nvoid {name}(void) {{}}\n" for name in ("boss", "inject", "ignite")
        ),
        encoding="utf-8",
    )
    hz = read_system(path).board.clock.hz
    source.write_text(f"#define MS {hz // 1000}u\n{_TABLE}", encoding="utf-8")
    system = read_system(path)
    run = bench(system, plan(system).choice)
    assert run.side.jobs >= 3  # those of boss, which looks at what was noted
