# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Predicted interrupts against a simulation of each mode that shares no code with the planner."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from math import floor, lcm

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import jobs_in, levels, streams
from horolog.model import MECHANISMS, HorologError, Mode, Plan, Releaser, System
from horolog.plan import FREE, Costs, Prices, plan
from horolog.plan.instants.interrupts import one_shot_rate
from horolog.plan.prediction.predict import mean_walks

HOP = 2**30
UNIT = replace(FREE, interrupt_periodic=Fraction(1), interrupt_one_shot=Fraction(1))


@dataclass
class Counted:
    interrupts: int = 0
    instants: int = 0  # interrupts that look at the list
    required: int = 0
    jobs: int = 0


class Waiting:
    """A task as the kernel keeps it: the instant it waits for, and whether that begins a job."""

    def __init__(self, system: System, index: int) -> None:
        hz, task = system.board.clock.hz, system.tasks[index]
        self.offset, self.period = task.offset * hz, task.period * hz
        self.hops = (floor(self.period) - 1) // HOP
        self.job = 0
        self.hop = 0
        self.key = floor(self.offset)

    def serve(self) -> bool:
        """At its key: begins a job or not, and waits for the next."""
        begins = self.hop == 0
        if self.hop < self.hops:
            self.hop += 1
            self.key += HOP
        else:
            self.hop = 0
            self.job += 1
            self.key = floor(self.offset + self.job * self.period)
        return begins


def end_of(system: System) -> int:
    return floor(system.duration * system.board.clock.hz)


def simulate(system: System, releaser: Releaser) -> Counted:
    waiting = [Waiting(system, index) for index in releaser.tasks]
    if releaser.mode is Mode.PERIODIC:
        return simulate_periodic(system, releaser, waiting)
    return simulate_one_shot(system, releaser, waiting)


def simulate_periodic(system: System, releaser: Releaser, waiting: list[Waiting]) -> Counted:
    assert releaser.cell_period is not None
    counted, skip = Counted(), 0
    step, nominal = releaser.cell_period + releaser.part, releaser.first + releaser.first_part
    while (now := floor(nominal)) < end_of(system):
        counted.interrupts += 1
        if skip == 0:
            skip = releaser.divider
            counted.instants += 1
            begun = 0
            for task in waiting:
                while task.key <= now:
                    assert task.hop > 0 or task.key == now, "released late"
                    begun += task.serve()
            counted.jobs += begun
            counted.required += begun > 0
        skip -= 1
        nominal += step
    assert all(task.hop > 0 or task.key >= end_of(system) for task in waiting), "never released"
    return counted


def simulate_one_shot(system: System, releaser: Releaser, waiting: list[Waiting]) -> Counted:
    span = 2 ** (system.board.cell(releaser.cell).width - 1)
    counted, served = Counted(), 0
    while True:
        due = min(task.key for task in waiting)
        left = due - served
        stride = left // 2 if left - span < span else span  # hrli_releaser_stride
        now = served + stride if left > span else due
        if now >= end_of(system):
            return counted
        if counted.interrupts == 0:
            assert now == releaser.first
        counted.interrupts += 1
        counted.instants += 1
        served = now
        begun = sum([task.serve() for task in waiting if task.key == now])
        counted.jobs += begun
        counted.required += begun > 0


