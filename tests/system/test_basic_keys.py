# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Described basic tasks with `activations` and `terminates`, dispatched by a controller or the kernel.

The hog is the most urgent task and runs from 0.5 to 3.3 ms (3.1 on RTL). Meanwhile "late" is released at 1, 2
and 3 ms.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST

from horolog.model import HorologError
from horolog.model.result import Side
from horolog.plan import plan
from horolog.read import read_system
from horolog.run import measure_plan

pytestmark = pytest.mark.emulator

_DESCRIPTION = """\
[system]
name = "keys"
board = "{board}"
duration = "30 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "hog"
period = "30 ms"
offset = "0.5 ms"
work = 43_750
kind = "basic"
priority = 5

[[task]]
name = "late"
period = "1 ms"
work = 100
kind = "basic"
priority = 4
activations = {activations}

[[task]]
name = "ends"
period = "1 ms"
offset = "3.5 ms"
wcet = "10 us"
body = "ends"
kind = "basic"
priority = 3
terminates = true

[[task]]
name = "chains"
period = "2 ms"
offset = "3.5 ms"
wcet = "10 us"
body = "chains"
kind = "basic"
priority = 2
terminates = true

[[task]]
name = "chained"
period = "1 s"
offset = "1 s"
wcet = "10 us"
body = "chained"
kind = "basic"
priority = 1
activations = 2

[[task]]
name = "check"
period = "1 s"
offset = "29.9 ms"
wcet = "10 us"
body = "check"
kind = "basic"
priority = 1
"""
_BODIES = """\
#include <hrl/basic.h>
#include <hrl/hooks.h>

static uint32_t ended, chained_after;

static __attribute__((noinline)) void deeper(void)
{
    ended++;
    hrl_basic_terminate();
}

static __attribute__((noinline)) void deep(void)
{
    deeper();
    hrl_assert_hook("behind the end", __FILE__, __LINE__);
}

void ends(void);
void ends(void)
{
    deep();
}

void chains(void);
void chains(void)
{
    (void)hrl_basic_chain(&hrl_gen_basic[4]);
    hrl_assert_hook("behind the chain", __FILE__, __LINE__);
}

void chained(void);
void chained(void)
{
    chained_after++;
}

void check(void);
void check(void)
{
    if (hrl_basic_overruns(&hrl_gen_basic[1]) != %du) {
        hrl_assert_hook("wrong overruns", __FILE__, __LINE__);
    }
    if (ended != 27u || chained_after != 14u) {
        hrl_assert_hook("wrong counts", __FILE__, __LINE__);
    }
}
"""


def measured(folder: Path, board: str, activations: int, overruns: int) -> Side:
    """The system with that limit, whose last task wants that many overruns of "late"."""
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, activations=activations), encoding="utf-8")
    (folder / "bodies.c").write_text(_BODIES % overruns, encoding="utf-8")
    system = read_system(path)
    return measure_plan(system, plan(system).choice, folder / "out")


@pytest.mark.parametrize(  # 10 s each on the RTL board, which runs what the other board of its port runs
    "board",
    [BOARD, pytest.param("ibex-cells", marks=pytest.mark.soak), HOST, "qemu-virt-rv32"],
)
@pytest.mark.parametrize(
    ("activations", "answered", "misses"),
    [
        pytest.param(1, 28, 1, id="one"),  # that at 1 ms waits, the others find it unfinished
        pytest.param(2, 29, 2, id="two"),  # that at 2 ms runs late
        pytest.param(3, 30, 2, id="three"),  # and that at 3 ms, in time
    ],
)
def test_releases_wait_up_to_the_limit(
    board: str, activations: int, answered: int, misses: int, tmp_path: Path
) -> None:
    side = measured(tmp_path, board, activations, overruns=2)
    assert side.jobs == 1 + answered + 27 + 14 + 0 + 1
    assert (side.overruns, side.deadline_misses) == (2, misses)


def test_wrong_counts_would_be_seen(tmp_path: Path) -> None:
    with pytest.raises(HorologError, match="wrong overruns"):
        measured(tmp_path, BOARD, 2, 3)


_OWN = """\
[system]
name = "own"
board = "{board}"
duration = "10 ms"
sources = ["bodies.c"]

[[task]]
name = "own"
period = "1 ms"
work = 10
kind = "basic"

[[task]]
name = "asks"
period = "2 ms"
wcet = "10 us"
body = "asks"
kind = "basic"
terminates = true
"""
_ASKS = """\
#include <hrl/basic.h>
#include <hrl/hooks.h>

static uint32_t asked;

void asks(void);
void asks(void)
{
    asked += 2;
    if (hrl_basic_activate(&hrl_gen_basic[0]) != HRL_FULL ||
        hrl_basic_chain(&hrl_gen_basic[0]) != HRL_FULL ||
        hrl_basic_overruns(&hrl_gen_basic[0]) != asked) {
        hrl_assert_hook("room for a cell's own", __FILE__, __LINE__);
    }
}
"""


@pytest.mark.parametrize("board", [BOARD, "ibex-cells"])
def test_only_its_cell_releases_a_task_that_is_its_interrupt(board: str, tmp_path: Path) -> None:
    """Without checks, which would stop it, others find it full: no line is raised in its place."""
    path = tmp_path / "system.toml"
    path.write_text(_OWN.format(board=board), encoding="utf-8")
    (tmp_path / "bodies.c").write_text(_ASKS, encoding="utf-8")
    system = read_system(path)
    side = measure_plan(system, plan(system, mechanism="sloth").choice, tmp_path / "out")
    assert side.jobs == 10 + 5


_PREEMPTS = """\
[system]
name = "preempts"
board = "{board}"
duration = "20 ms"
priorities = "explicit"
sources = ["bodies.c"]

[[task]]
name = "long"
period = "20 ms"
work = 20_000
kind = "basic"
priority = 1

[[task]]
name = "short"
period = "200 us"
wcet = "45 us"
body = "preempts"
kind = "basic"
priority = 2
terminates = true
"""
_PREEMPTING = """\
#include <hrl/basic.h>

static uint32_t jobs;

void preempts(void);
void preempts(void)
{
    jobs++;
    if ((jobs & 1u) < %du) {
        hrl_basic_terminate();
    }
}
"""


def test_a_job_has_all_its_instructions_however_those_that_preempt_it_end(tmp_path: Path) -> None:
    """The return of a job that ends early is never executed."""
    longest = set()
    for ending in (0, 1):  # no job ends early, or every other one
        folder = tmp_path / str(ending)
        folder.mkdir()
        path = folder / "system.toml"
        path.write_text(_PREEMPTS.format(board=BOARD), encoding="utf-8")
        (folder / "bodies.c").write_text(_PREEMPTING % ending, encoding="utf-8")
        system = read_system(path)
        measure_plan(system, plan(system).choice, folder / "out")
        counts = (folder / "out" / "horolog.counts").read_text(encoding="ascii").splitlines()
        longest |= {line for line in counts if line.startswith("longest 0 ")}
    assert len(longest) == 1
