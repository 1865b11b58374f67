# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Interrupts taken and coalesced against those predicted, a cell at a time; and their phase.

The clock is the emulator's: an instruction lasts 32 ns, a count 40 ns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor

import pytest
from tests.system.support import (
    BOARD_CELLS,
    Run,
    example,
    made_plan,
    made_system,
    ms,
    one_shot,
    periodic,
    task,
)

from horolog.model import MECHANISMS, Mode, Plan, Releaser, System, Task
from horolog.plan import plan
from horolog.read import read_system

FEW = ("tick", "one-shot", "chronos", "mixed")
"""Mechanisms of chronos in continuous integration; the drone has the others, and `make soak`."""

pytestmark = pytest.mark.emulator

Bench = Callable[[System, Plan], Run]

HZ = 25_000_000
COUNT_NS = 40


def instants(releaser: Releaser, system: System) -> list[int]:
    """The counts of the window at which the releaser's cell interrupts, one after the other.

    For a cooperative one: at which it would, if no partner served it. Written anew from what a mode is:
    shares no code with the planner.
    """
    end = floor(system.duration * HZ)
    if releaser.mode is Mode.PERIODIC:
        assert releaser.cell_period is not None
        return list(range(releaser.first, end, releaser.cell_period))
    due = {
        floor((system.tasks[i].offset + k * system.tasks[i].period) * HZ)
        for i in releaser.tasks
        for k in range(floor(system.duration / system.tasks[i].period) + 2)
    }
    span = 2 ** (system.board.cell(releaser.cell).width - 1)
    found: list[int] = []
    served = 0
    for instant in sorted(due):
        while instant - served > span:
            served += span
            found.append(served)
        served = instant
        found.append(instant)
    return [at for at in found if at < end]


def check(run: Run) -> None:
    """Taken + coalesced are predicted: in all, a cell, and in the figures of the result."""
    partners = {
        at for r in run.plan.releasers if r.mode is Mode.PERIODIC for at in instants(r, run.system)
    }
    expected = {
        r.cell: len(
            [at for at in instants(r, run.system) if not r.cooperates or at not in partners]
        )
        for r in run.plan.releasers
    }
    assert dict(run.plan.prediction.interrupts_by_cell) == expected
    seen = dict.fromkeys(BOARD_CELLS, 0)
    for _, cell in run.times("I"):
        seen[run.system.board.cells[cell].name] += 1
    for index, releaser in enumerate(run.plan.releasers):
        taken = run.findings.taken[run.cell_index(releaser.cell)]
        served = run.findings.served[index]
        if releaser.cooperates:  # what its partners serve of it is served all the same
            assert served == len(instants(releaser, run.system)), releaser.cell
            served = expected[releaser.cell]
        assert served == expected[releaser.cell], releaser.cell
        assert 0 <= taken <= served
        assert taken == seen.pop(releaser.cell), "the trace has another number"
    assert not any(seen.values()), "a cell interrupted that no releaser owns"
    interrupts = run.side.interrupts
    assert interrupts.predicted == sum(expected.values())
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    assert interrupts.coalesced >= 0
    assert interrupts.taken == len(run.times("I"))


def check_jobs(run: Run) -> None:
    """As many jobs as the periods imply, each released at its instant and no later than 25 us after.

    Not early; late by the handlers of the instant, which release up to 12 tasks from four cells.
    """
    for index, one in enumerate(run.system.tasks):
        number = floor((run.system.duration - one.offset) / one.period) + 1
        due = [one.offset + k * one.period for k in range(number)]
        due = [at for at in due if at < run.system.duration]
        seen = [ns for ns, i in run.times("R") if i == index]
        assert len(seen) == len(due)
        for ns, at in zip(seen, due, strict=True):
            assert -3 * COUNT_NS <= ns - floor(at * HZ) * COUNT_NS < 25_000
    assert run.side.jobs == len(run.times("R")) == len(run.times("E"))
    assert run.side.deadline_misses == run.side.overruns == 0


@pytest.mark.xdist_group("chronos")
@pytest.mark.parametrize(
    "mechanism",
    [pytest.param(one, marks=() if one in FEW else pytest.mark.soak) for one in MECHANISMS],
)
def test_chronos_interrupts_as_predicted_whatever_the_mechanism(
    mechanism: str, example_run: Callable[..., Run]
) -> None:
    run = example_run("chronos", mechanism)
    check(run)
    assert run.plan.mechanism == mechanism
    assert run.side.deadline_misses == 0
    used = {cell for cell, _ in run.plan.prediction.interrupts_by_cell}
    if mechanism == "mixed":
        assert len(used) > 1
    else:
        assert used == (set(BOARD_CELLS) if mechanism.startswith("chronos") else {"timer0"})


