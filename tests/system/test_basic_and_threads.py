# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks and threads in one generated system: the order of the model, and each waking the other.

Threads are below all basic tasks, or between them in priority. In the model the kernel takes no time, so each
system leaves room: with jobs longer by a twentieth the order is the same, which is asserted, too.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.support.basic_model import ModelLine, ModelTask, dispatch_order
from tests.system.support import BOARD, HOST, made_system, measured, ms, task

from horolog.analyse import Dispatcher, dispatchers, levels, numbered
from horolog.model import HorologError, Kind, Plan, PriorityRule, System
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

BOARDS = (BOARD, HOST)
BY_PERIOD, BY_PRIORITY = PriorityRule.RATE_MONOTONIC, PriorityRule.EXPLICIT
B, T = Kind.BASIC, Kind.THREAD
Job = tuple[Kind, int, int, int, int]  # period and offset in ms, turns of work, priority

MIXED: tuple[Job, ...] = (
    (B, 2, 0, 1_000, 6),
    (T, 4, 1, 7_000, 4),
    (B, 4, 1, 5_000, 5),
    (T, 12, 0, 15_000, 2),
    (T, 24, 1, 8_000, 1),
    (B, 6, 1, 8_000, 3),
)
"""By period all threads are below; by priority the last basic task is between them."""


def mixed(board: str, rule: PriorityRule) -> System:
    made = []
    for at, (kind, period, offset, work, priority) in enumerate(MIXED):
        given = priority if rule is BY_PRIORITY else None
        one = task(f"t{at}", ms(period), offset=ms(offset), work=work, priority=given)
        made.append(replace(one, kind=kind))
    return replace(made_system(made, board=board), duration=ms(120), priorities=rule)


def model_order(system: System, chosen: Plan, longer: Fraction) -> list[tuple[str, int]]:
    """Threads and servers are below what the controller dispatches, each level a line."""
    by, on = dispatchers(system), levels(system)
    found = [(line.by is not Dispatcher.CONTROLLER, line) for line, _ in numbered(system, chosen)]
    lines = [ModelLine(line.level + (0 if below else 100), line.tasks) for below, line in found]
    lines += [ModelLine(on[i], (i,)) for i, one in enumerate(by) if one is Dispatcher.KERNEL]
    lines.sort(key=lambda line: -line.level)
    assert len({line.level for line in lines}) == len(lines), "the model orders levels only"
    tasks = [ModelTask(one.period, one.offset, longer * (one.wcet or 0)) for one in system.tasks]
    return dispatch_order(tasks, lines, system.duration)


@pytest.mark.parametrize(
    ("board", "rule"),
    [
        *((board, rule) for board in BOARDS for rule in (BY_PERIOD, BY_PRIORITY)),
        ("mps2-an386", BY_PRIORITY),
    ],
)
def test_jobs_start_and_end_as_in_the_model(board: str, rule: PriorityRule, tmp_path: Path) -> None:
    system = mixed(board, rule)
    chosen = plan(system).choice
    expected = model_order(system, chosen, Fraction(1))
    assert model_order(system, chosen, Fraction(21, 20)) == expected, "there is no room"
    run = measured(system, chosen, tmp_path)
    side, found = run.side, [(kind, index) for _, kind, index in run.events("SE")]
    assert found[: len(expected)] == expected
    assert (side.overruns, side.deadline_misses) == (0, 0)
    assert side.interrupts.taken == side.interrupts.predicted == chosen.prediction.interrupts
    in_threads = Dispatcher.LINE_THREAD in dispatchers(system)
    assert in_threads == (board == HOST or rule is BY_PRIORITY)


@pytest.mark.parametrize("board", BOARDS)
def test_a_job_in_a_server_is_not_charged_for_the_thread_above(board: str, tmp_path: Path) -> None:
    thread = task("thread", ms(4), offset=ms(1), work=4_000, priority=2)
    below = task("below", ms(12), work=40_000, priority=1)
    made = made_system([thread, replace(below, kind=B)], board=board)
    system = replace(made, priorities=BY_PRIORITY, duration=ms(48))
    run = measured(system, plan(system).choice, tmp_path)
    assert run.order("S")[:5] == [1, 0, 0, 0, 1], "each job below is interrupted, at 1 ms"
    lasts = system.board.runner.ns_per_step or 1  # the host port tells nanoseconds
    for index, one in enumerate(system.tasks):
        assert one.wcet is not None
        assert 0 <= run.findings.longest[index] * lasts - one.wcet * 10**9 < 20 * lasts


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
    CLAIM(hrl_semaphore_give(&fresh) == HRL_OK); /* whoever waits for it has taken the last one */
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
    cells = ["cell0", "cell1", "cell2"] if board == HOST else ["timer0", "timer1", "dual0"]
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
    ("sample", "act"),
    [
        pytest.param(8, 7, id="threads-below"),
        pytest.param(8, 3, id="one-below-a-thread"),
        pytest.param(4, 3, id="all-below-a-thread"),
    ],
)
@pytest.mark.parametrize("board", BOARDS)
def test_each_kind_wakes_the_other(board: str, sample: int, act: int, tmp_path: Path) -> None:
    side = both(tmp_path, board, sample=sample, act=act)
    assert (side.overruns, side.deadline_misses) == (0, 0)
    assert side.jobs == 30 + 15 + 1


def test_a_wrong_count_would_be_seen(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="acts == before"):
        both(tmp_path, BOARD, sample=8, act=7, bodies=_BODIES.replace("acts++", "acts += 2"))
