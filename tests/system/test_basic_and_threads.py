# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks and threads in one generated system: each wakes the other, and what it costs is predicted.

Threads are below all basic tasks, or between them in priority. test_basic_tasks.py has the order of jobs.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST, made_system, measured, ms, task

from horolog.model import HorologError, Kind, PriorityRule
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

BOARDS = (BOARD, HOST)
FPU, RTL = "mps2-an386", "ibex-cells"
B, T = Kind.BASIC, Kind.THREAD


def test_threads_below_basic_tasks_cost_what_is_predicted(tmp_path: Path) -> None:
    given = (
        (B, 2, 0, 1_000),
        (T, 4, 1, 7_000),
        (B, 4, 1, 5_000),
        (T, 12, 0, 15_000),
        (B, 6, 1, 8_000),
    )
    tasks = [
        replace(task(f"t{at}", ms(period), offset=ms(offset), work=work), kind=kind)
        for at, (kind, period, offset, work) in enumerate(given)
    ]
    system = replace(made_system(tasks), duration=ms(120))
    chosen = plan(system).choice
    side = measure_plan(system, chosen, tmp_path)
    assert (side.overruns, side.deadline_misses) == (0, 0)
    assert side.interrupts.taken == side.interrupts.predicted == chosen.prediction.interrupts
    assert side.instructions is not None
    error = chosen.prediction.kernel_instructions / side.instructions.kernel - 1
    assert abs(error) <= Fraction(5, 100)


@pytest.mark.parametrize("board", [*BOARDS, pytest.param(RTL, marks=pytest.mark.xdist_group(RTL))])
def test_a_job_in_a_server_is_not_charged_for_the_thread_above(board: str, tmp_path: Path) -> None:
    thread = task("thread", ms(4), offset=ms(1), work=4_000, priority=2)
    below = task("below", ms(12), work=40_000, priority=1)
    made = made_system([thread, replace(below, kind=B)], board=board)
    system = replace(made, priorities=PriorityRule.EXPLICIT, duration=ms(48))
    run = measured(system, plan(system).choice, tmp_path)
    assert run.order("S")[:5] == [1, 0, 0, 0, 1], "each job below is interrupted, at 1 ms"
    lasts = system.board.runner.ns_per_step or 1  # the host port tells nanoseconds
    for index, one in enumerate(system.tasks):
        assert one.work is not None
        bare = one.work * system.board.work_ns
        assert 0 <= run.findings.longest[index] * lasts - bare < 20 * lasts


_DESCRIPTION = """\
[system]
name = "both"
board = "{board}"
cells = {cells}
timeouts = "{timeouts}"
duration = "60 ms"
priorities = "explicit"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "sample"
period = "2 ms"
body = "sample"
wcet = "100 us"
kind = "basic"
priority = {sample}

[[task]]
name = "control"
period = "4 ms"
offset = "1 ms"
body = "control"
wcet = "100 us"
priority = 5

[[task]]
name = "act"
period = "1 s"
offset = "1 s"
body = "act"
wcet = "100 us"
kind = "basic"
priority = {act}

[[task]]
name = "check"
period = "1 s"
offset = "59 ms"
body = "check"
wcet = "100 us"
priority = 1
"""
_BODIES = """\
#include <hrl/basic.h>
#include <hrl/hooks.h>
#include <hrl/kernel.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <hrl/time.h>
#include <stddef.h>

extern const struct hrl_basic hrl_gen_basic[2];
HRL_SEMAPHORE_DEFINE(fresh, 0, 1);
static volatile uint32_t samples, acts, seen, slept;

#define CLAIM(promise) ((promise) ? (void)0 : hrl_assert_hook(#promise, __FILE__, __LINE__))

void sample(void);
void sample(void)
{
    samples++;
    CLAIM(hrl_basic_current() == &hrl_gen_basic[0]);
    CLAIM(hrl_semaphore_give(&fresh) == HRL_OK); /* the waiting thread has taken the last one */
    CLAIM(seen == samples - (SEEN_LATER ? 1u : 0u));
}

void act(void);
void act(void)
{
    acts++;
}

void control(void);
void control(void)
{
    uint32_t before = acts;

    CLAIM(hrl_basic_current() == NULL);
    CLAIM(hrl_basic_activate(&hrl_gen_basic[1]) == HRL_OK);
    CLAIM(acts == before + (ACTS_LATER ? 0u : 1u));
}

void check(void);
void check(void)
{
    CLAIM(samples == 30u && seen == 30u && acts == 15u);
    CLAIM(slept == 29u || slept == 30u); /* on the host the start takes no time */
    CLAIM(hrl_basic_overruns(&hrl_gen_basic[0]) == 0);
}

static void consume(void *argument)
{
    (void)argument;
    for (;;) {
        (void)hrl_semaphore_take(&fresh, HRL_FOREVER);
        seen++;
    }
}

static void sleep_on(void *argument)
{
    hrl_counts next = hrl_now();

    (void)argument;
    for (;;) {
        next += HRL_MS(2);
        hrl_thread_sleep_until(next);
        slept++;
    }
}

HRL_THREAD_DEFINE(consumer, consume, NULL, 6, 1024);
HRL_THREAD_DEFINE(sleeper, sleep_on, NULL, 7, 1024);

void begin(void);
void begin(void)
{
    hrl_thread_start(&consumer);
    hrl_thread_start(&sleeper);
}
"""


def both(folder: Path, board: str, *, sample: int, act: int, bodies: str = _BODIES) -> Side:
    """The system in which they wake each other; threads have the priorities 1 and 5, and 6 and 7."""
    named = board in (HOST, RTL)
    cells = ["cell0", "cell1", "cell2"] if named else ["timer0", "timer1", "dual0"]
    text = _DESCRIPTION.format(
        board=board, cells=json.dumps(cells[:2]), timeouts=cells[2], sample=sample, act=act
    )
    (folder / "system.toml").write_text(text, encoding="utf-8")
    later = {"SEEN_LATER": sample > 6, "ACTS_LATER": act < 5}
    head = "".join(f"#define {name} {int(value)}\n" for name, value in later.items())
    (folder / "bodies.c").write_text(head + bodies, encoding="utf-8")
    system = read_system(folder / "system.toml")
    return measure_plan(system, plan(system).choice, folder / "out")


@pytest.mark.parametrize(
    ("board", "sample", "act"),
    [
        *(pytest.param(board, 8, 7, id=f"{board}-threads-below") for board in BOARDS),
        *(pytest.param(board, 8, 3, id=f"{board}-one-below-a-thread") for board in (*BOARDS, RTL)),
        pytest.param(FPU, 8, 3, id=f"{FPU}-one-below-a-thread", marks=pytest.mark.soak),
        *(pytest.param(board, 4, 3, id=f"{board}-all-below-a-thread") for board in BOARDS),
    ],
)
def test_each_kind_wakes_the_other(board: str, sample: int, act: int, tmp_path: Path) -> None:
    side = both(tmp_path, board, sample=sample, act=act)
    assert (side.overruns, side.deadline_misses) == (0, 0)
    assert side.jobs == 30 + 15 + 1


def test_a_wrong_count_would_be_seen(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="acts == before"):
        both(tmp_path, BOARD, sample=8, act=7, bodies=_BODIES.replace("acts++", "acts += 2"))
