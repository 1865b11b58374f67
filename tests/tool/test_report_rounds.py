# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""The picture of a dispatcher table's round: as measured, by WCETs, and on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from io import StringIO

from rich.console import Console
from tests.tool.report_fixture import MS, measured, system, task
from tests.tool.report_reader import read

from horolog.model import (
    DispatcherTable,
    Kind,
    Place,
    Synchronisation,
    System,
    TableControl,
    TablePoint,
)
from horolog.report import page, terminal
from horolog.report.rounds import (
    Lane,
    RoundPicture,
    corrections,
    measured_round,
    planned_round,
)
from horolog.trace import Round, Trace, jobs, responses, segments

ROUND = 10 * MS


def tabled(duration: Fraction = 3 * ROUND, wcets: Sequence[int] = (1, 6)) -> System:
    """ "fast" at 0 and 5 ms, with deadlines 2 ms later; "slow" at 1 ms; a thread of 7 ms."""
    rows = [
        task("fast", ROUND / 2, wcets[0] * MS, deadline=2 * MS),
        task("slow", ROUND, wcets[1] * MS, offset=MS),
        task("thread", 7 * MS, MS),
    ]
    rows[0] = replace(rows[0], kind=Kind.BASIC, table_level=2)
    rows[1] = replace(rows[1], kind=Kind.BASIC, table_level=1)
    points = (
        TablePoint(Fraction(0), 0, 2 * MS),
        TablePoint(MS, 1, None),
        TablePoint(5 * MS, 0, 2 * MS),
    )
    made = system(rows, duration, "tabled")
    return replace(made, tables=(DispatcherTable("flight", ROUND, points, Place("system.toml")),))


def trace(*events: tuple[int, str, int]) -> Trace:
    """Events at tenths of a millisecond."""
    return Trace.of((at * 100_000, kind, index) for at, kind, index in events)


def seen(target: System, run: Trace) -> RoundPicture | None:
    return measured_round(target, target.tables[0], jobs(run, target), segments(run, target))


def bars(lane: Lane) -> list[tuple[str, float, float]]:
    return [(bar.kind, bar.at, bar.at + bar.width) for bar in lane.bars]


def test_a_round_by_wcets() -> None:
    target = tabled()
    picture = planned_round(target, target.tables[0])
    assert picture is not None
    assert picture.number is None
    fast, slow = picture.lanes  # the highest level first
    assert bars(fast) == [("ours", 0, 10), ("ours", 50, 60)]
    assert [mark.at for mark in fast.points] == [0, 50]
    assert [mark.at for mark in fast.deadlines] == [20, 70]
    assert bars(slow) == [("wait", 50, 60), ("ours", 10, 50), ("ours", 60, 80)]
    assert (slow.runs, slow.deadlines) == (6 * MS, ())
    assert slow.words == ("slow: 1 point, runs 1 ms to 5 ms, 6 ms to 8 ms, is preempted 1 time")
    assert bars(picture.left) == [("free", 80, 100)]
    assert picture.left.runs == 2 * MS
    assert [(tick.at, tick.label) for tick in picture.ticks][-1] == (100, "10 ms")


def test_what_runs_behind_its_deadline_is_late() -> None:
    target = tabled(wcets=(3, 2))
    picture = planned_round(target, target.tables[0])
    assert picture is not None
    fast, slow = picture.lanes
    # By definition "slow" preempts at 1 ms; the level that the fixture gives it does not matter here.
    assert bars(fast)[:3] == [("wait", 10, 20), ("wait", 20, 30), ("ours", 0, 10)]
    assert bars(fast)[3:] == [("late", 30, 50), ("ours", 50, 70), ("late", 70, 80)]
    assert "late" in fast.words
    assert "late" not in slow.words


def test_a_job_that_crosses_the_end_goes_on_at_the_beginning_in_time() -> None:
    target = tabled()
    (table,) = target.tables
    points = (TablePoint(MS, 0, 2 * MS), TablePoint(7 * MS, 1, 5 * MS))
    picture = planned_round(target, replace(table, points=points))
    assert picture is not None
    _, slow = picture.lanes
    assert bars(slow) == [("wait", 10, 20), ("ours", 0, 10), ("late", 20, 40), ("ours", 70, 100)]
    assert [(mark.at, mark.title) for mark in slow.deadlines] == [
        (20, "deadline of slow: 2 ms, in the next round")
    ]


def test_without_a_wcet_nothing_is_planned() -> None:
    target = tabled()
    rows = (replace(target.tasks[0], wcet=None, work=None, body="f"), *target.tasks[1:])
    assert planned_round(replace(target, tasks=rows), target.tables[0]) is None


RUN = trace(
    *[(0, "S", 0), (5, "E", 0), (5, "S", 2), (10, "S", 1), (50, "S", 0), (55, "E", 0)],
    *[(58, "E", 1), (60, "E", 2)],
    # The second round is longer. The thread's job of 7 ms begins late.
    *[(100, "S", 0), (106, "E", 0), (110, "S", 1), (150, "S", 0), (173, "E", 0), (180, "E", 1)],
    *[(180, "S", 2), (190, "E", 2)],
    *[(200, "S", 0), (206, "E", 0), (210, "S", 1), (240, "E", 1), (250, "S", 0), (252, "E", 0)],
)


