# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Execution budgets: which cell counts them, what the tool says of that, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from tests.system.support import horolog

from horolog.analyse import basic_levels, levels
from horolog.emit import generate
from horolog.model import Beside, BudgetCells, HorologError, System
from horolog.plan import plan, read_prices
from horolog.plan.prediction.beside import beside_of
from horolog.plan.prices.budget_costs import GUARD_ARM, GUARD_DISARM
from horolog.read import check, read_board, read_system
from horolog.responses import analysis_of
from horolog.responses.budgets import job_steps

SYSTEM = """\
[system]
name = "flight"
board = "mps2-an385"
duration = "100 ms"

[[task]]
name = "log"
period = "20 ms"
work = 400

[[task]]
name = "sense"
work = 1500

[[task]]
name = "control"
work = 20000
budget = "2 ms"

[[table]]
name = "flight"
kind = "dispatcher"
round = "5 ms"
point = [
    { offset = "1 ms", activate = "sense", deadline = "0.5 ms" },
    { offset = "0 ms", activate = "control" },
]
"""
MONITORED = SYSTEM.replace('round = "5 ms"', 'round = "5 ms"\ndeadline_monitoring = "stringent"')


def read(folder: Path, text: str, **options: str) -> System:
    path = folder / "system.toml"
    path.write_text(text, encoding="utf-8")
    return read_system(path, **options)  # type: ignore[arg-type]


def test_one_cell_counts_all_budgets(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM)
    assert system.budget_cells == BudgetCells(("systick",))
    assert system.cells == ("timer0", "timer1", "dual0")
    assert system.budgeted == (2,)
    assert system.budget_counts(2) == 50_000
    monitored = read(tmp_path, MONITORED)
    assert monitored.budget_cells == BudgetCells(("timer1",))  # the deadlines have the last one
    assert monitored.cells == ("timer0", "dual0")
    assert read(tmp_path, SYSTEM.replace('budget = "2 ms"', "")).budget_cells is None


def test_each_task_has_a_cell_whose_group_follows_its_line(tmp_path: Path) -> None:
    text = SYSTEM.replace("work = 1500", 'work = 1500\nbudget = "1 ms"').replace(
        "mps2-an385", "ibex-cells"
    )
    system = read(tmp_path, text)
    cells = BudgetCells(("cell62", "cell63"), each=True, groups=(15, 14))
    assert system.budget_cells == cells
    for mechanism, handlers in (("sloth", 2), ("gcd", 2)):
        made = generate(system, plan(system, mechanism=mechanism).choice)["hrl_gen_system.c"]
        assert made.count("HRLI_COUNTED_ENTRY(") == handlers
        assert made.count("HRLI_ALONE_BUDGET_HANDLER(") == handlers
        assert made.count("HRLI_OWN_BUDGET_HANDLER(") == 2 - handlers
        assert "HRLI_PAUSING" not in made
        assert made.count("HRLI_PREPARE_OWN_BUDGET(") == 2
    said = horolog("check", tmp_path / "system.toml")
    assert "budgets of sense, control: counted by a cell for each task (cell62" in said.out


def test_more_budgets_than_groups_are_refused(tmp_path: Path) -> None:
    head = '[system]\nname = "s"\nboard = "ibex-cells"\nduration = "1 s"\n'
    tasks = [
        f'[[task]]\nname = "t{n}"\nperiod = "10 ms"\nwork = 9\nkind = "basic"\nbudget = "1 ms"\n'
        for n in range(16)
    ]
    assert len(read(tmp_path, head + "".join(tasks[:15])).budgeted) == 15
    with pytest.raises(HorologError, match="budgets need 16 cells, each in a group") as refused:
        read(tmp_path, head + "".join(tasks))
    assert "15 groups left" in str(refused.value)


def test_a_budget_of_a_fraction_of_a_count_is_not_less(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM.replace('"2 ms"\n', '"2000.01 us"\n'))
    assert system.budget_counts(2) == 50_001


