# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Periods that are no whole number of counts, on periodic cells: on the host and on a board.

The clock is virtual on the host, and emulated on the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.system.support import BOARD, HOST, Run, made_system, ms, task

from horolog.model import Kind, Plan, System
from horolog.plan import plan

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

TASKS = (
    ("third", "1/3", "0"),
    ("two-thirds", "2/3", "0"),
    ("near", "1.1", "0"),
    ("late", "7", "1/700"),
)


def system_on(board: str, kind: Kind) -> System:
    made = [task(name, ms(period), offset=ms(offset), work=100) for name, period, offset in TASKS]
    return made_system(
        [replace(one, kind=kind) for one in made], board=board, duration=Fraction(1, 2)
    )


@pytest.mark.parametrize("kind", [Kind.THREAD, Kind.BASIC], ids=lambda kind: kind.value)
@pytest.mark.parametrize("mechanism", ["chronos", "mixed"])
@pytest.mark.parametrize("board", [HOST, BOARD])
def test_interrupts_are_those_predicted_and_releases_are_on_the_count(
    board: str, mechanism: str, kind: Kind, bench: Bench
) -> None:
    system = system_on(board, kind)
    chosen = plan(system, mechanism=mechanism).choice
    run = bench(system, chosen)
    found = run.side.interrupts
    assert found is not None
    assert (found.taken + found.coalesced, found.excess) == (found.predicted, 0)
    assert (run.side.overruns, run.side.deadline_misses) == (0, 0)
    assert run.side.jobs == 1500 + 750 + 455 + 72
    if mechanism == "chronos":
        assert any(releaser.part == Fraction(1, 3) for releaser in chosen.releasers)


@pytest.mark.parametrize("store", ["sorted-list", "mask-table", "period-groups", "harmonic-array"])
@pytest.mark.parametrize("cell", ["timer0", "dual0", "systick"])
def test_every_device_and_store_serves_them(cell: str, store: str, bench: Bench) -> None:
    made = [task("third", ms("1/3")), task("two-thirds", ms("2/3"), offset=ms("1/3"))]
    system = made_system(made, cells=[cell], duration=Fraction(1, 10))
    run = bench(system, plan(system, mechanism="gcd", queue=store).choice)
    assert run.side.interrupts is not None
    assert (run.side.interrupts.predicted, run.side.interrupts.taken) == (300, 300)
    assert run.side.jobs == 450
    response = run.side.response["third"]
    assert response.max_ns - response.min_ns < 3000  # no release is late as the cell drifts


@pytest.mark.parametrize("kind", [Kind.THREAD, Kind.BASIC], ids=lambda kind: kind.value)
def test_the_plan_knows_whether_they_cost_less_than_a_one_shot_cell(
    kind: Kind, bench: Bench
) -> None:
    """As threads they do not since a one-shot cell has its straight path (docs/adr/0018)."""
    system = system_on(BOARD, kind)
    kernel, predicted = {}, {}
    for mechanism in ("chronos", "one-shot"):
        chosen = plan(system, mechanism=mechanism).choice
        instructions = bench(system, chosen).side.instructions
        assert instructions is not None
        kernel[mechanism] = instructions.kernel
        predicted[mechanism] = chosen.prediction.kernel_instructions
        off = abs(predicted[mechanism] - instructions.kernel)
        assert off < instructions.kernel * Fraction(5, 100)
    saves = kernel["chronos"] < kernel["one-shot"]
    assert saves == (predicted["chronos"] < predicted["one-shot"])
    assert saves == (kind is Kind.BASIC)
    if saves:
        assert kernel["chronos"] < kernel["one-shot"] * Fraction(98, 100)
