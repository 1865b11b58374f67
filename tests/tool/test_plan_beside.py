# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What a plan predicts beside its releasers: budgets that hold, points of tables, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import example

from horolog.calibrate import Calibration, costs_toml
from horolog.model import Beside, HorologError, Prediction, System
from horolog.plan import FREE, Prices, plan, read_prices
from horolog.plan.plan_json import to_data
from horolog.plan.prices.budget_costs import BudgetCosts
from horolog.plan.prices.expiry_costs import EXPIRY_STEPS, POINT_MEANING, ExpiryCosts
from horolog.read import read_board, read_system
from horolog.responses import analysis_of

BUDGET = BudgetCosts(*map(Fraction, (1000, 300, 10, 4, 7, 50)))
EXPIRY = ExpiryCosts(
    {
        name: (Fraction(10 ** (at % 4) * 100), Fraction(9_000))
        for at, name in enumerate(EXPIRY_STEPS)
    }
)
POINTS = {name: Fraction(at + 1) for at, name in enumerate(POINT_MEANING)}
DEVICE = "cmsdk-timer"


def priced(system: System, *, own: bool = False) -> Prices:
    """The board's prices without those of budgets and tables; with `own`, those above."""
    known = replace(read_prices(system.board), budgets={}, expiries=None)
    if not own:
        return known
    return replace(known, budgets={("shared", DEVICE): BUDGET}, expiries=EXPIRY)


def predicted(system: System, prices: Prices) -> Prediction:
    return plan(system, prices=prices).choice.prediction


def only(prediction: Prediction, what: str) -> Beside:
    (one,) = (one for one in prediction.beside if one.what == what)
    return one


def test_a_budget_that_holds_is_predicted() -> None:
    system = read_system(example("flight-table"))
    without, found = (predicted(system, priced(system, own=own)) for own in (False, True))
    one = only(found, "budgets of navigate")
    assert (one.cell, one.interrupts) == ("timer1", 0)
    assert one.kernel == found.kernel_instructions - without.kernel_instructions
    # 20 jobs; all interrupts look, and release a task; the lines of 80 jobs of each of three tasks and 40 of
    # one are above.
    lines = 3 * 80 + 40
    assert one.kernel == 20 * 1300 + found.interrupts * 10 + found.required * 4 + lines * 7
    assert one.kernel_per_second == pytest.approx(float(one.kernel * 5), rel=0.02)
    assert one.not_predicted is not None
    assert "paused" in one.not_predicted
    assert found.interrupts == without.interrupts
    missing = only(without, "budgets of navigate")
    assert missing.kernel is None
    assert (
        missing.not_predicted == "the board's costs do not hold it: horolog calibrate measures it"
    )


def test_the_points_of_a_table_by_the_clock_are_predicted() -> None:
    system = read_system(example("combustion"))
    without, found = (predicted(system, priced(system, own=own)) for own in (False, True))
    one = only(found, "schedule table measurement")
    # From 1 ms on, a round of 10 ms with three points; each round begins with the end of the one before.
    assert (one.cell, one.interrupts, one.not_predicted) == ("timer1", 60, None)
    costs = {name: EXPIRY.typical(name) for name in EXPIRY_STEPS}
    threads, basic = 20 + 20, 2 * 20
    assert one.kernel == (
        60 * costs["interrupt"]
        + 19 * costs["round"]
        + threads * costs["thread"]
        + basic * costs["basic"]
    )
    assert one.kernel == found.kernel_instructions - without.kernel_instructions
    assert one.kernel_per_second == 5 * (
        one.kernel + costs["round"]
    )  # in the long run 20 ends of 20
    teeth = only(found, "schedule table cylinder")
    assert teeth.kernel is None
    assert teeth.interrupts is None
    assert teeth.not_predicted == "the application increments crankshaft"


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        (
            'autostart = { relative = "1 ms" }',
            "",
            "the application starts it",
        ),
        (
            'round = "10 ms"\n',
            'round = "10 ms"\nsync = "explicit"\nprecision = "1 us"\n',
            "it follows a global time, which the application gives",
        ),
    ],
)
def test_what_the_application_decides_is_not_predicted(
    before: str, after: str, why: str, tmp_path: Path
) -> None:
    source = example("combustion")
    text = source.read_text(encoding="utf-8")
    assert before in text
    path = tmp_path / "system.toml"
    path.write_text(text.replace(before, after), encoding="utf-8")
    (tmp_path / "bodies.c").write_bytes((source.parent / "bodies.c").read_bytes())
    system = read_system(path)
    one = only(predicted(system, priced(system, own=True)), "schedule table measurement")
    assert one.kernel is None
    assert one.interrupts is None
    assert one.not_predicted == why


