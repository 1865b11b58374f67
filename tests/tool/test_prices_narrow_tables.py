# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Which tables of basic tasks AVR's kernel serves in ways that have prices of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.tool.factory import make_system, ms

from horolog.analyse import clock_wraps_in
from horolog.calibrate.basic import calibrate_basic
from horolog.calibrate.stores import Spec
from horolog.model import Board, Kind, Mode, Plan, Releaser, System
from horolog.model.result import Instructions, Interrupts, Side
from horolog.plan import Costs, StepCosts, plan, read_prices
from horolog.plan.instants.counts_and_rates import NONE, Amount
from horolog.plan.prediction.predict import forecast
from horolog.plan.prices.basic_costs import BASIC_STEPS, basic_cost, basic_steps
from horolog.plan.prices.costs import FREE, NOTHING
from horolog.plan.prices.narrow_tables import counts_for_task, has_far_rows
from horolog.read import read_board
from horolog.responses.kernel import Releasing, releasing

CHIP = "atmega128-8mhz"


def chip_system(*periods: int, board: Board | None = None) -> System:
    """Basic tasks with these periods in milliseconds, on a clock of 125 kHz."""
    board = read_board(CHIP) if board is None else board
    return make_system([ms(one) for one in periods], board=board, kind=Kind.BASIC)


def on_cell(system: System, mechanism: str, store: str = "mask-table") -> Releaser:
    """The releaser of all tasks."""
    (releaser,) = plan(system, mechanism=mechanism, queue=store, prices=NOTHING).choice.releasers
    return releaser


def test_a_cell_counts_for_a_single_task() -> None:
    system = chip_system(10)
    releaser = on_cell(system, "gcd")
    assert counts_for_task(system, releaser)
    two = chip_system(10, 20)
    assert not counts_for_task(two, on_cell(two, "gcd"))
    assert not counts_for_task(system, on_cell(system, "one-shot"))
    assert not counts_for_task(system, replace(releaser, words=True))
    assert not counts_for_task(replace(system, releases=3), releaser)
    fine = replace(releaser, part=Fraction(1, 0x4001))  # more parts than 16 bits can step by
    assert not counts_for_task(system, fine)
    cells = tuple(replace(cell, counts=False) for cell in system.board.cells)
    unable = replace(system, board=replace(system.board, cells=cells))
    assert not counts_for_task(unable, releaser)
    elsewhere = chip_system(10, board=read_board("mps2-an385"))
    assert not counts_for_task(elsewhere, on_cell(elsewhere, "gcd"))


def test_a_task_with_early_ends_or_a_shared_line_is_not_counted_for() -> None:
    system = chip_system(10)
    releaser = on_cell(system, "gcd")
    ends = replace(system, tasks=(replace(system.tasks[0], terminates=True),))
    assert not counts_for_task(ends, releaser)
    many = chip_system(*[10] * 40)
    shared = replace(releaser, tasks=(39,))
    assert counts_for_task(many, replace(releaser, tasks=(0,))), "it has one of the 16 lines"
    assert not counts_for_task(many, shared)


def test_rows_of_a_wide_processor_are_never_far() -> None:
    near, far = chip_system(10, 20), chip_system(140, 280)  # 16,384 counts are 131 ms
    assert not has_far_rows(near, on_cell(near, "one-shot"))
    assert has_far_rows(far, on_cell(far, "one-shot"))
    wide = chip_system(900, 1800, board=read_board("mps2-an385"))
    assert not has_far_rows(wide, on_cell(wide, "one-shot"))


def test_the_steps_of_both_are_taken_at_each_job_and_at_each_interrupt() -> None:
    system = chip_system(10)
    counted = steps(system, on_cell(system, "gcd"))
    assert counted == {"interrupt": 100, "counted": 100}
    fine = replace(on_cell(system, "gcd"), cell_period=125)  # a millisecond
    assert steps(system, fine) == {"interrupt": 1000, "counted": 100}
    far = chip_system(200, 400)
    assert steps(far, on_cell(far, "one-shot"))["far"] == 5
    near = chip_system(10, 20)
    assert "far" not in steps(near, on_cell(near, "one-shot"))


