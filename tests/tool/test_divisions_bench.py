# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The random sets that are divided among cores: how they are drawn, and who proves a few of them."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from horolog.divide import packing
from horolog.divide.problem import Answer, Item, Part, Problem
from horolog.read import read_board
from horolog_experiments.divisions import (
    CORES,
    DATA,
    EXPERIMENT,
    FITS,
    SETS,
    DividedSet,
    Divisions,
    divided_sets,
    packed,
    share_proved,
    system_of,
)


def test_sets_take_seventy_percent_of_four_cores() -> None:
    board = read_board("ibex-cells")
    drawn = [system_of(number, board) for number in range(40)]
    for system, _ in drawn:
        assert Fraction(27, 10) < system.utilisation <= Fraction(28, 10)
        assert all(task.wcet and task.wcet <= task.deadline <= task.period for task in system.tasks)
    assert {family for _, family in drawn} == {"automotive", "harmonic", "milliseconds"}
    assert len({len(system.tasks) for system, _ in drawn}) == 5
    assert system_of(7, board) == drawn[7]


def test_packings_are_those_of_the_tool() -> None:
    """Two implementations, with a proof that follows no rule."""
    draw = random.Random("packings")
    for seed in range(200):
        shares = [Fraction(draw.randint(1, 70), 100) for _ in range(draw.randint(3, 10))]

        def proved(part: Part, seed: int = seed, shares: list[Fraction] = shares) -> bool:
            room = sum(shares[at] for at in part) <= 1
            return room and random.Random(f"{seed} {sorted(part)}").random() < 0.9

        items = tuple(Item(share, frozenset(range(CORES))) for share in shares)
        problem = Problem(items, (0,) * CORES, lambda part, core: Answer(proved=True))
        for fit in FITS:
            own = packing.packed(problem, fit, lambda part, core: proved(part))
            assert packed(shares, fit, proved) == (own is not None)


def test_a_share_is_of_the_sets_that_a_packing_proves() -> None:
    def one(auto: bool, *fits: bool) -> DividedSet:
        return DividedSet(0, 8, "harmonic", fits, auto, None, None)

    sets = [one(True, True, False), one(False, False, True), one(True, False), one(False, False)]
    assert share_proved(sets) == (Fraction(50), 2, 1)
    assert share_proved(sets[2:]) == (Fraction(0), 0, 1)


def test_the_page_says_what_was_found() -> None:
    fraction = Fraction(3, 4)
    sets = (
        DividedSet(0, 8, "harmonic", (True, False, True, False), True, Fraction(1), fraction),
        DividedSet(1, 8, "harmonic", (False,) * 4, True, Fraction(1), fraction),
        DividedSet(2, 10, "automotive", (False,) * 4, False, None, None),
    )
    found = Divisions(sets)
    page = EXPERIMENT.page(found)
    assert (
        "| == 100 | 100.0 | % | yes | of 3 sets a packing proves 1; the plan alone proves 1 more |"
        in page
    )
    assert "| harmonic | 8 | 2 | 1 | 0 | 1 | 0 | 1 | 2 | 25 |" in page
    assert "| all |  | 3 | 1 | 0 | 1 | 0 | 1 | 2 | 25 |" in page
    rows = EXPERIMENT.rows(found)
    assert rows[0]["fits"] == {"first": True, "best": False, "worst": True, "next": False}
    assert rows[2]["price"] is None
    assert DATA.read(DATA.text(found)) == found
    assert "| not measured |" in EXPERIMENT.page(Divisions(sets[2:]))


def sets_hold(numbers: list[int]) -> None:
    said: list[str] = []
    found = divided_sets(numbers, say=said.append)
    assert share_proved(found)[0] == 100
    assert all(one.bound is None or one.bound < (one.price or 0) for one in found if one.auto)
    assert said


def test_what_a_packing_proves_the_plan_proves() -> None:
    sets_hold([2, 3])


@pytest.mark.soak
def test_what_a_packing_proves_the_plan_proves_of_twenty_sets() -> None:
    assert SETS == 500
    sets_hold([*range(0, SETS, 25)])
