# SPDX-FileCopyrightText: 2026 The Horolog developers
# SPDX-License-Identifier: Apache-2.0
"""Does it hold? What the page says first: the verdict, what was measured, late tasks."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from tests.tool.report_fixture import MS, measured, stock, system, task
from tests.tool.report_reader import read, report, run

from horolog.report import page
from horolog.responses import analysis_of, deadlines_of
from horolog.trace import Job, jobs


def test_what_was_measured_is_said_first_and_that_it_is_no_proof() -> None:
    _, result, *_ = run()
    words = read(report()).words
    jobs = f"{result.horolog.jobs:,}"
    assert f"Of {jobs} measured jobs none was late. The job nearest" in words
    nearest = max(
        ((one.max_ns / (row.deadline * 10**9)), row.name)
        for row in run()[0].tasks
        if (one := result.horolog.response.get(row.name)) is not None
    )[1]
    assert f"The job nearest to its deadline was one of {nearest}: " in words
    assert "No bounds were computed: what was measured is no proof." in words


def test_late_tasks_are_named() -> None:
    target = system([task("slow", 4 * MS, 3 * MS), task("other", 100 * MS, MS)], Fraction(1, 5))
    result, planned, ours, theirs = measured(target, "tick", Fraction(3, 2))
    words = read(page(result, planned, target, ours, stock(theirs))).words
    late = result.horolog.deadline_misses
    answer = words[words.index("Does it hold?", 200) :]
    assert late > 0
    assert f"{late} jobs of {result.horolog.jobs} missed their deadlines" in answer
    first = min(job.number for job in jobs(ours, target) if job.task == 0 and late_by(job) > 0)
    assert re.search(rf"Horolog slow \d+ \d+ 4.ms .* #{first}, released at", answer)
    assert re.search(r"FreeRTOS slow \d+ \d+ 4.ms", answer)
    assert "The job furthest behind its deadline was one of slow: " in answer
    assert answer.index("Late tasks") < answer.index("Where does the time go?")
    assert "Horolog spends" not in words


def late_by(job: Job) -> Fraction:
    return Fraction(job.end_ns or 0) - job.release_ns - job.deadline * 10**9


def test_a_verdict_leads_and_what_was_measured_stands_beneath() -> None:
    target, result, planned, ours, theirs = run()
    found = analysis_of(target, planned.choice)
    led = replace(result, deadlines=deadlines_of(target, found))
    assert led.deadlines is not None
    words = read(page(led, planned, target, ours, stock(theirs), analysis=found)).words
    first = f"{led.deadlines.text[0].upper()}{led.deadlines.text[1:]}. Of {led.horolog.jobs:,} measured jobs"
    assert first in words
    assert "No bounds were computed" not in words
    missed = replace(led, horolog=replace(led.horolog, deadline_misses=2))
    words = read(page(missed, planned, target, ours, stock(theirs), analysis=found)).words
    assert f"By the analysis of the plan: {led.deadlines.text}." in words
    assert words.index("2 jobs of") < words.index("By the analysis of the plan")
