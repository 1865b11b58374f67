# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What `horolog bench queues` leaves: targets, page and figures, and that those committed belong together."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from tests.tool.queue_results import NAMES, made_results, made_whole

from horolog.calibrate.workloads import OPERATIONS
from horolog_experiments.harness import (
    MEASURED,
    Run,
    entries,
    notes_of,
    result_object,
    write_evidence,
)
from horolog_experiments.harness import experiment as harness_module
from horolog_experiments.harness.drawing import HOW_TO_DRAW, can_draw, drawn_by
from horolog_experiments.harness.tables import fixed, number
from horolog_experiments.queues import EXPERIMENT, Results, measured_from
from horolog_experiments.queues import experiment as evidence_module
from horolog_experiments.queues.fits import LARGEST, fit, meeting
from horolog_experiments.queues.page import FOLDER, queues_page
from horolog_experiments.queues.plots import FIGURES, draw_figures

EVIDENCE = Path(__file__).resolve().parents[2] / "docs" / "evidence"
LOUD = "GOLDEN FILES WERE NOT COMPARED"
CALENDAR_LAST = (*(name for name in NAMES if name != "calendar"), "calendar")


def by_name(results: Results) -> dict[str, dict[str, Any]]:
    return {
        one["name"].split(",")[0].split(" at ")[0]: one
        for one in entries(EXPERIMENT.targets, results)
    }


@pytest.fixture(scope="module")
def committed() -> Results:
    return measured_from((EVIDENCE / FOLDER / MEASURED).read_text(encoding="utf-8"))


def test_every_target_is_measured() -> None:
    made = entries(EXPERIMENT.targets, made_results(CALENDAR_LAST))
    assert [one["measured"] for one in made] == [
        20.0,
        20,
        5.0,
        20,
        round((20 + 5 + 4) / (85 + 5 + 4), 3),
        27,  # the first multiple of nine; 20 homogeneous tasks
        1000,
    ]
    assert [one["met"] for one in made] == [True] * 5 + [False, True]


def test_what_was_not_measured_is_null_and_missed() -> None:
    results = made_results(NAMES)
    few = replace(results, rows=tuple(row for row in results.rows if row.tasks <= 20))
    for one in entries(EXPERIMENT.targets, few)[:5]:
        assert (one["measured"], one["met"]) == (None, False)
        assert "limited to fewer tasks" in one["reason"]


def test_a_missed_target_says_why_from_the_rows() -> None:
    missed = by_name(made_results(NAMES))  # the calendar costs n, as the list does
    assert all("reason" in one for one in missed.values() if not one["met"])
    worst = missed["worst insert over all adversarial inputs"]
    assert worst["reason"] == "above 250 under 11 of 11 orders of keys"
    assert worst["note"].startswith("by order of keys: ASCENDING 1,500, ")


def test_the_crossover_is_said_for_each_family() -> None:
    one = by_name(made_results(CALENDAR_LAST))["crossover with the list"]
    assert one["note"] == "the worse of homogeneous 20, uniform 27"
    assert one["reason"].startswith(
        "uniform, 18 tasks: calendar 29 a job (insert 20, first 4, pop 5)"
    )


def test_ram_is_said_with_the_words_of_nodes_too() -> None:
    one = by_name(made_results(CALENDAR_LAST))["extra RAM"]
    assert one["measured"] == 1000
    assert one["note"].startswith(f"{1000 + 85 * 3 * 4:,} with the 3 words of each of 85 nodes")


def test_the_result_says_what_where_and_in_which_unit() -> None:
    made = result_object(EXPERIMENT, made_results(NAMES, made_whole()))
    assert {row["what"] for row in made["rows"]} == {"call", "memory", "system"}
    assert {row["unit"] for row in made["rows"]} == {"instructions", "bytes"}
    assert {row["platform"] for row in made["rows"]} == {"a board"}
    refused = [row for row in made["rows"] if row.get("ratio_refused")]
    assert [(row["queue"], row["ratio"]) for row in refused] == [("calendar", None)]


def test_a_line_is_fitted_in_the_nearer_form() -> None:
    linear = fit([(n, 17 + 5 * n) for n in (1, 2, 10, 150)])
    assert str(linear) == "17 + 5 n"
    assert linear.residual == 0
    assert linear(1000) == 5017
    logarithmic = fit([(n, 30 * n.bit_length() - 4) for n in (1, 2, 10, 150)])
    assert str(logarithmic) == "-4 + 30 ceil(log2(n + 1))"
    assert str(fit([(1, 7), (2, 7)])) == "7"


