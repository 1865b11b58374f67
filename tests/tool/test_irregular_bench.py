# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `irregular`: its draws, what it makes of what it measured, and one case measured."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from horolog.model import Kind
from horolog_experiments.harness import entries
from horolog_experiments.harness.drawing import can_draw
from horolog_experiments.irregular.families import FAMILIES, Case, cases, system_of
from horolog_experiments.irregular.measure import measure_case
from horolog_experiments.irregular.page import draw_figures, irregular_page
from horolog_experiments.irregular.results import (
    DATA,
    Irregular,
    Measured,
    Tried,
    geometric_mean,
    percentile,
)
from horolog_experiments.irregular.targets import TARGETS, irregular_rows

CASE = Case(3, "parts", 5, 2, "random", 40)
CHOICE = Tried("one-shot", ("calendar",), 3000, 4000, 10, 0, (10, 8, 2), 0)
BETTER = Tried("mixed", ("harmonic-array", "sorted-list"), 3500, 3200, 10, 0, (10, 10, 0), 0)
FOUND = Irregular(
    seed=0,
    measured=(
        Measured(CASE, "thread", "measured", "", (CHOICE, BETTER)),
        Measured(CASE, "basic", "refused", "no store can", ()),
        Measured(replace(CASE, number=4), "thread", "overloaded", "never idle", ()),
        Measured(
            replace(CASE, number=4), "basic", "measured", "", (replace(CHOICE, predicted=4000),)
        ),
    ),
    freertos=((3, 12000), (4, 8000)),
    slow=0,
    platform="a board",
    toolchain="a compiler",
)


def test_draws_are_the_same_everywhere() -> None:
    assert cases(3) == [
        Case(0, "primes", 18, 2, "random", cases(1)[0].load),
        Case(1, "awkward", 1, 2, "none", cases(2)[1].load),
        Case(2, "steps-2.5us", 33, 2, "none", cases(3)[2].load),
    ]
    assert cases(40)[:8] == cases(8)
    assert cases(8, seed=1) != cases(8)


def test_every_family_is_drawn_within_its_bounds() -> None:
    of = cases(80)
    assert {case.family for case in of} == set(FAMILIES)
    for case in of:
        assert 1 <= case.n <= 200
        assert 1 <= case.cells <= 4
        assert 20 <= case.load <= 70
        system = system_of(case, Kind.BASIC)
        assert (len(system.tasks), len(system.cells)) == (case.n, case.cells)
        assert all(task.kind is Kind.BASIC for task in system.tasks)
        assert all(0 <= task.offset < task.period <= 1 for task in system.tasks)
        assert (case.offsets == "none") <= (not any(task.offset for task in system.tasks))
        assert system.utilisation <= Fraction(case.load, 100) + sum(
            Fraction(600, 10**9) / task.period for task in system.tasks
        )


def test_what_a_case_comes_to() -> None:
    one = FOUND.measured[0]
    assert one.choice.off == Fraction(-1, 4)
    assert one.regret == Fraction(5, 4)
    assert one.choice.per_job == 400
    assert FOUND.ratios("thread") == [3]
    assert FOUND.ratios("basic") == [2]


def test_percentiles_and_means() -> None:
    values = [Fraction(n) for n in range(1, 21)]
    assert [percentile(values, p) for p in (5, 50, 95, 100)] == [1, 10, 19, 20]
    assert geometric_mean([Fraction(1, 2), Fraction(8)]) == pytest.approx(2)
    for of in (lambda: percentile([], 50), lambda: geometric_mean([])):
        with pytest.raises(ValueError, match="no values"):
            of()


def test_targets_take_the_worst_of_both_kinds() -> None:
    by_name = {one["name"]: one for one in entries(TARGETS, FOUND)}
    assert by_name["predicted against measured overhead, worst"]["measured"] == 25
    assert by_name["measured cost of the choice / best measured, mean"]["measured"] == 1.125
    worst = by_name["measured cost of the choice / best measured, worst"]
    assert worst["measured"] == 1.25
    assert "one-shot: calendar taken, mixed: harmonic-array, sorted-list is best" in worst["reason"]
    refused = by_name["legal systems refused as basic tasks"]
    assert (refused["measured"], refused["reason"]) == (1, "no store can")
    assert by_name["kernel instructions a job, threads"]["measured"] == 400
    assert "1 refused or overloaded" in by_name["kernel instructions a job, threads"]["reason"]
    assert by_name["interrupts predicted - (taken + coalesced), largest"]["met"]


def test_an_interrupt_too_many_is_seen() -> None:
    strange = replace(CHOICE, interrupts=(10, 9, 1), excess=1)
    found = replace(FOUND, measured=(replace(FOUND.measured[0], tried=(strange,)),))
    by_name = {one["name"]: one for one in entries(TARGETS, found)}
    assert by_name["interrupts predicted - (taken + coalesced), largest"]["measured"] == 1


def test_the_file_reads_back() -> None:
    assert DATA.read(DATA.text(FOUND)) == FOUND


def test_the_page_shows_the_worst_and_rows_are_complete() -> None:
    page = irregular_page(FOUND, figures=False)
    assert "3: parts, 5 tasks, 2 cells, offsets random | thread | one-shot: calendar" in page
    assert "as basic tasks 1 are measured, 1 refused" in page
    assert [row["state"] for row in irregular_rows(FOUND)] == [
        "measured",
        "refused",
        "overloaded",
        "measured",
    ]
    if can_draw():
        assert set(draw_figures(FOUND)) == {"off.svg", "per-job.svg"}


@pytest.mark.emulator
def test_a_case_is_planned_and_measured(tmp_path: Path) -> None:
    case = next(one for one in cases(80) if one.family == "awkward" and 2 <= one.n <= 5)
    one, seconds = measure_case(case, Kind.THREAD, 0, tmp_path, 2)
    assert one.state == "measured"
    assert len(one.tried) == 2
    assert one.choice.jobs > 0
    assert one.choice.interrupts[0] == sum(one.choice.interrupts[1:])
    assert seconds >= 0
