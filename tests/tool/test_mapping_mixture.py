# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Mixtures, coincidences and the steps of static stores, against simulations of what the kernel does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import floor, lcm

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, make_task, ms

from horolog.analyse import Stream, chains_of, groups_of, streams, table_of
from horolog.model import HorologError, Mode, Plan, PriorityRule, Releaser, System, comes_at
from horolog.plan import FREE, Cooperation, Costs, Prices, StepCosts, plan
from horolog.plan.instants.coincidence import apart, coincident
from horolog.plan.prediction.predict import forecast
from horolog.plan.prediction.switches import taking_over
from horolog.plan.prices.static_costs import STEPS, steps_taken

ZERO = Fraction(0)
FREE_COOPERATION = Cooperation(ZERO, ZERO, ZERO)
UNIT = replace(FREE, interrupt_periodic=Fraction(1), interrupt_one_shot=Fraction(1))


@st.composite
def small_systems(draw: st.DrawFn, least_cells: int = 2) -> System:
    """Whole periods and offsets on a clock of 1 Hz, 2 to 5 cells, hyperperiods that can be simulated."""
    periods = draw(
        st.lists(st.sampled_from((2, 3, 4, 5, 6, 8, 9, 10, 12, 15)), min_size=2, max_size=7)
    )
    apart = draw(st.booleans())
    offsets = [draw(st.integers(0, 20)) if apart else 0 for _ in periods]
    cells = draw(st.integers(least_cells, 5))
    return make_system(
        [Fraction(p) for p in periods],
        offsets=[Fraction(o) for o in offsets],
        board=make_board([make_cell(f"cell{i}", hz=1) for i in range(cells)], hz=1),
        duration=Fraction(draw(st.integers(1, 800))),
    )


class Simulated:
    """Interrupts of a mixed plan, by the kernel's rule for arming (kernel/release/cooperative.h)."""

    def __init__(self, system: System, of: Plan, end: int) -> None:
        self.interrupts: Counter[str] = Counter()
        self.required = self.coincident = 0
        partners = [r for r in of.releasers if r.mode is Mode.PERIODIC]
        single = [r for r in of.releasers if r.mode is Mode.ONE_SHOT]
        after = {r.cell: r.first for r in partners}
        own = next((r for r in single if r.cooperates), None)
        for one in single:
            if one is not own:
                self._alone(system, one, end)
        if own is None:
            assert not partners
            return
        keys = {t: floor(system.tasks[t].offset) for t in own.tasks}
        armed = self._arm(after, keys)
        for now in range(end):
            calls = [r for r in partners if after[r.cell] == now]
            for releaser in calls:
                assert releaser.cell_period is not None
                after[releaser.cell] += releaser.cell_period
            released = [self._due(system, releaser, now) for releaser in calls]
            required = sum(released)
            served = False
            if calls:
                served = min(keys.values()) <= now
                if served:
                    self._serve(system, keys, now)
                    required += not any(released)
                if served or armed is None:
                    armed = self._arm(after, keys)
            elif armed == now:
                self.interrupts[own.cell] += 1
                required += self._serve(system, keys, now)
                armed = self._arm(after, keys)
            assert min(keys.values()) > now, "released late"
            self.interrupts.update(r.cell for r in calls)
            self.required += required
            self.coincident += max(0, len(calls) - 1)

    def _alone(self, system: System, single: Releaser, end: int) -> None:
        """A one-shot cell that no other serves."""
        keys = {t: floor(system.tasks[t].offset) for t in single.tasks}
        while (now := min(keys.values())) < end:
            self.interrupts[single.cell] += 1
            self.required += self._serve(system, keys, now)

    def _arm(self, after: dict[str, int], keys: dict[int, int]) -> int | None:
        due = min(keys.values())
        return None if any(at <= due for at in after.values()) else due

    def _serve(self, system: System, keys: dict[int, int], now: int) -> bool:
        due = [task for task, key in keys.items() if key <= now]
        for task in due:
            assert keys[task] == now
            keys[task] += int(system.tasks[task].period)
        return bool(due)

    def _due(self, system: System, releaser: Releaser, now: int) -> bool:
        tasks = [system.tasks[t] for t in releaser.tasks]
        return any(now >= t.offset and (now - t.offset) % t.period == 0 for t in tasks)


