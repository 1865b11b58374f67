# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Schedule tables in timer cells: one program where cells have groups, and where a clock counter does it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.system.support import Run, example, horolog

from horolog.model import Plan, System
from horolog.plan import plan
from horolog.read import read_board, read_system

Bench = Callable[[System, Plan], Run]

_DESCRIPTION = """\
[system]
name = "in-cells"
board = "{board}"
duration = "36 ms"
priorities = "explicit"
cells = ["{tasks}"]
timeouts = "{timeouts}"
sources = ["tables.c"]

[[task]]
name = "boss"
period = "5 ms"
offset = "1 ms"
body = "boss"
wcet = "50 us"
priority = 1
stack = 1024

[[task]]
name = "inject"
priority = 9
min_gap = "500 us"
kind = "basic"
body = "inject"
wcet = "20 us"

[[task]]
name = "ignite"
priority = 10
min_gap = "500 us"
kind = "basic"
body = "ignite"
wcet = "20 us"

[[task]]
name = "report"
priority = 8
min_gap = "500 us"
body = "report"
wcet = "20 us"

[[task]]
name = "follow"
priority = 7
min_gap = "500 us"
body = "follow"
wcet = "20 us"

[[task]]
name = "alone"
priority = 11
min_gap = "500 us"
kind = "basic"
body = "alone"
wcet = "20 us"

[[table]]
kind = "schedule"
counter = "cells"
name = "combustion"
round = "2 ms"
followed = true
point = [
    {{ offset = "500 us", activate = ["inject"] }},
    {{ offset = "1.5 ms", activate = ["inject", "report"], set = [{{ event = "engine", flags = 4 }}] }},
]

[[table]]
kind = "schedule"
counter = "cells"
name = "spark"
round = "3 ms"
point = [
    {{ offset = "1.5 ms", activate = ["ignite"] }},
    {{ offset = "2 ms", activate = ["alone"] }},
    {{ offset = "2.25 ms", activate = ["follow"] }},
]

[[table]]
kind = "schedule"
counter = "cells"
name = "last"
round = "1 ms"
repeating = false
point = [
    {{ offset = "0 us", activate = ["ignite"] }},
    {{ offset = "1 ms", activate = ["inject"] }},
]
"""
_PROGRAM = """\
#include <hrl_gen_tables.h>
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

HRL_EVENT_DEFINE(engine);

enum { INJECT, IGNITE, REPORT, ALONE, FOLLOW, KINDS, MOST = 40 };
static hrl_counts began, seen[KINDS][MOST];
static unsigned count[KINDS];

#define CHECK(what)                                                                                \\
    do {                                                                                           \\
        if (!(what)) {                                                                             \\
            hrl_assert_hook(#what, __FILE__, __LINE__);                                            \\
        }                                                                                          \\
    } while (0)

static void note(unsigned kind)
{
    CHECK(count[kind] < MOST);
    seen[kind][count[kind]++] = hrl_now() - began;
}

void inject(void);
void inject(void)
{
    note(INJECT);
}

void ignite(void);
void ignite(void)
{
    CHECK(count[IGNITE] != 0 || count[INJECT] == 1); /* it goes before the second point */
    note(IGNITE);
}

void report(void);
void report(void)
{
    note(REPORT);
}

void alone(void); /* where cells have groups its cell is the task */
void alone(void)
{
    note(ALONE);
}

void follow(void); /* where handlers can switch its cell's does */
void follow(void)
{
    note(FOLLOW);
}

/* The next one of a kind was seen at `due`, or a little later: behind others, or into the background. */
static unsigned checked[KINDS];
static void check(unsigned kind, hrl_counts due)
{
    hrl_counts at = seen[kind][checked[kind]++];

    CHECK(checked[kind] <= count[kind]);
    CHECK(at >= due - EARLIEST && at <= due + LATEST);
}

static void check_alone(unsigned kind, hrl_counts due)
{
    hrl_counts at = seen[kind][checked[kind]];

    CHECK(at <= due + UNDISTURBED);
    check(kind, due);
}

static void check_no_more(void)
{
    for (unsigned kind = 0; kind < KINDS; kind++) {
        CHECK(checked[kind] == count[kind]);
    }
}

void boss(void);
void boss(void)
{
    static unsigned jobs;

    switch (jobs++) {
    case 0: /* relative, and refused */
        CHECK(hrl_schedule_table_state(&table_combustion) == HRL_TABLE_STOPPED);
        CHECK(hrl_schedule_table_stop(&table_combustion) == HRL_NOT_RUNNING);
        CHECK(hrl_schedule_table_start_relative(&table_combustion, 0) == HRL_VALUE);
        CHECK(hrl_schedule_table_start_relative(&table_combustion, 0x7FFFFFFFu) == HRL_VALUE);
        CHECK(hrl_schedule_table_next(&table_combustion, &table_last) == HRL_NOT_RUNNING);
        CHECK(hrl_schedule_table_start_relative(&table_combustion, MS) == HRL_OK);
        began = hrl_now();
        CHECK(hrl_schedule_table_start_relative(&table_combustion, MS) == HRL_STATE);
        CHECK(hrl_schedule_table_start_absolute(&table_combustion, 0) == HRL_STATE);
        CHECK(hrl_schedule_table_state(&table_combustion) == HRL_TABLE_RUNNING);
        break;
    case 1: /* between two points */
        CHECK(hrl_schedule_table_stop(&table_combustion) == HRL_OK);
        CHECK(hrl_schedule_table_state(&table_combustion) == HRL_TABLE_STOPPED);
        CHECK(hrl_schedule_table_stop(&table_combustion) == HRL_NOT_RUNNING);
        check_alone(INJECT, 3 * MS / 2);
        check(INJECT, 5 * MS / 2);
        check(REPORT, 5 * MS / 2);
        check_alone(INJECT, 7 * MS / 2);
        check(INJECT, 9 * MS / 2);
        check(REPORT, 9 * MS / 2);
        CHECK(hrl_event_flags(&engine) == 4);
        break;
    case 2: /* nothing came since; two tables with points at one instant */
        check_no_more();
        count[INJECT] = checked[INJECT] = count[REPORT] = checked[REPORT] = 0;
        began = hrl_now();
        (void)hrl_semaphore_give(&activate_follow);
        CHECK(count[FOLLOW] == 1);
        count[FOLLOW] = 0;
        CHECK(hrl_schedule_table_start_absolute(&table_spark, (uint32_t)began + MS) == HRL_OK);
        CHECK(hrl_schedule_table_start_absolute(&table_combustion, (uint32_t)began + MS) == HRL_OK);
        break;
    case 3: /* a follower, in the round that ends at 5 ms; now is just before */
        CHECK(hrl_schedule_table_stop(&table_spark) == HRL_OK);
        check_alone(INJECT, 3 * MS / 2);
        check(IGNITE, 5 * MS / 2);
        check(INJECT, 5 * MS / 2);
        check(REPORT, 5 * MS / 2);
        check_alone(INJECT, 7 * MS / 2);
        check(INJECT, 9 * MS / 2);
        check(REPORT, 9 * MS / 2);
        check_alone(ALONE, 3 * MS);
        check_alone(FOLLOW, 13 * MS / 4);
        (void)hrl_semaphore_give(&activate_follow); /* by a call, too */
        CHECK(count[FOLLOW] == ++checked[FOLLOW]);
        check_no_more();
        CHECK(hrl_schedule_table_next(&table_combustion, &table_combustion) == HRL_STATE);
        CHECK(hrl_schedule_table_next(&table_combustion, &table_last) == HRL_OK);
        CHECK(hrl_schedule_table_state(&table_last) == HRL_TABLE_NEXT);
        CHECK(hrl_schedule_table_start_relative(&table_last, 1) == HRL_STATE);
        CHECK(hrl_schedule_table_next(&table_last, &table_spark) == HRL_NOT_RUNNING);
        break;
    case 4: /* the round, and then the last one's points, at its begin and its end */
        CHECK(hrl_schedule_table_state(&table_combustion) == HRL_TABLE_STOPPED);
        CHECK(hrl_schedule_table_state(&table_last) == HRL_TABLE_STOPPED);
        check_alone(INJECT, 11 * MS / 2);
        check(INJECT, 13 * MS / 2);
        check(REPORT, 13 * MS / 2);
        check(IGNITE, 7 * MS); /* late: it is set while its instant comes */
        check(INJECT, 8 * MS); /* behind the end of the table */
        check_no_more();
        break;
    case 5: /* it can start again; a stop of the first stops the one that is next */
        began = hrl_now();
        CHECK(hrl_schedule_table_start_relative(&table_last, MS) == HRL_OK);
        CHECK(hrl_schedule_table_start_relative(&table_combustion, MS) == HRL_OK);
        CHECK(hrl_schedule_table_next(&table_combustion, &table_spark) == HRL_OK);
        CHECK(hrl_schedule_table_stop(&table_combustion) == HRL_OK);
        CHECK(hrl_schedule_table_state(&table_spark) == HRL_TABLE_STOPPED);
        break;
    default:
        CHECK(hrl_schedule_table_stop(&table_last) == HRL_NOT_RUNNING);
        check_alone(IGNITE, MS);
        check(INJECT, 2 * MS);
        check_no_more();
        break;
    }
}
"""


