# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mutexes of a description: a thread that waits for one is within its bound, and is blocked by no other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of

_BODIES = """\
#include <hrl/mutex.h>

extern struct hrl_mutex bus;

void high(void);
void mid(void);
void low(void);

static volatile unsigned turns;

static void turn(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        turns++;
    }
}

static void own_bus(unsigned count)
{
    (void)hrl_mutex_lock(&bus, HRL_FOREVER);
    turn(count);
    hrl_mutex_unlock(&bus);
}

void high(void)
{
    turn(200);
    own_bus(300);
}

void mid(void)
{
    turn(30000);
}

void low(void)
{
    own_bus(5000);
}
"""
_DESCRIPTION = """\
[system]
name = "owners"
board = "mps2-an385"
duration = "200 ms"
priorities = "explicit"
sources = ["bodies.c"]
{more}

[[task]]
name = "high"
period = "10 ms"
offset = "100 us"
wcet = "90 us"
body = "high"
priority = 9
waits = false

[[task]]
name = "mid"
period = "20 ms"
offset = "100 us"
wcet = "4.81 ms"
body = "mid"
priority = 5
waits = false

[[task]]
name = "low"
period = "50 ms"
wcet = "815 us"
body = "low"
priority = 1
waits = false

[[resource]]
name = "bus"
tasks = ["high", "low"]
mutex = "{mutex}"
hold = {{ high = "60 us", low = "810 us" }}
"""


def described(folder: Path, mutex: str, more: str = "") -> Path:
    (folder / "bodies.c").write_text(_BODIES, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(mutex=mutex, more=more), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("mutex", "mechanism"),
    [("inheritance", "gcd"), ("inheritance", "one-shot"), ("ceiling", "chronos")],
)
def test_what_waits_for_a_mutex_is_within_its_bound(
    tmp_path: Path, mutex: str, mechanism: str
) -> None:
    path = described(tmp_path, mutex)
    said = horolog("run", path, "--mechanism", mechanism, "--out", tmp_path / "out", "--json")
    assert said.code == 0, said.err
    result = json.loads(said.out)
    assert result["deadlines"]["hold"]
    assert result["deadlines"]["not_covered"] == []
    longest = {name: one["max_ns"] for name, one in result["horolog"]["response"].items()}
    assert longest["high"] > 700_000, (
        "low owns the mutex when high is released, and mid does not run"
    )
    system = read_system(path)
    planned = plan(system, mechanism=mechanism)
    for bound in analysis_of(system, planned.choice, read_prices(system.board)).bounds:
        name = system.tasks[bound.task].name
        assert bound.response is not None
        assert longest[name] <= bound.response * 10**9
        if name == "high":
            assert longest[name] > bound.response * 10**9 * 3 / 4
            assert bound.parts["blocking"] * 10**9 > 810_000


def test_the_checks_of_the_kernel_find_nothing(tmp_path: Path) -> None:
    said = horolog("run", described(tmp_path, "ceiling"), "--checks", "--out", tmp_path / "out")
    assert said.code == 0, said.err


def test_a_thread_that_waits_for_a_mutex_shares_none(tmp_path: Path) -> None:
    path = described(tmp_path, "inheritance", 'share = "auto"')
    text = path.read_text(encoding="utf-8")
    same = text.split("[[task]]")[1].replace('"high"', '"next"', 1).replace('"high"', '"mid"')
    path.write_text(text.replace("[[resource]]", f"[[task]]{same}[[resource]]"), encoding="utf-8")
    by_name = {task.name: task.shares for task in read_system(path).tasks}
    assert by_name == {"high": False, "mid": True, "low": False, "next": True}
