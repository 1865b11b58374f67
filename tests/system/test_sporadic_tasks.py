# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Sporadic tasks: one activated by an interrupt, one by the application; each end comes within its bound.

Activations by the application are not seen from outside, so the bodies measure responses, too, and stop the
run at one too long.
"""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest
from tests.system.support import BOARD, horolog

from horolog.model import System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of

_DESCRIPTION = """\
[system]
name = "parse"
board = "{board}"
duration = "140 ms"
priorities = "explicit"
sources = ["bodies.c"]
start = "begin"

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"
priority = 3

[[task]]
name = "urgent"
period = "1 ms"
work = 3000
priority = 9

[[task]]
name = "decode"
min_gap = "1900 us"
activated_by = "interrupt received"
body = "decode"
stack = 1_024  # it may report a fault
wcet = "300 us"
priority = 5

[[task]]
name = "keep"
min_gap = "7 ms"
body = "keep"
stack = 1_024  # it may report a fault
wcet = "100 us"
priority = 1

[[interrupt]]
name = "received"
line = {line}
priority = 2
min_gap = "1900 us"
handler = "on_byte"
wcet = "100 us"
"""
_BODIES = """\
#include <hrl/hooks.h>
#include <hrl/interrupt.h>
#include <hrl/semaphore.h>
#include <hrl/time.h>

extern struct hrl_semaphore activate_keep;

void begin(void);
void talk(void);
void on_byte(void);
void decode(void);
void keep(void);

static hrl_counts raised, given;
static volatile unsigned bytes, kept;

void begin(void)
{
    bytes = 0;
}

void talk(void)
{
    raised = hrl_now();
    (void)hrl_interrupt_raise(%(line)su);
}

void on_byte(void)
{
    for (unsigned i = 0; i < 200; i++) {
        bytes += i;
    }
}

static void check(hrl_counts since, hrl_counts most)
{
    if (hrl_now() - since > most) {
        hrl_assert_hook("later than its bound", __FILE__, __LINE__);
    }
}

void decode(void)
{
    static unsigned number;

    for (unsigned i = 0; i < 800; i++) {
        bytes += i;
    }
    check(raised, %(decode)su);
    if (++number %% 4 == 0) {
        given = hrl_now();
        (void)hrl_semaphore_give(&activate_keep);
    }
}

void keep(void)
{
    for (unsigned i = 0; i < 100; i++) {
        kept += i;
    }
    check(given, %(keep)su);
}
"""


def described(folder: Path, board: str, line: int, **most: int) -> Path:
    text = _BODIES % ({"line": line, "decode": 10**9, "keep": 10**9} | most)
    (folder / "bodies.c").write_text(text, encoding="utf-8")
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, line=line), encoding="utf-8")
    return path


def bounds(system: System) -> dict[str, int]:
    """In counts, of the sporadic tasks."""
    chosen, prices = plan(system).choice, read_prices(system.board)
    found = {}
    for one in analysis_of(system, chosen, prices).bounds:
        assert one.response is not None
        assert one.holds
        found[system.all_tasks[one.task].name] = ceil(one.response * system.board.clock.hz)
    return {name: found[name] for name in ("decode", "keep")}


@pytest.mark.parametrize(
    ("board", "line"),
    [
        pytest.param(BOARD, 24, marks=pytest.mark.emulator),
        pytest.param("ibex-cells", 30, marks=pytest.mark.emulator),
        ("host", 9),
    ],
)
def test_every_activation_ends_within_its_bound(board: str, line: int, tmp_path: Path) -> None:
    most = bounds(read_system(described(tmp_path, board, line)))
    path = described(tmp_path, board, line, **most)
    said = horolog("run", path, "--json", "--out", tmp_path / "out")
    assert said.code == 0, said.err
    result = said.object
    assert result["horolog"]["jobs"] == 210, "of the tasks that time releases"
    (note,) = (one for one in result["notes"] if "are not measured" in one)
    seen = ["decode"] * (board != "host")
    assert note.startswith("responses of keep" if seen else "responses of decode, keep")
    clock = read_system(path).board.clock.hz
    for name in seen:
        response = result["horolog"]["response"][name]
        assert 0 < response["min_ns"] <= response["max_ns"] <= most[name] * 10**9 / clock
    counts = (tmp_path / "out" / "horolog.counts").read_text(encoding="ascii").splitlines()
    longest = {row.split()[1]: int(row.split()[2]) for row in counts if row.startswith("longest ")}
    assert longest["3"] > 0, "decode ran"
    assert longest["4"] > 0, "so did keep"
    fifth = {name: bound // 5 for name, bound in most.items()}
    late = horolog("run", described(tmp_path, board, line, **fifth), "--out", tmp_path / "out")
    assert late.code == 4
    assert "later than its bound" in late.err


@pytest.mark.emulator
def test_no_other_kernel_runs_them(tmp_path: Path) -> None:
    path = described(tmp_path, BOARD, 24)
    said = horolog("compare", path, "--json", "--out", tmp_path / "out")
    assert said.code == 0
    assert said.object["freertos"] is None
    assert "which FreeRTOS does not have" in said.object["ratio_refused"]
