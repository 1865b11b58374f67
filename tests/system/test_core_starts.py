# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An application's function before the start, on several cores of the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK
from tests.system.support import horolog

_STARTS = """\
[system]
name = "starts"
board = "ibex-cells-x2"
duration = "10 ms"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "other"
period = "1 ms"
work = 300
core = 0

[[task]]
name = "ask"
period = "1 ms"
body = "ask"
wcet = "20 us"
core = 1
"""

_FOLLOWER = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/thread.h>
#include <stddef.h>

void begin(void);
void ask(void);

static volatile unsigned asked, answered;
static HRL_SEMAPHORE_DEFINE(questions, 0, 100);

"""
    + CHECK
    + """\

static void answer(void *argument)
{
    (void)argument;
    for (;;) {
        hrl_semaphore_take_forever(&questions);
        answered++;
    }
}
HRL_THREAD_DEFINE_ON(1, follower, answer, NULL, 1, 512);

void begin(void)
{
    hrl_thread_start(&follower);
}

void ask(void)
{
    check(answered == asked, __LINE__);
    asked++;
    (void)hrl_semaphore_give(&questions);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_a_function_before_the_start_starts_a_thread_of_another_core(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(_FOLLOWER, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_STARTS, encoding="utf-8")
    said = horolog("run", path, "--checks", "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for one in said.object["cores"]:
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (10, 0, 0)
        assert side["interrupts"]["predicted"] == side["interrupts"]["taken"] == 10
    (tmp_path / "bodies.c").write_text(_FOLLOWER.replace("answered++", ""), encoding="utf-8")
    late = horolog("run", path, "--checks", "--out", tmp_path / "out")
    assert late.code == 4
    assert "not as described" in late.err