def test_the_round_measured_is_that_in_which_the_table_s_tasks_ran_longest() -> None:
    target = tabled()
    picture = seen(target, RUN)
    assert picture is not None
    assert (picture.number, picture.rounds) == (2, 3)
    fast, slow = picture.lanes
    assert bars(fast) == [("ours", 0, 6), ("ours", 50, 70), ("late", 70, 73)]
    assert bars(slow) == [("wait", 50, 73), ("ours", 10, 50), ("ours", 73, 80)]
    assert slow.bars[0].title == "slow #1 is preempted: 5 ms to 7.3 ms"
    assert bars(picture.left) == [
        ("free", 6, 10),
        ("free", 80, 100),
        ("soft", 80, 90),
    ]
    assert picture.left.runs == Fraction(24, 10) * MS


def test_a_measured_job_of_the_round_before_ends_in_this_one() -> None:
    target = tabled()
    run = trace(
        *[(0, "S", 0), (5, "E", 0), (10, "S", 1), (50, "S", 0), (55, "E", 0)],
        *[(100, "S", 0), (120, "E", 0), (150, "E", 1), (150, "S", 0), (198, "E", 0)],
    )
    picture = seen(target, run)
    assert picture is not None
    assert picture.number == 2
    _, slow = picture.lanes
    # Released at 1 ms, due 10 ms later: what it does from 11 ms on is late.
    assert bars(slow) == [("wait", 0, 10), ("wait", 10, 20), ("late", 20, 50)]


def test_no_whole_round_is_no_picture() -> None:
    assert seen(tabled(duration=9 * MS), RUN) is None
    assert seen(tabled(), trace()) is None


def test_the_page_has_both_pictures_with_their_texts() -> None:
    target = tabled()
    result, planned, _, _ = measured(target, "one-shot")
    text = page(result, planned, target, RUN)
    reader = read(text)
    assert "The round of flight" in reader.words
    assert "Measured: round 2 of 3, in which these tasks ran for longest." in reader.words
    assert "The same if each job takes its WCET" in reader.words
    start = text.index('<section aria-labelledby="round">')
    section = text[start : text.index("</section>", start)]
    lanes = re.findall(r'<svg role="img" aria-label="([^"]+)"', section)
    assert [one.split(":")[0] for one in lanes] == 2 * ["fast", "slow", "left by the table"]
    drawn = section[: section.index("<p class=")] if "<p class=" in section[:200] else section
    assert drawn.count("<circle cx=") == 2 * 3
    assert drawn.count('<svg x="') == 2 * 2
    assert section.count('<rect class="late"') == 1
    short = page(result, planned, replace(target, duration=9 * MS), RUN)
    assert "No whole round was measured" in read(short).words
    untabled = read(page(result, planned, replace(target, tables=()), RUN)).words
    assert "The round of" not in untabled


def corrected() -> tuple[System, Trace]:
    """A table that follows a global time: the first round is 1 ms longer, the second 0.5 ms shorter."""
    plain = tabled(duration=4 * ROUND)
    deadlines = tuple(
        replace(one, deadline=one.deadline or 5 * MS) for one in plain.tables[0].points
    )
    target = replace(
        plain,
        tables=(replace(plain.tables[0], points=deadlines),),
        control=TableControl("timer0", False, Synchronisation(MS, MS, MS)),
    )
    of_round = [(0, "S", 0), (6, "E", 0), (10, "S", 1), (50, "S", 0), (56, "E", 0), (60, "E", 1)]
    begins = (0, 110, 205)
    run = trace(*((begin + at, kind, task) for begin in begins for at, kind, task in of_round))
    of_ms = target.board.clock.hz // 10_000
    return target, replace(run, rounds=tuple(Round(begin * of_ms, 0) for begin in begins))


def test_a_round_that_follows_a_global_time_is_drawn_from_its_own_begin() -> None:
    target, run = corrected()
    due = jobs(run, target)
    assert {job.start_ns - job.release_ns for job in due if job.start_ns is not None} == {0}
    assert [row.misses for row in responses(due, target, run.rounds)[:2]] == [0, 0]
    picture = measured_round(target, target.tables[0], due, segments(run, target), run.rounds)
    assert picture is not None
    assert (picture.number, picture.rounds) == (1, 3)
    assert (picture.begin, picture.longer) == (Fraction(0), MS)
    assert run.rounds is not None
    last = measured_round(target, target.tables[0], due, segments(run, target), run.rounds[2:])
    assert last is not None
    assert last.begin == Fraction(205, 10) * MS
    assert bars(last.lanes[0]) == [("ours", 0, 6), ("ours", 50, 56)]
    assert bars(last.lanes[1]) == [("wait", 50, 56), ("ours", 10, 50), ("ours", 56, 60)]


def test_corrections_are_told_and_drawn() -> None:
    target, run = corrected()
    assert corrections(tabled(), run.rounds) is None
    found = corrections(target, run.rounds)
    assert found is not None
    assert found.text == (
        "of 3 rounds the global time made 1 longer, by up to 1 ms, and 1 shorter, by up to 500 us"
    )
    assert [(bar.at, bar.title) for bar in found.bars] == [
        (0, "round 1: 1 ms longer"),
        (33.333, "round 2: 500 us shorter"),
    ]
    assert list(found.heights) == [100, -50]
    result, planned, _, _ = measured(target, "one-shot")
    text = page(result, planned, target, run)
    assert "Measured: round 1 of 3" in read(text).words
    assert "1 ms longer than the table says" in read(text).words.replace("\u202f", " ")
    assert text.count('aria-label="of 3 rounds the global time made') == 1
    console = Console(record=True, width=200, file=StringIO())
    console.print(terminal(result, planned, target, run))
    assert "Of 3 rounds the global time made 1 longer, by up to 1 ms" in console.export_text()
