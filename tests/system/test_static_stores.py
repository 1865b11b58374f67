# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Stores for periodic tasks inside the running kernel: what a sorted list releases, they release.

Within an instant they have another order. A list releases first the task that began to wait first; an
array level by level; masks level of priority by level, and in it the most urgent first. So instants are
compared as sets, and the order of starts where it follows from the levels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.system.support import (
    BOARD,
    HOST,
    Run,
    example,
    made_plan,
    made_system,
    measured,
    ms,
    one_shot,
    periodic,
    task,
)

from horolog.analyse import count_instant, jobs_in, mask_places, threads_apart, wakes, window_counts
from horolog.analyse import streams as streams_of
from horolog.model import MASK_STORES, STATIC_STORES, Mode, Overrun, Plan, Releaser, System
from horolog.plan import plan
from horolog.read import read_system

pytestmark = [pytest.mark.emulator, pytest.mark.xdist_group("static-stores")]

Bench = Callable[[System, Plan], Run]
RV32 = "qemu-virt-rv32"
ARRAYS = ("unsorted-list", "harmonic-array")
PERIODIC = (*ARRAYS, *MASK_STORES)


def with_store(by: Plan, *stores: str) -> Plan:
    """The plan with another store for each releaser, or one for all."""
    each = stores if len(stores) > 1 else stores * len(by.releasers)
    releasers = tuple(replace(r, store=s) for r, s in zip(by.releasers, each, strict=True))
    return replace(by, releasers=releasers)


def instants(run: Run) -> list[tuple[Fraction, list[int]]]:
    """The nominal instants in the order in which they were served, and the tasks that each released."""
    found: dict[Fraction, list[int]] = defaultdict(list)
    number = [0] * len(run.system.tasks)
    for index in run.order("R"):
        of = run.system.tasks[index]
        found[of.offset + number[index] * of.period].append(index)
        number[index] += 1
    return [(at, sorted(tasks)) for at, tasks in found.items()]


def check(run: Run) -> None:
    """All jobs, in time, and every interrupt accounted for."""
    assert run.side.jobs == sum(jobs_in(run.system))
    assert run.side.deadline_misses == run.side.overruns == 0
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted
    assert interrupts.coalesced == 0
    at = [instant for instant, _ in instants(run)]
    assert at == sorted(at)


def check_order_of_bits(run: Run) -> None:
    """The tasks that one interrupt releases by masks come in order of level, then of bit, and start so."""
    places = mask_places(run.system)
    together: list[list[int]] = [[]]
    for _, kind, index in run.events("IR"):
        if kind == "I":
            together.append([])
        else:
            together[-1].append(index)
    # Several releasers of one cell or instant come one after the other.
    masked = {
        t: n for n, r in enumerate(run.plan.releasers) for t in r.tasks if r.store in MASK_STORES
    }
    for released in together:
        for releaser in set(masked.values()):
            mine = [places[t] for t in released if masked.get(t) == releaser]
            assert mine == sorted(mine, reverse=True)
    ready: list[int] = []
    for ns, kind, index in run.events("RS"):
        if kind == "R":
            ready.append(index)
        else:
            best = max(places[t][0] for t in ready)
            at_best = [t for t in ready if places[t][0] == best and t in masked]
            if at_best:
                assert places[index] == max(places[t] for t in at_best), f"at {ns} ns"
            ready.remove(index)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """As the usual one, with a build folder for systems with masks and one for those without."""
    folder = tmp_path_factory.mktemp("static-stores")

    def run(system: System, by: Plan) -> Run:
        masked = any(releaser.store in MASK_STORES for releaser in by.releasers)
        return measured(system, by, folder / f"{system.board.name}-{int(masked)}")

    return run


@pytest.fixture(scope="module")
def lists(bench: Bench) -> Callable[[System, Plan], Run]:
    """The same with sorted lists; once each."""
    done: dict[tuple[str, str, str], Run] = {}

    def run(system: System, by: Plan) -> Run:
        rules = "".join(of.overrun.value for of in system.tasks)
        key = system.name, system.board.name, by.mechanism + by.releasers[0].mode.value + rules
        if key not in done:
            done[key] = bench(system, with_store(by, "sorted-list"))
        return done[key]

    return run


