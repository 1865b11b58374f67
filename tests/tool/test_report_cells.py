# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The picture of cost over the number of cells, and what a mixture looks like in that of its instants."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from tests.tool.factory import make_board, make_cell, make_system, ms

from horolog.model import HorologError
from horolog.plan import FREE, ByCells, Cooperation, Costs, Prices, over_cells, plan
from horolog.report import pictures
from horolog.report.cells import cells_picture

NOTHING = Cooperation(Fraction(0), Fraction(0), Fraction(0))
COSTS = Prices(Costs(*[Fraction(50)] * 8), cooperation=NOTHING)
SYSTEM = make_system([ms(p) for p in (3, 5, 7, 11)])


def curve() -> tuple[ByCells, ...]:
    return over_cells(SYSTEM, lambda one: plan(one, prices=COSTS))


def test_more_cells_than_streams_change_nothing() -> None:
    rows = curve()
    assert [row.cells for row in rows] == list(range(1, 17))
    for number in (4, 5, 6, 9, 16):
        found = plan(
            make_system(
                [ms(p) for p in (3, 5, 7, 11)],
                board=make_board([make_cell(f"c{at}", min_counts=250) for at in range(number)]),
            ),
            prices=COSTS,
        )
        assert {
            a.mechanism: a.plan.prediction.kernel_per_second for a in found.alternatives if a.plan
        } == {name: one.kernel_per_second for name, one in rows[number - 1].others}


def test_each_mechanism_has_a_bar_for_each_number_of_cells() -> None:
    picture = cells_picture(SYSTEM, curve())
    assert picture is not None
    assert (picture.cells, picture.now) == (tuple(range(1, 17)), 4)
    rows = {row.mechanism: row for row in picture.rows}
    assert "chronos-const" not in rows  # it is never chosen
    bars = {name: (row.chosen + row.other).count("M") for name, row in rows.items()}
    assert bars == {"mixed": 15, "chronos": 16, "one-shot": 16, "tick": 16, "gcd": 16}
    assert sum(row.chosen.count("M") for row in picture.rows) == 16
    assert rows["tick"].few.endswith(" with 1")
    assert rows["mixed"].few.endswith(" with 2")
    assert rows["mixed"].words.startswith("mixed, by number of cells: 2: ")
    costs = [dict(curve()[-1].others)[row.mechanism].kernel_per_second for row in picture.rows]
    assert all(one <= other for one, other in pairwise(costs))


def test_the_bars_have_one_scale_that_begins_at_zero() -> None:
    rows = curve()
    picture = cells_picture(SYSTEM, rows)
    assert picture is not None
    highest = max(float(one.kernel_per_second) for row in rows for _, one in row.others)
    tick = next(row for row in picture.rows if row.mechanism == "tick")
    first = (tick.other or tick.chosen).split("h")[0]
    height = 100 - float(first.split(" ")[1])
    cost = float(dict(rows[0].others)["tick"].kernel_per_second)
    assert height == pytest.approx(100 * cost / highest, abs=0.06)


def test_without_instructions_interrupts_are_shown() -> None:
    board = make_board(ns_per_instruction=None)
    system = make_system([ms(3), ms(5)], board=board)
    rows = over_cells(system, lambda one: plan(one, prices=Prices(FREE, cooperation=NOTHING)))
    picture = cells_picture(system, rows)
    assert picture is not None
    assert picture.unit == "interrupts a second"
    assert cells_picture(system, ()) is None


def test_a_cooperative_cell_has_marks_only_where_it_interrupts() -> None:
    system = make_system([ms(3), ms(5)], duration=ms(300))
    chosen = plan(system, mechanism="mixed", prices=COSTS).choice
    shown = pictures.instants(system, chosen)
    assert shown.whole_cycle
    by_cell = {row.label: row.needed_count for row in shown.rows}
    cycle = plan(make_system([ms(3), ms(5)], duration=shown.span), mechanism="mixed", prices=COSTS)
    assert by_cell == dict(cycle.choice.prediction.interrupts_by_cell)
    assert sum(row.empty_count for row in shown.rows) == 0


def test_no_curve_where_no_cell_can_be_copied() -> None:
    from horolog.model import Mode

    board = make_board([make_cell("a", modes=frozenset({Mode.ONE_SHOT}))])
    with pytest.raises(HorologError, match="no cell in use can interrupt periodically"):
        over_cells(make_system([ms(3)], board=board), lambda one: plan(one, prices=COSTS))