def test_nothing_is_beside_where_there_is_neither_budget_nor_table() -> None:
    system = read_system(example("engine-control"))
    made = plan(system)
    assert made.choice.prediction.beside == ()
    assert "beside" not in to_data(system, made)["choice"]["prediction"]


def test_the_prices_of_a_file_are_those_that_were_written(tmp_path: Path) -> None:
    board = replace(read_board("mps2-an385"), directory=tmp_path)
    budgets = {("shared", DEVICE): BUDGET, ("own", "systick"): BudgetCosts(*map(Fraction, (5, 1)))}
    made = Calibration("made", FREE, "x", budgets=budgets, expiries=EXPIRY, points=POINTS)
    text = costs_toml(made)
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    back = read_prices(board)
    assert (back.budgets, back.expiries, back.points) == (budgets, EXPIRY, POINTS)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("[budget.both.systick]\nbefore = 1\nafter = 2", 'unknown budget "both"'),
        ("[budget.own.clock]\nbefore = 1\nafter = 2", "a value cannot be used"),
        ("[budget.own.systick]\nbefore = 1", "a value is missing"),
        ("[budget.own.systick]\nbefore = 1\nafter = 2\npuase = 1", 'did you mean "pause"?'),
        ("[expiry]\ninterrupt = 3", "a value cannot be used"),
        ("[expiry]\nactivate = [1, 2]", 'unknown expiry "activate"'),
        ("[cell-point]\nend = 3", 'unknown cell-point "end"'),
    ],
)
def test_a_price_that_is_wrong_is_refused(lines: str, message: str, tmp_path: Path) -> None:
    text = costs_toml(Calibration("made", FREE, "x")) + "\n" + lines + "\n"
    (tmp_path / "costs.toml").write_text(text, encoding="utf-8")
    with pytest.raises(HorologError, match=message.replace("?", r"\?")):
        read_prices(replace(read_board("mps2-an385"), directory=tmp_path))


def test_bounds_have_the_dearest_price_of_the_board() -> None:
    for name, tasks in (("flight-table", ["navigate", "sense"]), ("combustion", ["tooth"])):
        system = read_system(example(name))
        chosen = plan(system, prices=priced(system)).choice
        cheap = replace(
            priced(system),
            budgets={("shared", DEVICE): BudgetCosts(Fraction(1), Fraction(1))},
            expiries=ExpiryCosts({step: (Fraction(1), Fraction(1)) for step in EXPIRY_STEPS}),
        )
        # Without a price bounds have figures of no board, which lie between.
        less, usual, more = (
            analysis_of(system, chosen, prices)
            for prices in (cheap, priced(system), priced(system, own=True))
        )
        index = {task.name: at for at, task in enumerate(system.all_tasks)}
        for task in tasks:
            bounds = [
                next(one.response for one in found.bounds if one.task == index[task])
                for found in (less, usual, more)
            ]
            assert None not in bounds
            assert bounds[0] < bounds[1] < bounds[2]  # type: ignore[operator]


def test_points_of_controlled_tables_cost_more() -> None:
    """The dispatcher's cell does more than a one-shot cell with a table of masks."""
    system = read_system(example("flight-table"))
    assert system.control is not None
    less = replace(priced(system), dispatched={DEVICE: Fraction(0)}, moving_deadlines={})
    more = replace(less, dispatched={DEVICE: Fraction(500)})
    unknown = replace(less, dispatched={})
    cheap, dear, usual = (predicted(system, one) for one in (less, more, unknown))
    points = dict(dear.interrupts_by_cell)[system.control.cell]
    assert dear.kernel_instructions - cheap.kernel_instructions == 500 * points
    assert usual.kernel_instructions == cheap.kernel_instructions
    chosen = plan(system, prices=less).choice
    # Without a price the bounds have one of no board, which lies between.
    assert system.monitored is not None
    bounds = [
        next(one.response for one in analysis_of(system, chosen, prices).bounds if one.task == 0)
        for prices in (less, unknown, more)
    ]
    assert None not in bounds
    assert bounds[0] < bounds[1] < bounds[2]  # type: ignore[operator]
    moved = replace(less, moving_deadlines=dict.fromkeys(less.deadlines, Fraction(1_000)))
    assert predicted(system, moved).kernel_instructions > cheap.kernel_instructions