def test_formulas_meet_where_one_stays_cheaper() -> None:
    walk = fit([(n, 10 + 5 * n) for n in (1, 2, 10)])
    flat = fit([(n, 60) for n in (1, 2, 10)])
    assert meeting(flat, walk) == 10
    assert meeting(walk, flat) is None
    assert meeting(walk, walk) == 1
    late = fit([(n, 5 * LARGEST) for n in (1, 2)])
    assert meeting(late, fit([(n, 5 * n) for n in (1, 2)])) == LARGEST


def test_numbers_stand_with_few_decimals() -> None:
    assert number(Fraction(12345, 10)) == "1,234.5"
    assert number(-3) == "-3"
    assert number(Fraction(1, 100), 2) == "0.01"
    assert fixed(Fraction(1), 2) == "1.00"
    assert fixed(Fraction(21, 2), 2) == "10.50"


def test_the_page_has_the_targets_first_and_every_queue() -> None:
    page = queues_page(made_results(NAMES, made_whole()))
    headings = re.findall("^## (.*)", page, re.MULTILINE)
    assert headings[:2] == ["Targets", "Inside the running kernel"]
    assert "What differs, and why" in headings
    assert all(f"`{name}`" in page for name in NAMES)
    for operation in OPERATIONS:
        assert f"{operation} best" in page
    assert re.findall(r"\]\(queues/(\w+)\.svg\)", page).sort() == sorted(FIGURES).sort()
    assert "`calendar`, 85 tasks: no ratio, Horolog is overloaded" in page


def test_the_page_can_do_without_what_a_small_run_does_not_measure() -> None:
    results = made_results(NAMES)
    few = replace(results, rows=tuple(row for row in results.rows if row.tasks <= 20))
    page = queues_page(few)
    assert "table 5.7" not in page
    assert "running kernel\n" not in page
    assert ".svg" not in page


def test_without_matplotlib_all_but_the_figures_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (evidence_module, harness_module):
        monkeypatch.setattr(module, "can_draw", lambda: False)
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "worst.svg").write_text("of an earlier run")
    results = made_results(NAMES)
    written = write_evidence(EXPERIMENT, results, tmp_path / "queues.md")
    assert written == [tmp_path / "queues.md", tmp_path / FOLDER / MEASURED]
    assert notes_of(EXPERIMENT, results, Run(tmp_path, print)) == (HOW_TO_DRAW,)
    page = (tmp_path / "queues.md").read_text()
    assert "matplotlib is not installed" in page
    assert ".svg" not in page
    assert not list(tmp_path.rglob("*.svg"))


def test_the_committed_page_is_made_from_the_committed_data(committed: Results) -> None:
    page = (EVIDENCE / "queues.md").read_text(encoding="utf-8")
    assert queues_page(committed).splitlines() == page.splitlines()
    assert sorted(re.findall(r"\]\(queues/(\w+)\.svg\)", page)) == sorted(FIGURES)


def test_the_committed_figures_are_drawn_from_the_committed_data(committed: Results) -> None:
    files = {name: EVIDENCE / FOLDER / f"{name}.svg" for name in FIGURES}
    assert {path.stem for path in (EVIDENCE / FOLDER).glob("*.svg")} == set(FIGURES)
    if not can_draw():
        pytest.skip(f"{LOUD}: {HOW_TO_DRAW}")
    if any(drawn_by() not in path.read_text(encoding="utf-8") for path in files.values()):
        pytest.skip(f"{LOUD}: figures were drawn by another version than {drawn_by()}")
    drawn = draw_figures(committed)
    differ = [
        name
        for name, path in files.items()
        if not _is_same_picture(path.read_text(encoding="utf-8"), drawn[path.name])
    ]
    assert differ == []


_NUMBER = re.compile(r"(-?\d+\.\d+)")


def _is_same_picture(one: str, other: str) -> bool:
    """Whether they differ at most in the last digits of coordinates, which processors round differently."""
    parts, others = _NUMBER.split(one), _NUMBER.split(other)
    return (
        len(parts) == len(others)
        and parts[::2] == others[::2]
        and all(
            abs(float(a) - float(b)) < 1e-4 for a, b in zip(parts[1::2], others[1::2], strict=True)
        )
    )


def test_a_picture_that_is_another_is_seen() -> None:
    assert _is_same_picture("L 656.625675 16.598677", "L 656.625675 16.598678")
    assert not _is_same_picture("L 656.625675 16.598677", "L 656.625675 16.599677")
    assert not _is_same_picture("L 656.625675 16.598677", "M 656.625675 16.598677")
    assert not _is_same_picture("L 1.5", "L 1.5 2.5")
