# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The experiment `irregular`: its draws, what it makes of what it measured, and one case measured."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from horolog.analyse import distinct_instants, jobs_in
from horolog.model import Kind
from horolog_experiments.harness import Kept, entries
from horolog_experiments.harness.drawing import can_draw
from horolog_experiments.irregular.families import FAMILIES, Case, cases, system_of
from horolog_experiments.irregular.measure import _without_gaps, measure_case
from horolog_experiments.irregular.others import (
    CELLS,
    LARGE,
    alone_system,
    large_system,
    measure_wide,
)
from horolog_experiments.irregular.page import draw_figures, irregular_page
from horolog_experiments.irregular.results import (
    DATA,
    Alone,
    Answer,
    Flash,
    Irregular,
    Large,
    Measured,
    Theirs,
    Tried,
    Whole,
    Wide,
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
    freertos=(
        Theirs(3, "stock", 12000),
        Theirs(3, "rate-group", 8000),
        Theirs(4, "stock", 8000),
    ),
    slow=0,
    platform="a board",
    toolchain="a compiler",
    flash=(
        Flash(3, 1250, 1000, built=True, said=False),
        Flash(4, 1400, 1000, built=False, said=True),
    ),
    wholes=(
        Whole("chronos", "thread", 400, 10, 0),
        Whole("chronos", "basic", 100, 10, 0),
        Whole("chronos", "stock", 2000, 10, 0),
        Whole("chronos", "rate-group", 1200, 10, 0),
        Whole("engine-control", "thread", 400, 10, 1),
        Whole("engine-control", "rate-group", 1200, 10, 0),
    ),
    alone=(
        Alone(1, "calendar", 2000, 10),
        Alone(1, "sorted-list", 1500, 10),
        Alone(20, "calendar", 1600, 10),
    ),
    large=(
        Large("planted", 0, "chronos", Fraction(1, 2), within=True),
        Large("smooth", 0, "", Fraction(1), within=False),
    ),
    wide=(
        Wide(
            replace(CASE, cells=6), "mixed", "", (20, 18, 2), 0, 20, 0, Fraction(20), Fraction(20)
        ),
        Wide(
            replace(CASE, cells=8),
            "chronos",
            "",
            (20, 20, 0),
            0,
            20,
            0,
            Fraction(41, 2),
            Fraction(41, 2),
        ),
    ),
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
    stock, strongest = FOUND.kernels("stock"), FOUND.strongest()
    assert FOUND.ratios("thread", stock) == [3]
    assert FOUND.ratios("basic", stock) == FOUND.ratios("basic", strongest) == [2]
    assert FOUND.ratios("thread", strongest) == [2]
    assert FOUND.ratios("basic", FOUND.kernels("rate-group")) == []


def test_percentiles_and_means() -> None:
    values = [Fraction(n) for n in range(1, 21)]
    assert [percentile(values, p) for p in (5, 50, 95, 100)] == [1, 10, 19, 20]
    assert geometric_mean([Fraction(1, 2), Fraction(8)]) == pytest.approx(2)
    for of in (lambda: percentile([], 50), lambda: geometric_mean([])):
        with pytest.raises(ValueError, match="no values"):
            of()


def test_targets_take_the_worst_of_both_kinds() -> None:
    named = by_name(FOUND)
    assert named["predicted against measured overhead, worst"]["measured"] == 25
    assert named["measured cost of the choice / best measured, mean"]["measured"] == 1.125
    worst = named["measured cost of the choice / best measured, worst"]
    assert worst["measured"] == 1.25
    assert "one-shot: calendar taken, mixed: harmonic-array, sorted-list is best" in worst["reason"]
    refused = named["legal systems refused as basic tasks"]
    assert (refused["measured"], refused["reason"]) == (1, "no store can")
    assert named["kernel instructions a job, threads"]["measured"] == 400
    assert "1 refused or overloaded" in named["kernel instructions a job, threads"]["reason"]
    assert named["interrupts predicted - (taken + coalesced), largest"]["met"]


def by_name(found: Irregular) -> dict[str, dict[str, Any]]:
    return {one["name"]: one for one in entries(TARGETS, found)}


def test_ratios_name_their_side_and_give_the_others() -> None:
    ratio = by_name(FOUND)["FreeRTOS / ours, threads, geometric mean"]
    assert (ratio["measured"], ratio["met"]) == (3, True)
    assert ratio["note"] == (
        "1 system, stock FreeRTOS; against FreeRTOS with rate groups 2.00 (1 system)"
    )


def test_examples_are_compared_with_rate_groups() -> None:
    found = by_name(FOUND)
    threads = found["chronos, rate-group FreeRTOS / ours, threads"]
    assert (threads["measured"], threads["target"], threads["met"]) == (3, 2.5, True)
    assert "against stock FreeRTOS 5.00" in threads["note"]
    assert found["chronos, rate-group FreeRTOS / ours, basic tasks"]["measured"] == 12
    late = found["engine-control, rate-group FreeRTOS / ours, threads"]
    assert (late["measured"], late["reason"]) == (None, "a deadline is missed, or the jobs differ")
    assert found["engine-control, rate-group FreeRTOS / ours, basic tasks"]["measured"] is None


def test_flash_above_the_bound_has_to_be_said() -> None:
    name = "flash of a plan above 1.25 x FreeRTOS's without a word about it"
    assert by_name(FOUND)[name]["measured"] == 0
    silent = replace(FOUND, flash=(Flash(3, 1251, 1000, built=True, said=False), *FOUND.flash))
    entry = by_name(silent)[name]
    assert (entry["measured"], entry["met"]) == (1, False)
    assert "2 of 3 systems are above; FreeRTOS was built for 2" in entry["reason"]


def test_lone_instants_are_the_worse_seed_of_the_best_stores() -> None:
    entry = by_name(FOUND)["one-shot over the best store, 25 distinct tasks, a job"]
    assert (entry["measured"], entry["met"]) == (160, True)
    assert "seed 1: sorted-list, seed 20: calendar" in entry["note"]


def test_a_large_system_without_a_plan_is_counted() -> None:
    name = "1,500 tasks on 64 cells: share with a plan and its gap within the limit of 10 s"
    entry = by_name(FOUND)[name]
    assert (entry["measured"], entry["met"]) == (50, False)
    assert "planted 50 %" in entry["reason"]
    assert "not within the limit: smooth, seed 0" in entry["reason"]


def test_what_was_not_measured_is_not_met() -> None:
    nothing = replace(FOUND, freertos=(), flash=(), wholes=(), alone=(), large=(), wide=())
    of = by_name(nothing)
    for name in (*(one for one in of if "rate-group" in one), *(n for n in of if "1,500" in n)):
        assert (of[name]["measured"], of[name]["met"]) == (None, False)


def test_an_interrupt_too_many_is_seen() -> None:
    strange = replace(CHOICE, interrupts=(10, 9, 1), excess=1)
    found = replace(FOUND, measured=(replace(FOUND.measured[0], tried=(strange,)),))
    assert by_name(found)["interrupts predicted - (taken + coalesced), largest"]["measured"] == 1


def test_systems_on_more_cells_count_for_interrupts_and_choice() -> None:
    interrupts, choice = (
        "interrupts predicted - (taken + coalesced), largest",
        "5 to 8 cells of the host port: choices refused, or with more interrupts a second than another plan",
    )
    assert by_name(FOUND)[choice]["met"]
    fine, other = FOUND.wide
    lost = replace(other, interrupts=(20, 17, 1), fewest=19, fewest_rate=Fraction(20))
    found = by_name(replace(FOUND, wide=(fine, lost, replace(other, mechanism="", said="why"))))
    assert (found[interrupts]["measured"], found[choice]["measured"]) == (2, 2)
    assert "of which 1 are refused; the worst is" in found[choice]["reason"]
    assert (
        "20.50 a second instead of 20.00; in the window of a second 1 have more"
        in found[choice]["reason"]
    )
    early = by_name(replace(FOUND, wide=(fine, replace(other, fewest=19))))[choice]
    assert early["met"]
    assert "1 have more than another, by 1 at most" in early["note"]
    assert by_name(replace(FOUND, wide=()))[choice]["measured"] is None


@pytest.mark.emulator
def test_a_system_runs_on_more_cells_than_the_board_has(tmp_path: Path) -> None:
    for one in measure_wide(tmp_path, lambda text: None, 4, 0):
        assert one.mechanism
        assert 5 <= one.case.cells <= 8
        assert one.interrupts[0] == sum(one.interrupts[1:]) > 0


def test_what_is_kept_is_an_answer(tmp_path: Path) -> None:
    """What a case came to survives its file."""
    answer = Answer(FOUND.measured[:2], FOUND.freertos, FOUND.flash[0], (0.5, 1.25))
    kept = Kept(tmp_path, Answer, "mps2-an385", [])
    assert kept.get((CASE, 0, None, True)) is None
    kept.put((CASE, 0, None, True), answer)
    assert kept.get((CASE, 0, None, True)) == answer
    assert kept.get((CASE, 1, None, True)) is None


def test_a_run_that_ended_early_counts_to_the_first_gap() -> None:
    answers = [Answer((), (), None, (float(at),)) for at in range(7)]
    for many, found in [((2, 2), 4), ((4, 2), 5), ((1, 3), 2), ((0, 3), 0), ((4, 3), 7)]:
        lanes = [answers[lane::2][:count] for lane, count in enumerate(many)]
        assert _without_gaps(lanes) == answers[:found]


def test_a_run_that_ended_early_says_so() -> None:
    assert "after the first 2 of 300 systems" in irregular_page(FOUND, figures=False)
    all_of_them = [
        replace(one, case=replace(one.case, number=at))
        for at, one in enumerate(FOUND.measured * 150)
    ]
    whole = replace(FOUND, measured=tuple(all_of_them))
    assert "stopped early" not in irregular_page(whole, figures=False)


def test_the_worst_systems_are_listed_with_why() -> None:
    page = irregular_page(FOUND, figures=False)
    assert "-100 instructions a job; 20 % of the interrupts come while another is served" in page
    assert "predicted -25 % off, the best 9.4 % off: 3,000 against 3,500" in page


def test_the_file_reads_back() -> None:
    assert DATA.read(DATA.text(FOUND)) == FOUND


def test_all_rows_can_be_written() -> None:
    wide = [row for row in irregular_rows(FOUND) if row["what"] == "wide"]
    assert wide
    assert json.loads(json.dumps(irregular_rows(FOUND)))[-1] == wide[-1]


def test_the_page_shows_the_worst_and_rows_are_complete() -> None:
    page = irregular_page(FOUND, figures=False)
    assert "3: parts, 5 tasks, 2 cells, offsets random | thread | one-shot: calendar" in page
    assert "as basic tasks 1 are measured, 1 refused" in page
    assert "| FreeRTOS with rate groups | 1 | 2.00 | - |" in page
    assert "| the one of these that costs least | 2 | 2.00 | 2.00 |" in page
    assert "| chronos | FreeRTOS with rate groups | 1,200 | 3.00 | 12.00 |" in page
    assert "engine-control | Horolog, thread tasks; 1 deadlines missed |" in page
    assert [row["state"] for row in irregular_rows(FOUND)[:4]] == [
        "measured",
        "refused",
        "overloaded",
        "measured",
    ]
    assert [row["what"] for row in irregular_rows(FOUND)[4:]] == [
        *(["example"] * 6),
        *(["alone"] * 3),
        *(["large"] * 2),
        *(["wide"] * 2),
    ]
    row = irregular_rows(FOUND)[0]
    assert (row["freertos"], row["freertos_rate_group"], row["freertos_notify"]) == (
        12000,
        8000,
        None,
    )
    assert (row["flash"], row["flash_freertos"]) == (1250, 1000)
    if can_draw():
        assert set(draw_figures(FOUND)) == {"off.svg", "per-job.svg"}


@pytest.mark.emulator
def test_a_case_is_planned_and_measured(tmp_path: Path) -> None:
    case = next(one for one in cases(80) if one.family == "awkward" and 2 <= one.n <= 5)
    one, seconds, planned = measure_case(case, Kind.THREAD, 0, tmp_path, 2)
    assert one.state == "measured"
    assert len(one.tried) == 2
    assert one.choice.jobs > 0
    assert one.choice.interrupts[0] == sum(one.choice.interrupts[1:])
    assert seconds >= 0
    assert planned is not None
    assert planned.choice.mechanism == one.choice.mechanism


def test_lone_instants_are_drawn_as_issued() -> None:
    system = alone_system(1)
    assert len(system.tasks) == 25
    assert distinct_instants(system) == sum(jobs_in(system))
    assert all(Fraction(1, 2000) <= one.period <= Fraction(62, 1000) for one in system.tasks)


@pytest.mark.parametrize("family", LARGE)
def test_large_systems_are_on_64_cells(family: str) -> None:
    system = large_system(family, 0, tasks=100)
    assert (len(system.tasks), len(system.cells)) == (100, CELLS)
    assert system == large_system(family, 0, tasks=100) != large_system(family, 1, tasks=100)
    assert system.utilisation < 1
