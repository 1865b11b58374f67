# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Divisions of a few items against all divisions; judges are made up, so that all of them take no time."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from horolog.divide.packing import FITS, by_share_alone, packed
from horolog.divide.problem import (
    Answer,
    Common,
    Division,
    Item,
    Judge,
    Judged,
    Part,
    Problem,
    parts_of,
)
from horolog.divide.relaxed import in_order, relaxed, without_singles
from horolog.divide.search import Effort, search

BY_SEARCH = Effort(exhaustive=0, first=0.1, next=0.02, rounds=3)


def drawn(seed: int, count: int, cores: int, *, odd: bool = True) -> Problem:
    """A problem with prices that are at least its commons; `odd`: proofs that follow no rule besides."""
    draw = random.Random(f"divide {seed} {count} {cores} {odd}")
    every = frozenset(range(cores))
    items = tuple(
        Item(
            Fraction(draw.randint(1, 60), 100),
            every if draw.random() < 0.8 else frozenset({draw.randrange(cores)}),
        )
        for _ in range(count)
    )
    commons = tuple(
        Common(
            Fraction(draw.randint(1, 50)),
            frozenset(draw.choices(range(count), k=draw.randint(1, 3))),
        )
        for _ in range(2 * count)
    )
    kinds = tuple(draw.randint(0, 1) if odd else 0 for _ in range(cores))
    problem = Problem(
        items, kinds, lambda part, core: Answer(proved=True), None, Fraction(7), commons
    )

    def judge(part: Part, core: int) -> Answer:
        own = random.Random(f"{seed} {sorted(part)} {kinds[core]}")
        share = problem.share(part)
        proved = share <= 1 and (not odd or own.random() < 0.8)
        price = 7 * Fraction(len(part), count) + problem.bound(part) + own.randint(0, 20)
        return Answer(proved=proved, price=price, excess=max(share, Fraction(1, 10)))

    return replace(problem, judge=judge)


def best_of_all(problem: Problem) -> Fraction | None:
    judged = Judged(problem, problem.judge)
    prices = [
        price
        for one in product(range(len(problem.kinds)), repeat=len(problem.items))
        if problem.allows(one) and (price := judged.price(one)) is not None
    ]
    return min(prices, default=None)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 3))
def test_few_items_have_the_cheapest_division(seed: int, count: int, cores: int) -> None:
    problem = drawn(seed, count, cores)
    best, found = best_of_all(problem), search(problem, replace(BY_SEARCH, exhaustive=6))
    if best is not None:
        assert found.price == found.bound == best
        assert problem.allows(found.division)
        assert Judged(problem, problem.judge).price(found.division) == best
    else:
        assert found.price is None


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(1, 7), st.booleans())
def test_no_division_is_below_the_bound_that_is_said(seed: int, count: int, odd: bool) -> None:
    problem = drawn(seed, count, 2, odd=odd)
    best, found = best_of_all(problem), search(problem, BY_SEARCH)
    if found.price is not None:
        assert best is not None
        assert found.bound <= best <= found.price
        assert Judged(problem, problem.judge).price(found.division) == found.price
    elif not odd:
        assert best is None
    assert problem.allows(found.division)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(4, 9), st.integers(2, 4))
def test_what_a_packing_proves_is_proved(seed: int, count: int, cores: int) -> None:
    problem = drawn(seed, count, cores)
    judged = Judged(problem, problem.judge)
    found = search(problem, BY_SEARCH)
    for fit in FITS:
        division = packed(problem, fit, lambda part, core: judged(part, core).proved)
        if division is not None:
            price = judged.price(division)
            assert found.price is not None
            assert price is not None
            assert found.price <= price


def test_the_same_search_has_the_same_outcome() -> None:
    problem = drawn(3, 9, 3)
    assert search(problem, BY_SEARCH) == search(problem, BY_SEARCH)


def plain(shares: list[str], cores: int, judge: Judge | None = None, **more: object) -> Problem:
    every = frozenset(range(cores))
    items = tuple(Item(Fraction(share), every) for share in shares)
    return Problem(
        items,
        (0,) * cores,
        judge or (lambda part, core: Answer(proved=True, price=Fraction(1))),
        **more,  # type: ignore[arg-type]
    )


