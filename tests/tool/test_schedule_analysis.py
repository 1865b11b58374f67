# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""What bounds tasks that schedule tables activate: the distances of points, and where there is no bound."""

from __future__ import annotations

import json
import re
from itertools import accumulate, pairwise
from pathlib import Path
from random import Random

import pytest
from tests.tool.test_read_schedule_tables import (
    COUNTER,
    HEAD,
    MS,
    STEPS,
    TABLE,
    TASKS,
    read,
)

from horolog.cli.schedules import schedule_lines
from horolog.emit import generate
from horolog.model import spans
from horolog.plan import plan, read_prices
from horolog.responses import analysis_of, refuse_misses, to_data, verdict_text
from horolog.schedulability import Demand, End, Level, Source, response_bounds


@pytest.mark.parametrize("seed", range(20))
def test_a_curve_holds_all_releases_of_uneven_points(seed: int) -> None:
    random = Random(seed)
    distances = [random.randint(1, 20) for _ in range(random.randint(1, 5))]
    least = spans(distances)
    of = Source("a", 1, least[0], 1, curve=tuple(enumerate(least[1:], 2)), offset=None)
    at = [0, *accumulate(distances * 12)]
    for window in range(1, 2 * sum(distances) + 2):
        most = max(
            sum(begin <= one < begin + window for one in at) for begin in at[: len(distances)]
        )
        assert most <= of.arrivals(window)
    for jobs in range(1, 3 * len(distances)):
        nearest = min(at[i + jobs] - at[i] for i in range(len(distances)))
        assert of.apart(jobs) <= nearest
        assert jobs % len(distances) or of.apart(jobs) == nearest


def served(releases: list[tuple[int, int, int]]) -> dict[int, int]:
    """Of jobs (release, priority, cost) by preemption: the longest response by priority."""
    left = [(at, -priority, cost) for at, priority, cost in releases]
    now, longest = 0, dict.fromkeys({priority for _, priority, _ in releases}, 0)
    waiting: list[list[int]] = []
    while left or waiting:
        waiting += [[priority, at, cost] for at, priority, cost in left if at <= now]
        left = [one for one in left if one[0] > now]
        if not waiting:
            now = min(one[0] for one in left)
            continue
        first = min(waiting)
        first[2] -= 1
        now += 1
        if not first[2]:
            waiting.remove(first)
            longest[-first[0]] = max(longest[-first[0]], now - first[1])
    return longest