def steps(system: System, releaser: Releaser) -> dict[str, Fraction]:
    """The steps that are taken, a second."""
    work = forecast(system, releaser, NOTHING).work
    return {name: one.rate for name, one in basic_steps(system, work, releaser).items() if one.rate}


def job_steps(made: Releasing) -> int:
    """Of a job that is released alone."""
    return made.interrupt + made.due[0] + made.job.before + made.job.after


TRUE = {
    **{"interrupt": 60, "row": 200, "row_alone": 180, "row_both": 140, "cycle": 40, "part": 110},
    **{
        "job": 160,
        "alone": 80,
        "general": 120,
        "ending": 150,
        "counted": 130,
        "far": 150,
        "rank": 7,
    },
}
WRAP = Fraction(30)


@pytest.mark.parametrize("hz", [2_000_000, 4_000_000])  # some rows are far, and none out of reach
def test_what_calibration_finds_on_a_chip_where_each_task_has_a_line(hz: int) -> None:
    """Of a kernel with known costs, to which each wrap of the clock adds."""
    true = StepCosts(
        {
            mode: {name: Fraction(TRUE[name]) for name in names}
            for mode, names in BASIC_STEPS["lines"].items()
        }
    )

    chip = read_board(CHIP)
    cells = tuple(replace(cell, hz=hz) for cell in chip.cells)
    chip = replace(chip, clock=replace(chip.clock, hz=hz), cells=cells)

    def make(title: str, specs: Sequence[Spec]) -> System:
        system = make_system([spec.period for spec in specs], board=chip, kind=Kind.BASIC)
        tasks = (
            replace(task, offset=spec.offset, priority=spec.priority, terminates=spec.terminates)
            for task, spec in zip(system.tasks, specs, strict=True)
        )
        return replace(system, name=title, tasks=tuple(tasks), cells=("timer1a",))

    def run(title: str, system: System, chosen: Plan) -> Side:
        (releaser,) = chosen.releasers
        work = forecast(system, releaser, NOTHING).work
        kernel = (
            basic_cost(system, work, releaser, {"lines": true}).window
            + clock_wraps_in(system) * WRAP
        )
        taken = chosen.prediction.interrupts
        if releaser.mode is Mode.ONE_SHOT:
            assert taken == work.required.window, "no interrupt is one of a hop"
        ran = Instructions(int(kernel), 0, 0, {"f": int(kernel)})
        return Side("", 1, 0, 0, Interrupts(taken, taken, 0), ran, {})

    costs: Costs = replace(FREE, wrap=WRAP)
    found = calibrate_basic(make, run, costs, ["lines"])["lines"].by_mode
    assert found[Mode.PERIODIC] == pytest.approx({k: v for k, v in TRUE.items() if k != "far"})
    one_shot = dict(TRUE, interrupt=260, row=0, row_alone=-20, row_both=-60)
    del one_shot["counted"]
    assert found[Mode.ONE_SHOT] == pytest.approx(one_shot)


@pytest.mark.parametrize("mechanism", ["gcd", "one-shot"])
@pytest.mark.parametrize("board", [CHIP, "atmega128", "arduino-uno"])
def test_bounds_count_what_a_chip_takes_for_basic_tasks(board: str, mechanism: str) -> None:
    """At least what calibration measured of the handler and of the job, and less than of a thread."""
    system = chip_system(10, 20, board=read_board(board))
    prices = read_prices(system.board)
    releaser = on_cell(system, mechanism)
    made = releasing(system, releaser, Fraction(0), prices)
    by_step = prices.basic["lines"].by_mode[releaser.mode]
    assert made.interrupt >= by_step["interrupt"] > 0
    assert all(due >= by_step["row_alone"] for due in made.due)
    assert made.job.before >= by_step["alone"]
    as_thread = releasing(system, releaser, Fraction(0), replace(prices, basic={}))
    assert job_steps(made) < job_steps(as_thread)
    assert made.means
    work = forecast(system, releaser, prices).work
    assert basic_cost(system, work, releaser, prices.basic) != Amount(NONE.window, NONE.rate)
