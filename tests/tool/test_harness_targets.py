# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Targets: comparisons are exact, and a target says why it is missed or what it is made of."""

from __future__ import annotations

from fractions import Fraction

import pytest

from horolog_experiments.harness import Found, Target, entries

Value = Fraction | float | int | None


def entry(sense: str, target: float, found: Found) -> dict[str, object]:
    (one,) = entries((Target[None]("a", sense, target, "turns", lambda _: found),), None)
    return one


@pytest.mark.parametrize(
    ("sense", "target", "value", "met"),
    [
        ("<=", 3, 3, True),
        ("<=", 3, Fraction(3001, 1000), False),
        (">=", 3, 3, True),
        (">=", 3, 2, False),
        ("==", 3, Fraction(3), True),
        ("==", 3, 4, False),
        ("<=", 0.1, Fraction(1, 10), True),
        (">=", 1.1, Fraction(11, 10), True),  # the float is more than 11/10
        ("==", 1.4, Fraction(7, 5), True),
        ("<=", 0.1, 0.1, True),
        ("<=", 3, None, False),
        (">=", 3, None, False),
    ],
)
def test_values_are_compared_exactly(sense: str, target: float, value: Value, met: bool) -> None:
    assert entry(sense, target, Found(value))["met"] is met


def test_what_is_said_is_a_note_or_a_reason() -> None:
    met, missed = entry("<=", 3, Found(3, "so")), entry("<=", 3, Found(4, "so"))
    assert (met.get("note"), met.get("reason")) == ("so", None)
    assert (missed.get("note"), missed.get("reason")) == (None, "so")
    both = {"reason": "why", "note": "of"}
    assert list(entry("<=", 3, Found(4, both)))[-2:] == ["reason", "note"]
    assert "reason" not in entry("<=", 3, Found(3, both))
    assert list(entry("<=", 3, Found(3)))[-1] == "met"


def test_what_was_not_measured_says_so() -> None:
    assert entry("<=", 3, Found(None))["reason"] == "not measured: the run was limited"
    assert entry("<=", 3, Found(None, "no source"))["reason"] == "no source"


@pytest.mark.parametrize("value", [1.00028, Fraction(100_028, 100_000)])
def test_a_value_that_just_misses_does_not_look_like_one_that_meets(value: Value) -> None:
    assert entry("<=", 1, Found(value))["measured"] == 1.0003
    assert entry(">=", 1, Found(value))["measured"] == 1.0
    assert entry("<=", 1, Found(1 + 1e-12))["measured"] == 1 + 1e-12


def test_json_has_three_decimals_or_what_is_asked_for() -> None:
    assert entry("<=", 3, Found(Fraction(1, 3)))["measured"] == 0.333
    assert entry("<=", 3, Found(1.23456))["measured"] == 1.235
    assert entry("<=", 3, Found(Fraction(2), shown=2))["measured"] == 2
    assert entry("<=", 3, Found(1, met=False))["met"] is False
