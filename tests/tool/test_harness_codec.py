# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Measured data as JSON: what each kind of value is written as, and that it comes back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from fractions import Fraction

import pytest

from horolog_experiments.harness import INLINE, UNSAVED, Data


class Colour(Enum):
    """Written by name."""

    RED = "as blood"


class Side(StrEnum):
    """Written by value."""

    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: Fraction | None = None
    colour: Colour = Colour.RED


@dataclass(frozen=True, slots=True)
class Row:
    point: Point
    marks: tuple[int, ...]
    place: int = field(default=0, metadata=UNSAVED)


@dataclass(frozen=True, slots=True)
class Flat:
    point: Point = field(metadata=INLINE)
    end: tuple[str, int]


@dataclass(frozen=True)
class Results:
    tool: str | None
    missing: Mapping[str, str]
    sizes: Mapping[tuple[str, str], int]
    one: Point | None
    rows: tuple[Row, ...] = ()
    flat: tuple[Flat, ...] = ()
    plans: Mapping[str, str] = field(default_factory=dict)
    points: Mapping[tuple[str, Side], Point] = field(default_factory=dict)
    lists: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)


HEAD = ("tool", "missing", "sizes", "one")
LISTS = ("rows", "flat", "plans", "points", "lists")
POINT = Point(1, Fraction(1, 3))
RESULTS = Results(
    tool=None,
    missing={"b": "no"},
    sizes={("a", "b"): 4},
    one=POINT,
    rows=(Row(POINT, (1, 2)), Row(Point(2), ())),
    flat=(Flat(Point(2), ("z", 9)),),
    plans={"b": "2", "a": "1"},
    points={("p", Side.LEFT): Point(3)},
    lists={"a": (POINT, Point(2))},
)
TEXT = """\
{
"tool": null,
"missing": {"b": "no"},
"sizes": [["a", "b", 4]],
"one": [1, "1/3", "RED"],
"columns": ["x"],
"rows": [
[[1, "1/3", "RED"], [1, 2]],
[[2, null, "RED"], []]
],
"flat": [
[2, null, "RED", ["z", 9]]
],
"texts": [
["a", "1"],
["b", "2"]
],
"points": [
["p", "left", 3, null, "RED"]
],
"lists": [
["a", [[1, "1/3", "RED"], [2, null, "RED"]]]
]
}
"""
DATA = Data(
    Results, HEAD, LISTS, called={"plans": "texts"}, more={"columns": ["x"]}, ascending=("plans",)
)


def test_every_kind_of_value_is_written_and_comes_back() -> None:
    assert DATA.text(RESULTS) == TEXT
    assert DATA.read(TEXT) == RESULTS


def test_the_head_may_be_a_member() -> None:
    data = Data(Results, HEAD, LISTS, in_head=True)
    text = data.text(RESULTS)
    assert list(json.loads(text)) == ["head", *LISTS]
    assert data.read(text) == RESULTS


def test_a_field_that_is_not_saved_has_its_default() -> None:
    marked = Results(None, {}, {}, None, rows=(Row(POINT, (), place=7),))
    assert DATA.read(DATA.text(marked)).rows == (Row(POINT, ()),)


def test_a_row_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="zip"):
        DATA.read(TEXT.replace('["z", 9]', '["z"]'))
    with pytest.raises(ValueError, match="more values than Flat has"):
        DATA.read(TEXT.replace('["z", 9]', '["z", 9], 4'))