def test_their_interrupt_takes_a_level_above_all_tasks(tmp_path: Path) -> None:
    for text in (SYSTEM, MONITORED):
        system = read(
            tmp_path, text.replace('period = "20 ms"', 'period = "20 ms"\nkind = "basic"')
        )
        assert max(levels(system)) < basic_levels(system)
        texts = generate(system, plan(system).choice)
        assert "HRLI_BUDGETS(" in texts["hrl_gen_system.c"]
        assert f"{basic_levels(system)}u)" in texts["hrl_gen_system.c"]


def test_only_handlers_above_a_task_with_a_budget_pause_it(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM)
    text = generate(system, plan(system, mechanism="sloth").choice)["hrl_gen_system.c"]
    handlers = text.split("HRLI_HANDLER(")[1:]
    (pausing,) = [one for one in handlers if "HRLI_PAUSING(" in one]
    assert "hrl_gen_body_1" in pausing  # sense's, which preempts control


def test_check_says_which_cell_counts(tmp_path: Path) -> None:
    read(tmp_path, SYSTEM)
    said = horolog("check", tmp_path / "system.toml")
    assert "budgets of control: counted by the cell systick" in said.out
    found = horolog("check", tmp_path / "system.toml", "--json").object
    assert found["budgets"] == [{"task": "control", "budget_s": 0.002, "cell": "systick"}]


def test_a_budget_below_the_wcet_is_looked_at(tmp_path: Path) -> None:
    system = read(tmp_path, SYSTEM.replace('"2 ms"\n', '"0.9 ms"\n'))
    assert [one.code for one in check(system)] == ["budget-below-wcet"]
    assert not check(read(tmp_path, SYSTEM))


def test_what_budgets_take_is_in_the_bounds(tmp_path: Path) -> None:
    def bounds(text: str) -> list[Fraction]:
        system = read(tmp_path, text)
        found = analysis_of(system, plan(system, mechanism="gcd").choice, read_prices(system.board))
        return [one.response for one in found.bounds if one.response is not None]

    without = bounds(SYSTEM.replace('budget = "2 ms"', ""))
    assert all(more > less for more, less in zip(bounds(SYSTEM), without, strict=True))


def test_what_a_cell_takes_more_that_monitors_deadlines_too_is_in_bounds_and_the_prediction(
    tmp_path: Path,
) -> None:
    def told(text: str) -> tuple[System, list[Fraction], Beside]:
        system, prices = read(tmp_path, text), read_prices(read_board("mps2-an385"))
        chosen = plan(system, mechanism="gcd").choice
        found = analysis_of(system, chosen, prices)
        (beside,) = beside_of(system, chosen, prices)
        bounds = [one.response for one in found.bounds if one.response is not None]
        return system, bounds, beside

    three = 'duration = "100 ms"\ncells = ["timer0", "dual0", "timer1"]'
    monitored = 'deadline_monitoring = "stringent"'

    def named(cell: str) -> str:
        return MONITORED.replace(monitored, f'{monitored}\ndeadline_cell = "{cell}"')

    shared, bounds, beside = told(named("timer1").replace('duration = "100 ms"', three))
    assert shared.shares_guards
    assert shared.cells == ("timer0", "dual0")
    apart, less, beside_less = told(named("systick"))
    assert not apart.shares_guards
    assert apart.budget_cells == shared.budget_cells
    assert all(more > one for more, one in zip(bounds, less, strict=True))
    assert beside.what == "budgets of control and deadlines"
    assert beside.kernel is not None
    assert beside_less.kernel is not None
    assert beside.kernel - beside_less.kernel == 20 * (GUARD_ARM + GUARD_DISARM)
    prices = read_prices(shared.board)
    assert prices.monitored(shared, "mask-table") == prices.deadlines["cmsdk-timer"] + GUARD_ARM
    said = horolog("check", tmp_path / "system.toml")
    assert "counted by the cell timer1\n" in said.out
    read(tmp_path, named("timer1").replace('duration = "100 ms"', three))
    said = horolog("check", tmp_path / "system.toml")
    assert "counted by the cell timer1, which monitors the deadlines, too" in said.out


