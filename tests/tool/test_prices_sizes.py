# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""A plan that takes far more flash than FreeRTOS says so; the ready queue's words for masks are weighed."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.factory import make_board, make_system, ms

from horolog.analyse import of_threads
from horolog.calibrate.costs_text import size_lines
from horolog.model import HorologError, Kind, Mode, Releaser, System
from horolog.plan import NOTHING, Costs, Prices, plan, read_prices
from horolog.plan.prices.size_costs import (
    BasicSizes,
    SizeCosts,
    ThreadSizes,
    basic_parts,
    flash_note,
    predicted_basic_flash,
    predicted_basic_variables,
    predicted_variables,
    thread_parts,
)
from horolog.plan.stores.sizes import masks_ram, static_ram
from horolog.read import read_board

THREADS = ThreadSizes(*(Fraction(n) for n in (1000, 100, 20, 300, 200, 400, 50, 1000, 80)))
FLASH = SizeCosts(THREADS)
BASIC = BasicSizes(*(Fraction(n) for n in (1000, 100, 10, 300, 200, 40, 50, 60, 70)))


def flash(**other: int) -> SizeCosts:
    """FLASH with other sizes of threads."""
    return SizeCosts(replace(THREADS, **{name: Fraction(size) for name, size in other.items()}))


def tasks(count: int, *, shares: bool = False) -> System:
    system = make_system([ms(10)] * count)
    made = tuple(replace(one, shares=shares) for one in system.tasks)
    return of_threads(replace(system, tasks=made))


def releaser(system: System, store: str = "sorted-list", mode: Mode = Mode.ONE_SHOT) -> Releaser:
    return Releaser(system.cells[0], mode, store, tuple(range(len(system.tasks))), 0)


def test_what_a_plan_is_made_of() -> None:
    system = tasks(5)
    assert thread_parts(system, [releaser(system)]) == {
        "base": 1,
        "thread": 5,
        "body": 0,
        "cell": 0,
        "one_shot": 1,
        "masks": 0,
        "chains": 0,
    }
    shared = tasks(5, shares=True)
    found = thread_parts(shared, [releaser(shared, "period-groups", Mode.PERIODIC)] * 3)
    assert (found["thread"], found["body"], found["cell"]) == (1, 4, 2)
    assert (found["one_shot"], found["masks"], found["chains"]) == (0, 1, 0)


def test_at_a_ratio_of_five_quarters_nothing_is_said_and_above_both_figures() -> None:
    system = tasks(5)  # ours: 1000 + 500 + 200 = 1700; FreeRTOS: 1000 + 400
    assert flash_note(system, [releaser(system)], FLASH, {}) is None
    edge = flash(base=1050)
    assert flash_note(system, [releaser(system)], edge, {}) is None  # 1,750 of 1,400
    said = flash_note(system, [releaser(system)], flash(base=1051), {})
    assert said is not None
    assert "about 1,800 bytes of kernel and tables, 1.25 times the 1,400 of FreeRTOS" in said


def test_tables_count() -> None:
    system = tasks(5)
    one = releaser(system, "mask-table")
    masks = flash(masks=0, base=1050)
    said = flash_note(system, [one], masks, {})
    assert said is not None  # a row and a part


def test_without_figures_nothing_is_said() -> None:
    system = tasks(50)
    assert flash_note(system, [releaser(system)], None, {}) is None


def test_the_plan_has_it_as_a_note() -> None:
    prices = replace(NOTHING, flash=flash(base=9000))
    (note,) = [one for one in plan(tasks(5), prices=prices).notes if one.startswith("flash: ")]
    assert "times the 1,400 of FreeRTOS with the same tasks" in note
    assert not [one for one in plan(tasks(5), prices=NOTHING).notes if "flash" in one]


def read(text: str, folder: Path) -> Prices:
    steps = "".join(f"{field.name} = 1\n" for field in fields(Costs))
    (folder / "costs.toml").write_text(f"[costs]\n{steps}\n{text}\n", encoding="utf-8")
    return read_prices(make_board(directory=folder))


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    both = SizeCosts(THREADS, BASIC)
    lines = [*size_lines("flash", FLASH), *size_lines("variables", both)]
    prices = read("\n".join(lines), tmp_path)
    assert (prices.flash, prices.variables) == (FLASH, both)
    assert read("", tmp_path).flash is None
    assert size_lines("flash", None) == []
    assert read("[flash]\nbase = 3", tmp_path).flash is None  # of an earlier version, with bodies
    variables = "\n".join(size_lines("variables", both))
    with pytest.raises(HorologError, match=r"flash\.thread: a value is missing"):
        read(f"[flash]\nbase = 3\n{variables}", tmp_path)
    with pytest.raises(HorologError, match=r"flash\.basic\.task: a value is missing"):
        read(
            "\n".join(size_lines("flash", FLASH)) + f"\n[flash.basic]\nbase = 3\n{variables}",
            tmp_path,
        )


def test_variables_are_parts_and_what_stores_take() -> None:
    system = tasks(5)
    ours, theirs = predicted_variables(system, [releaser(system)], THREADS, {})
    assert (round(ours), round(theirs)) == (1700, 1400)
    groups = releaser(system, "period-groups", Mode.PERIODIC)
    ours, _ = predicted_variables(system, [groups], THREADS, {})
    assert ours == 1000 + 500 + 400 + static_ram(system, groups, "period-groups")


def test_of_basic_tasks() -> None:
    system = make_system([ms(10)] * 4)
    of = tuple(replace(one, kind=Kind.BASIC) for one in system.tasks)
    system = replace(system, tasks=of)
    cells = system.cells
    releasers = [
        Releaser(cells[0], Mode.PERIODIC, "mask-table", (0, 1), 0),
        Releaser(cells[1], Mode.ONE_SHOT, "none", (2,), 0),
        Releaser(cells[2], Mode.PERIODIC, "none", (3,), 0),
    ]
    parts = basic_parts(system, releasers)
    assert parts | {"line": 0} == {
        "base": 1,
        "task": 4,
        "line": 0,
        "cell": 2,
        "one_shot": 1,
        "alone": 2,
        "table": 1,
        "groups": 0,
        "chains": 0,
    }
    whole = 1000 + 400 + 10 * parts["line"] + 600 + 200 + 80 + 50
    assert predicted_basic_variables(system, releasers, BASIC) >= whole
    assert predicted_basic_flash(system, releasers, BASIC, {}) > whole


def test_the_words_for_masks_are_weighed_once_a_system() -> None:
    """kernel/ready/release_mask.h: three words for each of 32 levels, and two more."""
    system = make_system([ms(period) for period in (7, 7, 11, 11)], board=read_board("mps2-an385"))
    assert masks_ram(system) == 3 * 4 * 32 + 2 * 4
    small = replace(system, board=read_board("arduino-uno"))
    assert masks_ram(small) == (2 * 4 + 2) * 16 + 2 * 4
    chosen = plan(system, mechanism="chronos", queue="period-groups").choice
    assert len(chosen.queues) > 1
    ram = [
        {option.store: option.ram for option in queue.options}["period-groups"]
        for queue in chosen.queues
    ]
    assert ram[0] - ram[1] == masks_ram(system)
