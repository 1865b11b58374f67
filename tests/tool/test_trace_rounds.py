# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Rounds of controlled tables: which a run has told, and when their points are due."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tests.tool.report_fixture import MS, NS, system, task

from horolog.model import DispatcherTable, Kind, Place, System, TableControl, TablePoint
from horolog.trace import (
    Calendar,
    Round,
    RoundCalendar,
    Trace,
    calendar_of,
    jobs,
    responses,
    rounds_of,
)

TURN = 1 << 32


def controlled(duration: Fraction = 60 * MS) -> System:
    """Two modes: of 10 ms, with two rows, and of 5 ms, with one row of two points; and a thread."""
    rows = [task(name, 10 * MS, MS) for name in ("fast", "slow")]
    rows = [replace(row, kind=Kind.BASIC, table_level=1) for row in rows]
    third = MS / 3  # no whole number of counts
    first = (TablePoint(third, 0, None), TablePoint(4 * MS, 1, None), TablePoint(6 * MS, 0, 2 * MS))
    second = (TablePoint(MS, 1, None), TablePoint(MS, 0, MS))
    return replace(
        system([*rows, task("thread", 7 * MS, MS)], duration),
        tables=(
            DispatcherTable("one", 10 * MS, first, Place("system.toml")),
            DispatcherTable("two", 5 * MS, second, Place("system.toml")),
        ),
        control=TableControl("timer0", False, None),
    )


def test_rows_tell_the_mode_and_words_the_begin() -> None:
    target = controlled()
    start, hz = target.board.start_counts, target.board.clock.hz
    begins = [(0, 0), (hz // 100, 3), (hz // 100 + hz // 200, 0)]
    seen = [(row, (start + at) % TURN, at * NS // hz + 50_000) for at, row in begins]
    expected = tuple(Round(at, 1 if row else 0) for at, row in begins)
    assert rounds_of(seen, 0, target) == expected
    assert rounds_of(seen, 1, target) is None, "not even one may be missing"
    assert rounds_of(seen, 0, replace(target, control=None)) is None
    assert rounds_of([(0, (start - 5) % TURN, 0)], 0, target) == (Round(-5, 0),)


def test_a_table_that_stood_still_for_longer_than_a_turn_of_the_clock() -> None:
    target = controlled(duration=Fraction(1000))
    start, hz = target.board.start_counts, target.board.clock.hz
    at = 2 * TURN + 12_345
    seen = [(0, start % TURN, 0), (0, (start + at) % TURN, at * NS // hz + 3_000_000)]
    assert rounds_of(seen, 0, target) == (Round(0, 0), Round(at, 0))
    late = [(0, (start + at) % TURN, at * NS // hz)]
    assert rounds_of(late, 0, replace(target, duration=Fraction(1))) == (), "behind the window"


def test_points_are_due_behind_the_begin_of_their_round_by_its_mode() -> None:
    target = controlled()
    hz = target.board.clock.hz
    rounds = (Round(0, 0), Round(hz // 100 + 7, 1), Round(6 * hz // 100 - hz // 1000, 0))
    fast = calendar_of(target, 0, rounds)
    assert isinstance(fast, RoundCalendar)
    late = 10 * MS + Fraction(7, hz)
    last = 59 * MS + MS / 3
    found = [(fast.release(n) / NS, fast.deadline(n)) for n in range(fast.count)]
    until = 6 * MS - MS / 3
    assert found == [(MS / 3, until), (6 * MS, 2 * MS), (late + MS, MS), (last, until)]
    ns = int(MS / 3 * NS)  # just before the first
    assert (fast.latest(ns), fast.latest(ns + 1), fast.next(ns + 1)) == (-1, 0, 1)
    assert (fast.next(ns), fast.is_after(0, ns), fast.is_after(0, ns + 1)) == (0, True, False)
    slow = calendar_of(target, 1, rounds)
    assert isinstance(slow, RoundCalendar)
    assert [slow.deadline(n) for n in range(slow.count)] == [6 * MS, 4 * MS]
    assert isinstance(calendar_of(target, 2, rounds), Calendar)
    assert calendar_of(target, 0, None) is None


def test_jobs_without_rounds_are_neither_counted_nor_late() -> None:
    target = controlled()
    run = Trace.of([(340_000, "S", 0), (6_000_001, "E", 0)])
    assert {job.task for job in jobs(run, target)} == {2}
    told = replace(run, rounds=(Round(0, 0),))
    (row, *_) = responses(jobs(told, target), target, told.rounds)
    # The first job ends 1 ns behind the next point, which is passed over: no other begins.
    assert (row.jobs, row.misses, row.unfinished, row.overruns) == (1, 1, 0, 1)