def fits(shares: list[str], fit: str, cores: int = 3) -> Division | None:
    problem = plain(shares, cores)
    return packed(problem, fit, lambda part, core: problem.share(part) <= 1)


def test_each_fit_chooses_its_core() -> None:
    shares = ["0.6", "0.7", "0.4", "0.3", "0.2"]
    assert fits(shares, "first") == (1, 0, 1, 0, 2)
    assert fits(shares, "best") == (1, 0, 1, 0, 2)
    assert fits(shares, "worst") == (1, 0, 2, 2, 1)
    assert fits(shares, "next") == (1, 0, 1, 2, 2)
    assert fits(["0.6", "0.6", "0.6", "0.6"], "first") is None


def test_best_fit_takes_the_fullest_core() -> None:
    assert fits(["0.5", "0.6", "0.3"], "best") == (1, 0, 0)
    assert fits(["0.5", "0.6", "0.3"], "worst") == (1, 0, 2)


def test_an_item_with_few_cores_goes_first() -> None:
    problem = plain(["0.9", "0.2"], 2)
    fixed = replace(problem, items=(problem.items[0], Item(Fraction(1, 5), frozenset({0}))))
    assert packed(fixed, "first", lambda part, core: fixed.share(part) <= 1) == (1, 0)
    assert by_share_alone(fixed) == (1, 0)


def test_items_of_one_instant_are_kept_on_one_core() -> None:
    commons = (
        Common(Fraction(10), frozenset({0, 2})),
        Common(Fraction(10), frozenset({1, 3})),
        Common(Fraction(1), frozenset({0, 1, 2, 3})),
    )
    problem = plain(["0.4"] * 4, 2, commons=commons, least=Fraction(5))
    found = relaxed(problem, 1.0)
    assert found.division == (0, 1, 0, 1)
    assert found.bound is not None
    assert 26 < found.bound <= 27


def test_what_is_no_division_is_known_at_once() -> None:
    found = relaxed(plain(["0.6"] * 3, 2), 1.0)
    assert found.division is None
    assert found.bound is None
    assert search(plain(["0.6"] * 3, 2), BY_SEARCH).price is None


def test_a_bound_holds_without_time_to_search() -> None:
    commons = tuple(Common(Fraction(3), frozenset({at, at + 1})) for at in range(9))
    found = relaxed(plain(["0.1"] * 10, 2, commons=commons), 0.0)
    assert found.division is None
    assert found.bound is not None
    assert found.bound <= 27


def test_prices_of_one_item_and_of_very_many_are_paid_once_at_least() -> None:
    singles = (Common(Fraction(4), frozenset({0})), Common(Fraction(1), frozenset()))
    assert without_singles(plain(["0.1"], 2, commons=singles)) == (Fraction(4), ())
    several = tuple(Common(Fraction(at), frozenset({0, at})) for at in range(1, 500))
    least, kept = without_singles(plain(["0.001"] * 500, 2, commons=several))
    assert len(kept) == 400
    assert least == sum(range(1, 100))


def test_known_divisions_and_parts_are_not_found_again() -> None:
    problem = plain(["0.3"] * 4, 2)
    first = relaxed(problem, 1.0)
    assert first.division is not None
    again = relaxed(problem, 1.0, except_for=[first.division], apart=[frozenset({0, 1})])
    assert again.division is not None
    assert again.division != first.division
    assert again.division[0] != again.division[1]


def test_the_most_even_loads() -> None:
    problem = plain(["0.5", "0.4", "0.3", "0.2"], 2)
    found = relaxed(problem, 1.0, balanced=True, hint=(0, 0, 1, 1), seconds=60.0)
    assert found.division is not None
    assert [problem.share(part) for part in parts_of(found.division, 2)] == [Fraction("0.7")] * 2


def test_cores_are_named_in_the_order_of_their_first_items() -> None:
    assert in_order(plain(["0.1"] * 4, 3), (2, 0, 2, 1)) == (0, 1, 0, 2)
    problem = replace(plain(["0.1"] * 3, 3), kinds=(0, 1, 1))
    assert in_order(problem, (2, 0, 1)) == (1, 0, 2)


