# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""An interrupt of the description: attached, enabled, measured; and every response is within its bound.

A task raises the line, as nothing on the boards does. Without the interrupt in the analysis, responses are
above the bounds: so what the test compares depends on it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, horolog

from horolog.model import Kind, System
from horolog.plan import plan, read_prices
from horolog.read import read_system
from horolog.responses import analysis_of
from horolog.run import measure_plan

_DESCRIPTION = """\
[system]
name = "bytes"
board = "{board}"
duration = "{duration}"
sources = ["bodies.c"]

[[task]]
name = "talk"
period = "2 ms"
offset = "700 us"
wcet = "20 us"
body = "talk"

[[task]]
name = "control"
period = "5 ms"
work = 12_000

[[task]]
name = "slow"
period = "14 ms"
work = 30_000

[[interrupt]]
name = "received"
line = {line}
priority = {priority}
min_gap = "1900 us"
handler = "on_byte"
wcet = "{wcet}"
"""
_BODIES = """\
#include <hrl/interrupt.h>

void talk(void);
void on_byte(void);

volatile unsigned bytes;

void talk(void)
{
    (void)hrl_interrupt_raise(%(line)su);
}

void on_byte(void)
{
    for (unsigned i = 0; i < %(turns)s; i++) {
        bytes += i;
    }
}
"""


def described(folder: Path, board: str, line: int, **more: str) -> Path:
    given = {"duration": "280 ms", "priority": "2", "wcet": "400 us", "turns": "1500"} | more
    (folder / "bodies.c").write_text(
        _BODIES % {"line": line, "turns": given.pop("turns")}, encoding="utf-8"
    )
    path = folder / "system.toml"
    path.write_text(_DESCRIPTION.format(board=board, line=line, **given), encoding="utf-8")
    return path


def longest(system: System, folder: Path) -> list[Fraction]:
    """The longest response of each task in ns, of a run without overruns."""
    side = measure_plan(system, plan(system).choice, folder)
    assert side.deadline_misses == side.overruns == 0
    return [side.response[task.name].max_ns for task in system.tasks]


@pytest.mark.parametrize(
    ("board", "line", "kind", "priority"),
    [
        pytest.param(BOARD, 24, Kind.THREAD, "1", marks=pytest.mark.emulator),
        pytest.param(BOARD, 24, Kind.THREAD, "7", marks=[pytest.mark.emulator, pytest.mark.soak]),
        pytest.param(BOARD, 24, Kind.BASIC, "3", marks=pytest.mark.emulator),
        pytest.param(
            "ibex-cells", 30, Kind.THREAD, "2", marks=[pytest.mark.emulator, pytest.mark.soak]
        ),
        pytest.param("host", 9, Kind.THREAD, "2"),
        pytest.param("host", 9, Kind.BASIC, "2"),
    ],
)
def test_responses_are_within_bounds_that_have_the_interrupt(
    board: str, line: int, kind: Kind, priority: str, tmp_path: Path
) -> None:
    path = described(tmp_path, board, line, priority=priority)
    system = read_system(path, kind=kind)
    seen = longest(system, tmp_path / "out")
    chosen, prices = plan(system).choice, read_prices(system.board)
    bounds = analysis_of(system, chosen, prices).bounds
    for worst, bound in zip(seen, bounds, strict=True):
        assert bound.response is not None
        assert 0 < worst <= bound.response * 10**9
    deaf = analysis_of(replace(system, interrupts=()), chosen, prices).bounds
    assert any(worst > (one.response or 0) * 10**9 for worst, one in zip(seen, deaf, strict=True))


@pytest.mark.emulator
def test_a_handler_that_runs_longer_than_its_wcet_is_told(tmp_path: Path) -> None:
    path = described(tmp_path, BOARD, 24, wcet="100 us")
    said = horolog("run", path, "--out", tmp_path / "run")
    assert said.code == 1
    assert 'the handler of the interrupt "received" ran longer than its wcet' in said.err
    assert "executed by on_byte in one interrupt" in said.err
    assert f"{path}:24:1" in said.err
    within = described(tmp_path, BOARD, 24)
    assert horolog("run", within, "--out", tmp_path / "run").code == 0