def mixed_plan(system: System, prices: Prices | None = None) -> Plan | None:
    try:
        return plan(
            system, mechanism="mixed", prices=prices or Prices(UNIT, cooperation=FREE_COOPERATION)
        ).choice
    except HorologError:
        return None


@settings(max_examples=150, deadline=None)
@given(small_systems())
def test_a_mixture_interrupts_as_predicted(system: System) -> None:
    chosen = mixed_plan(system)
    assume(chosen is not None)
    assert chosen is not None
    end = int(system.duration)
    found, predicted = Simulated(system, chosen, end), chosen.prediction
    assert dict(found.interrupts) == {c: n for c, n in predicted.interrupts_by_cell if n}
    assert predicted.interrupts == found.interrupts.total()
    assert predicted.required == found.required
    assert predicted.coincident == found.coincident
    assert predicted.not_required == predicted.interrupts - found.required


@settings(max_examples=100, deadline=None)
@given(small_systems())
def test_the_rates_of_a_mixture_are_those_of_a_hyperperiod(system: System) -> None:
    chosen = mixed_plan(system)
    assume(chosen is not None)
    assert chosen is not None
    hyper = lcm(*(int(task.period) for task in system.tasks))
    one, two = (Simulated(system, chosen, 60 + n * hyper) for n in (0, 2))
    predicted = chosen.prediction
    assert predicted.rate_exact
    more = two.interrupts.total() - one.interrupts.total()
    assert predicted.interrupts_per_second * 2 * hyper == more
    assert predicted.required_per_second * 2 * hyper == two.required - one.required
    assert predicted.coincident_per_second * 2 * hyper == two.coincident - one.coincident


@settings(max_examples=100, deadline=None)
@given(small_systems(least_cells=1))
def test_coincidences_of_periodic_cells_are_those_of_a_simulation(system: System) -> None:
    chosen = plan(system, mechanism="chronos", prices=Prices(UNIT)).choice
    calls: Counter[int] = Counter()
    for releaser in chosen.releasers:
        assert releaser.cell_period is not None
        calls.update(range(releaser.first, int(system.duration), releaser.cell_period))
    assert chosen.prediction.coincident == calls.total() - len(calls)


def test_a_mixture_has_one_cooperative_cell_and_says_how_it_was_found() -> None:
    system = make_system([ms(p) for p in (3, 5, 7, 11)] * 5)
    chosen = mixed_plan(system)
    assert chosen is not None
    assert [r.mode for r in chosen.releasers if r.cooperates] == [Mode.ONE_SHOT]
    assert all(r.mode is Mode.PERIODIC for r in chosen.releasers if not r.cooperates)
    assert chosen.mixture is not None
    assert chosen.mixture.how == (
        "every set of groups of 2 divisions handed over, "
        f"{chosen.mixture.compared} mixtures compared; not proved the best"
    )
    assert chosen.mixture.compared == 14  # of four groups, all sets but none and all


@given(
    st.lists(st.tuples(st.integers(400, 4000), st.integers(0, 3000)), min_size=1, max_size=4),
    st.fractions(300, 2000, max_denominator=24),
    st.fractions(0, 2500, max_denominator=24),
)
def test_wakes_apart_from_a_cell_with_a_period_of_no_whole_counts(
    others: list[tuple[int, int]], period: Fraction, first: Fraction
) -> None:
    hz, end = 1_000_000, 20_000
    of = [
        Stream(Fraction(every, hz), Fraction(offset, hz), (at,))
        for at, (every, offset) in enumerate(others)
    ]
    due = {at for every, offset in others for at in range(offset, end, every)}
    found, _ = apart(of, [(period, first)], hz, end)
    assert found.window == sum(not comes_at(period, first, at) for at in due)


