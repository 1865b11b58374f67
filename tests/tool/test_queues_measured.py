# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The pure parts of `horolog bench queues` before the page: cases, what the plugin wrote, results."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest
from tests.tool.conftest import Workshop
from tests.tool.queue_results import NAMES, made_results, made_whole

from horolog.analyse import hyperperiod, streams
from horolog.calibrate.images import read_calls
from horolog.calibrate.workloads import Case, automotive_counts, cases_source
from horolog.model import Exit, HorologError
from horolog_experiments.queues import (
    ORDERS,
    QUEUES,
    Results,
    cases_up_to,
    measured_from,
    measured_text,
    rows_of,
)
from horolog_experiments.queues.systems import SIZES, STRETCH, engine_control

ROOT = Path(__file__).resolve().parents[2]


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
    assert "groups_1[] = {{25000u, 1u, 0u}, {500000u, 2u, 0u}};" in text
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
    assert insert.dearest_orders == ("EQUAL",)
    assert dict(zip(ORDERS, insert.by_order, strict=True))["RANDOM"] == 6
    assert (first.operation, first.calls) == ("first", 2)


def test_a_job_is_an_insertion_a_removal_and_its_share_of_looks() -> None:
    results = made_results(NAMES)
    assert results.per_job(NAMES[0], "automotive", 85) == 85 + 5 + 2 * 2


def test_the_crossover_is_where_it_stays_cheaper() -> None:
    results = made_results(NAMES)
    assert results.crossover(NAMES[-1], NAMES[0], "homogeneous") == 20
    assert results.crossover(NAMES[0], NAMES[-1], "homogeneous") is None
    cost = Results.insertion
    assert results.crossover(NAMES[-1], NAMES[0], "homogeneous", cost=cost) == 20


def test_what_was_measured_survives_its_file() -> None:
    results = made_results(NAMES, made_whole())
    assert measured_from(measured_text(results)) == results
    with pytest.raises(ValueError, match="orders of keys"):
        measured_from(measured_text(results).replace("SAWTOOTH", "OTHER"))


@pytest.mark.parametrize("tasks", SIZES)
def test_whole_systems_keep_shares_and_bodies(tasks: int) -> None:
    system, example = engine_control(tasks), engine_control(85)
    stretch = 1 if tasks == 85 else STRETCH
    assert len({task.name for task in system.tasks}) == tasks
    counts = {Fraction(ms * stretch, 1000): n for ms, n in automotive_counts(tasks)}
    for period, count in counts.items():
        same = [task for task in system.tasks if task.period == period]
        assert len(same) == count
        assert all(task.deadline == period for task in same)
        works = {task.work for task in example.tasks if task.period * stretch == period}
        assert {task.work for task in same} == works
    assert system.duration % hyperperiod(streams(system)) == 0


def test_a_ratio_is_for_systems_that_held_their_deadlines() -> None:
    whole = made_whole()
    assert whole.ratio("sorted_list", 85) == 2
    assert whole.ratio("calendar", 85) is None
    assert whole.row("calendar", 85).per_job is None


def test_every_source_of_queues_is_measured() -> None:
    sources = {source for queue in QUEUES for source in (queue.source, *queue.helpers)}
    folders = (ROOT / "kernel" / "queue", ROOT / "bench" / "queues")
    found = {path.relative_to(ROOT).as_posix() for f in folders for path in f.glob("*.c")}
    assert found <= sources
    assert {source for source in sources if (ROOT / source).exists()} == found


def test_the_firmware_knows_the_orders() -> None:
    header = (ROOT / "bench" / "queues" / "firmware" / "bench_case.h").read_text()
    assert re.findall(r"^    BENCH_(\w+),", header, re.MULTILINE) == ["PERIODIC", *ORDERS]


def test_words_of_a_node_are_the_contracts() -> None:
    words = {queue.name: queue.node_words for queue in QUEUES}
    assert (words["sorted_list"], words["binary_tree"], words["tree_234"]) == (3, 6, 2)


def test_the_command_knows_its_experiments() -> None:
    said = Workshop.run("bench", "nothing", "--json")
    assert said.code == 2
    assert "queues" in said.object["error"]["message"]
    assert "--up-to" in Workshop.run("bench", "--help").out