@pytest.mark.xdist_group("drone")
@pytest.mark.parametrize("mechanism", ["one-shot", "chronos", "gcd"])
def test_the_drone_interrupts_as_predicted(mechanism: str, example_run: Callable[..., Run]) -> None:
    run = example_run("drone", mechanism)
    check(run)
    check_jobs(run)


OFFSETS = [
    task("a", ms(4), offset=ms(1)),
    task("b", ms(6), offset=ms("0.5")),
    task("c", ms(10), offset=ms("7.25")),
    task("d", ms(10), offset=ms(30)),
]


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot", "chronos"])
def test_offsets(mechanism: str, bench: Bench) -> None:
    system = made_system(OFFSETS)
    run = bench(system, plan(system, mechanism=mechanism).choice)
    check(run)
    check_jobs(run)


def test_a_period_that_is_no_whole_number_of_counts(bench: Bench) -> None:
    """1/3 ms is 8333 1/3 counts: only a one-shot cell follows it, and never a count off."""
    system = made_system([task("third", ms("1/3"), work=5), task("whole", ms(1), work=5)])
    run = bench(system, plan(system, mechanism="one-shot").choice)
    check(run)
    check_jobs(run)
    thirds = [ns for ns, index in run.times("R") if index == 0]
    assert len(thirds) == 300
    # The rounding does not add up: the last release is as near its instant as the first.
    for k, ns in enumerate(thirds):
        assert 0 <= ns - Fraction(k * 10**6, 3) + COUNT_NS < 10_000