def test_the_mixture_with_the_fewest_interrupts_is_that_of_all_sets_of_groups() -> None:
    system = make_system([ms(p) for p in (3, 5, 7, 11)] * 5)
    best = mixed_plan(system)
    assert best is not None
    rates = []
    cells = {3: 75_000, 5: 125_000, 7: 175_000, 11: 275_000}
    of = {int(s.period * 1000): s for s in streams(system)}
    for chosen in range(1, 15):
        handed = [p for at, p in enumerate(cells) if chosen >> at & 1]
        kept = [(cells[p], 0) for p in cells if p not in handed]
        own, exact = apart([of[p] for p in handed], kept, 25_000_000, 0)
        assert exact
        rates.append(own.rate + sum(Fraction(25_000_000, period) for period, _ in kept))
    assert best.prediction.interrupts_per_second == min(rates)


@pytest.mark.parametrize(
    ("system", "reason"),
    [
        (
            make_system([ms(3), ms(5)], cells=["cell0"]),
            "a mixture takes two cells, and one is in use",
        ),
        (
            make_system([ms(3)]),
            "all tasks share one periodic cell, so it comes to the same as chronos or one-shot",
        ),
        (
            make_system(
                [ms(3)],
                board=make_board([make_cell("a", modes=frozenset({Mode.ONE_SHOT}))] * 2),
            ),
            "no cell in use can interrupt periodically",
        ),
        (
            make_system(
                [ms(3)],
                board=make_board([make_cell("a", modes=frozenset({Mode.PERIODIC}))] * 2),
            ),
            "no cell in use can be armed for one instant",
        ),
        (make_system([ms(3), ms(5)], offsets=[ZERO, Fraction(80)]), "task t1: offset 80 s is not"),
        (
            make_system(
                [ms(300), ms(500)],
                cells=["a", "b"],
                board=make_board([make_cell("a", width=20), make_cell("b", width=20)]),
            ),
            "no mixture fits",
        ),
    ],
)
def test_why_there_is_no_mixture(system: System, reason: str) -> None:
    with pytest.raises(HorologError, match=reason):
        plan(system, mechanism="mixed", prices=Prices(UNIT, cooperation=FREE_COOPERATION))


def test_cooperation_is_charged_by_visits_and_what_is_served() -> None:
    cells = [make_cell("a"), make_cell("b", modes=frozenset({Mode.PERIODIC}))]
    system = make_system(
        [ms(3), ms(5)], cells=["a", "b"], board=make_board(cells), duration=ms(150)
    )
    costs = Cooperation(Fraction(100), Fraction(1), Fraction(30))
    chosen = mixed_plan(system, Prices(UNIT, cooperation=costs))
    assert chosen is not None
    # One task on each; of 3 ms and 5 ms one instant in 15 ms is common: 10 in the window.
    visits = 50 if chosen.releasers[0].period == ms(3) else 30
    if chosen.releasers[0].cooperates:
        visits = 50 if chosen.releasers[1].period == ms(3) else 30
    assert chosen.prediction.interrupts == 70
    assert chosen.prediction.kernel_instructions == 80 + visits * 101 - 10 * 30


def test_coincidences_that_cannot_be_solved_for_are_counted() -> None:
    cells = [(25_000 + 2 * n, n) for n in range(16)]
    found, exact = coincident(cells, 25_000_000, 25_000_000)
    calls: Counter[int] = Counter()
    for period, first in cells:
        calls.update(range(first, 25_000_000, period))
    assert found.window == calls.total() - len(calls)
    assert exact in (True, False)


# the steps of stores


