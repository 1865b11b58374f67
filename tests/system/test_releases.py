# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Cells request their interrupts at the very count: short parts of `horolog bench releases`."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import Mode
from horolog_experiments.releases.boards import target
from horolog_experiments.releases.cases import BENCHES, Case, cases
from horolog_experiments.releases.measure import measure_case
from horolog_experiments.releases.plans import Line

pytestmark = pytest.mark.emulator

_MARKS = {
    "pico": pytest.mark.rp2040js,
    "pico2": pytest.mark.stm32,
    "nucleo-f446re": pytest.mark.stm32,
    "STM32F103CB": pytest.mark.stm32,
    "STM32G0B1RE": pytest.mark.stm32,
}
_ORDINARY = ("mps2-an385", "nucleo-f446re")


def _of(name: str) -> list[pytest.MarkDecorator]:
    marks = [_MARKS[name]] if name in _MARKS else []
    return marks if name in _ORDINARY else [*marks, pytest.mark.soak]


@pytest.mark.parametrize("name", [pytest.param(one.name, marks=_of(one.name)) for one in BENCHES])
def test_each_cell_requests_at_its_instants(name: str, tmp_path: Path) -> None:
    """Fractions of a count and simultaneous instants; where it is a soak, the shortest intervals, too."""
    bench = next(one for one in BENCHES if one.name == name)
    of = target(bench.make(tmp_path / "board"))
    tried = [one for one in cases(bench, of.board, quick=True) if not one.name.startswith("spread")]
    if name in _ORDINARY:
        tried = [one for one in tried if one.name.startswith("odd")]
    rows = [row for one in tried for row in measure_case(name, of, one, tmp_path / "run")]
    assert sum(row.releases for row in rows) > 100
    assert [row for row in rows if row.off or row.late] == []
    modes = {mode for cell in of.board.cells if not cell.prescalers for mode in cell.modes}
    assert {row.mode for row in rows} == {mode.value for mode in modes}


FIRSTS = (130_000, 130_001, 60_003)
PERIOD, END = 60_000, 400_000


@pytest.mark.stm32
@pytest.mark.parametrize(
    "name", [pytest.param("nucleo-f446re", marks=pytest.mark.soak), "STM32F103CB"]
)
def test_a_first_interval_longer_than_16_bits_ends_at_its_count(name: str, tmp_path: Path) -> None:
    """It is counted by a prescaler. Clocks of 32 bits and of two timers, odd distances and an even one."""
    bench = next(one for one in BENCHES if one.name == name)
    of = target(bench.make(tmp_path / "board"))
    hz = of.board.clock.hz
    (cell, *_) = (one for one in of.board.cells if one.width == 16 and Mode.PERIODIC in one.modes)
    for first in FIRSTS:
        line = Line(cell.name, Mode.PERIODIC, Fraction(PERIOD, hz), (Fraction(first, hz),))
        case = Case("far", (line,), Fraction(END, hz))
        (row,) = measure_case(name, of, case, tmp_path / "run")
        assert (row.releases, row.off) == (len(range(first, END, PERIOD)), 0)
