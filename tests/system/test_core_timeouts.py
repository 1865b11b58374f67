# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Time-outs of threads of several cores, on the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK
from tests.system.support import horolog

_WAITS = """\
[system]
name = "waits"
board = "ibex-cells-x2"
duration = "10 ms"
sources = ["bodies.c"]
timeouts = "cell20"

[[task]]
name = "first"
period = "1 ms"
body = "first"
stack = 1_024  # it may report a fault
wcet = "20 us"
core = 0

[[task]]
name = "second"
period = "1 ms"
body = "second"
stack = 1_024  # it may report a fault
wcet = "20 us"
core = 1
"""
_WAITING = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

void first(void);
void second(void);

static HRL_SEMAPHORE_DEFINE(never, 0, 1);
static HRL_SEMAPHORE_DEFINE(neither, 0, 1);

"""
    + CHECK
    + """\

static void wait(struct hrl_semaphore *semaphore, uint32_t us)
{
    hrl_counts begun = hrl_now();
    hrl_counts until = begun + HRL_US(us);

    check(hrl_semaphore_take(semaphore, until) == HRL_TIMED_OUT, __LINE__);
    check(hrl_now() >= until && hrl_now() - until < HRL_US(20), __LINE__);
}

void first(void)
{
    wait(&never, 100);
}

void second(void)
{
    wait(&neither, 150);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_each_core_has_time_outs(tmp_path: Path) -> None:
    (tmp_path / "bodies.c").write_text(_WAITING, encoding="utf-8")
    path = tmp_path / "system.toml"
    path.write_text(_WAITS, encoding="utf-8")
    said = horolog("run", path, "--checks", "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    for core, one in enumerate(said.object["cores"]):
        side = one["horolog"]
        assert (side["jobs"], side["deadline_misses"], side["overruns"]) == (10, 0, 0)
        (response,) = side["response"].values()
        assert response["min_ns"] > (100_000, 150_000)[core]
