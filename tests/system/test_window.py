# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""One window for what is predicted and what is measured: the instants before its end, to the count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import BOARD, HOST, Run, made_system, ms, task

from horolog.analyse import jobs_in
from horolog.model import Kind, Plan, System
from horolog.plan import NOTHING, plan
from horolog.run.pipeline import measure_baseline

Bench = Callable[[System, Plan], Run]

WAYS = [
    ("one-shot", Kind.THREAD),
    ("chronos", Kind.THREAD),
    ("one-shot", Kind.BASIC),
    ("sloth", Kind.BASIC),
]
COUNT = Fraction(1, 25_000_000)


def system_of(board: str, kind: Kind, before: int) -> System:
    """Two tasks: one has an instant at the window's end, and one so many counts before that."""
    rows = [
        task("a", ms(10), work=10),
        task("b", ms(10), offset=(ms(10) - before * COUNT) % ms(10), work=10),
    ]
    return made_system([replace(row, kind=kind) for row in rows], board=board, duration=ms(20))


def check(system: System, mechanism: str, apart: bool, bench: Bench) -> None:
    run = bench(system, plan(system, mechanism=mechanism, prices=NOTHING).choice)
    interrupts = run.side.interrupts
    assert interrupts.predicted == run.plan.prediction.interrupts == (4 if apart else 2)
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted

    assert run.side.jobs == sum(jobs_in(system)) == 4
    # All of them have been done; the release at the end, too, if it came before the system was idle.
    for kind in "SE":
        assert run.order(kind).count(1) == 2
        assert run.order(kind).count(0) in (2, 3)
    assert interrupts.excess == 0
    assert run.side.deadline_misses == run.side.overruns == 0


@pytest.mark.emulator
@pytest.mark.parametrize("before", [20, 5, 3, 2, 1])
@pytest.mark.parametrize(("mechanism", "kind"), WAYS)
def test_an_instant_just_before_the_windows_end_is_inside(
    mechanism: str, kind: Kind, before: int, bench: Bench
) -> None:
    check(system_of(BOARD, kind, before), mechanism, True, bench)


@pytest.mark.parametrize("before", [3, 1])
@pytest.mark.parametrize(("mechanism", "kind"), WAYS)
def test_the_same_on_the_host(mechanism: str, kind: Kind, before: int, bench: Bench) -> None:
    check(system_of(HOST, kind, before), mechanism, True, bench)


@pytest.mark.parametrize("board", [HOST, pytest.param(BOARD, marks=pytest.mark.emulator)])
@pytest.mark.parametrize("kind", [Kind.THREAD, Kind.BASIC])
def test_an_instant_at_the_windows_end_is_outside(board: str, kind: Kind, bench: Bench) -> None:
    check(system_of(board, kind, 0), "one-shot", False, bench)


@pytest.mark.emulator
@pytest.mark.parametrize(("over", "ticks"), [(0, 20), (1, 21), (3, 21), (12_500, 21)])
def test_ticks_just_before_the_windows_end_are_inside(
    over: int, ticks: int, freertos: Path, tmp_path: Path
) -> None:
    tasks = [task("a", ms(5), work=10)]
    system = made_system(tasks, duration=ms(20) + over * COUNT)
    by = plan(system, mechanism="tick", prices=NOTHING).choice
    interrupts = measure_baseline(system, by, freertos, tmp_path).interrupts
    assert interrupts.taken == interrupts.predicted == ticks
    assert interrupts.excess == 0