@settings(max_examples=150, deadline=None)
@given(small_systems())
def test_the_steps_of_a_harmonic_array_are_those_of_an_odometer(system: System) -> None:
    (releaser,) = plan(system, mechanism="gcd", prices=Prices(UNIT)).choice.releasers
    work = forecast(system, releaser, Prices(UNIT)).work
    taken = steps_taken(system, work, "harmonic-array")
    assert releaser.cell_period is not None
    chains = chains_of(system, releaser.tasks, releaser.first, releaser.cell_period)
    left = [[level.left for level in chain.levels] for chain in chains]
    interrupts = fired = jobs = 0
    for _ in range(releaser.first, int(system.duration), releaser.cell_period):
        interrupts += 1
        for chain, counts in zip(chains, left, strict=True):
            for at, level in enumerate(chain.levels):
                counts[at] -= 1
                if counts[at]:
                    break
                counts[at] = level.every
                fired += 1
                jobs += len(level.tasks)
    found = {name: amount.window for name, amount in taken.items() if amount.window}
    expected = {"fired": fired, "job": jobs, "part": found.get("part", 0)}
    if len(system.tasks) == chains[0].levels[0].every == chains[0].levels[0].left == 1:
        expected = {"direct": jobs}
    elif len(chains) == 1:
        expected["single" if len(chains[0].levels) == 1 else "chained"] = interrupts
        expected["chained_job"] = expected.pop("job")
    else:
        expected |= {"instant": interrupts, "chain": interrupts * len(chains)}
    assert found == {name: count for name, count in expected.items() if count}


@settings(max_examples=100, deadline=None)
@given(small_systems())
def test_the_steps_of_masks_are_those_of_the_tables(system: System) -> None:
    (releaser,) = plan(system, mechanism="one-shot", prices=Prices(UNIT)).choice.releasers
    work = forecast(system, releaser, Prices(UNIT)).work
    table = table_of(system, releaser.tasks)
    at, row, rows, parts = table.first, 0, 0, 0
    while at < int(system.duration):
        rows += 1
        parts += len(table.masks[table.rows[row].mask])
        at += table.rows[row].gap
        row = row + 1 if row + 1 < len(table.rows) else table.lead
    by_table = steps_taken(system, work, "mask-table")
    assert [by_table[name].window for name in ("instant", "part")] == [rows, parts]
    groups = groups_of(system, releaser.tasks)
    end = int(system.duration)
    fired = [len(range(int(g.offset), end, int(g.period))) for g in groups]
    by_group = {k: a.window for k, a in steps_taken(system, work, "period-groups").items()}
    assert by_group["fired"] == sum(fired)
    assert by_group["part"] == sum(n * len(g.parts) for n, g in zip(fired, groups, strict=True))
    if len(groups) == 1:
        expected = {"lone": rows, "instant": 0, "group": 0}
    else:
        expected = {"lone": 0, "instant": rows, "group": rows * len(groups)}
    assert {name: by_group[name] for name in expected} == expected


# which store is taken


def steps(**costs: int) -> dict[str, StepCosts]:
    """Every store at 100 instructions a step, but for the stores of `costs`."""
    return {
        store: StepCosts(
            {
                mode: {name: Fraction(costs.get(store.replace("-", "_"), 100)) for name in names}
                for mode, names in modes.items()
            }
        )
        for store, modes in STEPS.items()
    }


LIST = Costs(*[Fraction(50)] * 8)


def with_lists(**costs: int) -> Prices:
    from tests.tool.test_calibrate_board import made_queue

    return Prices(LIST, {"sorted-list": made_queue("passed")}, steps(**costs))


def test_the_cheapest_store_is_taken_whatever_its_kind() -> None:
    system = make_system([ms(10), ms(20)] * 5)
    for name in ("harmonic-array", "period-groups", "mask-table"):
        prices = with_lists(**{name.replace("-", "_"): 1})
        chosen = plan(system, mechanism="gcd", prices=prices).choice
        assert [r.store for r in chosen.releasers] == [name]
        (choice,) = chosen.queues
        assert choice.options[0].store == name
        assert choice.options[0].per_second == chosen.prediction.kernel_per_second
    chosen = plan(system, mechanism="gcd", prices=with_lists(unsorted_list=1)).choice
    assert [r.store for r in chosen.releasers] != ["unsorted-list"]
    assert not chosen.queues[0].options[0].admissible


