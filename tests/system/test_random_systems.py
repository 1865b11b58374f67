# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Random systems on the board: every mechanism releases what arithmetic says, at its instant.

The model is plain: task i is released at offset + k * period, below the duration. Exact to the count, with
overruns and every race, the kernel's own suite does this on the host (tests/conform/release); here it is the
generated system, whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import ceil
from random import Random

import pytest
from tests.system.support import (
    BOARD,
    BOARD_CELLS,
    Run,
    made_plan,
    made_system,
    ms,
    one_shot,
    periodic,
    task,
)

from horolog.model import Plan, System, Task
from horolog.plan import plan

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

PERIODS_MS = (1, 2, 4, 5, 8, 10, 20)
SYSTEMS = 2
EARLY_NS, LATE_NS = (
    200,
    100_000,
)  # the cells' phase; the handler, and those of other cells before it
BUILDS = [
    ("tick", "unsorted-list"),
    ("gcd", "harmonic-array"),
    ("one-shot", "mask-table"),
    ("one-shot", "period-groups"),
    ("chronos", "mask-table"),
    ("chronos", "period-groups"),
    ("chronos-const", None),
    ("chronos-harmonic", None),
]


def random_system(seed: int) -> System:
    """Six to ten tasks, some of one period and offset, some with an offset longer than the period."""
    random = Random(seed)
    tasks: list[Task] = []
    for number in range(random.randint(6, 10)):
        period, offset = ms(random.choice(PERIODS_MS)), ms(random.randint(0, 6))
        if tasks and random.random() < 0.3:
            period, offset = tasks[-1].period, tasks[-1].offset
        tasks.append(task(f"t{number}", period, offset=offset, work=random.randint(5, 60)))
    return made_system(tasks, cells=BOARD_CELLS, duration=ms(50), name=f"random{seed}")


def expected(system: System) -> dict[Fraction, list[int]]:
    """Each release instant, and the tasks released there."""
    found: dict[Fraction, list[int]] = defaultdict(list)
    for index, one in enumerate(system.tasks):
        at = one.offset
        while at < system.duration:
            found[at].append(index)
            at += one.period
    return dict(sorted(found.items()))


def check(run: Run) -> None:
    """The run released what is expected, in time."""
    seen: dict[Fraction, list[int]] = defaultdict(list)
    number = [0] * len(run.system.tasks)
    for ns, index in run.times("R"):
        one = run.system.tasks[index]
        nominal = one.offset + number[index] * one.period
        number[index] += 1
        seen[nominal].append(index)
        assert -EARLY_NS <= ns - nominal * 10**9 <= LATE_NS, f"{one.name} at {ns} ns"
    assert list(seen) == list(expected(run.system))  # instants in order, none twice
    assert {at: sorted(tasks) for at, tasks in seen.items()} == expected(run.system)
    assert run.side.overruns == run.side.deadline_misses == 0
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted


@pytest.mark.parametrize("seed", range(SYSTEMS))
@pytest.mark.parametrize(("mechanism", "queue"), BUILDS)
def test_releases_are_those_of_arithmetic(
    mechanism: str, queue: str | None, seed: int, bench: Bench
) -> None:
    system = random_system(seed)
    assert system.board.name == BOARD
    check(bench(system, plan(system, mechanism=mechanism, queue=queue).choice))


@pytest.mark.parametrize("seed", range(SYSTEMS))
@pytest.mark.parametrize("store", ["sorted-list", "period-groups", "mask-table"])
def test_a_cooperative_cell_interrupts_where_its_partner_does_not(
    store: str, seed: int, bench: Bench
) -> None:
    """Made by hand: what lies on a grid of 2 ms on a periodic cell, the rest beside it."""
    system = random_system(10 + seed)
    grid = ms(2)
    on = [
        i for i, one in enumerate(system.tasks) if not one.period % grid and not one.offset % grid
    ]
    beside = [i for i in range(len(system.tasks)) if i not in on]
    assert on
    assert beside
    own = {
        at
        for at, tasks in expected(system).items()
        if at % grid and not set(tasks).isdisjoint(beside)
    }
    cooperative = replace(one_shot("timer1", beside), cooperates=True, store=store)
    by = made_plan(
        periodic("timer0", on, 50_000), cooperative, interrupts=[ceil(ms(50) / grid), len(own)]
    )
    run = bench(system, by)
    check(run)
    number = run.cell_index("timer1")
    assert len([index for index in run.order("I") if index == number]) == len(own)