EXAMPLES = [
    ("engine-control", "one-shot", "period-groups"),
]
FURTHER = [
    *[
        ("engine-control", "tick", store)
        for store in PERIODIC
        if ("engine-control", "tick", store) not in EXAMPLES
    ],
    ("engine-control", "one-shot", "mask-table"),
    *[("chronos", "chronos", store) for store in PERIODIC],
    ("chronos", "one-shot", "period-groups"),
    ("drone", "one-shot", "period-groups"),
    ("drone", "chronos", "unsorted-list"),
    ("drone", "chronos", "harmonic-array"),
    ("drone", "chronos", "period-groups"),
]
"""Run by `make soak`."""
SMALL = [*((Mode.PERIODIC, s) for s in PERIODIC), *((Mode.ONE_SHOT, s) for s in MASK_STORES)]
"""Every static store, on small systems: run in continuous integration."""


@pytest.mark.parametrize(
    ("name", "mechanism", "store"),
    [*EXAMPLES, *(pytest.param(*one, marks=pytest.mark.soak) for one in FURTHER)],
)
def test_examples_release_the_same_jobs_in_the_same_order(
    name: str, mechanism: str, store: str, lists: Bench, bench: Bench
) -> None:
    system = read_system(example(name))
    by = plan(system, mechanism=mechanism).choice
    run, plain = bench(system, with_store(by, store)), lists(system, by)
    check(run)
    check(plain)
    assert instants(run) == instants(plain)
    if store in MASK_STORES:
        check_order_of_bits(bench(threads_apart(system), with_store(by, store)))


@pytest.mark.soak  # the small systems below are run on these boards in continuous integration
@pytest.mark.parametrize(
    ("name", "mechanism", "store"),
    [
        ("engine-control", "tick", "mask-table"),
        ("engine-control", "one-shot", "period-groups"),
        ("chronos", "chronos", "harmonic-array"),
        ("drone", "chronos", "unsorted-list"),
    ],
)
@pytest.mark.parametrize(  # the stores' code on mps2-an386 is that of the usual board
    "board", [HOST, RV32, pytest.param("mps2-an386", marks=pytest.mark.soak)]
)
def test_examples_on_other_boards(
    name: str, mechanism: str, store: str, board: str, bench: Bench
) -> None:
    system = read_system(example(name), board=board)
    run = bench(system, with_store(plan(system, mechanism=mechanism).choice, store))
    check(run)
    if store in MASK_STORES:
        by = plan(system, mechanism=mechanism).choice
        check_order_of_bits(bench(threads_apart(system), with_store(by, store)))


# Offsets below and above the periods, equal periods with different offsets, and one of three chains.
OFFSETS = [
    task("a", ms(2), offset=ms(1)),
    task("b", ms(4), offset=ms(1)),
    task("c", ms(4), offset=ms(3)),
    task("d", ms(6), offset=ms(0)),
    task("e", ms(12), offset=ms(40)),
    task("f", ms(12), offset=ms(40)),
    task("g", ms(8), offset=ms(13)),
]


def nominal(system: System) -> list[tuple[Fraction, list[int]]]:
    """What is released when, straight from the description."""
    found: dict[Fraction, list[int]] = defaultdict(list)
    for index, of in enumerate(system.tasks):
        at = of.offset
        while at < system.duration:
            found[at].append(index)
            at += of.period
    return sorted(found.items())


def wakes_of(system: System, tasks: Sequence[int]) -> list[int]:
    end = window_counts(system)
    return list(wakes(streams_of(system, tasks), system.board.clock.hz, 0, end))


