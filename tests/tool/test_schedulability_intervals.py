# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Deadlines that no order meets, beside a schedule by earliest deadline first."""

from __future__ import annotations

import json
from dataclasses import replace
from math import lcm
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tool.factory import make_system, make_task, ms
from tests.tool.test_analyse_command import TWO, run

from horolog.responses import impossible_text
from horolog.schedulability import Interval, Periodic, overfull


def misses(jobs: list[Periodic]) -> bool:
    """By earliest deadline first, step by step, which meets all deadlines if any scheduler does."""
    cycle = lcm(*(one.period for one in jobs))
    last = max(one.offset or 0 for one in jobs)
    left: list[list[int]] = []  # (due, work) of the jobs that have not ended
    for now in range(last + 2 * cycle):
        for one in jobs:
            if now >= (one.offset or 0) and (now - (one.offset or 0)) % one.period == 0:
                left.append([now + one.deadline, one.work])
        left.sort()
        if any(due <= now for due, _ in left):
            return True
        if left:
            left[0][1] -= 1
            if not left[0][1]:
                left.pop(0)
    return False


rows = st.lists(
    st.tuples(st.integers(2, 8), st.integers(1, 3), st.integers(1, 8), st.integers(0, 6)),
    min_size=1,
    max_size=4,
).map(lambda all_: [Periodic(t, min(c, t), min(max(d, min(c, t)), t), o) for t, c, d, o in all_])


@settings(max_examples=100, deadline=None)
@given(rows)
def test_what_no_order_meets_is_missed_and_together_all_of_it_is_found(
    jobs: list[Periodic],
) -> None:
    found = overfull(jobs)
    if found is not None:
        assert misses(jobs)
        assert found.work > found.end - found.begin
    together = [replace(one, offset=0) for one in jobs]
    assert (overfull(together) is not None) == misses(together)


def test_an_interval_by_hand() -> None:
    """Both jobs of 5 and 6 are released at 0 and due by 10."""
    jobs = [Periodic(10, 5, 10), Periodic(20, 6, 9)]
    assert overfull(jobs) == Interval(0, 10, 11)
    # Released 1 later, 6 are due by 10, and 11 between 0 and 10: the begin at 0 shows it.
    assert overfull([jobs[0], replace(jobs[1], offset=1)]) == Interval(0, 10, 11)
    assert overfull([jobs[0], replace(jobs[1], offset=10)]) == Interval(10, 20, 11)
    assert overfull([jobs[0], replace(jobs[1], offset=None)]) == Interval(0, 10, 11)
    assert overfull([jobs[0], replace(jobs[1], work=5)]) is None


def test_the_figures_are_said() -> None:
    tasks = [
        make_task("fast", ms(10), wcet=ms(5)),
        make_task("slow", ms(20), wcet=ms(6), deadline=ms(9)),
    ]
    assert impossible_text(make_system(tasks=tasks)) == (
        "no order of priorities meets all deadlines: jobs released and due from 0.000 to 10.000 ms need "
        "11.000 ms"
    )
    moving = replace(tasks[1], jitter=ms(1))
    assert impossible_text(make_system(tasks=[tasks[0], moving])) is None
    assert impossible_text(make_system(tasks=[tasks[0], replace(tasks[1], wcet=None)])) is None


def test_commands_say_so_and_try_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "two.toml"
    text = TWO.replace('period = "14 ms"', 'period = "20 ms"\ndeadline = "9 ms"')
    path.write_text(text, encoding="utf-8")
    words = "no order of priorities meets all deadlines: jobs released and due from 0.000 to 10.000"
    code, _, err = run(capsys, "check", str(path))
    assert code == 1
    assert "two.toml:12:1: task.slow" in err
    assert words in err
    code, out, _ = run(capsys, "analyse", str(path), "--json", "--no-factor")
    assert code == 1
    way = json.loads(out)["way_out"]
    assert (way["found"], way["tried"]) == (False, [])
    assert words in way["text"]