def test_the_const_mechanism_is_taken_only_if_named() -> None:
    system = make_system([ms(10), ms(20)] * 5)
    prices = with_lists(unsorted_list=1)
    planned = plan(system, prices=prices)
    assert planned.alternatives[0].mechanism == "chronos-const"
    assert planned.alternatives[0].reason.startswith(
        "only if named, as its interrupts look at all waiting tasks; "
    )
    assert planned.choice.mechanism != "chronos-const"
    named = plan(system, mechanism="chronos-const", prices=prices)
    assert {r.store for r in named.choice.releasers} == {"unsorted-list"}
    assert {
        r.store for r in plan(system, mechanism="chronos-harmonic", prices=prices).choice.releasers
    } == {"harmonic-array"}


def test_a_mechanism_that_is_named_for_its_store_takes_no_other() -> None:
    system = make_system([ms(10), ms(20)])
    with pytest.raises(HorologError) as caught:
        plan(system, mechanism="chronos-const", queue="calendar", prices=with_lists())
    assert str(caught.value) == (
        "mechanism chronos-const is named for its store\n  found:    --queue calendar\n"
        "  expected: --queue unsorted-list, or --mechanism chronos"
    )
    planned = plan(system, queue="sorted-list", prices=with_lists())
    reasons = {a.mechanism: a.reason for a in planned.alternatives}
    assert reasons["chronos-const"] == "its store is unsorted-list, not sorted-list"


def test_a_store_that_a_mode_cannot_have_is_said() -> None:
    system = make_system([ms(10), ms(20)])
    planned = plan(system, queue="harmonic-array", prices=with_lists())
    reasons = {a.mechanism: a.reason for a in planned.alternatives if a.plan is None}
    assert reasons["one-shot"] == (
        "harmonic-array cannot serve cell cell0: harmonic-array is for periodic cells"
    )
    with pytest.raises(HorologError, match="unsorted-list is for periodic cells"):
        plan(system, mechanism="one-shot", queue="unsorted-list", prices=with_lists())


def test_a_mask_table_too_large_says_how_large_and_something_else_is_taken() -> None:
    system = make_system([ms(3 * k) for k in range(1, 11)] + [ms(11 * k) for k in range(1, 11)])
    prices = with_lists(mask_table=1, period_groups=2)
    chosen = plan(system, mechanism="one-shot", prices=prices).choice
    assert chosen.releasers[0].store == "period-groups"
    (said,) = [m.reason for m in chosen.queues[0].misfits if m.store == "mask-table"]
    assert said == (
        "a hyperperiod of 83160 ms with 33,264 release instants needs a table of 266,112 bytes; "
        "table_bytes allows 131,072"
    ) or said.startswith("a hyperperiod of 83.16 s with ")
    with pytest.raises(HorologError, match="mask-table cannot serve cell cell0: a hyperperiod of"):
        plan(system, mechanism="one-shot", queue="mask-table", prices=prices)
    allowed = replace(system, table_bytes=0)
    with pytest.raises(HorologError, match="table_bytes allows none"):
        plan(allowed, mechanism="one-shot", queue="mask-table", prices=prices)


def test_mask_tables_of_all_releasers_share_what_is_allowed() -> None:
    system = replace(make_system([ms(7), ms(11)]), table_bytes=60)
    prices = with_lists(mask_table=1)
    chosen = plan(system, mechanism="chronos", prices=prices).choice
    stores = Counter(r.store for r in chosen.releasers)
    assert stores["mask-table"] == 2  # 24 bytes each
    tight = plan(replace(system, table_bytes=30), mechanism="chronos", prices=prices).choice
    assert Counter(r.store for r in tight.releasers)["mask-table"] == 1


