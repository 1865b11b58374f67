# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""How long handlers are: the steps that they take, instants that one handler serves, and the objective."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import pytest
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import streams
from horolog.calibrate.envelope import envelope
from horolog.model import STORES, Kind, Mode, Plan, Releaser, System
from horolog.plan import NOTHING, Costs, Prices, plan, to_data
from horolog.plan.prediction.handlers import MARGIN, dues_of, handler_bounds
from horolog.plan.prices.handler_costs import HANDLER_STEPS, HandlerCosts, handler_steps

HZ = 25_000


def costs(**steps: int) -> HandlerCosts:
    return HandlerCosts(
        {name: (Fraction(most - 1), Fraction(most)) for name, most in steps.items()}
    )


EACH = {
    (store, mode): costs(**{name: 10 * at + 10 for at, name in enumerate(HANDLER_STEPS[store])})
    for store in STORES
    for mode in Mode
}
"""Its first step at most 10 instructions, the second 20, ...; at least one less."""


def most(instructions: int) -> int:
    return ceil(instructions * (1 + MARGIN))


def least(instructions: int) -> int:
    return floor(instructions * (1 - MARGIN))


PRICES = replace(NOTHING, handlers=EACH, costs=Costs(*[Fraction(1)] * 8))


def system_of(*tasks: tuple[int, int], cells: int = 1) -> System:
    """Tasks as (period, offset) in ms."""
    board = make_board([make_cell(f"cell{at}") for at in range(cells)])
    return make_system(
        [ms(period) for period, _ in tasks],
        offsets=[ms(offset) for _, offset in tasks],
        board=board,
    )


def releaser(
    system: System,
    store: str,
    *,
    period_ms: int | None = None,
    tasks: tuple[int, ...] | None = None,
) -> Releaser:
    mode = Mode.ONE_SHOT if period_ms is None else Mode.PERIODIC
    tasks = tuple(range(len(system.tasks))) if tasks is None else tasks
    counts = None if period_ms is None else period_ms * HZ
    return Releaser(system.cells[0], mode, store, tasks, 0, counts)


def test_the_steps_of_a_queue_a_chain_and_masks() -> None:
    system = system_of((10, 0), (10, 0), (20, 0), (30, 5))
    of = streams(system)
    assert [one.tasks for one in of] == [(0, 1), (2,), (3,)]

    def steps(store: str, *due: int, period_ms: int | None = 5) -> dict[str, int]:
        return handler_steps(system, releaser(system, store, period_ms=period_ms), store, of, due)

    assert steps("sorted-list", 0, 1) == {"interrupt": 1, "job": 3}
    assert steps("array-heap", 0, 1) == {"interrupt": 1, "job": 3, "height": 9}  # 4 tasks: 3 bits
    assert steps("unsorted-list", 1) == {"interrupt": 1, "scanned": 4, "job": 1}
    assert steps("unsorted-list") == {"interrupt": 1, "scanned": 0, "job": 0}
    assert steps("harmonic-array", 0, 1) == {"interrupt": 1, "chain": 2, "fired": 2, "job": 3}
    assert steps("period-groups", 0, 1) == {"interrupt": 1, "group": 3, "release": 2, "part": 2}
    assert steps("mask-table", 0, 1) == {"interrupt": 1, "release": 1, "part": 2}
    assert steps("mask-table") == {"interrupt": 1, "release": 0, "part": 0}


def test_threads_alone_on_their_levels_have_no_part() -> None:
    system = system_of((10, 0), (20, 0))
    system = replace(system, tasks=tuple(replace(one, shares=True) for one in system.tasks))
    of = streams(system)
    found = handler_steps(system, releaser(system, "mask-table"), "mask-table", of, (0, 1))
    assert found == {"interrupt": 1, "levels": 1, "part": 0}


def test_what_is_due_together_and_whether_an_instant_has_nothing_due() -> None:
    system = system_of((10, 0), (20, 0), (20, 5))
    exact = releaser(system, "mask-table", period_ms=5)
    assert set(dues_of(system, exact)) == {(0, 1), (0,), (2,), ()}
    pair = system_of((10, 0), (20, 0))
    assert set(dues_of(pair, releaser(pair, "mask-table", period_ms=10))) == {(0, 1), (0,)}
    assert set(dues_of(pair, releaser(pair, "mask-table"))) == {(0, 1), (0,)}  # one-shot
    skipping = replace(releaser(pair, "mask-table", period_ms=10), divider=2, cell_period=5 * HZ)
    assert () in dues_of(pair, skipping)


def test_the_longest_and_the_shortest_over_a_hyperperiod() -> None:
    system = system_of((10, 0), (20, 0), (20, 5))
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], PRICES)
    assert (bound.longest, bound.shortest) == (most(10 + 2 * 20), least(9 + 19))
    assert bound.varies == most(50) - least(28)
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list", period_ms=5)], PRICES)
    assert (bound.longest, bound.shortest) == (
        most(10 + 2 * 20),
        least(9),
    )  # an interrupt for no task


def test_instants_that_pass_while_a_handler_is_late_are_served_together() -> None:
    """200 instructions with interrupts off and 32 ns each: 6.4 us, 160 counts, and the handlers' own time."""
    near = Fraction(1, 10**5)  # 10 us
    for apart, together in ((near / 2, True), (10 * near, False)):
        system = make_system([ms(10), ms(10)], offsets=[Fraction(0), apart])
        (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], PRICES)
        assert bound.longest == most(60 if together else 30)