small_times = st.one_of(
    st.integers(4, 48).map(Fraction),
    st.builds(Fraction, st.integers(12, 99), st.sampled_from([2, 3])),
)
long_times = st.integers(1, 40).map(lambda n: Fraction(n * HOP, 8))
odd_long_times = st.integers(HOP // 2, 5 * HOP).map(Fraction)


@st.composite
def narrow_systems(draw: st.DrawFn) -> System:
    """A clock of 1 Hz and cells of few bits: dividers, cell hops, fractions of a count."""
    widths = draw(st.lists(st.integers(3, 8), min_size=1, max_size=4))
    cells = [
        make_cell(f"cell{i}", width=w, min_counts=draw(st.integers(1, 4)), hz=1)
        for i, w in enumerate(widths)
    ]
    periods = draw(st.lists(small_times, min_size=1, max_size=5))
    shift = draw(st.sampled_from([0, 0, 1, 300]))
    offsets = [
        Fraction(draw(st.integers(0, 30)), draw(st.sampled_from([1, 1, 2]))) for _ in periods
    ]
    return make_system(
        periods,
        offsets=[offset + shift for offset in offsets],
        board=make_board(cells, hz=1),
        duration=Fraction(draw(st.integers(1, 1500)), draw(st.sampled_from([1, 2]))),
    )


@st.composite
def slow_systems(draw: st.DrawFn) -> System:
    """Periods about and beyond HOP_COUNTS, on wide cells."""
    periods = draw(st.lists(st.one_of(long_times, odd_long_times), min_size=1, max_size=4))
    offsets = [draw(st.integers(0, HOP)) for _ in periods]
    cells = [make_cell("cell0", hz=1), make_cell("cell1", width=31, hz=1)]
    return make_system(
        periods,
        offsets=[Fraction(offset) for offset in offsets],
        board=make_board(cells, hz=1),
        cells=draw(st.permutations(["cell0", "cell1"])),
        duration=Fraction(draw(st.integers(1, 40 * HOP))),
    )


def check(system: System, chosen: Plan) -> None:
    predicted, total = chosen.prediction, Counted()
    for releaser, (cell, interrupts) in zip(
        chosen.releasers, predicted.interrupts_by_cell, strict=True
    ):
        counted = simulate(system, releaser)
        assert (releaser.cell, counted.interrupts) == (cell, interrupts)
        for field in ("interrupts", "instants", "required", "jobs"):
            setattr(total, field, getattr(total, field) + getattr(counted, field))
    assert predicted.interrupts == total.interrupts
    assert predicted.required == total.required
    assert sum(jobs_in(system)) == total.jobs
    # UNIT's costs: one for each interrupt that looks at the list.
    assert predicted.kernel_instructions == total.instants


def check_shape(system: System, chosen: Plan) -> None:
    used = [releaser.cell for releaser in chosen.releasers]
    assert used == [name for name in system.cells if name in used]
    served = Counter(task for releaser in chosen.releasers for task in releaser.tasks)
    assert served == Counter(range(len(system.tasks)))
    for releaser in chosen.releasers:
        cell = system.board.cell(releaser.cell)
        assert releaser.mode in cell.modes
        assert releaser.first <= cell.max_counts
        if releaser.mode is Mode.PERIODIC:
            assert releaser.cell_period is not None
            assert cell.min_counts <= releaser.cell_period <= cell.max_counts
            counts = (releaser.cell_period + releaser.part) * releaser.divider
            assert releaser.period == counts / system.board.clock.hz


def test_a_rate_that_cannot_be_counted_is_a_density_where_instants_are_whole_counts() -> None:
    primes = [1009, 1013, 1019, 1021, 1031, 1033]
    system = make_system([Fraction(p, 10**5) for p in primes], duration=Fraction(1))
    found = plan(system, mechanism="one-shot", prices=Prices(UNIT)).choice.prediction
    union = Fraction(1)
    for prime in primes:
        union *= 1 - Fraction(1, prime)
    assert (found.rate_exact, found.interrupts_per_second) == (True, (1 - union) * 10**5)


def every_plan(system: System) -> dict[str, Plan]:
    try:
        planned = plan(system, prices=Prices(UNIT))
    except HorologError:
        return {}
    return {a.mechanism: a.plan for a in planned.alternatives if a.plan is not None}


@settings(max_examples=250, deadline=None)
@given(narrow_systems())
def test_every_mechanism_interrupts_as_often_as_predicted(system: System) -> None:
    plans = every_plan(system)
    for chosen in plans.values():
        check_shape(system, chosen)
        check(system, chosen)
    if "gcd" in plans:
        assert (
            plans["chronos"].prediction.interrupts_per_second
            <= plans["gcd"].prediction.interrupts_per_second
        )


@settings(max_examples=40, deadline=None)  # each counts up to 5,000 interrupts of three plans
@given(slow_systems())
def test_long_periods_interrupt_as_often_as_predicted(system: System) -> None:
    plans = every_plan(system)
    for mechanism in ("one-shot", "chronos", "gcd"):
        if mechanism in plans and plans[mechanism].prediction.interrupts < 5000:
            check_shape(system, plans[mechanism])
            check(system, plans[mechanism])


@settings(max_examples=60, deadline=None)
@given(narrow_systems())
def test_the_long_run_rate_is_that_of_many_hyperperiods(system: System) -> None:
    plans = every_plan(system)
    assume(plans)
    hyper = lcm(*(task.period.numerator for task in system.tasks))
    assume(hyper < 3000)
    windows = [replace(system, duration=Fraction(400 + n * hyper)) for n in (1, 3)]
    for mechanism in plans:
        one, three = (every_plan(window)[mechanism].prediction for window in windows)
        # first instants are no later than 400: the windows differ by two whole hyperperiods
        assert three.interrupts - one.interrupts == one.interrupts_per_second * 2 * hyper


def test_an_uncountable_hyperperiod_gives_an_approximate_rate_whatever_the_window() -> None:
    # Thirds of a count: such instants are no residue classes of counts, so they are counted.
    primes = [1009, 1013, 1019, 1021, 1031, 1033]
    periods = [Fraction(p, 10**5) + Fraction(1, 3 * 25_000_000) for p in primes]
    system = make_system(periods, duration=Fraction(1))
    longer = replace(system, duration=Fraction(3))
    one, two = (
        plan(s, mechanism="one-shot", prices=Prices(UNIT)).choice.prediction
        for s in (system, longer)
    )
    assert not one.rate_exact
    # Which instants of different streams fall on one count is no longer as if phases were independent.
    assert one.interrupts_per_second == two.interrupts_per_second
    union = Fraction(1)
    for prime in primes:
        union *= 1 - Fraction(1, prime)
    assert float(one.interrupts_per_second) == pytest.approx(float(1 - union) * 10**5, rel=5e-3)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([2, 3, 4, 5, 6, 8, 12]), st.integers(0, 11)),
        min_size=1,
        max_size=7,
    )
)
def test_the_mean_walk_is_that_of_a_simulated_list(tasks: list[tuple[int, int]]) -> None:
    periods = [period for period, _ in tasks]
    system = make_system(
        [Fraction(period) for period in periods],
        offsets=[Fraction(offset) for _, offset in tasks],
        board=make_board(hz=1),
    )
    of = streams(system)
    predicted = sum(
        walk * len(stream.tasks) / stream.period
        for stream, walk in zip(of, mean_walks(of), strict=True)
    )
    hyper = lcm(*periods)
    assert predicted * hyper == walked(system, 2 * hyper) - walked(system, hyper)


