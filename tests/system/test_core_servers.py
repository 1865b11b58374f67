# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Aperiodic tasks and their servers on one of several cores, on the RTL."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.activated_tasks import CHECK
from tests.system.support import horolog

_SERVED = """\
[system]
name = "served"
board = "ibex-cells-x2"
duration = "10 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "calm"
kind = "basic"
period = "1 ms"
work = 300
priority = 6
core = 0

[[task]]
name = "ask"
period = "1 ms"
body = "ask"
stack = 1_024  # it may report a fault
wcet = "30 us"
priority = 5
core = 1

[[task]]
name = "slow"
period = "5 ms"
work = 3_000
priority = 1
core = 1

[[server]]
name = "polls"
kind = "polling"
period = "2 ms"
jobs = 2
priority = 3

[[task]]
name = "polled"
server = "polls"
body = "polled"
wcet = "30 us"
core = 1

[[server]]
name = "defers"
kind = "deferrable"
period = "2 ms"
jobs = 2
priority = 4

[[task]]
name = "deferred"
server = "defers"
body = "deferred"
wcet = "30 us"
core = 1
"""
_SERVES = (
    """\
#include <hrl/hooks.h>
#include <hrl/semaphore.h>

void hrl_work(uint32_t turns);
void ask(void);
void polled(void);
void deferred(void);

extern struct hrl_semaphore activate_polled, activate_deferred;
static volatile unsigned asked, polls, defers;

"""
    + CHECK
    + """\

void ask(void)
{
    check(defers == asked, __LINE__); /* each before the next one asks */
    check(polls >= (asked & ~1u) - (asked >= 2 ? 2u : 0u), __LINE__);
    asked++;
    check(hrl_semaphore_give(&activate_polled) == HRL_OK, __LINE__);
    check(hrl_semaphore_give(&activate_deferred) == HRL_OK, __LINE__);
}

void polled(void)
{
    polls++;
    hrl_work(100);
}

void deferred(void)
{
    defers++;
    hrl_work(100);
}
"""
)


@pytest.mark.soak
@pytest.mark.xdist_group("rtl")
def test_a_core_has_servers(tmp_path: Path) -> None:
    path = tmp_path / "system.toml"
    path.write_text(_SERVED, encoding="utf-8")
    (tmp_path / "bodies.c").write_text(_SERVES, encoding="utf-8")
    found = horolog("analyse", path, "--json").object
    bounds = {
        row["name"]: row["bound_ns"] for one in found["cores"] for row in one["analysis"]["tasks"]
    }
    said = horolog("run", path, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    assert [one["horolog"]["deadline_misses"] for one in said.object["cores"]] == [0, 0]
    interrupts = [one["horolog"]["interrupts"] for one in said.object["cores"]]
    assert all(one["predicted"] == one["taken"] + one["coalesced"] for one in interrupts)
    seen = said.object["horolog"]["response"]
    assert {"ask", "polls", "defers"} <= {*seen}
    for name, response in seen.items():
        assert 0 < response["min_ns"] <= response["max_ns"] <= bounds[name], name
    text = _SERVED.replace("jobs = 2", "jobs = 1")
    path.write_text(text, encoding="utf-8")
    late = horolog("run", path, "--out", tmp_path / "out")
    assert late.code == 4, late.err
    assert "not as described" in late.err
