# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench baselines: its targets on made-up sides, and that the committed page is what its data says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from horolog_experiments.baselines import EXPERIMENT
from horolog_experiments.baselines.page import baselines_page
from horolog_experiments.baselines.results import (
    DATA,
    EXAMPLES,
    BaselineExample,
    Baselines,
    BaselineSide,
)
from horolog_experiments.baselines.targets import TARGETS, cannot_express
from horolog_experiments.harness import entries

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence"


def side(example: str, name: str, kernel: int | None, refused: str | None = None) -> BaselineSide:
    more = None if kernel is None else kernel + 100
    return BaselineSide(example, name, "tick", 10, kernel, more, 4, 1, 1, 1, 1, refused)


def made() -> Baselines:
    sides = []
    for example in EXAMPLES:
        sides += [side(example, "threads", 100), side(example, "basic", 20)]
        sides += [side(example, "stock", 500), side(example, "rate-group", 200)]
        sides.append(side(example, "notify", None, "no tick of up to 10 kHz fits"))
    examples = tuple(BaselineExample(name, True) for name in EXAMPLES)
    return Baselines("a board", "a compiler", "12 in", examples, tuple(sides))


def changed(found: Baselines, example: str, name: str, new: BaselineSide) -> Baselines:
    same = (example, name)
    kept = tuple(new if (one.example, one.name) == same else one for one in found.sides)
    return replace(found, sides=kept)


def test_targets_are_the_issues() -> None:
    measured = [(one["measured"], one["met"]) for one in entries(TARGETS, made())]
    assert measured == [(3, True), (2, True), (10, True), (3, True), (5, False), (None, False)]
    assert entries(TARGETS, made())[-1]["state"] == "by a test"


def test_a_system_counts_only_if_all_sides_that_can_express_it_are_compared() -> None:
    def systems(found: Baselines) -> object:
        return entries(TARGETS, found)[0]["measured"]

    late = side("audio", "stock", 500, "FreeRTOS missed 1 of 10 deadlines")
    assert systems(changed(made(), "audio", "stock", late)) == 2
    rounded = side("audio", "stock", 500, "FreeRTOS rounds periods, by up to 0.30 %")
    assert systems(changed(made(), "audio", "stock", rounded)) == 3
    none = changed(made(), "audio", "stock", rounded)
    none = changed(none, "audio", "rate-group", replace(rounded, name="rate-group"))
    assert systems(none) == 2  # no comparison at all
    assert not cannot_express(None)


def test_the_page_says_why_a_side_has_no_ratio() -> None:
    page = baselines_page(made())
    assert "No ratio to FreeRTOS with notifications: no tick of up to 10 kHz fits.\n" in page
    assert "| FreeRTOS | tick | 500 | 50 | 0.4 | 60 | 5 | 3 | 25 | 5 | 1 | 1 | 1 |\n" in page


def test_the_committed_page_is_what_its_data_says() -> None:
    text = (EVIDENCE / "baselines" / "measured.json").read_text(encoding="utf-8")
    found = DATA.read(text)
    assert DATA.text(found) == text
    assert (EVIDENCE / "baselines.md").read_text(encoding="utf-8") == baselines_page(found)
    assert EXPERIMENT.name == "baselines"