def test_a_part_is_judged_once_for_cores_that_are_alike() -> None:
    asked = []

    def judge(part: Part, core: int) -> Answer:
        asked.append((part, core))
        return Answer(proved=True, price=Fraction(len(part)))

    problem = replace(plain(["0.4"] * 3, 3, judge), kinds=(0, 0, 2))
    judged = Judged(problem, judge)
    assert [judged(frozenset({0, 1}), core).price for core in range(3)] == [2, 2, 2]
    assert [core for _, core in asked] == [0, 2]
    assert judged.effort == 4
    assert not judged(frozenset({0, 1, 2}), 0).proved  # its share is more than 1
    assert len(asked) == 2
    assert judged(frozenset(), 0) == Answer(proved=True)


def test_moves_find_what_bounds_do_not_see() -> None:
    """Price: 1 for each two neighbours that are on different cores, of which the bounds know nothing."""

    def judge(part: Part, core: int) -> Answer:
        apart = sum((at in part) != ((at + 1) % 8 in part) for at in range(8))
        proved = len(part) <= 4
        return Answer(proved=proved, price=Fraction(apart), excess=Fraction(len(part)))

    found = search(plain(["0.1"] * 8, 2, judge), BY_SEARCH)
    assert found.price == 4


@pytest.mark.parametrize(("count", "how"), [(20, "moves"), (70, "worst-fit by the shares")])
def test_many_items_do_not_change_places(count: int, how: str) -> None:
    """Each core is proved with half of them, so that no single one can move."""

    def judge(part: Part, core: int) -> Answer:
        mixed = min(sum(at % 4 < 2 for at in part), sum(at % 4 > 1 for at in part))
        proved = len(part) == count // 2
        return Answer(proved=proved, price=Fraction(mixed), excess=Fraction(len(part)))

    effort = replace(BY_SEARCH, packing=0, rounds=0)
    found = search(plain(["0.01"] * count, 2, judge), effort)
    assert found.price is not None
    assert found.how == how


def test_moves_repair_what_is_not_proved() -> None:
    """Only an odd division is proved; no packing and no bound leads to it."""
    wanted = frozenset({0, 3, 4})

    def judge(part: Part, core: int) -> Answer:
        wrong = min(len(part ^ wanted), len(part ^ (frozenset(range(7)) - wanted)))
        return Answer(proved=not wrong, price=Fraction(1), excess=Fraction(wrong**2))

    found = search(plain(["0.1"] * 7, 2, judge), replace(BY_SEARCH, rounds=1))
    assert found.price == 2
    assert found.how == "moves"


def test_a_limit_ends_the_search_with_what_there_is() -> None:
    problem = replace(plain(["0.3"] * 8, 3), screen=lambda part, core: Answer(proved=True))
    found = search(problem, BY_SEARCH, over=lambda: True)
    assert found.price is not None
    assert found.compared <= 3


@pytest.mark.parametrize(("packing", "tried"), [(500, 4), (10, 0)])
def test_packings_that_are_not_needed_are_left_out_if_they_take_long(
    packing: int, tried: int
) -> None:
    found = search(plain(["0.1"] * 8, 2), replace(BY_SEARCH, packing=packing))
    assert len(found.packed) == tried
    heavy = plain(["0.1"] * 8, 2, lambda part, core: Answer(proved=False, excess=Fraction(1)))
    assert len(search(heavy, replace(BY_SEARCH, packing=0, repairing=0)).packed) == 4


def test_the_judge_decides_which_finalist_is_taken() -> None:
    """The screen takes all for equal; of its finalists the judge knows the cheapest."""

    def judge(part: Part, core: int) -> Answer:
        return Answer(proved=True, price=Fraction(3 if len(part) == 4 else 1))

    problem = replace(
        plain(["0.2"] * 8, 2, judge),
        screen=lambda part, core: Answer(proved=len(part) <= 5, price=Fraction(1)),
    )
    found = search(problem, replace(BY_SEARCH, finalists=9))
    assert found.price == 2


@pytest.mark.parametrize("repairing", [0, 1_500])
def test_what_is_not_proved_has_the_nearest_division(repairing: int) -> None:
    def judge(part: Part, core: int) -> Answer:
        return Answer(proved=False, excess=Fraction(len(part) ** 2))

    found = search(plain(["0.1"] * 8, 2, judge), replace(BY_SEARCH, repairing=repairing))
    assert found.price is None
    assert sorted(map(len, parts_of(found.division, 2)))[1] <= (4 if repairing else 8)