def walked(system: System, extra: int) -> int:
    """Nodes passed by all insertions before 12 + extra, jobs taking no time, in order of priority."""
    urgency = levels(system)
    order = sorted(range(len(system.tasks)), key=lambda task: -urgency[task])
    nodes: list[tuple[int, int]] = []
    for task in order:
        insert(nodes, int(system.tasks[task].offset), task)
    total = 0
    for now in range(12 + extra):
        ready = []
        while nodes and nodes[0][0] == now:
            ready.append(nodes.pop(0)[1])
        for task in sorted(ready, key=order.index):
            total += insert(nodes, now + int(system.tasks[task].period), task)
    return total


def insert(nodes: list[tuple[int, int]], due: int, task: int) -> int:
    at = 0
    while at < len(nodes) and nodes[at][0] <= due:
        at += 1
    nodes.insert(at, (due, task))
    return at


@pytest.mark.parametrize(
    ("periods", "share"),
    [
        ([3, 5, 7, 11], Fraction(2, 5) * Fraction(4, 7) * Fraction(8, 11)),
        ([1, 2, 4], Fraction(1, 2)),
    ],
)
def test_how_often_an_insertion_becomes_the_head(periods: list[int], share: Fraction) -> None:
    system = make_system([ms(p) for p in periods], duration=ms(1155 * 4))
    costs = replace(FREE, rearm=Fraction(1))
    found = plan(system, mechanism="one-shot", prices=Prices(costs)).choice.prediction
    assert found.kernel_per_second == share * 1000 / periods[0]
    assert found.kernel_instructions == share * 1155 * 4 / periods[0]
    heads, nodes = 0, [(0, task) for task in range(len(periods))]
    for now in range(1155 * 4):
        ready = [task for due, task in nodes if due == now]
        nodes = [node for node in nodes if node[0] != now]
        for task in sorted(ready):  # periods ascend: in order of priority
            heads += insert(nodes, now + periods[task], task) == 0
    assert heads == found.kernel_instructions