@pytest.mark.parametrize("board", [BOARD, HOST, RV32])
@pytest.mark.parametrize(
    ("mode", "store"),
    [
        *[(Mode.PERIODIC, store) for store in PERIODIC],
        *[(Mode.ONE_SHOT, store) for store in MASK_STORES],
    ],
)
def test_offsets_are_obeyed(board: str, mode: Mode, store: str, bench: Bench) -> None:
    system = made_system(OFFSETS, board=board, duration=ms(120))
    cell, all_tasks = system.cells[0], range(len(OFFSETS))
    if mode is Mode.PERIODIC:
        hz = system.board.clock.hz
        by = periodic(cell, all_tasks, hz // 1000)
        number = 120
    else:
        by = one_shot(cell, all_tasks, wakes_of(system, all_tasks)[0])
        number = len(wakes_of(system, all_tasks))
    run = bench(system, made_plan(replace(by, store=store), interrupts=[number]))
    check(run)
    assert instants(run) == nominal(system)


def test_period_groups_keep_fractions_of_a_count(bench: Bench) -> None:
    system = made_system(
        [task("a", ms("1000/300"), offset=ms("1/7")), task("b", ms("2000/300"), offset=ms("1/7"))]
    )
    by = one_shot("timer0", range(2), count_instant(ms("1/7"), system.board.clock.hz))
    run = bench(system, made_plan(replace(by, store="period-groups"), interrupts=[30]))
    check(run)
    plain = bench(system, made_plan(by, interrupts=[30]))
    assert instants(run) == instants(plain) == nominal(system)
    entered = [ns for ns, _ in run.times("I")]
    # To the instructions that were being executed: the idle loop's phase is another.
    for ours, theirs in zip(entered, [ns for ns, _ in plain.times("I")], strict=True):
        assert abs(ours - theirs) <= 96


def cooperative(cell: str, tasks: Sequence[int], first: int, store: str) -> Releaser:
    return replace(one_shot(cell, tasks, first), store=store, cooperates=True)


FAST_AND_SLOW = [
    task("a", ms(3)),
    task("b", ms(4), offset=ms(2)),
    task("c", ms(5), offset=ms(10)),
    task("d", ms(10)),
    task("e", ms(20)),
    task("f", ms(15), offset=ms(5)),
]


@pytest.mark.parametrize("board", [BOARD, HOST])
@pytest.mark.parametrize(
    ("slow", "five", "fast"),
    [
        ("sorted-list", "calendar", "sorted-list"),
        ("mask-table", "harmonic-array", "calendar"),
        ("unsorted-list", "period-groups", "mask-table"),
        ("harmonic-array", "mask-table", "period-groups"),
    ],
)
def test_a_cooperative_cell_leaves_to_its_partners_what_they_serve(
    board: str, slow: str, five: str, fast: str, bench: Bench
) -> None:
    system = made_system(FAST_AND_SLOW, board=board, duration=ms(120))
    hz, cells = system.board.clock.hz, system.cells
    own = [at for at in wakes_of(system, [0, 1]) if at % (hz // 200)]
    partners = (
        replace(periodic(cells[0], [3, 4], hz // 100), store=slow),
        replace(periodic(cells[1], [2, 5], hz // 200, first=hz // 200), store=five),
    )
    by = made_plan(
        *partners,
        cooperative(cells[2], [0, 1], 0, fast),
        interrupts=[12, 23, len(own)],
    )
    run = bench(system, by)
    check(run)
    assert instants(run) == nominal(system)
    taken = run.findings.taken[run.cell_index(cells[2])]
    assert taken == len(own) < len(wakes_of(system, [0, 1]))


@pytest.mark.parametrize(  # the rules are told apart in C that is the same on both
    ("board", "overrun"),
    [
        *((HOST, overrun) for overrun in Overrun),
        (BOARD, Overrun.SKIP),
        pytest.param(BOARD, Overrun.QUEUE, marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize(("mode", "store"), SMALL)
def test_overruns_are_those_of_a_list(
    board: str, overrun: Overrun, mode: Mode, store: str, lists: Bench, bench: Bench
) -> None:
    # 3 ms of every 5 and 2.5 ms of every 7: the second cannot always be done in time.
    tasks = [task("a", ms(5), work=46_875), task("b", ms(7), work=39_062, overrun=overrun)]
    system = made_system(tasks, board=board, duration=ms(70), name="overruns")
    hz = system.board.clock.hz
    if mode is Mode.PERIODIC:
        by, number = periodic(system.cells[0], range(2), hz // 1000), 70
    else:
        by, number = one_shot(system.cells[0], range(2)), len(wakes_of(system, range(2)))
    run = bench(system, made_plan(replace(by, store=store), interrupts=[number]))
    plain = lists(system, made_plan(by, interrupts=[number]))
    assert run.side.overruns == plain.side.overruns > 0
    assert run.side.deadline_misses == plain.side.deadline_misses > 0
    assert run.side.jobs == plain.side.jobs
    assert run.order("S") == plain.order("S")
    assert run.findings.releases == plain.findings.releases
    interrupts = run.side.interrupts
    assert interrupts.taken + interrupts.coalesced == interrupts.predicted


def test_every_static_store_is_run() -> None:
    assert {store for _, store in SMALL} == {"unsorted-list", *STATIC_STORES}
    assert {store for _, _, store in EXAMPLES} <= {store for _, store in SMALL}
