# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from horolog.figures import count, decimals, number, numbered, plural, significant


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (9.996, "10.0"),
        (0.01234, "0.0123"),
        (1234.5, "1,230"),
        (99.96, "100"),
        (5, "5.00"),
        (1_000_000, "1,000,000"),
        (Fraction(1, 10**6), "0.00000100"),
    ],
)
def test_three_significant_digits(value: Fraction | float, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(10**6), "1000000"),
        (Fraction(1, 10**6), "0.000001"),
        (Fraction(-5, 2), "-2.5"),
        (Fraction(-1, 2), "-0.5"),
        (Fraction(0), "0"),
        (Fraction(1, 3), "0.333333"),
    ],
)
def test_a_number_as_a_person_types_it(value: Fraction, text: str) -> None:
    assert number(value) == text


@given(st.integers(-(10**12), 10**12), st.integers(0, 6))
def test_decimals_are_exact(scaled: int, most: int) -> None:
    value = Fraction(scaled, 10**most)
    text = decimals(value, most)
    assert text is not None
    assert Fraction(text) == value
    assert not text.endswith(".")


def test_one_of_a_thing_is_no_things() -> None:
    assert (plural(1, "task"), plural(2, "task"), plural(0, "task")) == (
        "1 task",
        "2 tasks",
        "0 tasks",
    )
    assert plural(2, "entry", "entries") == "2 entries"
    assert count(12345) == "12,345"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([], ""),
        (["timer0"], "timer0"),
        (["timer0", "timer1", "dual0"], "timer0, timer1, dual0"),
        (["cell0", "cell1", "cell2"], "cell0 to cell2"),
        (
            ["systick", *(f"cell{n}" for n in range(8, 62)), "cell63"],
            "systick, cell8 to cell61, cell63",
        ),
        (["cell2", "cell1", "cell0"], "cell2, cell1, cell0"),
        (["a", "a"], "a, a"),
    ],
)
def test_names_that_count_up_are_a_range(names: list[str], text: str) -> None:
    assert numbered(names) == text