@pytest.mark.parametrize("seed", range(20))
def test_no_schedule_is_worse_than_the_bounds(seed: int) -> None:
    random = Random(seed)
    sources, tables = [], []
    for priority in (1, 2, 3):
        distances = [random.randint(2, 30) for _ in range(random.randint(1, 4))]
        cost = random.randint(1, max(1, sum(distances) // (4 * len(distances))))
        least = spans(distances)
        end = End(priority, cost, 10_000)
        curve = tuple(enumerate(least[1:], 2))
        sources.append(Source("a", priority, least[0], cost, curve=curve, offset=None, ends=(end,)))
        tables.append((priority, distances, cost))
    demand = Demand(tuple(sources), {priority: Level() for priority in (1, 2, 3)})
    bounds = {one.task: one.response for one in response_bounds(demand)}
    for _ in range(10):
        releases = []
        for priority, distances, cost in tables:
            turned = random.randrange(len(distances))
            instants = accumulate((distances[turned:] + distances[:turned]) * 6)
            releases += [(at, priority, cost) for at in (0, *instants)]
        for priority, longest in served(releases).items():
            bound = bounds[priority]
            assert bound is not None
            assert longest <= bound


def test_a_load_that_only_the_curve_shows_to_fit(tmp_path: Path) -> None:
    """With the least gap of 1 ms alone, a job of 1.2 ms every 6 ms three times would be too much."""
    tasks = TASKS.replace(
        "work = 100\npriority = 3", 'work = 18750\npriority = 3\ndeadline = "5 ms"'
    )
    system = read(tmp_path, HEAD + tasks + TABLE)
    inject = system.sporadic[0].task
    assert inject.wcet == MS * 12 / 10 > inject.period
    assert inject.rate == 3 / (6 * MS)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    bound = next(one for one in found.bounds if one.task == 1)
    assert bound.response is not None
    assert 1.2 * MS < bound.response < 2 * MS
    assert found.holds


def test_expiry_points_are_interrupts_of_all_tasks(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE)
    by_call = read(
        tmp_path, HEAD + TASKS + COUNTER + STEPS.replace("720", "300", 1).replace("300,", "200,")
    )
    parts = {}
    for name, one in (("clock", system), ("counter", by_call)):
        found = analysis_of(one, plan(one).choice, read_prices(one.board))
        assert found.holds
        parts[name] = [bound.parts["interrupts"] for bound in found.bounds]
        assert any("is taken to run on" in note for note in found.notes)
        counted = any("hrl_counter_increment" in note for note in found.notes)
        assert counted == (name == "counter")
    for clock, counter in zip(parts["clock"], parts["counter"], strict=True):
        assert clock - counter > 19 * MS / 1000, "an interrupt, and what is done at a point"


def test_no_bound_says_why(tmp_path: Path) -> None:
    tasks = TASKS.replace("priority = 3", 'priority = 3\ndeadline = "2 ms"')
    tasks = tasks.replace("priority = 2", 'priority = 2\ndeadline = "3 ms"')
    slow = COUNTER.replace("min_increment_distance", "# ")
    system = read(tmp_path, HEAD + tasks + slow + STEPS)
    found = analysis_of(system, plan(system).choice, read_prices(system.board))
    assert not found.holds
    assert found.open == {0, 1, 2}
    assert "nothing bounds how often 2 of 3 tasks are activated" in verdict_text(system, found)
    assert any(note.startswith("no bound of inject, ") and "crank" in note for note in found.notes)
    data = json.loads(json.dumps(to_data(system, found, None, None)))
    assert data["unbounded"].keys() == {"inject", "log"}
    assert data["without_wcet"] == []
    assert {task["bound_ns"] for task in data["tasks"]} == {None}
    with pytest.raises(
        Exception, match=r"nothing says how close two increments of the counter crank"
    ):
        refuse_misses(system, found)


def test_generated_tables_and_what_check_says(tmp_path: Path) -> None:
    system = read(tmp_path, HEAD + TASKS + TABLE + COUNTER)
    made = generate(system, plan(system).choice)
    text, header = made["hrl_gen_system.c"], made["hrl_gen_tables.h"]
    start, hz = system.board.start_counts, system.board.clock.hz
    assert f"HRLI_AUTOSTART_AT(combustion, {start + hz // 1000}u)" in text
    assert f"HRLI_AUTOSTART_CLOCK({start + hz // 1000}u, 0u)" in text
    assert re.search(rf"HRLI_TIMEOUTS_ARMED\(1, \w+, .*, {start + hz // 1000}u\)", text)
    in_order = ("HRLI_TABLE_THREAD(log)", "HRLI_TABLE_BASIC(inject)", "HRLI_TABLE_EVENT(spark, 4u)")
    places = [text.index(one, text.index("actions_combustion_1[]")) for one in in_order]
    assert all(one < other for one, other in pairwise(places))
    for name in (
        "counter_clock",
        "counter_crank",
        "table_combustion",
        "activate_log",
        "basic_inject",
    ):
        assert f" {name};" in header
    counter, table, cell = schedule_lines(system)
    assert counter == "counter crank: 0 to 719, increments at least 20 us apart"
    assert table.startswith("table combustion: 3 points in a round of 6 ms by the clock, repeating")
    assert cell.startswith(
        "the cell timer1 interrupts at the points of tables by the clock, at level 8"
    )


def test_a_system_without_tables_is_generated_as_before(tmp_path: Path) -> None:
    text = HEAD + TASKS.replace("priority = 3", 'priority = 3\nmin_gap = "1 ms"').replace(
        "priority = 2", 'priority = 2\nmin_gap = "1 ms"'
    )
    system = read(tmp_path, text)
    made = generate(system, plan(system).choice)
    assert "hrl_gen_tables.h" not in made
    assert "HRLI_TIMEOUTS(1" in made["hrl_gen_system.c"]
