# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The bench `planner`: a part of its cases anew against the committed data; targets and page."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import log2
from pathlib import Path

import pytest

from horolog_experiments.harness import entries, result_object
from horolog_experiments.planner import (
    DATA,
    EXPERIMENT,
    Case,
    Found,
    Measured,
    measure_planner,
    planner_page,
    solve_case,
)
from horolog_experiments.planner.families import FAMILIES, drawn
from horolog_experiments.planner.measure import cases
from horolog_experiments.planner.miqcp import available, solve_miqcp

EVIDENCE = Path(__file__).resolve().parents[2] / "docs" / "evidence"


def committed() -> Measured:
    return DATA.read((EVIDENCE / "planner" / "measured.json").read_text(encoding="utf-8"))


def test_the_committed_page_is_made_from_the_committed_data() -> None:
    text = (EVIDENCE / "planner" / "measured.json").read_text(encoding="utf-8")
    measured = DATA.read(text)
    assert DATA.text(measured) == text
    assert planner_page(measured) == (EVIDENCE / "planner.md").read_text(encoding="utf-8")
    assert [one.case for one in measured.found] == list(cases())


def test_a_part_is_solved_anew_and_compared() -> None:
    by_case = {one.case: one for one in committed().found}
    some = [case for case in by_case if case.n <= 100 and case.target == "usual"]
    some += [case for case in by_case if case.n in (1000, 1500) and case.m in (4, 16)]
    some += [Case("smooth", "smooth-7", False, 100, 8, 0)]
    assert len(some) > 200
    for case in some:
        found, _ = solve_case(case)
        assert replace(found, within=True) == replace(by_case[case], within=True), case


@pytest.mark.skipif(not available(), reason="SCIP is not installed")
def test_the_papers_model_agrees_in_scip_on_a_set_of_the_paper() -> None:
    answer = solve_miqcp([3, 5, 7, 11], 4, 10_000, 60.0)
    assert answer.optimal
    assert answer.objective == pytest.approx(0.7671, abs=1e-4)
    fewer = solve_miqcp([3, 5, 7, 11], 3, 10_000, 60.0)
    assert fewer.objective == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_families_are_drawn_the_same_each_time_and_as_described(family: str) -> None:
    one, two = (drawn(family, 100, 8, 0, True) for _ in range(2))
    assert one == two
    assert one != drawn(family, 100, 8, 1, True)
    assert all(0 <= offset < period for period, offset in one)
    assert all(offset == 0 for _, offset in drawn(family, 100, 8, 0, False))


def test_what_families_hold() -> None:
    smooth = [period for period, _ in drawn("smooth-5", 100, 8, 0, False)]
    assert len(set(smooth)) == 100
    for period in smooth:
        assert 500_000 <= period <= 2_000_000
        assert 30**30 % period == 0
    octaves = [int(log2(period / 1000)) for period, _ in drawn("log-uniform-us", 1500, 8, 0, False)]
    assert {octaves.count(octave) // 100 for octave in range(10)} <= {1}
    assert set(octaves) == set(range(10))


def made(*, seconds_fit: bool, bound: int) -> Measured:
    usual = Found(
        Case("usual", "chronos", False, 10, 4),
        4,
        Fraction(3, 4),
        Fraction(bound, 4),
        "branch and bound",
        Fraction(1),
        seconds_fit,
        True,
    )
    return Measured((usual,), (), "9.15", None)


def test_targets_are_the_issues_and_follow_from_what_was_found() -> None:
    usual, smooth, anything = entries(EXPERIMENT.targets, made(seconds_fit=True, bound=3))
    assert usual["name"] == (
        "paper's sets, automotive, uniform, log-uniform, planted; n to 1,500, m to 16: share proved "
        "optimal within 1 s, %"
    )
    assert smooth["name"] == (
        "smooth periods around 10^6, n = 100, m = 8 and 16: share proved within 20 s, %"
    )
    assert anything["name"] == "any input: an answer within 30 s, with its gap, %"
    assert [one["sense"] for one in (usual, smooth, anything)] == ["=="] * 3
    assert (usual["measured"], usual["met"], usual["note"]) == (100, True, "1 of 1 cases")
    assert (smooth["measured"], smooth["met"]) == (None, False)
    assert (anything["measured"], anything["met"]) == (100, True)


@pytest.mark.parametrize(("fit", "bound"), [(False, 3), (True, 2)])
def test_what_is_missed_is_named(fit: bool, bound: int) -> None:
    usual = entries(EXPERIMENT.targets, made(seconds_fit=fit, bound=bound))[0]
    assert (usual["measured"], usual["met"]) == (0, False)
    assert usual["reason"] == "not so: chronos n = 10 m = 4 seed 0"
    if bound == 2:
        assert "| 10 | 750 (33.33) |" in planner_page(made(seconds_fit=True, bound=2))


def test_the_result_holds_no_times() -> None:
    measured, times = measure_planner(lambda text: None, [Case("usual", "planted", False, 30, 4)])
    assert len(times) == 1
    (row,) = result_object(EXPERIMENT, measured)["rows"]
    assert row["proved"] is True
    assert "seconds" not in row
