# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Streams that go from their cell to another one where that is cheaper."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.analyse import Stream, common_divisor, streams
from horolog.model import QUEUES, Mode, Releaser, System
from horolog.plan import FREE, Cooperation, Limit, Prices, plan
from horolog.plan.mapping.exact import solve
from horolog.plan.mapping.mixture import Mixtures, mixtures
from horolog.plan.mapping.releasers import Inadmissible
from horolog.plan.mapping.stream_moves import better_mixture, leaving, meeting, spread
from horolog.read import read_board

ODD = (58, 62, 86, 74)
GRID = tuple(period for period in (2, 4, 8, 20, 40) for _ in range(10))[3:]


def real_system(periods: tuple[int | str, ...], cells: int = 2) -> System:
    board = read_board("mps2-an385")
    system = make_system(
        [ms(period) for period in periods],
        board=board,
        cells=[cell.name for cell in board.cells[:cells]],
    )
    return replace(system, tasks=tuple(replace(task, shares=True) for task in system.tasks))


def stream(period: int, offset: int = 0) -> Stream:
    return Stream(ms(period), ms(offset), (0,))


def test_odd_periods_of_a_cell_go_where_they_lengthen_no_mask_table() -> None:
    """The four lie on the instants of the others, so that no division by interrupts would split them off."""
    system = real_system((*GRID, *ODD))
    planned = plan(system)
    choice = planned.choice
    assert choice.mechanism == "mixed"
    (single,) = (one for one in choice.releasers if one.cooperates)
    (cell,) = (one for one in choice.releasers if not one.cooperates)
    assert {system.tasks[task].period for task in single.tasks} < {ms(period) for period in ODD}
    assert cell.store == "mask-table"
    others = [one.plan for one in planned.alternatives if one.plan is not None]
    best = min(one.prediction.kernel_per_second for one in others if one.mechanism != "mixed")
    assert choice.prediction.kernel_per_second < best * Fraction(24, 25)
    assert choice.mixture is not None
    assert "tasks moved from their cells" in choice.mixture.how
    assert plan(system).choice == choice


def test_the_plan_says_what_moved_tasks_save() -> None:
    system = real_system((*GRID, *(3, 9, 15, 45) * 5, *ODD))
    mixture = plan(system, mechanism="mixed").choice.mixture
    assert mixture is not None
    assert mixture.saved > Fraction(1, 25)
    assert "tasks moved between cells save " in mixture.how


def test_a_period_that_no_periodic_cell_can_time_is_the_one_shot_cells() -> None:
    cells = [make_cell(f"cell{at}", whole_counts=True) for at in range(4)]
    system = make_system([ms(3), ms(5), ms("1/3")], board=make_board(cells))
    free = Prices(FREE, cooperation=Cooperation(Fraction(0), Fraction(0), Fraction(0)))
    choice = plan(system, mechanism="mixed", prices=free).choice
    (single,) = (one for one in choice.releasers if one.mode is Mode.ONE_SHOT)
    assert 2 in single.tasks
    assert len(choice.releasers) > 1


def test_lone_instants_wait_in_several_delay_queues() -> None:
    """Primes in microseconds: hardly an instant is shared, so that shorter lists are all that counts."""
    primes = (2003, 3001, 4001, 5003, 6007, 7001, 8009, 9001, 10007, 11003, 12007, 13001, 14009)
    offsets = [Fraction(77 * at, 10**6) + Fraction(13, 10**9) for at in range(len(primes))]
    system = real_system(tuple(f"{prime}/1000" for prime in primes), cells=4)
    tasks = zip(system.tasks, offsets, strict=True)
    system = replace(system, tasks=tuple(replace(task, offset=at) for task, at in tasks))
    planned = plan(system)
    choice = planned.choice
    assert choice.mechanism == "mixed"
    assert [one.mode for one in choice.releasers] == [Mode.ONE_SHOT] * 2
    assert not any(one.cooperates for one in choice.releasers)
    assert {one.store for one in choice.releasers} <= {*QUEUES}
    alone = next(one.plan for one in planned.alternatives if one.mechanism == "one-shot")
    assert alone is not None
    interrupts = alone.prediction.interrupts
    assert interrupts <= choice.prediction.interrupts <= interrupts * Fraction(101, 100)
    assert choice.prediction.kernel_per_second < alone.prediction.kernel_per_second
    assert plan(system).choice == choice
    fewest = plan(system, objective="interrupts").choice
    assert (fewest.mechanism, len(fewest.releasers)) == ("one-shot", 1)


def test_streams_that_meet_often_stay_together() -> None:
    of = [stream(7), stream(11), stream(13), stream(14), stream(28, 3)]
    clusters = meeting(of)
    assert clusters == [(of[0], of[3]), (of[1],), (of[2],), (of[4],)]
    # By period, each to the cell with the fewest tasks; each cluster whole.
    assert spread(clusters, 2) == ((of[0], of[3], of[4]), (of[1], of[2]))
    assert spread([(one,) for one in of], 3) == ((of[0], of[3]), (of[1], of[4]), (of[2],))


def test_what_leaves_a_cell_shortens_its_cycle_or_lengthens_its_period() -> None:
    group = [stream(2), stream(4), stream(58), stream(62)]
    found = leaving(group)
    assert found[:2] == [(group[3],), (group[2], group[3])]
    assert (stream(3),) in leaving([stream(3), stream(4), stream(8)])
    assert (stream(4, 1),) in leaving([stream(4, 1), stream(8), stream(12)])
    assert leaving([stream(4)]) == []


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 12), st.integers(0, 11)), min_size=2, max_size=7),
    st.integers(0, 3),
)
def test_moves_are_no_worse_and_serve_every_task(tasks: list[tuple[int, int]], weight: int) -> None:
    system = make_system(
        [ms(period) for period, _ in tasks], offsets=[ms(at % period) for period, at in tasks]
    )
    found = mixtures(system, solve)
    if isinstance(found, Inadmissible):
        return

    def price(releasers: tuple[Releaser, ...]) -> tuple[Fraction, Fraction]:
        """Interrupts of periodic cells, and of each its tasks' hyperperiod."""
        rate = sum(
            (Fraction(10**6, r.cell_period) for r in releasers if r.cell_period), Fraction(0)
        )
        spread = sum(
            max(s.period for s in streams(system, r.tasks))
            / common_divisor(streams(system, r.tasks))
            for r in releasers
        )
        return rate + weight * spread, Fraction(0)

    best = min(found.candidates, key=price, default=None)
    moved = better_mixture(system, best, found.divisions, price)
    if moved.releasers is None:
        assert best is None
        return
    if best is not None:
        assert price(moved.releasers) <= price(best)
    served = sorted(task for one in moved.releasers for task in one.tasks)
    assert served == list(range(len(tasks)))
    assert len({one.cell for one in moved.releasers}) == len(moved.releasers)
    assert better_mixture(system, best, found.divisions, price) == moved


def test_a_limit_ends_the_moves() -> None:
    system = make_system([ms(period) for period in (2, 3, 4, 58, 62)])
    found = mixtures(system, solve)
    assert isinstance(found, Mixtures)
    best = found.candidates[0]
    limit = Limit()
    limit.interrupt()
    moved = better_mixture(
        system, best, found.divisions, lambda _: (Fraction(1), Fraction(1)), limit.over
    )
    assert (moved.releasers, moved.priced) == (best, 0)