def test_systick_counts_a_period_that_is_too_long_for_it_in_software(bench: Bench) -> None:
    system = made_system([task("slow", Fraction(1))], cells=["systick"], duration=Fraction(5))
    chosen = plan(system, mechanism="gcd").choice
    (releaser,) = chosen.releasers
    assert (releaser.divider, releaser.cell_period) == (2, HZ // 2)
    run = bench(system, chosen)
    check(run)
    check_jobs(run)
    assert run.side.interrupts.predicted == 10
    assert run.side.jobs == 5


def test_systick_hops_to_an_instant_that_is_too_far_for_it(bench: Bench) -> None:
    """One-shot reaches 2^23 counts, 0.34 s, at a time."""
    system = made_system(
        [task("slow", Fraction(1)), task("slower", Fraction(7, 4))],
        cells=["systick"],
        duration=Fraction(6),
    )
    run = bench(system, plan(system, mechanism="one-shot").choice)
    check(run)
    check_jobs(run)
    assert run.side.interrupts.predicted > 9  # distinct instants alone: 0 1 1.75 2 3 3.5 4 5 5.25


# Each row: releasers by hand. Periods in counts: 2 ms is 50,000.
MIXTURES: dict[str, list[tuple[str, str, tuple[int, ...], int]]] = {
    "two periodic, one one-shot": [
        ("timer0", "periodic", (0,), 50_000),
        ("systick", "periodic", (1, 2), 25_000),
        ("timer1", "one-shot", (3, 4), 0),
    ],
    "one-shot on the dual timer": [
        ("dual0", "one-shot", (0, 3), 0),
        ("timer0", "periodic", (1, 2, 4), 25_000),
    ],
    "all four one-shot": [
        ("timer0", "one-shot", (0,), 0),
        ("timer1", "one-shot", (1,), 0),
        ("dual0", "one-shot", (2,), 0),
        ("systick", "one-shot", (3, 4), 0),
    ],
    "one of each device periodic, the rest one-shot": [
        ("systick", "one-shot", (2, 4), 0),
        ("dual0", "periodic", (0,), 50_000),
        ("timer1", "periodic", (1, 3), 25_000),
    ],
}
MIXED_TASKS = [
    task("two", ms(2), work=40),
    task("three", ms(3), work=60),
    task("five", ms(5), work=100),
    task("seven", ms(7), work=500),
    task("eleven", ms(11), work=2_000),
]


def by_hand(system: System, rows: Sequence[tuple[str, str, tuple[int, ...], int]]) -> Plan:
    releasers = [
        periodic(cell, tasks, counts) if mode == "periodic" else one_shot(cell, tasks)
        for cell, mode, tasks, counts in rows
    ]
    return made_plan(*releasers, interrupts=[len(instants(r, system)) for r in releasers])


@pytest.mark.parametrize("mixture", MIXTURES)
def test_any_mixture_of_modes_over_the_cells(mixture: str, bench: Bench) -> None:
    system = made_system(MIXED_TASKS, duration=ms(500))
    run = bench(system, by_hand(system, MIXTURES[mixture]))
    check(run)
    assert run.side.jobs == 250 + 167 + 100 + 72 + 46
    assert run.side.deadline_misses == run.side.overruns == 0


IN_PHASE_NS = 3 * COUNT_NS + 32
"""Three counts, and an instruction: both entries are seen at the instruction that follows them."""


def phases(run: Run) -> dict[str, list[int]]:
    """For each cell, how many ns late its entries are at instants before which nothing ran.

    t = 0 is the first interrupt's entry. 100 us without an event are enough to be idle: the longest
    way from an event to idle is one wait and one switch.
    """
    nominal = {r.cell: instants(r, run.system) for r in run.plan.releasers}
    assert min(at[0] for at in nominal.values()) == 0  # every releaser's first instant is t = 0
    nth = dict.fromkeys(nominal, 0)
    found: dict[str, list[int]] = {cell: [] for cell in nominal}
    open_jobs, quiet_since = 0, 0
    for ns, kind, index in run.trace:
        if kind == "I":
            cell = run.system.board.cells[index].name
            late = ns - nominal[cell][nth[cell]] * COUNT_NS
            nth[cell] += 1
            if open_jobs == 0 and (ns == 0 or ns - quiet_since > 100_000):
                found[cell].append(late)
        open_jobs += (kind == "S") - (kind == "E")
        quiet_since = ns
    return found


PHASED = {
    "periodic": [
        periodic("timer0", [0], 75_000),  # 3 ms
        periodic("timer1", [1], 125_000),
        periodic("dual0", [2], 175_000),
        periodic("systick", [3], 275_000),
    ],
    "one-shot": [one_shot(cell, [at]) for at, cell in enumerate(BOARD_CELLS)],
    "mixed": [
        one_shot("timer0", [0]),
        periodic("timer1", [1], 125_000),
        one_shot("dual0", [2]),
        periodic("systick", [3], 275_000),
    ],
    "mixed the other way": [
        periodic("timer0", [0], 75_000),
        one_shot("timer1", [1]),
        periodic("dual0", [2], 175_000),
        one_shot("systick", [3]),
    ],
}
PHASED_TASKS: list[Task] = [task(f"t{p}", ms(p), work=10) for p in (3, 5, 7, 11)]


@pytest.mark.parametrize(
    "cells",
    PHASED,
)
def test_all_cells_are_in_phase(cells: str, bench: Bench) -> None:
    """Entries at isolated instants are within 3 counts of their nominal instant after the first."""
    system = made_system(PHASED_TASKS, duration=Fraction(1))
    releasers = PHASED[cells]
    run = bench(
        system, made_plan(*releasers, interrupts=[len(instants(r, system)) for r in releasers])
    )
    check(run)
    assert run.side.interrupts.coalesced == 0  # so that the n-th entry is the n-th instant's
    late = phases(run)
    assert set(late) == set(BOARD_CELLS)
    for cell, found in late.items():
        assert len(found) > 20, cell
        assert min(found) >= -IN_PHASE_NS, cell
        assert max(found) <= IN_PHASE_NS, cell


def test_the_long_run_does_not_drift(bench: Bench) -> None:
    """After 20 s the cells are as near to one another as after one instant."""
    slow = [
        task("a", Fraction(3, 10)),
        task("b", Fraction(1, 2)),
        task("c", Fraction(7, 10)),
        task("d", Fraction(11, 10)),
    ]
    system = made_system(slow, duration=Fraction(20))
    releasers = [
        periodic("timer0", [0], 7_500_000),
        one_shot("timer1", [1]),
        one_shot("dual0", [2]),
        periodic("systick", [3], 27_500_000, divider=2),
    ]
    run = bench(
        system, made_plan(*releasers, interrupts=[len(instants(r, system)) for r in releasers])
    )
    check(run)
    for cell, found in phases(run).items():
        assert max(map(abs, found[-5:])) <= IN_PHASE_NS, cell


def test_examples_use_the_cells_in_the_order_of_the_description() -> None:
    system = read_system(example("chronos"))
    chosen = plan(system, mechanism="chronos").choice
    assert [releaser.cell for releaser in chosen.releasers] == list(BOARD_CELLS)