def test_the_set_of_the_chronos_paper() -> None:
    system = make_system([ms(p) for p in (3, 5, 7, 11)] * 25, duration=Fraction(2))
    planned = plan(system, prices=Prices(UNIT))
    by_name = {a.mechanism: a.plan for a in planned.alternatives}
    assert planned.distinct_instants == 1169
    assert planned.jobs == 25 * 1535
    chronos = by_name["chronos"]
    assert chronos is not None
    found = chronos.prediction
    assert dict(found.interrupts_by_cell) == {
        "cell0": 182,  # 11 ms chooses first
        "cell1": 286,
        "cell2": 400,
        "cell3": 667,
    }
    assert (found.interrupts, found.required) == (667 + 400 + 286 + 182, 1535)
    assert float(found.interrupts_per_second) == pytest.approx(767.1, abs=0.05)
    for mechanism in ("tick", "gcd"):
        periodic = by_name[mechanism]
        assert periodic is not None
        assert periodic.prediction.interrupts == 2000
        assert periodic.prediction.required == 1169
        assert periodic.prediction.interrupts_per_second == 1000
    one_shot = by_name["one-shot"]
    assert one_shot is not None
    assert one_shot.prediction.interrupts == 1169
    assert float(one_shot.prediction.interrupts_per_second) == pytest.approx(584.4, abs=0.05)


def test_a_divider_counts_in_software() -> None:
    system = make_system([Fraction(1)], duration=Fraction(4), cells=["cell3"])  # 24 bits: 0.67 s
    costs = replace(FREE, interrupt_periodic=Fraction(1000), divider_skip=Fraction(1))
    chosen = plan(system, mechanism="gcd", prices=Prices(costs)).choice
    assert [(r.cell_period, r.divider) for r in chosen.releasers] == [(12_500_000, 2)]
    assert chosen.prediction.interrupts == 8
    assert chosen.prediction.required == 4
    assert chosen.prediction.kernel_instructions == 4 * 1000 + 4


def test_overhead_is_a_share_of_all_instructions() -> None:
    costs = replace(FREE, release=Fraction(1000), wait=Fraction(1000), switch=Fraction(1125))
    system = make_system([ms(10)], duration=Fraction(2))  # 31.25 million instructions a second
    found = plan(system, prices=Prices(costs)).choice.prediction
    assert found.kernel_instructions == 200 * 3125
    assert found.overhead_percent == 1


def test_one_shot_rates_include_hops() -> None:
    of = streams(make_system([Fraction(100)], board=make_board(hz=1)))
    assert one_shot_rate(of, 1, 64) == (Fraction(2, 100), True)
    assert one_shot_rate(of, 1, 50) == (Fraction(2, 100), True)
    assert one_shot_rate(of, 1, 49) == (Fraction(3, 100), True)


def test_all_mechanisms_are_simulated_here() -> None:
    system = make_system([ms(3), ms(5)])
    assert {*every_plan(system)} <= {*MECHANISMS}
    assert isinstance(FREE, Costs)