def test_more_tasks_on_a_level_than_a_mask_holds() -> None:
    tasks = [make_task(f"t{n}", ms(10), priority=3) for n in range(33)]
    system = make_system(tasks=tasks, priorities=PriorityRule.EXPLICIT)
    prices = with_lists(mask_table=1, period_groups=1)
    chosen = plan(system, mechanism="gcd", prices=prices).choice
    assert chosen.releasers[0].store not in ("mask-table", "period-groups")
    (said,) = [m.reason for m in chosen.queues[0].misfits if m.store == "period-groups"]
    assert "33 tasks" in said
    with pytest.raises(HorologError, match="33 tasks"):
        plan(system, mechanism="gcd", queue="period-groups", prices=prices)


def test_too_few_cells_say_how_many_would_do_and_what_fits() -> None:
    system = make_system([ms("3.001"), ms("3.002"), ms("3.003")], cells=["cell1", "cell2"])
    with pytest.raises(HorologError) as caught:
        plan(system, mechanism="chronos", prices=Prices(UNIT))
    assert "2 cells are too few" in str(caught.value)
    assert "no cell can time; 3 such cells would do" in str(caught.value)
    assert caught.value.expected == "the nearest plan that fits: one-shot, on cell1"


def test_the_objective_decides() -> None:
    system = make_system([ms(3), ms(5), ms(7)])
    dear = replace(UNIT, interrupt_one_shot=Fraction(1000))
    assert plan(system, prices=Prices(dear)).choice.mechanism == "chronos"
    fewest = plan(system, prices=Prices(dear), objective="interrupts")
    assert fewest.choice.mechanism == "one-shot"
    assert fewest.alternatives[0].reason.startswith("chosen: fewest interrupts, as was asked for; ")
    own = replace(system, objective="interrupts")
    assert plan(own, prices=Prices(dear)).choice.mechanism == "one-shot"
    assert plan(own, prices=Prices(dear), objective="overhead").choice.mechanism == "chronos"
    with pytest.raises(HorologError, match="unknown objective"):
        plan(system, prices=Prices(dear), objective="beauty")


# switches


def switches_of_short_jobs(system: System) -> int:
    """Jobs of no length: at each release instant one switch to the first, one from each."""
    instants: Counter[int] = Counter()
    for task in system.tasks:
        instants.update(range(int(task.offset), int(system.duration), int(task.period)))
    return instants.total() + len(instants)


@settings(max_examples=60, deadline=None)
@given(small_systems())
def test_switches_are_one_a_job_and_one_an_instant(system: System) -> None:
    costs = replace(FREE, dispatch=Fraction(1))
    for mechanism in ("one-shot", "chronos"):
        found = plan(system, mechanism=mechanism, prices=Prices(costs)).choice.prediction
        assert found.kernel_instructions == switches_of_short_jobs(system)


def test_an_instant_whose_jobs_wait_behind_more_urgent_ones_costs_no_switch() -> None:
    # The first runs for half of the time; the others' instants, half of which find it running, are late.
    urgent = make_task("urgent", ms(10))
    later = make_task("later", ms(20), offset=ms(3))
    system = make_system(tasks=[replace(urgent, wcet=ms(5)), replace(later, wcet=ms(1))])
    assert float(taking_over(system)) == pytest.approx((2 + 1 / 2) / 3, abs=0.001)
    alone = make_system(tasks=[replace(urgent, wcet=ms(9))])
    assert taking_over(alone) == 1


def test_a_level_of_too_many_tasks_keeps_masks_out_and_nothing_else() -> None:
    system = make_system([ms(10)] * 33)
    prices = with_lists(mask_table=1, period_groups=1, harmonic_array=2)
    planned = plan(system, prices=prices)
    assert {r.store for r in planned.choice.releasers} == {"harmonic-array"}
    said = {m.store: m.reason for m in planned.choice.queues[0].misfits}
    for store in ("mask-table", "period-groups"):
        assert said[store].startswith("too many tasks on one priority level for a release mask")
