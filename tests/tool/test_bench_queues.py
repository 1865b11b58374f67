# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The pure parts of `horolog bench queues`: cases, what the plugin wrote, targets and the page."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop

from horolog.bench import queues
from horolog.bench.queues import (
    LEVELS,
    OPERATIONS,
    QUEUES,
    Case,
    Queue,
    Results,
    Row,
    automotive_counts,
    cases_source,
    cases_up_to,
    read_calls,
    result_object,
    rows_of,
    targets,
)
from horolog.bench.queues_page import fit, queues_page
from horolog.model import Exit, HorologError

ROOT = Path(__file__).resolve().parents[2]


def made_results(names: tuple[str, ...]) -> Results:
    """Every queue costs n to insert but the last, which costs 20; first 2 (asked twice), pop 5."""
    rows = []
    for level in LEVELS:
        for name in names:
            for case in cases_up_to(1500):
                if case.order not in ("PERIODIC", "EQUAL"):
                    continue
                insert = 20 if name == names[-1] else case.tasks
                for operation, calls, cost in (
                    ("insert", 10, insert),
                    ("first", 40, 2),
                    ("pop", 20, 5),
                ):
                    rows.append(
                        Row(
                            name,
                            level,
                            case.family,
                            case.tasks,
                            operation,
                            calls,
                            cost,
                            cost,
                            calls * cost,
                        )
                    )
    sizes = {name: 24 + 1000 * (name == names[-1]) for name in names}
    return Results(
        tuple(rows), sizes, {(n, level): 100 for n in names for level in LEVELS}, "a board", "gcc"
    )


NAMES = tuple(queue.name for queue in QUEUES)


def test_85_automotive_tasks_are_the_percentage_points() -> None:
    assert automotive_counts(85) == (
        (1, 3),
        (2, 2),
        (5, 2),
        (10, 25),
        (20, 25),
        (50, 3),
        (100, 20),
        (200, 1),
        (1000, 4),
    )
    assert automotive_counts(850)[0] == (1, 30)


@pytest.mark.parametrize("tasks", [1, 9, 100, 850, 1500])
def test_other_numbers_follow_the_shares_by_largest_remainder(tasks: int) -> None:
    counts = dict(automotive_counts(tasks))
    exact = {ms: Fraction(share * tasks, 85) for ms, share in automotive_counts(85)}
    assert sum(counts.values()) == tasks
    assert all(abs(counts[ms] - exact[ms]) < 1 for ms in exact)


def test_the_families_are_the_issues() -> None:
    cases = cases_up_to(1500)
    sizes = {
        family: [c.tasks for c in cases if c.family == family]
        for family in ("worst", "homogeneous", "uniform", "automotive")
    }
    assert set(sizes["worst"]) == set(sizes["homogeneous"])
    assert {1, 150, 1500} <= set(sizes["homogeneous"])
    assert sizes["uniform"][:16] == list(range(9, 145, 9))
    assert sizes["uniform"][-1] == 1494
    assert sizes["automotive"] == [85, 850, 1500]
    for case in cases:
        assert case.order != "PERIODIC" or sum(tasks for _, tasks in case.groups) == case.tasks


def test_fewer_tasks_are_a_part_of_the_cases() -> None:
    few = cases_up_to(20)
    assert few
    assert set(few) < set(cases_up_to(1500))
    assert max(case.tasks for case in few) == 20


def test_cases_become_c() -> None:
    text = cases_source(
        "bucket",
        [Case("worst", 5, "EQUAL"), Case("uniform", 3, groups=((1, 1), (20, 2)), end_ms=40)],
        25_000_000,
    )
    assert 'bench_queue_name[] = "bucket"' in text
    assert "{BENCH_EQUAL, 5u, 0u, NULL, 0u}" in text
    assert "groups_1[] = {{25000u, 1u}, {500000u, 2u}};" in text
    assert "{BENCH_PERIODIC, 3u, 1000000u, groups_1, 2u}" in text
    assert "bench_case_count = 2u" in text


def test_calls_are_read_back() -> None:
    calls = read_calls("case 0 0 5 2 9 30\ncase 0 2 1 4 4 4\ndone\n")
    assert calls == {(0, "insert"): (5, 2, 9, 30), (0, "pop"): (1, 4, 4, 4)}