def test_near_instants_over_the_end_of_the_hyperperiod_count() -> None:
    system = make_system([ms(10), ms(10)], offsets=[Fraction(0), ms(10) - Fraction(1, 10**6)])
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], PRICES)
    assert bound.longest == most(60)


def test_a_hyperperiod_that_is_too_long_takes_all_tasks_at_once() -> None:
    primes = (59, 61, 67, 71, 73, 79)
    system = system_of(*((prime, prime % 7) for prime in primes))
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], PRICES)
    assert (bound.longest, bound.shortest) == (most(10 + 6 * 20), least(9 + 19))


def test_more_instants_than_a_handler_can_serve_have_no_bound() -> None:
    system = make_system([Fraction(1, 10**6), Fraction(3, 10**6)])
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], PRICES)
    assert bound.longest is None
    assert bound.why == "more instants pass while it runs than it can serve"


def test_cells_with_one_handler_share_its_length() -> None:
    board = make_board([make_cell("a"), replace(make_cell("b"), handler="a_handler")])
    system = make_system([ms(10), ms(20)], board=board)
    one = releaser(system, "sorted-list", tasks=(0,), period_ms=10)
    other = replace(releaser(system, "sorted-list", tasks=(1,), period_ms=20), cell="b")
    bounds = handler_bounds(system, [one, other], PRICES)
    assert [bound.longest for bound in bounds] == [most(60)] * 2


def test_a_partner_of_a_cooperative_cell_serves_it_too() -> None:
    system = system_of((10, 0), (20, 0), cells=2)
    partner = releaser(system, "sorted-list", tasks=(0,), period_ms=10)
    shot = releaser(system, "sorted-list", tasks=(1,))
    shot = replace(shot, cell="cell1", cooperates=True)
    bounds = handler_bounds(system, [partner, shot], PRICES)
    assert [bound.longest for bound in bounds] == [most(60), most(30)]


@pytest.mark.parametrize(
    ("prices", "why"),
    [
        (NOTHING, "the board's costs do not hold it"),
        (
            replace(NOTHING, handlers={("bucket", Mode.ONE_SHOT): costs(interrupt=1)}),
            "the board's costs do not hold it for sorted-list",
        ),
        (
            replace(NOTHING, handlers={("sorted-list", Mode.ONE_SHOT): costs(interrupt=1)}),
            "the board's costs do not hold all steps of sorted-list",
        ),
    ],
)
def test_where_costs_are_missing_nothing_is_said(prices: Prices, why: str) -> None:
    system = system_of((10, 0))
    (bound,) = handler_bounds(system, [releaser(system, "sorted-list")], prices)
    assert (bound.longest, bound.shortest, bound.varies, bound.why) == (None, None, None, why)


def by_jitter(system: System) -> Plan:
    return plan(system, prices=PRICES, objective="jitter").choice


def test_jitter_takes_the_shortest_longest_handler() -> None:
    system = system_of((10, 0), (10, 0), (15, 0), (20, 0), (30, 0), cells=3)
    planned = plan(system, prices=PRICES, objective="jitter")
    known = {
        one.mechanism: one.plan.longest_handler
        for one in planned.alternatives
        if one.plan is not None and one.mechanism != "chronos-const"
    }
    assert len(known) > 3
    longest = planned.choice.longest_handler
    assert longest is not None
    assert longest == min(one for one in known.values() if one is not None)
    reason = next(one.reason for one in planned.alternatives if one.plan is planned.choice)
    assert f"the shortest longest handler, {longest[0]} at most" in reason
    cheap = plan(system, prices=PRICES).choice.longest_handler
    assert cheap is not None
    assert longest <= cheap


def test_handlers_are_in_json() -> None:
    system = system_of((10, 0), (20, 0))
    planned = plan(system, prices=PRICES, mechanism="one-shot", queue="sorted-list")
    (found,) = to_data(system, planned)["choice"]["handlers"]
    assert found == {
        "cell": "cell0",
        "longest": most(50),
        "shortest": least(28),
        "varies": most(50) - least(28),
        "not_known": None,
    }


def test_where_handlers_are_not_known_jitter_says_so() -> None:
    system = system_of((10, 0), (20, 0))
    planned = plan(system, prices=NOTHING, objective="jitter")
    (note,) = [one for one in planned.notes if "longest handler" in one]
    assert "(the board's costs do not hold it), so the plan is that of the least overhead" in note
    board = make_board(basic_levels=8, lines=4)
    basic = make_system([ms(10)], board=board, kind=Kind.BASIC)
    planned = plan(basic, prices=NOTHING, objective="jitter")
    assert any("it releases basic tasks" in one for one in planned.notes)


def test_an_envelope_lies_on_its_side_of_every_run_and_touches_some() -> None:
    runs = [
        ({"interrupt": 1, "job": 1}, 80),
        ({"interrupt": 1, "job": 10}, 300),
        ({"interrupt": 1, "job": 5}, 150),
        ({"interrupt": 1, "job": 0}, 50),
    ]
    for above in (True, False):
        found = envelope(("interrupt", "job"), runs, above=above)
        assert all(one >= 0 for one in found.values())
        sums = [sum(found[name] * count for name, count in taken.items()) for taken, _ in runs]
        gaps = [
            (total - known) * (1 if above else -1)
            for total, (_, known) in zip(sums, runs, strict=True)
        ]
        assert min(gaps) == 0
        assert gaps.count(0) >= 2


def test_an_exact_line_is_its_own_envelope() -> None:
    runs = [({"interrupt": 1, "job": n}, 40 + 7 * n) for n in (0, 1, 4, 9)]
    for above in (True, False):
        assert envelope(("interrupt", "job"), runs, above=above) == {"interrupt": 40, "job": 7}
