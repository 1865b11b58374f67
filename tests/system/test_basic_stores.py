# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Basic tasks that no mask table can hold: every store of groups releases what arithmetic says.

Every interrupt is foretold, every job runs, and the planner's choice serves every system that is legal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.support.untidy_systems import untidy_system
from tests.system.support import HOST, Run, made_system, measured, ms, task

from horolog.analyse import jobs_in
from horolog.model import QUEUES, Kind, Overrun, Plan, PriorityRule, System
from horolog.plan import plan

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("basic-stores")]

Bench = Callable[[System, Plan], Run]


def check(run: Run) -> None:
    """All jobs ran in time, and each interrupt was foretold."""
    assert run.side.jobs == sum(jobs_in(run.system))
    assert (run.side.deadline_misses, run.side.overruns) == (0, 0)
    interrupts = run.side.interrupts
    assert interrupts.excess == 0
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted


def tidy(*groups: tuple[int, int, int]) -> System:
    """Basic tasks as (period in ms, offset in ms, how many), on two cells, over 200 ms."""
    rows = [
        replace(task(f"t{at}.{number}", ms(period), offset=ms(offset)), kind=Kind.BASIC)
        for at, (period, offset, many) in enumerate(groups)
        for number in range(many)
    ]
    return made_system(rows, cells=("timer0", "timer1"), duration=ms(200), name="grouped")


def test_an_untidy_system_runs_by_the_planners_choice(bench: Bench) -> None:
    system = untidy_system(1)
    check(bench(system, plan(system).choice))


@pytest.mark.parametrize(
    ("mechanism", "store"),
    [
        ("gcd", "harmonic-array"),
        ("gcd", "sorted-list"),
        ("gcd", "period-groups"),
        ("one-shot", "period-groups"),
        ("one-shot", "calendar"),
    ],
)
def test_a_named_store_runs_on_either_cell(mechanism: str, store: str, bench: Bench) -> None:
    """Simultaneous releases, offsets beyond the first period, and more tasks than lines."""
    system = tidy((2, 0, 9), (4, 7, 9), (8, 1, 10), (5, 3, 6))
    check(bench(system, plan(system, mechanism=mechanism, queue=store).choice))


@pytest.mark.soak
@pytest.mark.parametrize("store", QUEUES)
@pytest.mark.parametrize("seed", [3, 5])
def test_every_delay_queue_serves_every_system(seed: int, store: str, bench: Bench) -> None:
    system = untidy_system(seed)
    check(bench(system, plan(system, mechanism="one-shot", queue=store).choice))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 144))
def test_no_untidy_system_is_refused(seed: int, bench: Bench) -> None:
    system = untidy_system(seed)
    check(bench(system, plan(system).choice))


def test_where_threads_serve_basic_tasks_the_same_runs(tmp_path: Path) -> None:
    system = untidy_system(5, board=HOST)
    check(measured(system, plan(system).choice, tmp_path))


@pytest.mark.parametrize("served", [False, True])
def test_threads_beside_have_queues_of_their_own(served: bool, bench: Bench) -> None:
    """Of the same kind. `served`: threads have priorities among the basic tasks, which servers run then."""
    of = untidy_system(4)
    rows = [
        replace(row, kind=Kind.THREAD if at % 3 == 2 else Kind.BASIC, priority=1 + at % 8)
        for at, row in enumerate(of.tasks)
    ]
    rule = PriorityRule.EXPLICIT if served else PriorityRule.RATE_MONOTONIC
    system = replace(of, tasks=tuple(rows), priorities=rule)
    check(bench(system, plan(system, mechanism="one-shot").choice))


def test_a_narrow_cell_hops_to_long_periods(bench: Bench) -> None:
    """SysTick is armed 2^23 counts ahead at most, a third of a second."""
    rows = [
        replace(task(name, period, offset=offset), kind=Kind.BASIC)
        for name, period, offset in (
            ("long", Fraction(7, 9), Fraction(1, 3)),
            ("longer", Fraction(11, 13), Fraction(2, 3)),
        )
    ]
    system = made_system(rows, cells=("systick",), duration=Fraction(3), name="narrow")
    chosen = plan(system, mechanism="one-shot", queue="sorted-list").choice
    run = bench(system, chosen)
    check(run)
    assert run.side.interrupts.taken > run.side.jobs


@pytest.mark.parametrize("overrun", [Overrun.SKIP, Overrun.QUEUE])
def test_a_late_task_overruns_as_with_a_table(overrun: Overrun, bench: Bench) -> None:
    """One job of each second lasts for three of the other's periods; the same count of both stores."""
    rows = [
        replace(task("fast", ms(3), work=100, overrun=overrun), kind=Kind.BASIC, priority=1),
        replace(task("slow", ms(30), work=130_000), kind=Kind.BASIC, priority=2),
    ]
    system = made_system(rows, cells=("timer0",), duration=ms(90), name="late")
    system = replace(system, priorities=PriorityRule.EXPLICIT)
    sides = [
        bench(system, plan(system, mechanism="one-shot", queue=store).choice).side
        for store in ("mask-table", "sorted-list")
    ]
    assert [one.overruns for one in sides] == [sides[0].overruns] * 2
    assert sides[0].overruns > 3
    assert sides[0].jobs == sides[1].jobs
    for one in sides:
        assert one.interrupts.taken + one.interrupts.coalesced == one.interrupts.predicted