def test_what_an_entry_saves_for_a_budget_is_in_the_bounds(tmp_path: Path) -> None:
    """`horolog bench tables` finds 16 cycles, with all registers that calls keep; calibration 5."""
    system = read(tmp_path, SYSTEM, board="ibex-cells")
    (releaser,) = (one for one in plan(system).choice.releasers if system.budgeted[0] in one.tasks)
    before, after = job_steps(system, releaser, read_prices(system.board))
    assert before + after >= 12 + 2 + 5


@pytest.mark.parametrize(
    ("change", "wrong", "right"),
    [
        (("work = 400", 'work = 400\nbudget = "1 ms"'), "for basic tasks", 'kind = "basic"'),
        (("work = 20000", "work = 20000\nterminates = true"), "end early", "no terminates"),
        (
            ('period = "20 ms"', 'min_gap = "20 ms"\nkind = "basic"\nbudget = "1 ms"'),
            "time does not release it",
            "a period",
        ),
        (('"2 ms"\n', '"30 s"\n'), "too long", "at most 21.474 s"),
        (
            ('duration = "100 ms"', 'duration = "100 ms"\nreleases = 3'),
            "so many releases",
            "no budget",
        ),
        (
            ('duration = "100 ms"', 'duration = "100 ms"\ncells = ["timer0"]'),
            "3 cells are needed, and 1 can be had",
            'this fits: "timer1" and "dual0" in cells of [system], too',
        ),
        (
            ('duration = "100 ms"', 'duration = "100 ms"\ncells = ["timer0", "dual0"]'),
            '1 for threads, 1 for the points of the table "flight" and 1 for budgets',
            'no budget of "control"',
        ),
        (
            ('board = "mps2-an385"', 'board = "qemu-virt-rv32"'),
            "has no budgets",
            "another board",
        ),
        (('"2 ms"\n', '"0 ms"\n'), "budget", "more than zero"),
    ],
)
def test_what_is_refused(change: tuple[str, str], wrong: str, right: str, tmp_path: Path) -> None:
    text = SYSTEM.replace(*change)
    with pytest.raises(HorologError) as refused:
        read(tmp_path, text)
    said = str(refused.value)
    assert wrong in said
    assert right in said
    assert "system.toml" in said


def test_a_budget_below_threads_is_refused(tmp_path: Path) -> None:
    text = """\
[system]
name = "mixed"
board = "{board}"
duration = "100 ms"
priorities = "explicit"

[[task]]
name = "basic"
period = "5 ms"
work = 400
kind = "basic"
priority = 3
budget = "1 ms"

[[task]]
name = "thread"
period = "5 ms"
work = 400
priority = {priority}
"""
    for board in ("host", "mps2-an385"):
        assert read(tmp_path, text.format(board=board, priority=2)).budgeted == (0,)
        with pytest.raises(HorologError, match="threads are above it") as refused:
            read(tmp_path, text.format(board=board, priority=4))
        assert '"thread"' in str(refused.value)


def test_a_level_for_budgets_is_counted(tmp_path: Path) -> None:
    head = '[system]\nname = "s"\nboard = "mps2-an385"\nduration = "1 s"\npriorities = "explicit"\n'
    tasks = [
        f'[[task]]\nname = "t{n}"\nperiod = "10 ms"\nwork = 9\nkind = "basic"\npriority = {n}\n'
        for n in range(1, 9)
    ]
    assert not read(tmp_path, head + "".join(tasks)).budgeted
    with pytest.raises(HorologError, match="the interrupt of budgets"):
        read(tmp_path, head + "".join(tasks) + 'budget = "1 ms"\n')
