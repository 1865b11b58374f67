# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Tasks that the end of another task's job activates: a thread, a shared one, a basic or a sporadic task."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, horolog

from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of

_DESCRIPTION = """\
[system]
name = "pipe"
board = "{board}"
duration = "140 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "sense"
period = "2 ms"
wcet = "30 us"
body = "sense"
stack = 1_024  # it may report a fault
priority = 5

[[task]]
name = "filter"
activated_by = "task sense"
body = "filter"
stack = 1_024  # it may report a fault
wcet = "30 us"
priority = 9

[[task]]
name = "send"
activated_by = "task filter"
body = "send"
stack = 1_024  # it may report a fault
wcet = "30 us"
priority = 2

[[task]]
name = "store"
activated_by = "task {first}"
body = "store"
stack = 1_024  # it may report a fault
wcet = "30 us"
priority = 3

[[task]]
name = "one"
period = "5 ms"
work = 500
share = "always"
priority = 4

[[task]]
name = "two"
period = "5 ms"
work = 500
share = "always"
priority = 4
{basic}"""
_BASIC = """
[[task]]
name = "tick"
period = "5 ms"
work = 300
kind = "basic"
priority = 12
"""
_BODIES = """\
#include <hrl/hooks.h>

void sense(void);
void filter(void);
void send(void);
void store(void);

static volatile unsigned sensed, filtered, sent;

static void check(int holds)
{
    if (!holds) {
        hrl_assert_hook("out of order", __FILE__, __LINE__);
    }
}

void sense(void)
{
    check(sent == sensed && filtered == sensed);
    sensed++;
}

void filter(void)
{
    check(filtered + 1 == sensed);
    filtered++;
}

void send(void)
{
    check(sent + 1 == filtered);
    sent++;
}

void store(void)
{
}
"""


def bounds_of(path: Path) -> dict[str, Fraction]:
    """In nanoseconds."""
    system = read_system(path)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    return {
        system.all_tasks[one.task].name: (one.response or Fraction(0)) * 10**9
        for one in found.bounds
    }


def longest_jobs(folder: Path, board: str, first: str, basic: str) -> dict[int, int]:
    (folder / "bodies.c").write_text(_BODIES, encoding="utf-8")
    path = folder / "system.toml"
    text = _DESCRIPTION.format(board=board, first=first, basic=basic)
    path.write_text(text, encoding="utf-8")
    said = horolog("run", path, "--json", "--out", folder / "out")
    assert said.code == 0, said.err
    assert said.object["deadlines"]["hold"], said.object["deadlines"]
    measured, bounds = said.object["horolog"]["response"], bounds_of(path)
    assert measured.keys() == bounds.keys()
    for name, response in measured.items():
        assert response["max_ns"] <= bounds[name], name
    counts = (folder / "out" / "horolog.counts").read_text(encoding="ascii").splitlines()
    return {int(row.split()[1]): int(row.split()[2]) for row in counts if "longest " in row}


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(BOARD, marks=pytest.mark.emulator),
        pytest.param("ibex-cells", marks=pytest.mark.emulator),
        "host",
    ],
)
def test_each_job_activates_one(board: str, tmp_path: Path) -> None:
    """sense stops the run if filter or send has had fewer or more jobs; a shared thread activates store."""
    longest = longest_jobs(tmp_path, board, "one", "")
    assert all(longest[task] > 0 for task in range(6)), "each has run"


@pytest.mark.emulator
def test_a_basic_task_activates_a_thread(tmp_path: Path) -> None:
    longest = longest_jobs(tmp_path, BOARD, "tick", _BASIC)
    assert all(longest[task] > 0 for task in range(7)), "each has run"