@pytest.mark.soak
def test_the_example_needs_no_groups_of_cells(tmp_path: Path) -> None:
    """Its sources call tables in cells, and the host's clock drives them."""
    said = horolog("run", example("cold-start"), "--board", "host", "--json", "--out", tmp_path)
    assert said.code == 0, said.err


@pytest.mark.emulator
@pytest.mark.parametrize(
    ("board", "tasks", "timeouts", "earliest", "alone", "latest"),
    [
        ("host", "cell0", "cell1", 2, 2500, 2500),
        ("mps2-an385", "timer0", "timer1", 50, 2500, 2500),
        ("ibex-cells", "cell0", "cell1", 20, 400, 900),
    ],
)
def test_tables_in_cells(
    board: str,
    tasks: str,
    timeouts: str,
    earliest: int,
    alone: int,
    latest: int,
    bench: Bench,
    tmp_path: Path,
) -> None:
    path = tmp_path / "system.toml"
    path.write_text(
        _DESCRIPTION.format(board=board, tasks=tasks, timeouts=timeouts), encoding="utf-8"
    )
    source = tmp_path / "tables.c"
    hz = read_board(board).clock.hz
    source.write_text(
        f"#define MS {hz // 1000}u\n#define EARLIEST {earliest}u\n#define LATEST {latest}u\n"
        f"#define UNDISTURBED {alone}u\n{_PROGRAM}",
        encoding="utf-8",
    )
    system = read_system(path)
    run = bench(system, plan(system).choice)
    assert run.side.jobs >= 7  # those of boss, which looks at what was noted