@pytest.mark.parametrize("text", ["", "case 0 0 5 2 9 30\n"])
def test_calls_cut_short_are_an_error(text: str) -> None:
    with pytest.raises(HorologError) as error:
        read_calls(text)
    assert error.value.exit is Exit.TARGET_FAILED


def test_the_orders_of_one_size_become_one_row() -> None:
    cases = [Case("worst", 5, "EQUAL"), Case("worst", 5, "RANDOM")]
    calls = {(0, "insert"): (2, 5, 7, 12), (1, "insert"): (3, 4, 6, 15)}
    for index in (0, 1):
        calls |= {(index, "first"): (1, 2, 2, 2), (index, "pop"): (0, 0, 0, 0)}
    insert, first = rows_of("bucket", "O2", cases, calls)
    assert (insert.calls, insert.best, insert.worst, insert.average) == (5, 4, 7, Fraction(27, 5))
    assert (first.operation, first.calls) == ("first", 2)


def test_a_job_is_an_insertion_a_removal_and_its_share_of_looks() -> None:
    results = made_results(NAMES)
    assert results.per_job(NAMES[0], "automotive", 85) == 85 + 5 + 2 * 2


def test_the_crossover_is_where_it_stays_cheaper() -> None:
    results = made_results(NAMES)
    assert results.crossover(NAMES[-1], NAMES[0], "homogeneous") == 20
    assert results.crossover(NAMES[0], NAMES[-1], "homogeneous") is None


def test_without_the_calendar_every_target_is_null_with_a_reason() -> None:
    made = targets(made_results(tuple(name for name in NAMES if name != "calendar")))
    assert len(made) == 7
    for one in made:
        assert one["measured"] is None
        assert one["met"] is False
        assert one["reason"]


def test_with_the_calendar_every_target_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ("sorted_list", "delta_list", "bucket", "binary_tree", "red_black_tree", "tree_234")
    first = tuple(queue for queue in QUEUES if queue.name in kept)
    with_it = (*first, Queue("calendar", "calendar", "kernel/queue/calendar.c"))
    monkeypatch.setattr(queues, "QUEUES", with_it)
    made = targets(made_results((*kept, "calendar")))
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


def test_the_result_says_what_where_and_in_which_unit() -> None:
    made = result_object(made_results(NAMES))
    assert {row["unit"] for row in made["rows"]} == {"instructions", "bytes"}
    assert {row["platform"] for row in made["rows"]} == {"a board"}


def test_a_line_is_fitted_in_the_nearer_form() -> None:
    linear = fit([(n, 17 + 5 * n) for n in (1, 2, 10, 150)])
    assert str(linear) == "17 + 5 n"
    assert linear.residual == 0
    logarithmic = fit([(n, 30 * n.bit_length() - 4) for n in (1, 2, 10, 150)])
    assert str(logarithmic) == "-4 + 30 ceil(log2(n + 1))"
    assert str(fit([(1, 7), (2, 7)])) == "7"


def test_the_page_has_the_targets_first_and_every_queue() -> None:
    page = queues_page(made_results(NAMES))
    headings = re.findall("^## (.*)", page, re.MULTILINE)
    assert headings[0] == "Targets"
    assert "What differs, and why" in headings
    assert all(f"`{name}`" in page for name in NAMES)
    for operation in OPERATIONS:
        assert f"{operation} best" in page
    assert "Plots" in page.split("## Not on this page yet")[1]


def test_the_page_can_do_without_what_a_small_run_does_not_measure() -> None:
    results = made_results(NAMES)
    few = replace(results, rows=tuple(row for row in results.rows if row.tasks <= 20))
    assert "table 5.7" not in queues_page(few)


def test_the_firmware_knows_the_queues() -> None:
    table = (ROOT / "bench" / "queues" / "firmware" / "queues.c").read_text()
    assert re.findall(r"QUEUE\((\w+), (?:hrli|bench)_", table) == list(NAMES)
    for queue in QUEUES:
        assert (ROOT / queue.source).is_file()


def test_the_command_knows_its_experiments() -> None:
    said = Workshop.run("bench", "nothing", "--json")
    assert said.code == 2
    assert "queues" in said.object["error"]["message"]
    assert "--up-to" in Workshop.run("bench", "--help").out
